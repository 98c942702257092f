"""`check` of every game: altered states are rejected, or play on, and alike at every speed.

A state that came from outside may have any bytes. What `check` lets pass meets code whose pointers know no bounds; so
hypothesis alters states in play, strict memory plays them on here, and machine code then has to find the same.
"""

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import catalogue
from games.rng import Rng
from tests.platforms import altered, platforms, traces
from tests.platforms.strict import StrictBytes

EXAMPLES = 500
MORE = 10000


def states(game: str) -> list[bytes]:
    """Every other ply of a random game at each table."""
    rules = catalogue.load(game)
    buf = array("H", [0] * rules.MAX_LEGAL)
    found = []
    for seats, mask in traces.tables(game):
        rng = Rng(seats)
        s = bytearray(rules.STATE_BYTES)
        rules.new(s, seats, mask, rng)
        ply = 0
        while (who := rules.seat(s)) != traces.OVER:
            if ply % 2 == 0:
                found.append(bytes(s))
            rules.apply(s, rules.sample(s, rng) if who == traces.CHANCE else buf[rng.below(rules.legal(s, buf))])
            ply += 1
        found.append(bytes(s))
    return found


def alterations(size: int) -> st.SearchStrategy:
    """Lists of (how, where, what): a byte set, moved by a little, its bits flipped, or exchanged with another one, which
    keeps every card and token."""
    place = st.integers(0, size - 1)
    one = st.one_of(
        st.tuples(st.just("set"), place, st.integers(0, 255)),
        st.tuples(st.just("add"), place, st.integers(-2, 2)),
        st.tuples(st.just("flip"), place, st.integers(1, 255)),
        st.tuples(st.just("swap"), place, place),
    )
    return st.lists(one, min_size=1, max_size=6)


def alter(state: bytes, how: list[tuple[str, int, int]]) -> bytes:
    """The state with those alterations."""
    bad = bytearray(state)
    for kind, where, what in how:
        if kind == "set":
            bad[where] = what
        elif kind == "add":
            bad[where] = (bad[where] + what) & 255
        elif kind == "flip":
            bad[where] ^= what
        else:
            bad[where], bad[what] = bad[what], bad[where]
    return bytes(bad)


def fuzzed(game: str, examples: int) -> dict[bytes, str]:
    """What came of so many altered states: `rejected`, or the checksum of what was played, on strict memory."""
    rules, bot = catalogue.load(game), catalogue.load(game, "bot")
    starts = states(game)
    told: dict[bytes, str] = {}

    @settings(max_examples=examples, deadline=None, database=None)
    @given(st.sampled_from(starts), alterations(rules.STATE_BYTES))
    def rejected_or_played_on(state, how):
        bad = alter(state, how)
        try:
            told[bad] = str(altered.outcome(rules, bot, StrictBytes(bad)))
        except ValueError:
            told[bad] = "rejected"

    rejected_or_played_on()
    return told


@pytest.mark.parametrize("examples", [EXAMPLES, pytest.param(MORE, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", catalogue.ids())
def test_altered_states_are_rejected_or_play_on_at_every_speed(game, examples, tmp_path):
    told = fuzzed(game, examples)
    passed = sum(line != "rejected" for line in told.values())
    # A fuzz that never passes, or never fails, tests nothing.
    assert 0 < passed < len(told)
    file = tmp_path / "altered"
    file.write_text("".join(state.hex() + "\n" for state in told))
    for platform in ("viper", "bytecode"):
        if platforms.missing(platform):
            continue
        there = platforms.run(platform, "tests.platforms.altered", [f"outcomes {game} {file}"])
        for fault in there.faults.values():
            assert fault is None, fault
        assert there.lines == list(told.values()), platform
