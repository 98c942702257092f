"""The goblin pig race on the screen: choosing by keys, what a choice is shown to do, movements, what it costs."""

from __future__ import annotations

import re
from array import array

import pytest

from firmware import texts, ui
from firmware.art import goblins as art
from firmware.screen import text_width
from firmware.views import goblins as view
from games.goblins import notation, rules
from games.rng import Rng
from hal.device import DOWN, LEFT, RIGHT, UP, A, B
from tests.firmware import single
from tests.firmware.hand import Hand

TABLES = [(seats, options) for seats in (2, 3, 4) for options in range(4)]


def decisions(seats: int, options: int, seeds: range):
    return single.decisions(rules, seats, options, seeds)


class Table(single.Table):
    """A table of goblins."""

    def __init__(self, state: bytearray) -> None:
        super().__init__(rules, view, state)

    def where(self) -> tuple[int, int, bool, int]:
        return self.view._move, self.view._stop, self.view._deep, self.view._entry

    def go(self, where: tuple[int, int, bool, int]) -> None:
        self.view._move, self.view._stop, self.view._deep, self.view._entry = where
        self.view._imagined = -1

    def lit(self, x: int, y: int) -> bool:
        """Whether the card whose upper left corner that is stands on a lit field."""
        pixel = self.screen.frame.pixel
        return all(pixel(x, y + i) and pixel(x + 10, y + i) for i in range(7))


def reached(table: Table, keys: tuple[int, ...]) -> set[int]:
    """All moves that can be made by these keys; each made move was the one shown."""
    made = set()
    todo = [table.where()]
    seen = set()
    while todo:
        where = todo.pop()
        if where in seen:
            continue
        seen.add(where)
        for k in keys:
            table.go(where)
            move = table.view.key(k)
            if move >= 0:
                assert k == A
                assert move == where[0]
                made.add(move)
            else:
                todo.append(table.where())
    return made


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_keys_reach_every_legal_move_and_no_other(seats: int, options: int) -> None:
    """By the six keys, by the two of the smallest device, and by an encoder."""
    for state, legal in list(decisions(seats, options, range(1, 6)))[::4]:
        table = Table(state)
        table.choose(legal)
        start = table.where()
        for keys in ((UP, DOWN, LEFT, RIGHT, A, B), (RIGHT, A), (LEFT, RIGHT, A)):
            table.go(start)
            assert reached(table, keys) == set(legal), (keys, [notation.move_text(state, m) for m in legal])


def test_a_card_is_chosen_and_then_its_lane() -> None:
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, 2, 0, Rng(1))
    legal = array("H", [0] * rules.MAX_LEGAL)
    table = Table(state)
    at = table.view
    at.choose(legal, rules.legal(state, legal))
    assert at.at_go()
    while at._move & 15 != 4:
        assert at.key(RIGHT) == -1
    assert at.key(A) == -1
    assert not at.at_go(), "up and down are for the lanes now"
    first = at._move
    at.key(DOWN)
    assert at._move == first + 16
    at.key(UP)
    at.key(UP)
    assert at._move == first + 32, "round the ends"
    at.key(RIGHT)
    assert not at._deep, "all lanes seen: back to the cards"
    assert at._move & 15 == 4
    assert at.key(A) == -1
    first = at._move
    assert at.key(DOWN) == -1
    second = at._move
    assert at.key(B) == view._USED, "back to the cards"
    assert not at._deep
    assert at.key(B) == -1, "the menu"
    assert at._move == second != first
    assert at.key(A) == -1
    assert at.key(A) == second


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_a_choice_shows_what_it_would_do(seats: int, options: int) -> None:
    """Lit: the card where it comes to lie, or that is taken. A sign where one falls, another where that ends the race.
    Who would lead a lane stands at its end. All against the rules."""
    seen = set()
    for state, legal in list(decisions(seats, options, range(20, 23)))[::3]:
        table = Table(state)
        table.choose(legal)
        for move in legal[::3]:
            after = bytearray(state)
            rules.apply(after, move)
            trace = list(rules.TRACE)
            table.view.show_choice(move)
            table.show()
            lit = set()
            for lane in range(seats + 1):
                y = table.view._y(lane)
                lit |= {(lane, "track", i) for i in range(4) if table.lit(view._track(i), y)}
                lit |= {(lane, "zone", i) for i in range(4) if table.lit(view._zone(i), y)}
                ends = lane_of(after, lane)
                first = leads(ends, options & 2)
                assert mark_of(table, view._LEADER + 1, y + 1) == first
            expected, fall = set(), None
            for i in range(min(trace[0], 2)):
                kind, _, lane, card = trace[1 + 4 * i : 5 + 4 * i]
                seen.add(kind)
                track, zone = cards(state, lane, view._TRACK), cards(state, lane, view._ZONE)
                if kind in (rules.PUT, rules.MOVED):
                    expected.add((lane, "track", len(track)))
                elif kind == rules.BACK:
                    expected.add((lane, "zone", zone.index(card)))
                elif kind == rules.THROWN:
                    fall = lane, len(zone) == 3
                    if move >= rules.TRIP and move < rules.SWITCH:
                        expected.add((lane, "track", 0))
            assert lit == expected, notation.move_text(state, move)
            for lane in range(seats + 1):
                sign = sign_of(table, lane)
                assert sign == (("FULL" if fall[1] else "HERE") if fall and fall[0] == lane else None)
    assert seen >= {rules.PUT, rules.THROWN}


