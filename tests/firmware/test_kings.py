"""Kings under Mountains on the screen: every move by keys, what is shown before and after it, nothing of a hidden hand."""

from __future__ import annotations

import gc
import re
import sys
import weakref
from array import array
from pathlib import Path

import pytest

from firmware import texts, views
from firmware.screen import Screen, number_width, text_width
from firmware.views import kings as view
from games.kings import rules
from games.rng import Rng
from hal.device import DOWN, LEFT, RIGHT, UP, A, B
from hal.host import HostDevice
from tests.firmware import single
from tests.firmware.hand import Hand

ROOT = Path(__file__).resolve().parents[2]
TABLE = rules.TABLE
SEATS = (2, 3, 4)
PLACE = 13  # The pointer's first column at a mine.
OURS: dict[str, int] = {}


def constants(text: str) -> dict[str, int]:
    return {name: int(value) for name, value in re.findall(r"^(_[A-Z_]+) = const\((-?\d+)\)", text, re.MULTILINE)}


OURS = constants((ROOT / "firmware/views/kings.py").read_text(encoding="utf-8"))


def test_the_view_knows_the_moves_by_their_codes() -> None:
    assert (OURS["_DROP"], OURS["_TAKE"]) == (rules.DROP, rules.TAKE)
    assert rules.DECK == rules.TAKE + 4


def test_the_view_and_the_scene_mean_the_same_by_their_signs() -> None:
    scene = constants((ROOT / "firmware/scenes/game.py").read_text(encoding="utf-8"))
    assert (scene["_AGAIN"], scene["_USED"]) == (OURS["_AGAIN"], OURS["_USED"])
    assert OURS["_AGAIN"] < -1
    assert OURS["_USED"] < -1


