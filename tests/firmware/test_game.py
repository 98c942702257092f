"""A game on the device: choosing, saving, resuming, what idle turns and cursor moves cost, keys at random."""

from __future__ import annotations

import itertools
import random
import sys
from array import array
from pathlib import Path

import pytest

from firmware import modules, saves, screen
from firmware.app import TICK_MS
from firmware.views import goats as view
from games import catalogue
from games.goats import rules
from games.rng import Rng
from hal.device import DOWN, LEFT, RIGHT, UP, A
from hal.host import HostDevice, MemoryStore
from tests.firmware.hand import Hand, LastMove

ROOT = Path(__file__).resolve().parents[2]
PEOPLE = [saves.PERSON, saves.EASY]


def test_every_goat_is_at_the_foot_when_the_game_begins() -> None:
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, 2, 0, Rng(1))
    assert bytes(state[rules._SEAT : rules._SEAT + 6]) == view._HEIGHT


# --- The choice


def table(seats: int, options: int, roll: int):
    """A view at a first turn with a roll, and its legal moves."""
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, seats, options, Rng(1))
    rules.apply(state, roll)
    shown = view.View(rules, seats)
    shown.sync(state)
    buffer = array("H", [0] * rules.MAX_LEGAL)
    return shown, buffer, rules.legal(state, buffer)


@pytest.mark.parametrize("options", [0, 1])
def test_dice_of_every_choice_make_its_sums(options: int) -> None:
    """For all rolls: only 1s are turned, one stays a 1, no die is in two groups, the groups make their sums."""
    for roll in range(126):
        shown, legal, n = table(2, options, roll)
        for code in legal[:n]:
            shown.show_choice(code)
            made = [0] * 4
            ones = turned = 0
            for die, face, group in zip(shown._dice, shown._faces, shown._groups, strict=True):
                assert 1 <= face <= 6
                assert face == die or die == 1
                ones += die == 1
                turned += face != die
                if group < 4:
                    made[group] += face
            assert turned == 0 or turned < ones, (roll, code)
            assert made[: shown._n_sums] == list(shown._sums[: shown._n_sums]), (roll, code)
            assert made[shown._n_sums :] == [0] * (4 - shown._n_sums), (roll, code)


@pytest.mark.parametrize("options", [0, 1])
def test_keys_reach_every_legal_move_and_no_other(options: int) -> None:
    for roll in range(0, 126, 5):
        shown, legal, n = table(2, options, roll)
        shown.choose(legal, n)
        first = shown._move
        assert first in legal[:n]
        assert shown.key(A) == first, "A at once makes the proposed move"
        seen = {}
        todo = [(first, shown._cursor)]
        while todo:
            where = todo.pop()
            if where in seen:
                continue
            seen[where] = True
            for k in (UP, DOWN, LEFT, RIGHT, A):
                shown._take(where[0])
                shown._cursor = where[1]
                made = shown.key(k)
                if made >= 0:
                    assert made == where[0]
                    assert k == A
                todo.append((shown._move, shown._cursor))
        assert {move for move, _ in seen} == set(legal[:n]), roll


def test_up_adds_what_is_pointed_at_and_keeps_what_it_can() -> None:
    """Dice 2 3 4 6 without the Big Mountain: 6 + 9 is there; pointing at 5 (2 + 3) drops what needs those dice."""
    roll = next(r for r in range(126) if dice(r) == [2, 3, 4, 6])
    shown, legal, n = table(2, 0, roll)
    shown.choose(legal, n)

    def point(v: int) -> None:
        shown._cursor = list(shown._stops[: shown._n_stops]).index(v)

    def chosen() -> list[int]:
        return [v for v in range(25) for _ in range(shown._chosen[v])]

    shown._take(0)
    point(9)
    shown.key(UP)
    assert chosen() == [9]
    point(6)
    shown.key(UP)
    assert chosen() == [6, 9]
    point(5)
    shown.key(UP)
    assert chosen() in ([5], [5, 6])
    shown.key(DOWN)
    assert 5 not in chosen()


