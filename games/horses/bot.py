"""The instant player of the carrot race: weighs spaces won against tokens spent, one turn ahead."""

import micropython
from array import array
from micropython import const

from games.horses import rules
from games.horses.tables import TABLE

# Offsets of games/horses/rules.py, repeated because a const of another file fails in viper; a test holds them equal.
_SEATS = const(0)
_PLAYER = const(3)
_PHASE = const(4)
_ROUND = const(5)
_AIM = const(7)
_STOCK = const(9)
_DISCARD = const(11)
_NEWEST = const(13)
_HOME = const(14)
_SEAT = const(15)
_TOKENS = const(1)
_HELD = const(2)
_STAKE = const(4)
_SLEEPER = const(19)
_BEHIND = const(150)
_ROLLS = const(200)

# What a space is worth, and what a token is for each space that the leader has still to go, up to _FULL.
_SPACE = const(64)
_TOKEN = const(3)
_FULL = const(20)
_LAST_ROUND = const(59)
_FINISH = const(49)

# [K]: the chance, in 1,024ths, that K of the seat's tokens all sleep, as far as anybody knows.
_odds = array("H", [0] * (rules.MAX_LEGAL + 1))


@micropython.viper
def _reckon(s: ptr8):
    """Work out _odds for the seat whose turn it is, from what all have seen of each generation."""
    odds = ptr16(_odds)
    mine = _SEAT + 32 * s[_PLAYER]
    p = 1024
    k = 0
    odds[0] = p
    slot = 0
    while slot <= s[_NEWEST]:
        # All of the generation that is unseen, wherever it lies.
        lot = _SEAT + _HELD + slot
        v = s[lot] + s[lot + 32] + s[lot + 64] + s[lot + 96]
        if slot == s[_NEWEST]:
            v += s[_STOCK] + _SLEEPER * s[_STOCK + 1]
        sleeping = v // _SLEEPER
        unseen = sleeping + v % _SLEEPER
        lot = mine + _HELD + slot
        n = s[lot] // _SLEEPER + s[lot] % _SLEEPER
        while n:
            p = p * sleeping // unseen
            if sleeping:
                sleeping -= 1
            unseen -= 1
            n -= 1
            k += 1
            odds[k] = p
        slot += 1


@micropython.viper
def _worth(s: ptr8) -> int:
    """What a token is worth: less and less as the race ends, next to nothing in the last turn, where it breaks ties."""
    if s[_HOME] or s[_ROUND] == _LAST_ROUND:
        return 1
    left = _FINISH
    k = 0
    while k < s[_SEATS]:
        n = _FINISH - s[_SEAT + 32 * k]
        if n < left:
            left = n
        k += 1
    if left > _FULL:
        left = _FULL
    return _TOKEN * left


@micropython.viper
def _jump(tokens: int, aim: int, worth: int) -> int:
    """The best stake of a jump, 1..tokens, added to 32 times the value that it promises."""
    odds = ptr16(_odds)
    t = ptr8(TABLE)
    fall = _SPACE * (aim - t[_BEHIND + aim])
    best = 0
    stake = 1
    k = 1
    while k <= tokens:
        v = _SPACE * aim - (fall * odds[k] >> 10) + worth * (tokens - k)
        if v > best:
            best = v
            stake = k
        k += 1
    return 32 * best + stake


@micropython.viper
def _gait(s: ptr8, worth: int) -> int:
    """0 or 1, the gait with the better average over its 18 outcomes."""
    t = ptr8(TABLE)
    space = s[_SEAT + 32 * s[_PLAYER]]
    tokens = s[_SEAT + 32 * s[_PLAYER] + _TOKENS]
    supply = s[_STOCK] + s[_STOCK + 1] + s[_DISCARD] + s[_DISCARD + 1]
    trot = 0
    gallop = 0
    i = 0
    while i < 18:
        event = t[_ROLLS + i]
        n = event & 3
        if n > supply:
            n = supply
        trot += _SPACE * t[50 * (event >> 3) + space] + worth * (tokens + n)
        event = t[_ROLLS + 18 + i]
        n = 50 * (event >> 3)
        aim = t[n + t[n + space]]
        n = event & 3
        if n == 3 and tokens:
            gallop += int(_jump(tokens, aim, worth)) >> 5
        elif n <= tokens and n < 3:
            gallop += _SPACE * aim + worth * (tokens - n)
        else:
            gallop += _SPACE * space + worth * tokens
        i += 1
    if gallop > trot:
        return 1
    return 0


def choose(s, buf, n, rng):
    """The move that looks best one turn ahead; buf holds the n legal moves. Draws nothing."""
    _reckon(s)
    worth = _worth(s)
    if s[_PHASE] == _STAKE:
        return 1 + (_jump(n, s[_AIM], worth) & 31)
    return _gait(s, worth)
