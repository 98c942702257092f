"""The instant player of goblins: looks one move ahead and weighs what the table would look like."""

import micropython
from micropython import const

from games.goblins import rules

# Offsets of games/goblins/rules.py, repeated because a const of another file fails in viper; a test holds them equal.
_STATE_BYTES = const(108)
_SEATS = const(0)
_TO_MOVE = const(2)
_RACE = const(4)
_LANE = const(8)
_SEAT = const(63)
_TWICE = const(1)
_STAR = const(2)
_DUCATS = const(6)
_MC = const(7)

# Eighths of a ducat while races are to come: for leading a lane, for a card in hand, and for each point of it.
_LEAD = const(10)
_CARD = const(4)
_POINT = const(1)

_trial = bytearray(rules.STATE_BYTES)


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
    """How good the table is for a seat, in eighths of a ducat, less the best of the others' values."""
    s = ptr8(state)
    seats = s[_SEATS]
    races = 4 - s[_RACE]
    mine = 0
    best = -0x8000
    k = 0
    while k < seats:
        p = _SEAT + 11 * k
        v = 8 * s[p + _DUCATS]
        if s[_TO_MOVE] != 255:
            v -= 4 * s[p + _MC] * (s[p + _MC] + 1)
        # Cards in hand, for the races to come.
        i = 0
        while i < 7:
            n = (s[p] >> i & 1) + (s[p + _TWICE] >> i & 1) + (s[p + _STAR] >> i & 1)
            if races:
                v += n * (_CARD + i * _POINT)
            i += 1
        # Lanes led, by the measure of the prizes, against all others together.
        if races:
            lane = _LANE
            while lane < _LANE + 11 + 11 * seats:
                own = 0
                other = 0
                q = lane + 2
                while s[q]:
                    i = 4 * (s[q] & 7) + 1
                    if s[q] >> 4 == k + 1:
                        own += i
                    else:
                        other += i
                    q += 1
                if own > other:
                    v += _LEAD
                lane += 11
        if k == seat:
            mine = v
        elif v > best:
            best = v
        k += 1
    return mine - best


def choose(s, buf, n, rng):
    """The move of the highest `value`, the first of equals; buf holds the n legal moves. Draws nothing."""
    seat = s[_TO_MOVE]
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