def cards(state, lane: int, where: int) -> list[int]:
    at = view._LANE + 11 * lane + where
    return list(state[at + 1 : at + 1 + state[at]])


def lane_of(state, lane: int) -> list[int]:
    return cards(state, lane, view._TRACK)


def leads(track: list[int], contested: int) -> int | None:
    """Who is paid for a track, counted once more: the sum, then the number of cards."""
    totals: dict[int, tuple[int, int]] = {}
    for card in track:
        total, count = totals.get((card >> 4) - 1, (0, 0))
        totals[(card >> 4) - 1] = total + (card & 7), count + 1
    if not totals or (contested and len(totals) == 1):
        return None
    return max(totals, key=lambda k: totals[k])


def mark_of(table: Table, x: int, y: int) -> int | None:
    """Which seat's mark of 5x5 stands there, dark on a lit field or lit on a dark one."""
    rows = [[table.screen.frame.pixel(x + i, y + j) for i in range(5)] for j in range(5)]
    ground = table.screen.frame.pixel(x - 1, y)
    for k, mark in enumerate(ui.MARKS_5):
        if all((mark[2 + i] >> j & 1) != (rows[j][i] == ground) for i in range(5) for j in range(5)):
            return k
    assert all(pixel == ground for row in rows for pixel in row)
    return None


def sign_of(table: Table, lane: int) -> str | None:
    """What stands beside the start line."""
    y = table.view._y(lane)
    found = [[table.screen.frame.pixel(view._FALL + i, y + j) for i in range(4)] for j in range(7)]
    if not any(map(any, found)):
        return None
    for name, top in (("FULL", 0), ("HERE", 1)):
        picture = getattr(art, name)
        if all(
            found[j][i] == (top <= j and i < picture[0] and picture[2 + i] >> (j - top) & 1)
            for i in range(4)
            for j in range(7)
        ):
            return name
    raise AssertionError(found)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_lanes_that_a_card_can_go_to_are_pointed_at(seats: int, options: int) -> None:
    for state, legal in list(decisions(seats, options, range(40, 42)))[::3]:
        if legal[0] >= rules.NO:
            continue
        table = Table(state)
        table.choose(legal)
        for _ in range(table.view._n_stops):
            kind = table.view._move & 15
            table.show()
            found = {
                lane for lane in range(seats + 1) if table.screen.frame.pixel(view._HERE + 3, table.view._y(lane) + 3)
            }
            assert found == {move >> 4 for move in legal if move & 15 == kind}
            x = table.view._hand_x(kind)
            assert table.screen.frame.pixel(x, view._HAND_Y - 1), "its card is lit"
            table.view.key(RIGHT)


