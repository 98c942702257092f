"""The positions of tests/games/blunders, each with one clear move: the level *hard* finds it in nine of ten seeds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games import catalogue
from tests.platforms import platforms
from tools import games

FOLDER = Path(__file__).parent / "blunders"
FILES = sorted(FOLDER.glob("*.jsonl"))
LEAST = 12
SEEDS, FOUND = 10, 9


@pytest.mark.parametrize("game", catalogue.ids())
def test_every_game_has_positions(game):
    """A new game's are found by `python3 -m tools blunders`."""
    assert game in [file.stem for file in FILES]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_positions_are_decisions_of_the_game(file):
    """At least twelve different ones, in which the move is one of several."""
    lines = [json.loads(text) for text in file.read_text(encoding="utf-8").splitlines()]
    assert len({values["state"] for values in lines}) == len(lines) >= LEAST
    for values in lines:
        assert values["game"] == file.stem
        table = games.open_game(values["game"], values["seats"], [name for name, on in values["options"].items() if on])
        state = bytearray.fromhex(values["state"])
        table.rules.check(state)
        assert (state[0], state[1]) == (table.seats, table.mask)
        texts = table.texts(state, table.buffer())
        assert values["move"] in texts and len(texts) > 1


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_hard_finds_the_move(file):
    if reason := platforms.missing("viper"):
        pytest.skip(reason)
    path = file.relative_to(platforms.ROOT).as_posix()
    outcome = platforms.run("viper", "tests.games.finding", [f"finds {path} hard {SEEDS}"])
    for fault in outcome.faults.values():
        assert fault is None, fault
    found = list(map(int, outcome.lines))
    assert len(found) >= LEAST
    assert min(found) >= FOUND, found
