"""No dead end: on every layout every scene and way between scenes is taken by its keys, no key breaks anything, and holding
back leads to the title; an idle turn of the loop costs nothing."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from pathlib import Path

import pytest

from firmware import modules, screen
from games import catalogue
from games.rng import Rng
from hal.device import RIGHT, A
from hal.keys import LAYOUTS
from tests.firmware.walker import MISHAPS, WAYS, Quick, Walker
from tests.platforms import platforms

SCENES = {path.stem for path in (Path(modules.__file__).parent / "scenes").glob("*.py")}
# A board that has to find out which panel it has shows it; the host's is known.
SCENES.remove("panel")


# --- A game is played with → and A alone


def choices(game: str, seats: int, options: int, most: int):
    """(rules, state, legal moves) of decisions in games at random, those with two to `most` moves."""
    rules = catalogue.load(game)
    buffer = array("H", [0] * rules.MAX_LEGAL)
    rng = Rng(seats + 10 * options)
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, seats, options, rng)
    while rules.seat(state) != rules.OVER:
        if rules.seat(state) == rules.CHANCE:
            rules.apply(state, rules.sample(state, rng))
            continue
        n = rules.legal(state, buffer)
        if 2 <= n <= most:
            yield rules, state, buffer[:n]
        rules.apply(state, buffer[rng.below(n)])


@pytest.mark.parametrize(
    ("game", "seats", "options", "most"),
    [("goats", 3, 1, 14), ("goblins", 2, 1, 12), ("goblins", 3, 0, 12), ("kings", 2, 0, 16), ("horses", 3, 0, 12)],
)
def test_next_and_select_reach_every_move(game: str, seats: int, options: int, most: int) -> None:
    """By keys at random, as a person who does not know the game might press them."""
    if game not in modules.GAMES:
        pytest.skip(f"{game} has no view")
    rng = random.Random(1)
    found = 0
    for rules, state, legal in choices(game, seats, options, most):
        if rng.random() < 0.5:
            continue
        view = modules.view(game).View(rules, seats)
        view.viewer = rules.seat(state)
        view.sync(state)
        room = array("H", [0] * rules.MAX_LEGAL)
        room[: len(legal)] = legal
        wanted = set(legal)
        for _ in range(400 * len(legal)):
            view.choose(room, len(legal))
            for _ in range(120):
                move = view.key(rng.choice((RIGHT, RIGHT, RIGHT, A, A)))
                if move >= 0:
                    assert move in legal
                    wanted.discard(move)
                    break
            if not wanted:
                break
        assert not wanted, (game, [int(m) for m in legal], wanted)
        found += 1
        if found == 12:
            return
    assert found >= 5


# --- Keys at random


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "levels", Quick)


def on_micropython(*calls: str) -> set[tuple[str, str]]:
    """Run functions of walker.py as bytecode, where a press takes a fifth of the time; the ways taken."""
    if reason := platforms.missing("bytecode"):
        pytest.skip(reason)
    outcome = platforms.run("bytecode", "tests.firmware.walker", calls)
    assert [fault for fault in outcome.faults.values() if fault] == []
    words = [line.split() for line in outcome.lines]
    return {(w[1], w[2]) for w in words if w[:1] == ["@way"]}


def test_the_list_of_ways_is_one_of_scenes() -> None:
    assert {name for way in WAYS for name in way} - {"on"} == SCENES
    assert len(set(WAYS)) == len(WAYS)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_keys_at_random_break_nothing_where_memory_is_strict(layout: str, quick: None) -> None:
    walker = Walker(layout, 1)
    for _ in range(400):
        walker.press()
    assert walker.ways <= {*WAYS, *MISHAPS}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_sample_of_keys_breaks_nothing(layout: str) -> None:
    assert on_micropython(f"stroll {layout} 2 1500") <= {*WAYS, *MISHAPS}, "a way that is not in the list"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_kept_game_that_is_wrong_is_told(layout: str) -> None:
    assert ("kept", "message") in on_micropython(f"rare {layout}")


@pytest.mark.slow
def test_200_000_keys_on_each_layout_break_nothing_and_take_every_way() -> None:
    taken: set[tuple[str, str]] = set()
    for layout in LAYOUTS:
        for seed in range(10):
            taken |= on_micropython(f"stroll {layout} {100 + seed} 20000")
        taken |= on_micropython(f"rare {layout}")
    assert taken - {*WAYS, *MISHAPS} == set(), "not in the list"
    assert set(WAYS) - taken == set(), "never seen"


@pytest.mark.parametrize("layout", ["six", pytest.param("two", marks=pytest.mark.slow)])
def test_the_heap_is_flat(layout: str) -> None:
    on_micropython(f"flat {layout} 1000")


# --- What it costs

# Where a game or replay waits for a key.
WAITING = ("roll", "choice", "sheet", "pass", "told")
# Something moves there: a beat of the LED, a game that goes on.
MOVING = ("selftest", "replay")


def test_idle_turns_draw_and_send_nothing_wherever_it_is(monkeypatch: pytest.MonkeyPatch, quick: None) -> None:
    drawn = []
    clear = screen.Screen.clear
    monkeypatch.setattr(screen.Screen, "clear", lambda board: (drawn.append(1), clear(board)))
    walker = Walker("four", 4)
    looked: Counter[str] = Counter()
    seen = set()
    for i in range(2500):
        walker.press()
        hand = walker.hand
        place = hand.waits_for() if hand.scene() == "game" else hand.scene()
        if i % 4 or place in MOVING or looked[place] == 8:
            continue
        looked[place] += 1
        # A line across the top goes away by itself.
        hand.wait(2000)
        if hand.scene() == "game" and hand.waits_for() not in WAITING:
            continue
        walker._see()
        drawn.clear()
        sent = 0
        for _ in range(10):
            hand.wait(0)
            sent += hand.sent
        assert (sent, drawn) == (0, []), place
        seen.add(place)
    assert len(seen) >= 12, seen