@pytest.fixture(autouse=True)
def _kept_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of the pages is loaded each time they are opened: here once a test, as there are thousands."""
    kept = view._pages()
    monkeypatch.setattr(view, "_pages", lambda: kept)


def test_the_pages_are_in_memory_only_while_they_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    state, legal = next(iter(decisions(2, range(1, 2))))
    table = Table(state)
    table.choose(legal)
    table.view.key(DOWN)
    table.show()
    assert "firmware.views.kings_pages" not in sys.modules
    assert not hasattr(views, "kings_pages")
    code = weakref.ref(type(table.view._pages))
    table.view.key(A)
    gc.collect()
    assert code() is None


def decisions(seats: int, seeds: range, every: int = 1):
    """Yields (state, legal moves) of decisions of random games, in which mines pile up as they seldom do."""
    legal = array("H", [0] * rules.MAX_LEGAL)
    for seed in seeds:
        rng = Rng(seed)
        state = bytearray(rules.STATE_BYTES)
        rules.new(state, seats, 0, rng)
        ply = seed
        while rules.seat(state) != rules.OVER:
            n = rules.legal(state, legal)
            if ply % every == 0 or legal[0] >= rules.DROP > legal[n - 1] - 80:
                yield state, list(legal[:n])
            rules.apply(state, legal[rng.below(n)])
            ply += 1


class Table(single.Table):
    """A table of kings."""

    def __init__(self, state: bytearray, viewer: int | None = None) -> None:
        super().__init__(rules, view, state, viewer)


# --- The choice


@pytest.mark.parametrize("seats", SEATS)
def test_keys_reach_every_legal_move_and_no_other(seats: int) -> None:
    """All that RIGHT, LEFT and A lead to, in all that a person can have chosen; so the keys of any layout do."""
    seen = drops = draws = 0
    for state, legal in decisions(seats, range(1, 9), 9):
        table = Table(state)
        table.choose(legal)
        shown = table.view
        made = set()
        done = set()
        todo = [position(shown)]
        while todo:
            at = todo.pop()
            if at in done:
                continue
            done.add(at)
            for k in (RIGHT, LEFT, A, B, DOWN, UP):
                restore(shown, at)
                answer = shown.key(k)
                if answer >= 0:
                    assert k == A
                    made.add(answer)
                else:
                    assert answer in (-1, view._AGAIN, view._USED)
                    todo.append(position(shown))
        assert made == set(legal)
        seen += 1
        drops += rules.DROP <= legal[0] < rules.TAKE
        draws += legal[0] >= rules.TAKE
    assert seen > 100
    assert drops
    assert draws > 20


def position(shown: view.View) -> tuple[int, ...]:
    """All that keys change in a view; the page last, -1 for the table."""
    scroll = shown._pages._scroll if shown._pages else 0
    return shown._stage, shown._cursor, shown._first, shown._count, shown._aim, shown._window, scroll, page(shown)


def page(shown: view.View) -> int:
    return shown._pages.page if shown._pages else -1


def restore(shown: view.View, at: tuple[int, ...]) -> None:
    shown._stage, shown._cursor, shown._first, shown._count, shown._aim, shown._window = at[:6]
    turn_to(shown, at[7])
    if shown._pages:
        shown._pages._scroll = at[6]


def turn_to(shown: view.View, page: int) -> None:
    """Show a page, the table if it is -1."""
    shown._pages = None
    if page >= 0:
        shown._open()
        shown._pages.page = page


@pytest.mark.parametrize("seats", SEATS)
def test_right_and_a_alone_are_enough(seats: int) -> None:
    """As with two keys: to any move by way of all other cards, which go back into the hand; to a page and back."""
    back = 0
    for state, legal in decisions(seats, range(3), 23):
        for move in legal:
            table = Table(state)
            table.choose(legal)
            shown = table.view
            for _ in range(200):
                if shown._aim == move:
                    assert shown.key(A) == move
                    break
                if shown._stage == view._CARD and shown._cursor < 6 and shown._count:
                    shown.key(A)
                    if card_of(shown._aim) != card_of(move):
                        for _ in range(shown._count):
                            if shown._aim < 0:
                                break
                            shown.key(RIGHT)
                        assert shown.key(A) == -1
                        assert shown._stage == view._CARD, "back in the hand"
                        back += 1
                        shown.key(RIGHT)
                else:
                    shown.key(RIGHT)
            else:
                raise AssertionError(move)
        table.choose(legal)
        for _ in range(7):
            shown.key(RIGHT)
            if shown._aim < 0 and (state[3] or shown._cursor == 6):
                break
        shown.key(A)
        assert page(shown) == 0
        shown.key(RIGHT)
        shown.key(RIGHT)
        assert page(shown) == 2
        shown.key(A)
        assert page(shown) == -1
    assert back > 100


def card_of(move: int) -> int:
    return (move >> 6) + 1 if move < rules.DROP else move - rules.DROP + 1 if move < rules.TAKE else 0


def test_a_twice_makes_the_proposed_move_and_b_puts_the_card_back() -> None:
    for state, legal in decisions(3, range(4), 7):
        table = Table(state)
        table.choose(legal)
        shown = table.view
        if state[3]:
            assert shown.key(B) == -1, "the menu"
            assert shown.key(A) == shown._proposed
            continue
        at = shown._cursor
        assert shown.key(A) == -1
        assert shown._aim == shown._proposed
        assert shown.key(B) == view._USED
        assert (shown._stage, shown._cursor, shown._aim) == (view._CARD, at, -1)
        assert shown.key(B) == -1
        shown.key(A)
        assert shown.key(A) == shown._proposed


@pytest.mark.parametrize("seats", SEATS)
def test_no_page_is_further_than_two_presses_and_each_leads_back(seats: int) -> None:
    for state, legal in decisions(seats, range(2), 31):
        table = Table(state)
        table.choose(legal)
        shown = table.view
        before = position(shown)
        for keys, wanted in (([DOWN], 0), ([DOWN, RIGHT], 1), ([DOWN, LEFT], 2)):
            for back in (UP, A, B):
                for k in keys:
                    assert shown.key(k) == -1
                assert page(shown) == wanted
                assert shown.key(back) == (view._USED if back == B else -1)
                assert position(shown) == before
        # DOWN alone goes through all of them, mines that do not fit onto one included.
        most = max(state[12:16])
        seen = []
        for _ in range(4 + most // 2):
            shown.key(DOWN)
            seen.append(page(shown))
            table.show()
        assert set(seen) == {0, 1, 2}


def test_every_mine_is_on_a_page() -> None:
    """Of one's own area on the first, of the others' on the second, however many there are."""
    most = 0
    drawn: list[tuple[int, int]] = []
    for state, legal in decisions(3, range(1, 8), 5):
        if max(state[12:16]) < 5:
            continue
        table = Table(state)
        table.choose(legal)
        shown = table.view
        areas = {(k, view._mine(state, 4 + i, k)) for k in range(3) for i in range(state[12 + k])}
        most = max(most, len(areas))
        drawn.clear()
        shown._draw_mine = lambda _screen, mine, _x, _y, area, *_more: drawn.append((area, mine))
        shown.key(DOWN)
        own = set()
        while page(shown) == 0:
            # The first page draws no mine by that; it takes those of the area in its window.
            own |= {
                view._mine(state, 4 + i)
                for i in range(4 * shown._pages._scroll, min(4 * shown._pages._scroll + 4, state[12 + state[2]]))
            }
            shown.key(DOWN)
        while page(shown) == 1:
            table.show()
            shown.key(DOWN)
        assert own == {mine for k, mine in areas if k == state[2]}
        assert set(drawn) == {(k, mine) for k, mine in areas if k != state[2]}
    assert most > 12


# --- What a choice would do


@pytest.mark.parametrize("seats", SEATS)
def test_the_preview_is_what_the_move_does(seats: int) -> None:
    """A card on a mine looks before the move as it does after it; whose a conquered mine becomes and the points that
    an exploited one brings are as announced."""
    texts.load("en")
    kinds = [0] * 9
    for state, legal in decisions(seats, range(1, 7), 6):
        me = state[2]
        for move in legal:
            kind = view._kind(TABLE, state, move)
            kinds[kind] += 1
            if move >= rules.DROP:
                continue
            place = move & 63
            before, after = Table(state), Table(state)
            before.view.show_choice(move)
            before.show(True, False)
            told: list[int] = []
            number = before.screen.number
            before.screen.number = lambda value, *at, told=told, number=number: (
                told.append(value),
                number(value, *at),
            )[1]
            before.view._spot(place)
            x, y = before.view._x, before.view._y
            before.view._draw_mine(
                before.screen, view._mine(state, place), x, y, me if place > 3 else -1, (move >> 6) + 1
            )
            result = bytearray(state)
            rules.apply(result, move)
            if kind in (1, view._WORK):
                after.view.sync(result)
                after.view._window = before.view._window
                after.show(False)
                for left, width in ((x, PLACE), (x + PLACE + 3, 29 - PLACE)):
                    assert before.pixels(left, y, width, 15) == after.pixels(left, y, width, 15)
            elif kind == view._EXPLOIT:
                gained = score(result, me) - score(state, me)
                assert told[-1] == gained > 0
                assert str(gained) in view.why(rules, state, move)
            else:
                owner = view._owner(TABLE, state, (move >> 6) + 1)
                assert [result[12 + k] - state[12 + k] for k in range(seats)] == [k == owner for k in range(seats)]
                assert kind == (view._GET if owner == me else view._GIVE)
    assert min(kinds) > 0


def score(state: bytearray, seat: int) -> int:
    scores = array("h", [0] * 4)
    rules.scores(state, scores)
    return scores[seat]


@pytest.mark.parametrize("seats", SEATS)
def test_lit_is_every_mine_that_a_card_fits_and_no_other(seats: int) -> None:
    """Arrows at the mines, for each card of the hand; and once it is chosen all but those are veiled."""
    lit = 0
    for state, legal in decisions(seats, range(3), 11):
        if state[3]:
            continue
        table = Table(state)
        table.choose(legal)
        shown = table.view
        for cursor in range(6):
            shown._stage, shown._cursor, shown._window = view._CARD, cursor, 0
            shown._point()
            table.show()
            card = state[OURS["_HAND"] + 7 * state[2] + cursor]
            places = {move & 63 for move in legal if move < rules.DROP and card_of(move) == card}
            found = set()
            for i in range(4):
                x = view._PITCH * i + 3
                found |= {i} if any(table.pixels(x, view._MARKET_Y, 5, 3)) else set()
                found |= {i + 4} if any(table.pixels(x, view._MARKET_Y + 4, 5, 3)) else set()
            assert found == {place for place in places if place < 8}
            lit += len(found)
            if not places:
                continue
            shown.key(A)
            assert {place for place in range(4 + state[12 + state[2]]) if shown._reaches(place)} == places
    assert lit > 200


class Overlap:
    """Nothing may be drawn where something is: no pixel of a number or picture is lit, or darkened on a lit field, twice,
    and all lie on the panel. The veil is laid over things on purpose."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("number", "picture"):
            monkeypatch.setattr(Screen, name, self._watching(getattr(Screen, name)))
        self._deep = 0
        self.drawn = 0

    def _watching(self, draw):
        def drawing(board, what, x, y, ink=1):
            if self._deep or what in (view.art.VEIL, view.art.VEIL_CARD):
                return draw(board, what, x, y, ink)
            before = int.from_bytes(board.buffer, "big")
            ground = (1 - ink) * ((1 << 8192) - 1)
            board.frame.fill(1 - ink)
            self._deep = 1
            after = draw(board, what, x, y, ink)
            self._deep = 0
            touched = int.from_bytes(board.buffer, "big") ^ ground
            board.buffer[:] = before.to_bytes(1024, "big")
            assert (before ^ ground) & touched == 0, (what, x, y)
            board.buffer[:] = (before ^ touched).to_bytes(1024, "big")
            width = number_width(what) if isinstance(what, int) else what[0]
            assert x >= 0 and x + width <= 128 and y >= 0 and y + (7 if isinstance(what, int) else 3) <= 64, (
                what,
                x,
                y,
            )
            self.drawn += 1
            return after

        return drawing


