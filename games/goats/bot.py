"""The instant player of goats: looks one move ahead and weighs what the table would look like."""

from array import array

import micropython
from micropython import const

from games.goats import rules

# Offsets of games/goats/rules.py, repeated because a const of another file fails in viper; a test holds them equal.
_SEATS = const(0)
_PLAYER = const(3)
_BONUS = const(6)
_LEFT = const(9)
_SUMMIT = const(15)
_BIG = const(10)
_SEAT = const(37)
_TAKEN = const(6)
_SETS = const(13)

# Eighths of a point that a goat is worth for each point of its mountain and each step climbed: on its
# way, and on the summit, where it takes a token for every further group.
_CLIMB = const(2)
_STAY = const(3)
# What a goat on the Big Mountain costs, as it is lost to the others: eighths of a point.
_LOST = const(80)

_STATE_BYTES = const(117)
_trial = bytearray(rules.STATE_BYTES)
_points = array("h", [0] * 5)


@micropython.viper
def _copy(state, trial):
    """trial[:] = state, without the slice object that would be garbage."""
    s = ptr8(state)
    t = ptr8(trial)
    i = 0
    while i < _STATE_BYTES:
        t[i] = s[i]
        i += 1


@micropython.viper
def value(state, seat: int) -> int:
    """How good the table is for a seat, in eighths of a point, less the best of the others' values."""
    s = ptr8(state)
    height = ptr8(rules.TABLE)
    rules.scores(state, _points)
    points = ptr16(_points)
    seats = s[_SEATS]
    mine = 0
    best = 0
    k = 0
    while k < seats:
        p = _SEAT + 16 * k
        v = 8 * points[k]
        sets = s[p + _SETS]
        m = 0
        while m < 6:
            if s[_LEFT + m]:
                v += (m + 5) * (height[m] - s[p + m]) * _CLIMB * 4 // height[m] // 2
                if s[_SUMMIT + m] == p:
                    v += (m + 5) * _STAY
            if s[p + _TAKEN + m] > sets:
                # A sixth of the next bonus token, 3 * left + 3 points.
                if s[_BONUS]:
                    v += 4 * s[_BONUS] + 4
            m += 1
        m = 11
        while m < 25:
            if s[_BIG + m] == p:
                v -= _LOST
            m += 1
        if k == seat:
            mine = v
        elif v > best:
            best = v
        k += 1
    return mine - best


def choose(s, buf, n, rng):
    """The move of the highest `value`, the first of equals; buf holds the n legal moves. Draws nothing."""
    seat = s[_PLAYER]
    best = buf[0]
    most = -0x8000
    for i in range(n):
        _copy(s, _trial)
        rules.apply(_trial, buf[i])
        v = value(_trial, seat)
        if v > most:
            most = v
            best = buf[i]
    return best
