"""The carrot race on the screen: what is lit before a gait, what a stake would do, every move by keys, what it costs."""

from __future__ import annotations

import re
from array import array

import pytest

from firmware import texts
from firmware.screen import text_width
from firmware.views import horses as view
from games.horses import notation, rules
from games.horses.tables import TRACK
from games.rng import Rng
from hal.device import DOWN, LEFT, RIGHT, UP, A, B
from tests.firmware import single
from tests.firmware.hand import Hand


def decisions(seats: int, seeds: range):
    return single.decisions(rules, seats, 0, seeds)


class Table(single.Table):
    """A table of horses."""

    def __init__(self, state: bytearray) -> None:
        super().__init__(rules, view, state)

    def lit(self) -> set[int]:
        """The spaces whose symbols are lit, the finish among them."""
        found = set()
        for space in range(1, 49):
            corner = view._x(space), view._y(space) + view._SYMBOL - 1
            if self.screen.frame.pixel(*corner) and self.screen.frame.pixel(corner[0] + 6, corner[1]):
                found.add(space)
        return found | ({49} if self.screen.frame.pixel(112, 56) else set())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_keys_reach_every_legal_move_and_no_other(seats: int) -> None:
    seen = 0
    for state, legal in decisions(seats, range(1, 12)):
        table = Table(state)
        table.choose(legal)
        at = table.view
        assert at._move in legal
        assert at.key(A) == at._move, "A at once makes what is proposed"
        assert at.key(UP) == at.key(DOWN) == at.key(B) == -1
        for k in (RIGHT, LEFT):
            made = set()
            for _ in legal:
                assert at.key(k) == -1
                made.add(at.key(A))
            assert made == set(legal)
        seen += len(legal)
    assert seen > 300


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_lit_is_what_the_dice_can_bring(seats: int) -> None:
    """The symbols are those of the published track, and the spaces lit for a gait those that a slow look along it
    finds."""
    for state, legal in decisions(seats, range(20, 24)):
        table = Table(state)
        table.choose(legal)
        if legal[0]:
            continue
        here = state[view._SEAT + 32 * state[view._PLAYER]]
        for move in legal:
            table.view.show_choice(move)
            table.show()
            expected = set()
            for symbol in "BMH":
                ahead = [space for space in range(here + 1, 49) if chr(TRACK[space - 1]) == symbol]
                expected.add(ahead[move] if len(ahead) > move else 49)
            assert table.lit() == expected, (here, move)
    assert [b"BMH~"[table.view._symbols[space]] for space in range(1, 49)] == list(TRACK)


def test_a_jump_shows_where_it_leads_and_how_likely() -> None:
    """The chance shown is that of all ways to lay the stake, counted by the slow rules' view of what is known."""
    stakes = 0
    for state, legal in decisions(3, range(30, 60)):
        if not legal[0]:
            continue
        table = Table(state)
        table.choose(legal)
        seat = state[view._PLAYER]
        table.show()
        assert state[view._AIM] in table.lit()
        for move in legal:
            table.view.show_choice(move)
            known = view.percent(table.view._odds[move - 1])
            assert known == pytest.approx(100 * slow_chance(state, seat, move - 1), abs=1.1)
            stakes += 1
    assert stakes > 100


