"""The computer players of goblins: what the policy and the judge think of a table, against plain models of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import islice

import pytest

from games.goblins import bot, rules, weights
from games.rng import Rng
from games.search import WIN

TABLES = [(seats, mask) for seats in (2, 3, 4) for mask in (0, 1, 2, 3)]
# Of the state: games/goblins/rules.py.
TO_MOVE, PHASE, RACE, PLACE, LANE, SEAT = 2, 3, 4, 6, 8, 63
DUCATS, MC = 6, 7
PLAYING, TRIPPING, SWITCHING, RESCUING, BUYING = 0, 1, 2, 3, 5
NO, DONE = 80, 81

W = weights.WEIGHTS
buf = array("H", [0] * rules.MAX_LEGAL)


def states(seats: int, mask: int, seed: int, one_in: int = 3) -> Iterator[bytearray]:
    """Decisions of games that the policy plays loosely, one in so many of them; without end."""
    rng = Rng(seed)
    s = bytearray(rules.STATE_BYTES)
    while True:
        rules.new(s, seats, mask, rng)
        while rules.seat(s) != rules.OVER:
            if rng.below(one_in) == 0:
                yield bytearray(s)
            n = rules.legal(s, buf)
            rules.apply(s, bot.choose(s, buf, n, rng) if rng.below(4) else buf[rng.below(n)])


def track(s: bytearray, lane: int) -> list[tuple[int, int]]:
    """(seat, value) of the cards, leftmost first."""
    at = LANE + 11 * lane + 1
    return [((card >> 4) - 1, card & 7) for card in s[at + 1 : at + 1 + s[at]]]


def plays_left(s: bytearray, lane: int) -> int:
    """Until the lane ends the race."""
    return 7 - s[LANE + 11 * lane + 1] - s[LANE + 11 * lane + 6]


def hand(s: bytearray, seat: int) -> list[int]:
    """Its kinds of cards, + 8 if starred."""
    at = SEAT + 11 * seat
    return [v + 8 * (i == 2) for v in range(7) for i in range(3) if s[at + i] >> v & 1]


def ranks(cards: list[tuple[int, int]], seat: int) -> tuple[int, int]:
    """A seat's measure on a track by the page, sum and then number of cards as one number, and the others' best."""
    sums: dict[int, int] = {}
    for owner, value in cards:
        sums[owner] = sums.get(owner, 0) + 4 * value + 1
    return sums.get(seat, 0), max((rank for owner, rank in sums.items() if owner != seat), default=0)


def leads(s: bytearray, cards: list[tuple[int, int]], seat: int) -> int:
    """1 if the seat would be paid for the track, -1 if another, else 0."""
    own, other = ranks(cards, seat)
    if s[1] & 2 and not (own and other):
        return 0
    return (own > other) - (own < other)


def gain(s: bytearray, lane: int, value: int) -> int:
    """What the policy thinks of a play, as bot.py says of the weights."""
    w = W[23 * s[RACE] :]
    me = s[TO_MOVE]
    before = track(s, lane)
    after = [*before, (me, value)][-3:] if len(before) == 3 else [*before, (me, value)]
    left = plays_left(s, lane)
    found = -w[value] - w[6 + left] * leads(s, before, me)
    if left == 1:
        standing = sum(leads(s, track(s, other), me) for other in range(s[0] + 1) if other != lane)
        return found + w[21] * (standing + leads(s, after, me))
    if left == 7 and any(plays_left(s, other) == 7 for other in range(lane)):
        found -= 2000
    return found + w[13 + left - 1] * leads(s, after, me)


def gains(s: bytearray) -> dict[int, int]:
    """Of every play that is legal, by its code."""
    moves = buf[: rules.legal(s, buf)]
    return {move: gain(s, move >> 4, move & 7) for move in moves}


def test_there_is_a_weight_for_everything():
    assert len(W) == 4 * 23 + 3 * 18 <= 512
    assert bot.ITERATIONS[0] < bot.ITERATIONS[1] < bot.ITERATIONS[2]
    # The mask of chance is one.
    assert all(W[23 * race + 22] & W[23 * race + 22] + 1 == 0 for race in range(4))


@pytest.mark.parametrize(("seats", "mask"), TABLES)
def test_the_policy_plays_what_the_weights_say(seats, mask):
    """Without chance, the first of the best, the plain card rather than its starred twin."""
    for s in islice(states(seats, mask, 1), 300):
        if s[PHASE] != PLAYING:
            continue
        wanted = gains(s)
        move = bot.policy(s, array("I", [0]))
        assert wanted[move] == max(wanted.values())
        assert move & 8 == 0 or move ^ 8 not in wanted
        for code, value in wanted.items():
            assert bot._gains[code & 119] == value + 4096


@pytest.mark.parametrize(("seats", "mask"), TABLES)
def test_the_policy_is_legal_whatever_chance_adds(seats, mask):
    rng = Rng(3)
    phases = set()
    for s in islice(states(seats, mask, 2, 1), 1500):
        moves = buf[: rules.legal(s, buf)]
        assert bot.policy(s, rng.state) in moves
        phases.add(s[PHASE])
    assert phases == ({PLAYING, TRIPPING, SWITCHING, RESCUING, BUYING} if mask & 1 else {PLAYING, BUYING})


@pytest.mark.parametrize("phase", [RESCUING, BUYING])
def test_the_most_valuable_card_comes_back(phase):
    """By what it costs to play it, or by the judge, to whom it must be worth more than its ducat."""
    seen = set()
    for s in islice((s for s in states(3, 1, 4, 1) if s[PHASE] == phase), 200):
        race = s[RACE]
        mine = {kind & 7 for kind in hand(s, s[TO_MOVE])}
        best, most = (DONE, 8) if phase == BUYING else (NO, -1)
        for move in sorted(buf[: rules.legal(s, buf)], key=lambda move: move & 7):
            if move in (NO, DONE):
                continue
            value = move & 7
            if phase == BUYING:
                at = 92 + 18 * (race - 1)
                worth = W[at + value] - W[at + 7] * (value in mine)
            else:
                worth = W[23 * race + value]
            # Of two equal ones the starred, which comes later.
            if worth > most or (worth == most and best & 7 == value and best not in (NO, DONE)):
                best, most = move, worth
        assert bot.policy(s, array("I", [0])) == best
        seen.add(best)
    assert len(seen) > 3


def test_a_race_is_ended_by_who_leads():
    """Both may end it with any card: who leads the other lanes does, who is behind there does not."""
    ends = {True: 0, False: 0}
    for s in islice((s for s in states(2, 0, 5, 1) if s[PHASE] == PLAYING), 6000):
        me = s[TO_MOVE]
        for lane in range(3):
            standing = sum(leads(s, track(s, other), me) for other in range(3) if other != lane)
            if plays_left(s, lane) == 1 and abs(standing) == 2 and len({m >> 4 for m in gains(s)}) > 1:
                ends[standing > 0] += (bot.policy(s, array("I", [0])) >> 4 == lane) * 2 - 1
    assert ends[True] > 50 and ends[False] < -50


@pytest.mark.parametrize(("seats", "mask"), TABLES)
def test_the_search_sees_the_plays_that_may_be_good(seats, mask):
    """Of more than eight those at most 35 worse than the best, in their order; else all."""
    narrowed = 0
    for s in islice(states(seats, mask, 6), 300):
        before = list(buf[: rules.legal(s, buf)])
        kept = list(buf[: bot.narrow(s, buf, len(before))])
        if s[PHASE] != PLAYING or len(before) < 9:
            assert kept == before
            continue
        wanted = gains(s)
        assert kept == [m for m in before if wanted[m] >= max(wanted.values()) - 35]
        narrowed += len(kept) < len(before)
    assert narrowed


def strengths(s: bytearray) -> list[int]:
    """Eighths of a ducat that each seat's table is worth at the beginning of a race, as bot.py says of the weights."""
    w = W[92 + 18 * (s[RACE] - 1) :]
    found = []
    for seat in range(s[0]):
        at = SEAT + 11 * seat
        cards = hand(s, seat)
        value = 8 * s[at + DUCATS] - (s[at + MC] * (s[at + MC] + 1) * w[13] >> 1) + w[12] * (seat != s[TO_MOVE])
        value += sum(w[kind & 7] + (w[7 + kind - 8] if kind & 8 else 0) for kind in cards)
        value -= w[7] * (len(cards) - len({kind & 7 for kind in cards}))
        for lane in range(s[0] + 1):
            row = track(s, lane)
            own, other = ranks(row, seat)
            value += w[14] * (own > other)
            own_then, other_then = ranks(row[1:] if len(row) == 3 else row, seat)
            highest = max((kind & 7 for kind in cards if (kind & 7) not in [v for _, v in row]), default=None)
            if highest is not None and own_then + 4 * highest + 1 > other_then:
                value += w[15] if own > other else w[16]
        found.append(value)
    return found


