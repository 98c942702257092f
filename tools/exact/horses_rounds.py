"""Solves the race of tools/exact/horses.py backwards, a round at a time: a program for MicroPython on a 64-bit PC.

    micropython -X heapsize=64m tools/exact/horses_rounds.py FILE

A value is the chance to win of the seat that moves, in units of 2**-30, a shared win a half. A table of values has an
entry for every (space of the mover, of the other, tokens of the mover, of the other), 50 * 50 * 31 * 31, the last
index first; hands of more than 30 tokens together have none. Prints a line `ROUNDS CHANGE` for every round: the
largest difference to a race with one round less. FILE gets the tables of the seat that begins a round and of the other
one, in 16 bits, 65535 for 1.
"""

import sys
from array import array

import micropython
from micropython import const

from games.horses.tables import TABLE

_HANDS = const(961)
_ROW = const(48050)  # 50 * _HANDS
_ALL = const(2402500)  # 50 * _ROW
_ONE = const(1 << 30)
_FINISH = const(49)
_ROUNDS = const(60)
_BEHIND = const(150)
_ROLLS = const(200)

# No later round can change a value by more than that: each is an average or a maximum of those before.
_STILL = const(1 << 8)


@micropython.viper
def jumps(after: ptr32, asleep: ptr32, out: ptr32):
    """The value of a jump for every space aimed at, with the best stake; asleep[k]: the chance that k tokens sleep."""
    t = ptr8(TABLE)
    aim = 1
    while aim <= _FINISH:
        fall = t[_BEHIND + aim]
        other = 0
        while other < 50:
            at = (aim * 50 + other) * _HANDS
            down = (fall * 50 + other) * _HANDS - at
            mine = 0
            while mine < 31:
                his = 0
                while mine + his < 31:
                    best = 0
                    p = at + 31 * mine + his
                    k = 1
                    while k <= mine:
                        p -= 31
                        v = after[p]
                        v -= (v - after[p + down]) * asleep[k] >> 30
                        if v > best:
                            best = v
                        k += 1
                    out[at + 31 * mine + his] = best
                    his += 1
                mine += 1
            other += 1
        aim += 1


@micropython.viper
def turn(after: ptr32, jump: ptr32, out: ptr32) -> int:
    """From the values `after` the mover's turn those before it; returns the largest change of `out`."""
    t = ptr8(TABLE)
    most = 0
    at = 0
    space = 0
    while space < _FINISH:
        other = 0
        while other < 50:
            mine = 0
            while mine < 31:
                his = 0
                while mine + his < 31:
                    hand = 31 * mine + his
                    trot = 0
                    gallop = 0
                    i = 0
                    while i < 18:
                        event = t[_ROLLS + i]
                        n = mine + (event & 3)
                        if n > 30 - his:
                            n = 30 - his
                        trot += after[(t[50 * (event >> 3) + space] * 50 + other) * _HANDS + 31 * n + his]
                        event = t[_ROLLS + 18 + i]
                        n = 50 * (event >> 3)
                        p = (t[n + t[n + space]] * 50 + other) * _HANDS + hand
                        n = event & 3
                        if n == 3 and mine:
                            gallop += jump[p]
                        elif n < 3 and n <= mine:
                            gallop += after[p - 31 * n]
                        else:
                            gallop += after[at + hand]
                        i += 1
                    if gallop > trot:
                        trot = gallop
                    trot = trot // 18
                    n = trot - out[at + hand]
                    if n < 0:
                        n = 0 - n
                    if n > most:
                        most = n
                    out[at + hand] = trot
                    his += 1
                mine += 1
            at += _HANDS
            other += 1
        space += 1
    return most


@micropython.viper
def passed(values: ptr32, out: ptr32, ends: int):
    """What a turn that led to a state is worth to who made it, if the other seat moves now, by `values`. `ends` is 0
    after the turn of the seat that begins a round, 1 after the other's (a horse on the finish ends the race), 2 in
    the last round."""
    at = 0
    space = 0
    while space < 50:
        other = 0
        while other < 50:
            over = 0
            if ends == 2 or (ends == 1 and (space == _FINISH or other == _FINISH)):
                over = 1
            turned = (other * 50 + space) * _HANDS
            mine = 0
            while mine < 31:
                his = 0
                while mine + his < 31:
                    v = _ONE - values[turned + 31 * his + mine]
                    if over:
                        v = 32 * space + mine - 32 * other - his
                        if v > 0:
                            v = _ONE
                        elif v == 0:
                            v = _ONE >> 1
                        else:
                            v = 0
                    out[at + 31 * mine + his] = v
                    his += 1
                mine += 1
            at += _HANDS
            other += 1
        space += 1


@micropython.viper
def shorten(values: ptr32, out: ptr16):
    """To 16 bits."""
    i = 0
    while i < _ALL:
        out[i] = (values[i] * 65535 + (_ONE >> 1)) >> 30
        i += 1


def solve(path):
    """All rounds, until nothing changes any more."""
    first, second, after, jump = [array("i", bytes(4 * _ALL)) for _ in range(4)]
    asleep = array("i", [_ONE * 2**k // 5**k for k in range(31)])
    change = _ONE
    left = 0
    while left < _ROUNDS and change > _STILL:
        left += 1
        passed(first, after, 2 if left == 1 else 1)
        jumps(after, asleep, jump)
        change = turn(after, jump, second)
        passed(second, after, 0)
        jumps(after, asleep, jump)
        change = max(change, turn(after, jump, first))
        print(left, change)
    short = array("H", bytes(2 * _ALL))
    with open(path, "wb") as file:
        for values in (first, second):
            shorten(values, short)
            file.write(short)


solve(sys.argv[1])