def slow_chance(state: bytearray, seat: int, stake: int) -> float:
    """That one of the next `stake` tokens gallops, from the rules' own view."""
    known = bytearray(rules.VIEW_BYTES)
    length = rules.view(state, seat, known)
    seats, i, fails = state[0], 12 + 2 * state[0], 1.0
    while i < length:
        awake, asleep, own = known[i], known[i + 1], known[i + 2 + seat]
        for _ in range(min(own, stake)):
            fails *= asleep / (awake + asleep) if asleep else 0
            asleep -= 1
            stake -= 1
        i += 2 + seats
    assert stake == 0
    return 1 - fails


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_cursor_move_sends_less_than_100_bytes(seats: int) -> None:
    most = 0
    for state, legal in decisions(seats, range(70, 78)):
        table = Table(state)
        table.choose(legal)
        table.show()
        assert table.show() == 0, "nothing changed, nothing is sent"
        for k in [LEFT] * len(legal) + [RIGHT] * len(legal):
            before = table.view._move
            table.view.key(k)
            sent = table.show()
            assert (sent > 0) == (table.view._move != before), "round the ends"
            assert sent < 100, (notation.move_text(state, table.view._move), bytes(state).hex())
            most = max(most, sent)
    assert most > 60


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_animation_leads_to_the_state_that_the_rules_made(seats: int) -> None:
    """Played or skipped, in steps of any length; never for longer than a second and a half."""
    legal = array("H", [0] * rules.MAX_LEGAL)
    kinds = set()
    drawn: list[bool] = []
    for seed in range(100, 104):
        rng, pace = Rng(seed), Rng(seed + 1)
        state = bytearray(rules.STATE_BYTES)
        rules.new(state, seats, 0, rng)
        table = Table(state)
        shown = table.view
        while rules.seat(state) != rules.OVER:
            if rules.seat(state) == rules.CHANCE:
                assert view.roller(state) == -1
                rules.apply(state, rules.sample(state, rng))
                shown.rolled(state)
            else:
                move = legal[rng.below(rules.legal(state, legal))]
                # In this order, as the scene does it.
                rules.apply(state, move)
                shown.show_choice(move)
                shown.moved(state)
            trace = list(rules.TRACE)
            kinds |= {trace[1 + 4 * i] for i in range(trace[0])}
            ms, early = 0, pace.below(2)
            while shown.busy():
                table.show(ghosts=False)
                if pace.below(40) == 0:
                    shown.skip()
                    break
                if early and shown._at + 1 == shown._told:
                    # The last step has to leave what the rules made, before their state is taken over.
                    arrive = shown._arrive
                    shown._arrive = lambda state, at=shown: drawn.append(horses(at.shown) == horses(state))
                    shown._settle()
                    shown._arrive = arrive
                    shown._arrive(state)
                    break
                step = 1 + pace.below(120)
                shown.tick(step)
                ms += step
                assert ms < 1700
            assert shown.shown == state
            assert not shown.busy()
            table.show(ghosts=False)
        table.view.draw_sheet(table.screen)
    assert all(drawn)
    assert len(drawn) > 100
    assert kinds >= {rules.GAIT, rules.BLUE, rules.RED, rules.TAKE, rules.STAKE, rules.PAY, rules.TURN, rules.MOVE}


def horses(state) -> list[bytes]:
    """Space and tokens of each seat."""
    return [bytes(state[view._SEAT + 32 * k : view._SEAT + 32 * k + 2]) for k in range(state[0])]


def test_horses_on_one_space_keep_apart() -> None:
    """Any seats on any space: a mark of each is seen whole, and touches nothing."""
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, 4, 0, Rng(1))
    for space in range(50):
        for seats in range(1, 16):
            for k in range(4):
                state[view._SEAT + 32 * k] = space if seats >> k & 1 else (space + 10) % 50
            table = Table(state)
            table.show(ghosts=False)
            alone = seats & (seats - 1) == 0
            for k in range(4):
                if seats >> k & 1:
                    left = view._to_left(space)
                    x = view._x(space) + ((3 if left else 1) if alone else 4 * (k & 1))
                    y = view._y(space) + (0 if alone or k > 1 else 4)
                    assert mark_at(table, x, y) == MARKS[k], (space, k)


MARKS = ("###,###,###", "###,#.#,###", "#.#,.#.,#.#", ".#.,###,.#.")


def mark_at(table: Table, x: int, y: int) -> str:
    pixel = table.screen.frame.pixel
    for k in range(3):
        assert not pixel(x + k, y - 1)
        assert not pixel(x + k, y + 3)
        assert not (x and pixel(x - 1, y + k))
        assert not (x < 125 and pixel(x + 3, y + k))
    return ",".join("".join("#" if pixel(x + i, y + j) else "." for i in range(3)) for j in range(3))


def test_ties_are_told_as_the_rules_break_them() -> None:
    for seed in range(1, 200):
        rng = Rng(seed)
        state = bytearray(rules.STATE_BYTES)
        rules.new(state, 4, 0, rng)
        rules.playout(state, rng)
        rank = [(state[view._SEAT + 32 * k], *view.tie_breaks(state, k)) for k in range(4)]
        best = [k for k in range(4) if rank[k] == max(rank)]
        assert sum(1 << k for k in best) == rules.winners(state)
    assert len(view.TIE_PICTURES) == 1


@pytest.mark.parametrize("language", texts.there())
def test_a_reason_fits_in_a_line(language: str) -> None:
    texts.load(language)
    told = set()
    for state, legal in decisions(3, range(200, 206)):
        for move in legal:
            reason = view.why(rules, state, move)
            assert 0 < text_width(reason) <= 126
            told.add(re.sub(r"\d+", "", reason))
    assert len(told) == 3


def test_a_game_is_played_by_keys_alone() -> None:
    """A turn asks for a gait, now and then for a stake, and for nothing else; idle turns send nothing."""
    hand = Hand(seed=4)
    hand.start([1, 2], game="horses")
    asked = set()
    for turn in range(400):
        if hand.scene() != "game":
            break
        if hand.waits_for() == "choice":
            hand.wait(0)
            hand.wait(500)
            assert hand.sent == 0
            asked.add(hand.app.top().view._move > 1)
            hand.press("R" * (turn % 3) + "A")
        else:
            assert hand.waits_for() != "roll"
            hand.wait(300)
    assert hand.scene() == "result"
    assert asked == {False, True}
