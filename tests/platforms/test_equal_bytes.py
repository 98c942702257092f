"""The same seed gives the same bytes at every ply on all platforms."""

import contextlib
import io

import pytest

from games import catalogue
from tests.platforms import platforms, traces

# Seeded games in all, spread over seat counts and options: in full for the model of all games; the others, whose players
# think long on CPython, in full only with --slow.
GAMES = 200
FEWER_GAMES = 48

_expected: dict[tuple[str, int], list[str]] = {}


def printed(function, *arguments):
    """The lines that a function prints in this process: plain CPython, as a player runs it."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        function(*arguments)
    return out.getvalue().splitlines()


def run(platform, *calls, root=None):
    """The lines that functions of traces.py print on a platform."""
    outcome = platforms.run(platform, "tests.platforms.traces", calls, root)
    for fault in outcome.faults.values():
        assert fault is None, fault
    return outcome.lines


def first_difference(platform, line, root=None):
    """Where a game (a line of `games`) goes another way than here."""
    game, seats, mask, seed = line.split()[:4]
    here = printed(traces.plies, game, seats, mask, seed)
    there = run(platform, f"plies {game} {seats} {mask} {seed}", root=root)
    where = f"{game}, {seats} seats, options {mask}, seed {seed}"
    for i in range(max(len(here), len(there))):
        if here[i : i + 1] != there[i : i + 1]:
            return f"{where}: differs first at ply {i + 1}\n here: {here[i : i + 1]}\n {platform}: {there[i : i + 1]}"
    return f"{where}: every ply is equal, the scores, the winners or the last views are not"


@pytest.mark.parametrize("game", catalogue.ids())
@pytest.mark.parametrize("platform", platforms.NAMES)
def test_seeded_games_are_equal_at_every_ply(game, platform, request):
    if reason := platforms.missing(platform):
        pytest.skip(reason)
    tables = traces.tables(game)
    in_full = game == "goats" or request.config.getoption("--slow")
    least = GAMES if in_full else FEWER_GAMES
    each = -(-least // len(tables))
    if (game, each) not in _expected:
        _expected[game, each] = [line for table in tables for line in printed(traces.games, game, *table, each)]
    # A call for each table, as the 32-bit one collects its garbage only between calls.
    there = run(platform, *(f"games {game} {seats} {mask} {each}" for seats, mask in tables))
    assert len(there) == len(_expected[game, each]) >= least
    for line, other in zip(_expected[game, each], there, strict=True):
        if line != other:
            pytest.fail(first_difference(platform, line))
