"""`bench` on the host: the games beside their plain versions in one run, and how many times faster they have to be."""

import importlib
import json
import random

import pytest

from games import catalogue
from tools import bench, games
from tools.benches import host

# On CPython, of the plain version. A quiet machine gives 20, 17, 5 and 5 at two seats, 12 at the Big Mountain.
TIMES_REFERENCE = {"goats": 10, "goblins": 5, "kings": 3, "horses": 3}
TABLES = [
    (game, seats, mask)
    for game in catalogue.ids()
    for mask in sorted({0, (1 << len(catalogue.options(game))) - 1})
    for seats in catalogue.seats(game, mask)
]
ROUNDS = 8


def test_every_game_has_its_ratio():
    assert set(TIMES_REFERENCE) == set(catalogue.ids())


@pytest.mark.parametrize(("game", "seats", "mask"), TABLES)
def test_cpython_is_faster_than_the_plain_version(game, seats, mask):
    """Turn by turn, and the best of each: what else the machine does only slows one of them down for a while."""
    options = {name: mask >> i & 1 for i, name in enumerate(catalogue.options(game))}
    ours = plain = 0
    for _ in range(ROUNDS):
        ours = max(ours, host.on_cpython(game, seats, mask, 100)["playouts_per_s"])
        plain = max(plain, host.reference_per_s(game, seats, options, 100) or 0)
        if ours >= 1.2 * TIMES_REFERENCE[game] * plain:
            break
    assert plain
    assert ours >= TIMES_REFERENCE[game] * plain, (ours, plain)


def test_bench_shows_them_side_by_side(capsys):
    assert bench.main(["--ms", "5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == [f"{game} {catalogue.seats(game, 0)[0]} 0" for game in catalogue.ids()]
    for figures in found.values():
        speed = figures["speed"]
        plain = speed.pop("reference")["playouts_per_s"]
        assert plain
        assert "cpython" in speed
        for figure in speed.values():
            assert figure["times_reference"] == round(figure["playouts_per_s"] / plain, 1)


def test_the_plain_versions_play_whole_games():
    """With the same call for each, so that `bench` needs to know none of them."""
    for game in catalogue.ids():
        plain = importlib.import_module(f"tests.reference.{game}")
        table = games.open_game(game)
        scores, winners = plain.random_game(table.seats, table.options, random.Random(1))
        assert len(scores) == table.seats
        assert winners
