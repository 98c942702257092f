"""The computer players of goats: how a table is judged, against a plain model and against how games end."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import islice

import pytest

from games.goats import bot, rules, weights
from games.rng import Rng
from games.search import WIN

TABLES = [(2, 0), (3, 0), (4, 0), (2, 1), (5, 1)]
# Of the state: games/goats/rules.py.
PLAYER, BONUS, LEFT, BIG, SEAT = 3, 6, 9, 10, 37
TAKEN, SETS = 6, 13


def between_turns(seats: int, mask: int, seed: int, one_in: int = 5) -> Iterator[bytearray]:
    """Tables at which the dice are to roll, one in so many of games that the instant player plays loosely; no end."""
    rng = Rng(seed)
    s = bytearray(rules.STATE_BYTES)
    buf = array("H", [0] * rules.MAX_LEGAL)
    while True:
        rules.new(s, seats, mask, rng)
        while rules.seat(s) != rules.OVER:
            if rules.seat(s) == rules.CHANCE:
                if rng.below(one_in) == 0:
                    yield bytearray(s)
                rules.apply(s, rules.sample(s, rng))
            else:
                n = rules.legal(s, buf)
                rules.apply(s, bot.choose(s, buf, n, rng) if rng.below(6) else buf[rng.below(n)])


def values(s: bytearray) -> list[int]:
    """Eighths of a point that each seat's table is worth, as bot.py says of the weights."""
    points = array("h", [0] * 5)
    rules.scores(s, points)
    # Two seats have the first half, more the other.
    w = weights.WEIGHTS[33 * (s[0] > 2) :]
    found = []
    for seat in range(s[0]):
        at = SEAT + 16 * seat
        value = 8 * points[seat]
        for m in range(6):
            if s[LEFT + m]:
                value += w[5 * m + s[at + m]]
            if s[BONUS] and s[at + TAKEN + m] > s[at + SETS]:
                value += w[30]
        if s[1]:
            value -= w[32] * sum(s[BIG + step] == at for step in range(11, 25))
        found.append(value + w[31] * (seat == s[PLAYER]))
    return found


def shares(s: bytearray) -> list[float]:
    """Each seat's chance, together one."""
    found = values(s)
    slope = (36 - 22 / 64 * sum(s[LEFT : LEFT + 6])) / 256 / 8
    odds = [2.718281828 ** ((value - max(found)) * slope) for value in found]
    return [x / sum(odds) for x in odds]


@pytest.mark.parametrize(("seats", "mask"), TABLES)
def test_a_table_is_judged_by_the_weights(seats, mask):
    out = array("h", [0] * 5)
    for s in islice(between_turns(seats, mask, seats), 400):
        bot.judge(s, out)
        wanted = shares(s)
        assert WIN - seats <= sum(out[:seats]) <= WIN
        for k in range(seats):
            # The table of what a lead is worth has steps of an eighth and an end.
            assert abs(out[k] / WIN - wanted[k]) < 0.04


@pytest.mark.parametrize(("seats", "mask"), TABLES)
def test_who_is_said_to_win_does_so_about_as_often(seats, mask):
    """By games that the instant player plays on from there: in each fifth of the scale, all seats together."""
    out = array("h", [0] * 5)
    buf = array("H", [0] * rules.MAX_LEGAL)
    rng = Rng(1)
    told = [[0, 0.0, 0.0] for _ in range(5)]
    for s in islice(between_turns(seats, mask, 7 * seats + mask, 40), 600):
        bot.judge(s, out)
        end = bytearray(s)
        while (who := rules.seat(end)) != rules.OVER:
            if who == rules.CHANCE:
                rules.apply(end, rules.sample(end, rng))
            else:
                rules.apply(end, bot.choose(end, buf, rules.legal(end, buf), rng))
        winners = rules.winners(end)
        for k in range(seats):
            part = told[min(4, 5 * out[k] // WIN)]
            part[0] += 1
            part[1] += out[k] / WIN
            part[2] += (winners >> k & 1) / winners.bit_count()
    for count, said, won in told:
        if count >= 100:
            assert abs(said - won) / count < 0.12, told


@pytest.mark.parametrize(("seats", "mask"), TABLES)
def test_a_playout_is_cut_short_after_three_turns_of_each(seats, mask):
    rng = Rng(3)
    out, judged = array("h", [0] * 5), array("h", [0] * 5)
    cut = 0
    for s in islice(between_turns(seats, mask, 9), 60):
        mover = s[PLAYER]
        plies = bot.rollout(s, rng, out)
        rules.check(s)
        if rules.seat(s) == rules.OVER:
            assert plies <= 6 * seats
            continue
        cut += 1
        assert plies == 6 * seats and rules.seat(s) == rules.CHANCE and s[PLAYER] == mover
        bot.judge(s, judged)
        assert out == judged
    assert cut > 20