@pytest.mark.parametrize("seats", SEATS)
def test_nothing_is_drawn_over_something(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Overlap(monkeypatch)
    for state, legal in decisions(seats, range(1, 4), 61):
        table = Table(state)
        shown = table.view
        shown.draw_thinking(table.screen, 1)
        table.show(False)
        table.choose(legal)
        for k in (None, RIGHT, A, LEFT, RIGHT, DOWN, RIGHT, RIGHT):
            if k:
                shown.key(k)
            table.show()
        table.screen.clear()
        shown.draw_sheet(table.screen)
        for viewer in range(-1, seats):
            shown.viewer = viewer
            for move in legal[:: len(legal) // 3 + 1]:
                shown.sync(state)
                shown.show_choice(move)
                table.show(True, False)
    assert seen.drawn > 1500


def test_that_test_sees_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    Overlap(monkeypatch)
    board = Screen(HostDevice().display)
    board.number(8, 10, 10)
    board.frame.fill_rect(30, 10, 20, 10, 1)
    board.number(8, 32, 11, 0)
    for what, x, y, ink in ((8, 10, 10, 1), (12, 5, 11, 1), (8, 30, 8, 1), (8, 32, 11, 0), (8, 124, 0, 1)):
        with pytest.raises(AssertionError):
            board.number(what, x, y, ink)
    with pytest.raises(AssertionError):
        board.picture(view.art.MINE, 4, 8)


# --- Secrets


def frames(table: Table, state: bytearray, move: int) -> list[bytes]:
    """What is seen while a move is shown and made."""
    found = []
    table.view.show_choice(move)
    table.show(True, False)
    found.append(bytes(table.display.shown))
    result = bytearray(state)
    rules.apply(result, move)
    table.view.moved(result)
    while table.view.busy():
        table.show(False)
        found.append(bytes(table.display.shown))
        table.view.tick(90)
    return found


@pytest.mark.parametrize("seats", SEATS)
def test_no_pixel_depends_on_what_the_viewer_does_not_know(seats: int) -> None:
    """All that is drawn of a state and of others that agree with what the viewer has seen is equal; viewer -1 has seen
    no hand at all. So it is while another draws from the deck."""
    rng = Rng(5)
    differ = drawn = 0
    for state, legal in decisions(seats, range(1, 8), 14):
        for viewer in range(-1, seats):
            other = bytearray(state)
            rules.hide(other, viewer if viewer >= 0 else 4, rng)
            differ += other != state
            tables = [Table(state, viewer), Table(other, viewer)]
            pictures = []
            for table, world in zip(tables, (state, other), strict=True):
                shown = table.view
                seen = []
                table.show(False)
                seen.append(bytes(table.display.shown))
                if viewer == state[2]:
                    table.choose(legal)
                shown._stage = shown._stage or view._WATCH
                for number in range(3):
                    turn_to(shown, number)
                    table.show(True)
                    seen.append(bytes(table.display.shown))
                turn_to(shown, -1)
                table.screen.clear()
                shown.draw_sheet(table.screen)
                seen.append(bytes(table.screen.buffer))
                if legal[-1] == rules.DECK and viewer != state[2]:
                    seen += frames(table, world, rules.DECK)
                    drawn += 1
                pictures.append(seen)
            assert pictures[0] == pictures[1]
    assert differ > 200
    assert drawn > 30


@pytest.mark.parametrize("seats", SEATS)
def test_the_mines_under_another_king_are_not_seen_before_the_end(seats: int) -> None:
    """A computer player may remember them, a screen does not tell."""
    ruled = 0
    for state, _ in decisions(seats, range(4), 60):
        for viewer in range(seats):
            other = bytearray(state)
            for k in range(seats):
                if k != viewer:
                    ruled += other[OURS["_UNDER"] + k] > 0
                    other[OURS["_UNDER"] + k] = 0
            pictures = []
            for world in (state, other):
                table = Table(world, viewer)
                seen = []
                for number in (-1, 0, 1):
                    turn_to(table.view, number)
                    table.show(True, False)
                    seen.append(bytes(table.display.shown))
                table.screen.clear()
                table.view.draw_sheet(table.screen)
                seen.append(bytes(table.screen.buffer))
                pictures.append(seen)
            assert pictures[0] == pictures[1]
    assert ruled > 10


def test_an_open_hand_is_of_the_viewer_alone() -> None:
    """The test above would see it."""
    state, _ = next(iter(decisions(2, range(1, 2))))
    table = Table(state, 0)
    table.show(False)
    open_hand = table.pixels(0, view._HAND_Y, 102, 7)
    for viewer in (-1, 1):
        table.view.viewer = viewer
        table.show(False)
        assert table.pixels(0, view._HAND_Y, 102, 7) != open_hand


def test_what_came_from_the_market_is_seen_in_a_strange_hand() -> None:
    for state, legal in decisions(2, range(1, 3)):
        if legal[0] < rules.TAKE:
            continue
        card = state[OURS["_PILE"] + legal[0] - rules.TAKE] if legal[0] < rules.DECK else 0
        if not card:
            continue
        result = bytearray(state)
        rules.apply(result, legal[0])
        table = Table(result, -1)
        drawn = []
        table.view._draw_card = lambda _screen, which, _x, y, drawn=drawn: drawn.append((which, y))
        table.view._draw_hand(table.screen, state[2], 0, 4, view._HAND_Y)
        assert (card, view._HAND_Y) in drawn
        assert all(rules.known(result, which) for which, _ in drawn)
        return
    raise AssertionError("nothing was taken")


# --- What it costs


def test_cursor_moves_send_less_than_100_bytes() -> None:
    moves = most = 0
    for seats in SEATS:
        for state, legal in decisions(seats, range(1, 3), 31):
            table = Table(state)
            table.choose(legal)
            shown = table.view
            stages = [None]
            if not state[3]:
                stages = sorted({card_of(move) for move in legal}) + [None]
            for card in stages:
                if card:
                    shown._pick_up(next(i for i, move in enumerate(legal) if card_of(move) == card))
                    shown._point()
                    shown.key(A)
                elif not state[3]:
                    shown._pick_up(0)
                    shown._point()
                table.show()
                for k in [RIGHT] * 9 + [LEFT] * 9:
                    window = shown._window
                    shown.key(k)
                    sent = table.show()
                    assert sent
                    # Where an area of more than four mines is scrolled, more changes than the cursor.
                    if shown._window == window:
                        most = max(most, sent)
                        moves += 1
    assert most < 100
    assert moves > 600


def test_idle_turns_draw_and_send_nothing() -> None:
    hand = Hand(seed=3)
    hand.start([1, 2], 0, "kings")
    for keys in ("", "R", "A", "D", "R", "U", "A"):
        hand.until("choice")
        hand.press(keys + ".")
        hand.until("choice")
        hand.wait(0)
        frames = hand.frames
        hand.wait(3000)
        assert (hand.sent, hand.frames) == (0, frames), keys


def test_animations_end_in_time_and_any_key_ends_them() -> None:
    for seats in SEATS:
        for state, legal in decisions(seats, range(2), 9):
            table = Table(state)
            for move in (legal[0], legal[-1]):
                result = bytearray(state)
                rules.apply(result, move)
                table.view.sync(state)
                table.view.moved(result)
                ms = 0
                while table.view.busy():
                    table.show(False)
                    table.view.tick(33)
                    ms += 33
                assert 200 <= ms <= 633
                assert table.view.shown == result
                table.view.sync(state)
                table.view.moved(result)
                table.view.skip()
                assert not table.view.busy()
                assert table.view.shown == result


def test_a_whole_game_by_keys_against_the_computer_and_the_last_moves_again() -> None:
    hand = Hand(seed=8)
    hand.start([1, 2, 2], 0, "kings")
    for _ in range(3):
        hand.until("choice")
        hand.press("AA")
        hand.until("choice")
        hand.press("A")
    hand.until("choice")
    state, frame = bytes(hand.app.top().state), bytes(hand.device.display.shown)
    hand.wait(0)
    frame = bytes(hand.device.display.shown)
    hand.press("U")
    for _ in range(4):
        hand.until("look")
        hand.until("moving")
    hand.until("choice")
    hand.wait(0)
    assert (bytes(hand.app.top().state), bytes(hand.device.display.shown)) == (state, frame)
    hand.press("B.")
    assert hand.scene() == "menu"
    hand.press("B.")
    hand.press("AB.")
    assert hand.scene() == "game", "the card went back"
    hand.play_on(10**6)
    assert hand.scene() == "result"


# --- Texts


@pytest.mark.parametrize("language", texts.there())
def test_what_speaks_for_a_move_fits_onto_a_line(language: str) -> None:
    texts.load(language)
    said = set()
    for state, legal in decisions(3, range(4), 5):
        for move in legal:
            text = view.why(rules, state, move)
            said.add(text)
            assert text_width(text) <= 124, text
            assert "{" not in text
    assert len(said) > len(view._WHY)


def test_ties_are_broken_by_mines_exploited() -> None:
    seen = set()
    for state, _ in decisions(2, range(6), 60):
        breaks = [view.tie_breaks(state, k) for k in range(2)]
        for k in range(2):
            n, mine = 0, state[OURS["_UNDER"] + k]
            while mine:
                n, mine = n + 1, state[OURS["_LINK"] + mine]
            assert breaks[k] == (n,)
            seen.add(n)
    assert len(seen) > 2
    assert len(view.TIE_PICTURES) == 1
    assert view.roller(state) == -1