def dice(roll: int) -> list[int]:
    four = bytearray(4)
    rules.dice(roll, four)
    return list(four)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_goat_touches_nothing_but_the_ledge_that_it_stands_on(seats: int) -> None:
    """Else two shapes become one, and nobody can tell whose it is."""
    shown, _, _ = table(seats, 0, 0)
    bare = screen.Screen(HostDevice().display)
    for m in range(6):
        shown._draw_rock(bare.frame, view._PITCH * m + 1, view._HEIGHT[m])
    for m in range(6):
        for steps in range(1, view._HEIGHT[m]):
            places = []
            for seat in range(seats):
                left, top, size = shown._x(m, seat, steps), shown._y(steps) - view._STAND, shown._size
                for x in range(left - (left % view._PITCH > 1), left + size + 1):
                    for y in range(top, shown._y(steps)):
                        assert not bare.frame.pixel(x, y), (m, steps, seat)
                    if left <= x < left + size:
                        assert not bare.frame.pixel(x, top - 1), (m, steps, seat)
                places.append((left, left + size))
            assert all(a[1] < b[0] for a, b in itertools.pairwise(places))


# --- Saves


class Recorder(MemoryStore):
    """Keeps every save of the game."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[bytes] = []

    def save(self, name, data):
        if name == saves.NAME:
            self.all.append(bytes(data))
        return super().save(name, data)


def drive(hand: Hand) -> None:
    """Play to the end by pressing A."""
    while hand.scene() == "game":
        hand.play_on(10**6)


@pytest.mark.parametrize(("kinds", "options"), [([1, 2], 0), ([2, 1, 2, 2, 1], 1), ([2, 2], 0)])
def test_resumes_exactly_after_a_cut_at_any_ply(kinds: list[int], options: int) -> None:
    store = Recorder()
    hand = Hand(seed=5, store=store)
    hand.start(kinds, options)
    drive(hand)
    whole = store.all
    assert len(whole) > 40
    assert hand.scene() == "result"
    assert store.load(saves.NAME) is None, "nothing to resume after the end"
    for ply in range(0, len(whole) - 1, max(1, len(whole) // 12)):
        again = Recorder()
        again.save(saves.NAME, whole[ply])
        hand = Hand(seed=99, store=again)
        hand.press("A")
        assert hand.waits_for() != "title"
        hand.play_on(ply + 12)
        told = again.all[1:]
        assert told == whole[ply + 1 : ply + 1 + len(told)]
        assert len(told) >= min(11, len(whole) - ply - 1)


def save() -> bytes:
    store = Recorder()
    hand = Hand(seed=3, store=store)
    hand.start(PEOPLE, 1)
    hand.play_on(40)
    return store.all[-1]


def test_a_save_that_cannot_be_is_put_aside() -> None:
    good = save()
    bad = [b"", b"\x01", good[:20], good + b"\0", b"\x02" + good[1:], good.replace(b"goats", b"boats")]
    random.seed(1)
    for _ in range(150):
        broken = bytearray(good)
        broken[random.randrange(len(good))] = random.randrange(256)
        bad.append(bytes(broken))
    refused = 0
    for data in bad:
        hand = Hand(store=stored(data))
        if hand.scene() == "title":
            hand.press("A.")
        assert hand.scene() in ("message", "game", "games", "result")
        if hand.scene() == "message":
            refused += 1
            assert hand.device.store.load(saves.ASIDE) == data
            assert hand.device.store.load(saves.NAME) is None
            hand.press("A.")
            assert hand.scene() == "title"
            hand.press("A.")
            assert hand.scene() == "games", "a fresh start"
        else:
            # Another state that can be: it is played on like any other.
            hand.play_on(hand.app.top().plies + 4 if hand.scene() == "game" else 0)
    assert refused > 80


def stored(data: bytes) -> MemoryStore:
    store = MemoryStore()
    store.save(saves.NAME, data)
    return store


@pytest.mark.parametrize("message", ["save_older", "save_lost"])
def test_what_the_store_says_is_told_once(message: str) -> None:
    class Damaged(MemoryStore):
        def load(self, name):
            data = super().load(name)
            self.message = message if name == saves.NAME else None
            return data

    store = Damaged()
    if message == "save_older":
        store.save(saves.NAME, save())
    hand = Hand(store=store)
    assert hand.scene() == "message"
    hand.press("A.")
    assert hand.scene() == "title"
    hand.press("UA.B.")
    assert hand.scene() == "title"


def test_a_save_that_fails_is_told_and_the_game_goes_on() -> None:
    hand = Hand()
    hand.start(PEOPLE)
    hand.until("roll")

    def full(_name, _data):
        hand.device.store.message = "save_full"
        return False

    keep = hand.device.store.save
    hand.device.store.save = full
    hand.press("A.")
    assert hand.app.where()[-2:] == ["game", "message"]
    hand.press("A.")
    # Once, not at every ply.
    for _ in range(3):
        hand.until("choice")
        hand.press("A")
        hand.until("roll")
        hand.press("A")
    # And once more when saves worked in between.
    hand.device.store.save = keep
    hand.until("choice")
    hand.press("A")
    hand.until("roll")
    hand.device.store.save = full
    hand.press("A.")
    assert hand.scene() == "message"


def test_a_first_save_that_fails_is_told_on_top_of_the_game() -> None:
    hand = Hand()
    hand.device.store.message = "save_failed"
    hand.device.store.save = lambda _name, _data: False
    hand.start(PEOPLE)
    hand.press("..")
    assert hand.app.where() == ["title", "game", "message"]
    hand.press("A.")
    assert hand.app.where() == ["title", "game"]
    hand.device.store.message = None
    hand.press("b.")
    assert hand.app.where() == ["title"]


# --- What it costs


def test_idle_turns_draw_and_send_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    clear = screen.Screen.clear
    monkeypatch.setattr(screen.Screen, "clear", lambda board: (drawn.append(1), clear(board)))
    hand = Hand()
    for keys, where in (("", "title"), ("A", "games"), ("A", "setup"), ("bbb", "title"), ("UA", "about")):
        hand.press(keys + "..")
        assert hand.scene() == where
        assert drawn
        drawn.clear()
        hand.wait(3000)
        assert (hand.sent, drawn) == (0, []), where
    hand.start(PEOPLE, 1)
    for phase in ("roll", "choice", "roll"):
        hand.until(phase)
        hand.wait(0)
        drawn.clear()
        hand.wait(3000)
        assert (hand.sent, drawn) == (0, []), phase
        hand.press("A")


def test_cursor_moves_send_less_than_100_bytes() -> None:
    hand = Hand(seed=2)
    hand.press("A..A..")
    for keys in "UUUDDDURRRRLLL":
        hand.press(keys)
        # Moving to a seat or option also rewrites the line of explanation, and may move two lines of the list.
        assert hand.sent < 420, keys
    hand.press("b.")
    hand.press("b.")
    for keys in "DUD":
        hand.press(keys)
        assert 0 < hand.sent < 100, keys
    hand.start(PEOPLE, 1)
    moves = 0
    for _ in range(12):
        hand.until("roll")
        hand.press("A")
        hand.until("choice")
        hand.wait(0)
        cursor = hand.app.top().view
        for letter in "LLLLLLLL":
            if cursor._cursor == 0:
                break
            hand.press(letter)
            assert 0 < hand.sent < 100, (cursor._cursor, hand.sent)
            moves += 1
        while not cursor.at_go():
            hand.press("R")
        hand.press("A")
    assert moves > 40


def test_animations_end_in_time_and_any_key_ends_them() -> None:
    hand = Hand(seed=4)
    hand.start([2, 2, 2, 2, 2], 1)
    seen = []
    while hand.scene() == "game":
        ply, phase, ms = hand.app.top().plies, hand.waits_for(), 0
        while hand.scene() == "game" and (ply, phase) == (hand.app.top().plies, hand.waits_for()):
            hand.wait(0)
            ms += TICK_MS
        # A turn of the loop may have begun before, and one ends after.
        assert ms <= 600 + 2 * TICK_MS, (ply, phase)
        seen.append(phase)
    assert {"moving", "thinking", "look"} <= set(seen)
    assert len(seen) > 300
    # The panel has dimmed in all that time, and the first press only wakes it.
    hand.press("R")
    hand.start([1, 2, 2, 2, 2], 1)
    for letter in "UDLRA":
        hand.until("roll")
        hand.press("A" + letter + "..")
        assert hand.waits_for() == "choice"
        hand.press("A" + letter + "..")
        assert hand.waits_for() in ("moving", "thinking")


def test_last_moves_are_shown_again_without_changing_anything() -> None:
    hand = Hand(seed=4)
    hand.start([1, 2, 2], 0)
    for _ in range(4):
        hand.until("roll")
        hand.press("A")
        hand.until("choice")
        hand.press("A")
    hand.until("roll")
    game = hand.app.top()
    state, rng, frame = bytes(game.state), game.course.rng.state[0], bytes(hand.device.display.shown)
    hand.press("U")
    hand.until("moving")
    hand.until("look")
    hand.until("moving")
    hand.until("roll")
    hand.wait(0)
    assert (bytes(game.state), game.course.rng.state[0], bytes(hand.device.display.shown)) == (state, rng, frame)
    hand.press("A")
    hand.until("choice")
    hand.menu("menu.last")
    hand.until("look")
    hand.until("choice")


def test_the_menu_offers_what_it_can_do_whatever_the_game_waits_for() -> None:
    hand = Hand(seed=4)
    hand.start([1, 2], 0)
    seen = {}
    for _ in range(2000):
        phase = hand.waits_for()
        if seen.get(phase, 0) < 2:
            seen[phase] = seen.get(phase, 0) + 1
            game = hand.app.top()
            clock = game._clock
            if phase != "thinking":
                hand.press("B")
                keys = hand.app.top()._keys
                assert ("menu.last" in keys) == (phase in ("roll", "choice") and game._first_again() < len(game._log))
                assert ("menu.hint" in keys) == (phase == "choice")
                hand.press("D" * keys.index("menu.sheet") + "A")
                assert hand.waits_for() == "sheet", phase
                hand.device.keys.tap(A)
                hand.app._press(0)
                assert (hand.waits_for(), game._clock) == (phase, clock)
        if phase in ("roll", "choice"):
            hand.press("A")
        hand.wait(0)
        if set(seen) >= {"roll", "moving", "choice", "thinking", "look"} and min(seen.values()) == 2:
            return
    raise AssertionError(seen)


def test_the_score_sheet_in_the_middle_of_the_last_moves_shown_again() -> None:
    hand = Hand(seed=4)
    hand.start([1, 2, 2], 0)
    hand.until("roll")
    hand.press("A")
    hand.until("choice")
    hand.press("A")
    hand.until("roll")
    hand.press("U")
    hand.until("look")
    hand.menu("menu.sheet")
    assert hand.waits_for() == "sheet"
    hand.press("A")
    hand.until("roll")


# --- Memory, keys, holding B


def test_only_the_game_being_played_is_loaded() -> None:
    def loaded() -> list[str]:
        passing = (
            "games.goats.",
            "games.levels",
            "games.search",
            "firmware.views.",
            "firmware.text.",
            "firmware.scenes.",
        )
        return sorted(n for n in sys.modules if n.startswith(passing))

    kept = {name: sys.modules.pop(name) for name in loaded()}
    for name in kept:
        package, _, leaf = name.rpartition(".")
        delattr(sys.modules[package], leaf)
    try:
        hand = Hand()
        assert loaded() == ["firmware.scenes.title"]
        hand.start(PEOPLE)
        assert {"firmware.views.goats", "games.goats.rules", "games.search"} <= set(loaded())
        hand.until("roll")
        hand.press("A")
        hand.until("choice")
        hand.press("B.B.")
        assert not {"firmware.art.title", "firmware.undo", "firmware.scenes.menu"} & set(sys.modules)
        hand.press("b.")
        assert hand.scene() == "title"
        assert loaded() == ["firmware.scenes.title"]
    finally:
        for name, module in kept.items():
            sys.modules[name] = module
            package, _, leaf = name.rpartition(".")
            setattr(sys.modules[package], leaf, module)


def test_holding_b_goes_back_one_level_and_a_tap_does_what_the_scene_says() -> None:
    hand = Hand()
    hand.press("A.A.")
    assert hand.app.where() == ["title", "games", "setup"]
    hand.press("b.")
    assert hand.app.where() == ["title", "games"]
    hand.start(PEOPLE)
    hand.until("roll")
    hand.press("B.")
    assert hand.app.where() == ["title", "game", "menu"]
    hand.press("b.")
    assert hand.app.where() == ["title", "game"]
    hand.press("b.b.")
    assert hand.app.where() == ["title"]


@pytest.mark.parametrize(
    ("seed", "presses"), [(0, 700), (1, 700), *[pytest.param(n, 5000, marks=pytest.mark.slow) for n in range(4)]]
)
def test_random_keys(seed: int, presses: int) -> None:
    """No exception, every scene is seen, and holding B leads to the title."""
    rng = random.Random(seed)
    hand = Hand(seed=seed + 1)
    scenes = set()
    for i in range(presses):
        letter = rng.choice("UDLRAAAAUDLRAAAABb" if i % 200 else "b")
        if letter == "b" and rng.random() < 0.7:
            letter = "A"
        hand.press(letter)
        if rng.random() < 0.1:
            hand.wait(rng.choice((100, 400, 1200)))
        scenes.add(hand.scene())
        assert len(hand.app.where()) <= 4
    if "result" not in scenes:
        hand.start([2, 2])
        drive(hand)
        scenes.add(hand.scene())
    assert scenes >= {"title", "games", "setup", "about", "game", "menu", "result"}
    for _ in range(10):
        hand.press("b.")
    assert hand.app.where() == ["title"]


def test_games_are_those_with_a_view() -> None:
    # GAME_PART.py is a part of a view that comes and goes.
    views = {path.stem for path in (ROOT / "firmware" / "views").glob("*.py")}
    assert set(modules.GAMES) == {name for name in views if "_" not in name}
    assert {name.partition("_")[0] for name in views} == set(modules.GAMES)
    assert set(modules.GAMES) <= set(catalogue.ids())


def test_seeds() -> None:
    """The same seed, the same first game; the next game is another; whatever was played before."""

    def dice_of_two_games(seed: int) -> list[bytes]:
        hand = Hand(seed=seed)
        found = []
        for game in modules.GAMES[:1] * 2:
            hand.start(PEOPLE, 0, game)
            hand.play_on(6)
            found.append(bytes(hand.app.top().state))
        return found

    first = dice_of_two_games(7)
    assert first == dice_of_two_games(7)
    assert first[0] != first[1]
    assert first[0] != dice_of_two_games(8)[0]


class Gambler(LastMove):
    """A computer player that takes one move or another by its seed."""

    def start(self, state, seed):
        super().start(state, seed)
        self._n = 1 + seed % self._n


def test_a_computer_player_cannot_touch_the_dice_to_come() -> None:
    """What it draws comes from a generator of its own; the game's rolls are the same with a player that draws none."""
    hand = Hand(seed=6)
    hand.start([1, 2], 0)
    game = hand.app.top()
    game._player = Gambler(rules)
    hand.until("roll")
    hand.press("A")
    hand.until("choice")
    hand.press("A")
    hand.until("thinking")
    before = game.course.rng.state[0]
    hand.until("look")
    assert game.course.rng.state[0] == before