def test_nothing_is_pointed_at_for_who_does_not_choose() -> None:
    """A computer's choice is shown without the arrows of what a person could have chosen before."""
    state, legal = next(decisions(3, 0, range(1, 2)))
    table = Table(state)
    table.choose(legal)
    table.show()
    arrow = view._HERE + 3, table.view._y(0) + 3
    assert table.screen.frame.pixel(*arrow)
    table.view.sync(state)
    table.view.show_choice(legal[0])
    table.show()
    assert not table.screen.frame.pixel(*arrow)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_a_cursor_move_sends_less_than_100_bytes(seats: int, options: int) -> None:
    most = 0
    for state, legal in list(decisions(seats, options, range(60, 64)))[::2]:
        table = Table(state)
        table.choose(legal)
        table.show()
        assert table.show() == 0, "nothing changed, nothing is sent"
        for k in [RIGHT] * (table.view._n_stops + 1) + [LEFT] * 2 + ([A] + [DOWN] * 6 + [UP] * 2 + [RIGHT] * 6):
            if k == A and table.view._stops[table.view._stop] >= view._SINGLE:
                break
            before = table.where()
            table.view.key(k)
            sent = table.show()
            assert sent < 100, (before, table.where(), bytes(state).hex())
            most = max(most, sent)
    assert most > 40


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_an_animation_leads_to_the_state_that_the_rules_made(seats: int, options: int) -> None:
    """Step by step everything that is drawn becomes what the rules made of it, and the end is their state."""
    legal = array("H", [0] * rules.MAX_LEGAL)
    kinds = set()
    for seed in range(80, 84):
        rng, pace = Rng(seed), Rng(seed + 1)
        state = bytearray(rules.STATE_BYTES)
        rules.new(state, seats, options, rng)
        table = Table(state)
        shown = table.view
        while rules.seat(state) != rules.OVER:
            move = legal[rng.below(rules.legal(state, legal))]
            table.show(ghosts=False)
            buying = state[view._PHASE] == view._BUY
            # In this order, as the scene does it.
            rules.apply(state, move)
            shown.show_choice(move)
            shown.moved(state)
            trace = list(rules.TRACE)
            told = [trace[1 + 4 * i] for i in range(trace[0])]
            kinds |= set(told)
            ms, early = 0, pace.below(2)
            while shown.busy():
                table.show(ghosts=False)
                if pace.below(40) == 0:
                    shown.skip()
                    break
                if early and shown._at + 1 == shown._told and told.count(rules.RACE) < 2:
                    shown._settle()
                    cleared = state[view._PHASE] != view._BUY and (buying or rules.RACE in told)
                    assert drawn(shown.shown, cleared) == drawn(state, cleared)
                    shown._told = 0
                    shown.sync(state)
                    break
                step = 1 + pace.below(300)
                shown.tick(step)
                ms += step
                assert ms < 900 * len(told)
            assert shown.shown == state
            table.show(ghosts=False)
        shown.draw_sheet(table.screen)
    assert kinds >= {rules.PUT, rules.THROWN, rules.SKIPPED, rules.RACE, rules.PRIZE, rules.PAID, rules.BACK}
    assert not options & 1 or rules.MOVED in kinds


def drawn(state, cleared: bool) -> list[object]:
    """What of a state is drawn: tracks, hands, ducats, hats, races; and zones, if they were not cleared."""
    found: list[object] = [state[view._RACE]]
    for lane in range(state[0] + 1):
        found.append(lane_of(state, lane))
        if not cleared:
            found.append(cards(state, lane, view._ZONE))
    for k in range(state[0]):
        p = view._SEAT + 11 * k
        found.append(bytes(state[p : p + 3]) + bytes(state[p + view._DUCATS : p + view._DUCATS + 2]))
    return found


def test_ties_are_told_as_the_rules_break_them() -> None:
    scores = array("h", [0] * 4)
    broken = 0
    for seed in range(1, 300):
        rng = Rng(seed)
        state = bytearray(rules.STATE_BYTES)
        rules.new(state, 4, 0, rng)
        rules.playout(state, rng)
        rules.scores(state, scores)
        rank = [(scores[k], *view.tie_breaks(state, k)) for k in range(4)]
        best = [k for k in range(4) if rank[k] == max(rank)]
        assert sum(1 << k for k in best) == rules.winners(state)
        broken += list(scores).count(max(scores)) > len(best)
    assert broken
    assert len(view.TIE_PICTURES) == 1


@pytest.mark.parametrize("language", texts.there())
def test_a_reason_fits_in_a_line_and_leaves_the_state(language: str) -> None:
    texts.load(language)
    told = set()
    for options in range(4):
        for state, legal in decisions(3, options, range(100, 103)):
            kept = bytes(state)
            for move in legal:
                reason = view.why(rules, state, move)
                assert 0 < text_width(reason) <= 126
                told.add(re.sub(r"\d+", "", reason))
            assert state == kept
    assert len(told) == 6


def test_a_game_is_played_by_keys_alone() -> None:
    hand = Hand(seed=4)
    hand.start([1, 2, 2], 1, "goblins")
    asked = set()
    for turn in range(900):
        if hand.scene() != "game":
            break
        if hand.waits_for() == "choice":
            hand.wait(0)
            hand.wait(500)
            assert hand.sent == 0
            asked.add(hand.app.top().view.shown[view._PHASE])
            hand.press("R" * (turn % 3) + "A")
        else:
            assert hand.waits_for() != "roll"
            hand.wait(300)
    assert hand.scene() == "result"
    assert {0, view._BUY} <= asked