def beginnings(seats: int, mask: int, seed: int) -> Iterator[bytearray]:
    """States that the judge is for."""
    return (s for s in states(seats, mask, seed, 1) if bot.starts(s))


@pytest.mark.parametrize(("seats", "mask"), TABLES)
def test_a_table_is_judged_by_the_weights(seats, mask):
    out = array("h", [0] * 5)
    for s in islice(beginnings(seats, mask, 7), 200):
        bot.judge(s, out)
        found = strengths(s)
        slope = W[92 + 18 * (s[RACE] - 1) + 17]
        odds = [2 ** ((value - max(found)) * slope / 1024) for value in found]
        assert WIN - seats < sum(out[:seats]) <= WIN
        for seat in range(seats):
            assert abs(out[seat] - WIN * odds[seat] / sum(odds)) < 6


def test_a_race_begins_with_empty_penalty_zones():
    for s in islice(states(3, 1, 8), 2000):
        zones = sum(s[LANE + 11 * lane + 6] for lane in range(4))
        assert bot.starts(s) == (s[PHASE] == PLAYING and s[RACE] > 0 and zones == 0)


@pytest.mark.parametrize(("seats", "mask"), TABLES)
def test_a_playout_goes_to_the_next_race(seats, mask):
    """There the table is judged. The last race is played to its end."""
    rng = Rng(9)
    out = array("h", [0] * 5)
    judged = array("h", [0] * 5)
    ended = 0
    for s in islice(states(seats, mask, 9), 200):
        race, began = s[RACE], bot.starts(s)
        plies = bot.rollout(s, rng, out)
        rules.check(s)
        if rules.seat(s) == rules.OVER:
            assert race == 3 and not began and plies
            ended += 1
            continue
        assert s[RACE] == race + (not began) and (plies == 0) == bool(began)
        assert s[PHASE] == PLAYING
        bot.judge(s, judged)
        assert out == judged
    assert ended
