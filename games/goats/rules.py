"""Mountain Goats with the Big Mountain: the rules on one flat bytearray.

A turn is two plies: the dice (a chance event, the class 0..125 of the roll) and a move (a set of sums, 0 is the
pass). `advance` holds the rules; everything else prepares for it or reads the state. Mountain m is 0..5 for the
mountains 5..10; goats are kept as steps *left* to the summit, so that arriving is a test against zero.
"""

import micropython
from array import array
from micropython import const

from games.goats.tables import TABLE

STATE_BYTES = 115
VIEW_BYTES = 115
# Enumerated over all 126 rolls (tests/games/test_goats.py): 29 without the Big Mountain, 46 with it.
MAX_LEGAL = 46
# 60 rounds of 5 seats, each turn one roll and one move.
MAX_PLIES = 600
SEATS = (2, 5)
OPTIONS = ("big",)
# Codes of moves: every set of sums that some roll can form.
MOVES = 96
CHANCE = 254
OVER = 255

# What a step of TRACE tells: (kind, seat, place, value), `place` a mountain 5..10 or a step 11..24.
STEP = 1  # the seat's goat climbed to the step `value` of the mountain
KNOCK = 2  # the seat's goat fell from the summit to the foot
TOKEN = 3  # the seat took a token; `value` are left
BONUS = 4  # the seat took the bonus token worth `value`
PLACE = 5  # a goat of the seat was put onto the Big Mountain
ROLL = 6  # the seat rolled the class `value`
# Four groups, each a step, a knock, a token and a bonus at most.
TRACE = bytearray(1 + 16 * 4)

# The state. Of the table only, then 16 bytes for each seat.
_SEATS = const(0)
_OPTIONS = const(1)
_TO_MOVE = const(2)  # seat, CHANCE or OVER
_PLAYER = const(3)  # whose turn it is
_ROLL = const(4)  # class of the roll while a move is to be chosen, else 0
_ROUND = const(5)  # 0..59, 60 when the last of them is over
_BONUS = const(6)  # bonus tokens left, 4..0
_EMPTIED = const(7)  # mountains without a token
_ON_BIG = const(8)  # goats on the Big Mountain
_LEFT = const(9)  # + m: tokens left
_SUMMIT = const(15)  # + m: seat + 1 of the goat on the summit, 0 if none
_BIG = const(10)  # + step 11..24: seat + 1 of the goat there, 0 if none
_SEAT = const(35)  # + 16 * seat:
_TAKEN = const(6)  # + m: tokens taken; the six bytes before are the steps left to the summit
_POOL = const(12)  # goats that are on no mountain
_SETS = const(13)  # the smallest number of _TAKEN
_BONUSES = const(14)  # bit mask of bonus tokens taken: bit 3 the 15, bit 0 the 6

_CHANCE = const(254)
_OVER = const(255)
_ROUNDS = const(60)
_GOATS = const(6)

_PLAY = const(-1)
_LIST = const(-2)

# TABLE, see there.
_CLASSES = const(1296)
_MOVES = const(1800)
_LISTS = const(2184)

# steps of the mountains 5..10, tokens with 4 or 5 seats
_HEIGHT = b"\x04\x04\x03\x03\x02\x02"
_TOKENS = b"\x0c\x0b\x0a\x09\x08\x07"
# Big Mountain: what the ranks score with 2, 3 and 4 or 5 seats
_RANKS = b"\x0c\x08\x04\x00\x00\x10\x0c\x08\x04\x00\x0f\x0c\x09\x06\x03"

# Stands in for the generator where `advance` draws nothing.
_NO_RNG = array("I", [1])


@micropython.viper
def new(state, seats: int, options: int, rng):
    """Set up a game for 2..5 seats in `state` (bytearray of STATE_BYTES); options is the bit mask of OPTIONS.
    Draws nothing from `rng`."""
    s = ptr8(state)
    height = ptr8(_HEIGHT)
    tokens = ptr8(_TOKENS)
    i = 0
    while i < 115:
        s[i] = 0
        i += 1
    s[_SEATS] = seats
    s[_OPTIONS] = options
    s[_TO_MOVE] = _CHANCE
    s[_BONUS] = 4
    fewer = 0
    if seats < 4:
        fewer = 4 - seats
    i = 0
    while i < 6:
        s[_LEFT + i] = tokens[i] - fewer
        p = _SEAT + i
        k = 0
        while k < seats:
            s[p] = height[i]
            p += 16
            k += 1
        i += 1
    p = _SEAT + _POOL
    k = 0
    while k < seats:
        s[p] = _GOATS
        p += 16
        k += 1


@micropython.viper
def seat(state) -> int:
    """Whose decision it is: a seat, CHANCE or OVER."""
    s = ptr8(state)
    return s[_TO_MOVE]


@micropython.viper
def advance(state, io, m: int) -> int:
    """The rules, three ways in:

    m >= 0     carry out the event (0..125, a class of roll) or the legal move (0..95); TRACE tells what happened
    m = _PLAY  play at random to the end: every roll by its chance, every legal move equally likely; `io` is the
               state of the generator; returns the number of plies
    m = _LIST  at a decision: write the legal moves into `io`, array('H') of MAX_LEGAL; returns how many
    """
    s = ptr8(state)
    t = ptr8(TABLE)
    height = ptr8(_HEIGHT)
    g = ptr32(io)
    out = ptr16(io)
    trace = ptr8(TRACE)
    x = 0
    if m == _PLAY:
        x = g[0]
    listed = 0
    seats = s[_SEATS]
    me = s[_PLAYER]
    deciding = 1
    plies = 0
    told = 1
    if s[_TO_MOVE] == _CHANCE:
        deciding = 0
    if s[_TO_MOVE] == _OVER:
        return 0
    while True:
        # --- The dice: one of 1,296 ordered rolls, without bias (65536 = 50 * 1296 + 736).
        roll = s[_ROLL]
        if deciding == 0:
            plies += 1
            if m == _PLAY:
                while True:
                    x = 16380 * (x & 65535) + (x >> 16)
                    k = (x & 65535) * 1296
                    if (k & 65535) >= 736:
                        break
                roll = t[k >> 16]
            else:
                s[_ROLL] = m
                s[_TO_MOVE] = me
                trace[0] = 1
                trace[1] = 6
                trace[2] = me
                trace[3] = 0
                trace[4] = m
                return 1
        deciding = 0
        plies += 1
        mine = _SEAT + 16 * me

        # --- Which groups: a legal set of sums, drawn until one fits, or each in turn to list those that fit.
        code = m
        if m < 0:
            p = _CLASSES + 4 * roll
            first = _LISTS + t[p] + (t[p + 1] << 8)
            n = t[p + 2 + s[_OPTIONS]]
            refuse = 65536 % n
            while True:
                if m == _PLAY:
                    while True:
                        x = 16380 * (x & 65535) + (x >> 16)
                        k = (x & 65535) * n
                        if (k & 65535) >= refuse:
                            break
                    code = t[first + (k >> 16)]
                else:
                    if n == 0:
                        return listed
                    code = t[first]
                    first += 1
                    n -= 1
                if s[_OPTIONS]:
                    # With the Big Mountain every group must be possible: a goat in the pool for each that leaves
                    # the foot, and each step of the Big Mountain empty.
                    need = 0
                    last = 0
                    q = _MOVES + 4 * code
                    end = q + 4
                    while q < end:
                        v = t[q]
                        if v == 0:
                            break
                        if v > 10:
                            need += 1
                            if s[_BIG + v] or v == last:
                                need = 99
                        elif v != last:
                            if s[mine + v - 5] == height[v - 5]:
                                need += 1
                        last = v
                        q += 1
                    if need > s[mine + _POOL]:
                        continue
                if m == _PLAY:
                    break
                out[listed] = code
                listed += 1

        # --- Carry out the groups, from the smallest sum to the largest.
        q = _MOVES + 4 * code
        end = q + 4
        while q < end:
            v = t[q]
            if v == 0:
                break
            q += 1
            if v > 10:
                # The goat stays on its step of the Big Mountain for the rest of the game.
                s[_BIG + v] = me + 1
                s[_ON_BIG] += 1
                s[mine + _POOL] -= 1
                if m >= 0:
                    trace[told] = 5
                    trace[told + 1] = me
                    trace[told + 2] = v
                    trace[told + 3] = 0
                    told += 4
                continue
            v -= 5
            p = mine + v
            k = s[p]
            if k:
                if k == height[v]:
                    s[mine + _POOL] -= 1
                k -= 1
                s[p] = k
                if m >= 0:
                    trace[told] = 1
                    trace[told + 1] = me
                    trace[told + 2] = v + 5
                    trace[told + 3] = height[v] - k
                    told += 4
                if k:
                    continue
                # The summit holds one goat: who stands there goes back to the foot.
                k = s[_SUMMIT + v]
                if k:
                    p = _SEAT - 16 + 16 * k
                    s[p + v] = height[v]
                    s[p + _POOL] += 1
                    if m >= 0:
                        trace[told] = 2
                        trace[told + 1] = k - 1
                        trace[told + 2] = v + 5
                        trace[told + 3] = 0
                        told += 4
                s[_SUMMIT + v] = me + 1
            # On the summit: a token, if one is left.
            k = s[_LEFT + v]
            if k:
                k -= 1
                s[_LEFT + v] = k
                if k == 0:
                    s[_EMPTIED] += 1
                p = mine + _TAKEN
                s[p + v] += 1
                if m >= 0:
                    trace[told] = 3
                    trace[told + 1] = me
                    trace[told + 2] = v + 5
                    trace[told + 3] = k
                    told += 4
                # Bonus: the set grows when the last of the six counts passes it.
                k = s[mine + _SETS]
                if s[p + v] == k + 1 and s[p] > k and s[p + 1] > k and s[p + 2] > k:
                    if s[p + 3] > k and s[p + 4] > k and s[p + 5] > k:
                        s[mine + _SETS] = k + 1
                        k = s[_BONUS]
                        if k:
                            s[_BONUS] = k - 1
                            s[mine + _BONUSES] |= 1 << (k - 1)
                            if m >= 0:
                                trace[told] = 4
                                trace[told + 1] = me
                                trace[told + 2] = 0
                                trace[told + 3] = 3 * k + 3
                                told += 4

        # --- The next seat; after the last seat of a round the end is looked for.
        me += 1
        if me == seats:
            me = 0
            k = s[_ROUND] + 1
            s[_ROUND] = k
            if k == _ROUNDS or s[_BONUS] == 0 or s[_EMPTIED] > 2 or s[_ON_BIG] == _GOATS * seats:
                s[_TO_MOVE] = _OVER
                s[_PLAYER] = 0
                s[_ROLL] = 0
                break
        if m >= 0:
            s[_TO_MOVE] = _CHANCE
            s[_PLAYER] = me
            s[_ROLL] = 0
            break
    if m == _PLAY:
        g[0] = x
    else:
        trace[0] = told >> 2
    return plies


@micropython.viper
def sample(state, rng) -> int:
    """At a chance ply: the class 0..125 of a roll of four dice, drawn with its true chance."""
    g = ptr32(rng.state)
    t = ptr8(TABLE)
    x = g[0]
    while True:
        x = 16380 * (x & 65535) + (x >> 16)
        k = (x & 65535) * 1296
        if (k & 65535) >= 736:
            break
    g[0] = x
    return t[k >> 16]


@micropython.viper
def apply(state, m: int):
    """Carry out a legal move or a chance event; TRACE tells what happened."""
    advance(state, _NO_RNG, m)


@micropython.viper
def playout(state, rng) -> int:
    """Play at random to the end; returns the number of plies."""
    return int(advance(state, rng.state, _PLAY))


@micropython.viper
def legal(state, buf) -> int:
    """Write the legal moves into buf, array('H') of MAX_LEGAL, ascending; return how many. 0 unless a seat decides."""
    s = ptr8(state)
    if s[_TO_MOVE] >= _CHANCE:
        return 0
    return int(advance(state, buf, _LIST))


@micropython.viper
def scores(state, out):
    """Write each seat's score, as if the game ended now, into out, array('h') of at least as many elements."""
    s = ptr8(state)
    o = ptr16(out)
    ranks = ptr8(_RANKS)
    seats = s[_SEATS]
    k = 0
    p = _SEAT
    while k < seats:
        o[k] = (
            5 * s[p + 6] + 6 * s[p + 7] + 7 * s[p + 8] + 8 * s[p + 9] + 9 * s[p + 10] + 10 * s[p + 11]
        )
        bonus = s[p + _BONUSES]
        if bonus:
            o[k] += 15 * (bonus >> 3) + 12 * (bonus >> 2 & 1) + 9 * (bonus >> 1 & 1) + 6 * (bonus & 1)
        p += 16
        k += 1
    if s[_ON_BIG]:
        p = 5 * (seats - 2)
        if seats > 4:
            p = 10
        end = p + 5
        k = 24
        while k > 10 and p < end:
            owner = s[_BIG + k]
            if owner:
                o[owner - 1] += ranks[p]
                p += 1
            k -= 1


_SCORES = array("h", [0, 0, 0, 0, 0])


@micropython.viper
def winners(state) -> int:
    """Bit mask of the seats that lead: most points, then most summits, then the highest summit; all that are
    still equal share the win."""
    s = ptr8(state)
    scores(state, _SCORES)
    points = ptr16(_SCORES)
    seats = s[_SEATS]
    best = -1
    mask = 0
    k = 0
    while k < seats:
        summits = 0
        highest = 0
        i = 0
        while i < 6:
            if s[_SUMMIT + i] == k + 1:
                summits += 1
                highest = i + 1
            i += 1
        rank = points[k] * 64 + summits * 8 + highest
        if rank > best:
            best = rank
            mask = 1 << k
        elif rank == best:
            mask |= 1 << k
        k += 1
    return mask


def hide(state, seat, rng):
    """Nothing is hidden in this game: the state stays as it is."""


@micropython.viper
def view(state, seat: int, out) -> int:
    """Write what the seat knows, which is everything, into out (VIEW_BYTES); return the length."""
    s = ptr8(state)
    o = ptr8(out)
    i = 0
    while i < 115:
        o[i] = s[i]
        i += 1
    return i


@micropython.viper
def sums(move: int, out) -> int:
    """Write the sums of a move, ascending, into out (4 bytes); return how many."""
    t = ptr8(TABLE)
    o = ptr8(out)
    p = _MOVES + 4 * move
    n = 0
    while n < 4 and t[p + n]:
        o[n] = t[p + n]
        n += 1
    return n


@micropython.viper
def dice(roll: int, out):
    """Write the four dice (1..6) of a class of roll, ascending, into out (4 bytes)."""
    t = ptr8(TABLE)
    o = ptr8(out)
    i = 0
    # The first ordered roll of a class is the ascending one.
    while t[i] != roll:
        i += 1
    o[0] = i // 216 + 1
    o[1] = i // 36 % 6 + 1
    o[2] = i // 6 % 6 + 1
    o[3] = i % 6 + 1


def check(s):
    """Raise ValueError unless these bytes are a state that could be."""
    if len(s) != STATE_BYTES:
        raise ValueError("length")
    seats = s[_SEATS]
    big = s[_OPTIONS]
    if big > 1 or not 2 <= seats <= 4 + big:
        raise ValueError("seats or options")
    to_move = s[_TO_MOVE]
    player = s[_PLAYER]
    if player >= seats or to_move not in (player, _CHANCE, _OVER) or s[_ROUND] > _ROUNDS:
        raise ValueError("turn")
    if s[_ROLL] > (125 if to_move < _CHANCE else 0):
        raise ValueError("roll")
    _check_seats(s, seats)
    _check_big(s, seats, big)
    ends = s[_ROUND] == _ROUNDS or s[_BONUS] == 0 or s[_EMPTIED] > 2 or s[_ON_BIG] == _GOATS * seats
    if to_move == _OVER:
        if not ends or player or not s[_ROUND]:
            raise ValueError("end")
    elif s[_ROUND] == _ROUNDS or ends and not player:
        raise ValueError("end")


def _check_seats(s, seats):
    """Tokens, summits, bonus tokens and goats of the seats agree with the table."""
    emptied = 0
    for m in range(6):
        taken = s[_LEFT + m]
        emptied += not taken
        for k in range(seats):
            p = _SEAT + 16 * k
            if s[p + m] > _HEIGHT[m] or (s[p + m] == 0) != (s[_SUMMIT + m] == k + 1):
                raise ValueError("steps")
            taken += s[p + _TAKEN + m]
        if taken != _TOKENS[m] - max(4 - seats, 0) or s[_SUMMIT + m] > seats:
            raise ValueError("tokens")
    bonus = sets = 0
    for k in range(seats):
        p = _SEAT + 16 * k
        mask = s[p + _BONUSES]
        count = (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3)
        if s[p + _SETS] != min(s[p + _TAKEN : p + _TAKEN + 6]) or bonus & mask or count > s[p + _SETS]:
            raise ValueError("sets")
        bonus |= mask
        sets += s[p + _SETS]
    left = max(4 - sets, 0)
    unused = s[_SEAT + 16 * seats :]
    if s[_EMPTIED] != emptied or s[_BONUS] != left or bonus != 16 - (1 << left) or unused != bytes(len(unused)):
        raise ValueError("bonus")


def _check_big(s, seats, big):
    """Six goats for every seat, wherever they stand."""
    on_big = 0
    for k in range(seats):
        p = _SEAT + 16 * k
        goats = s[p + _POOL]
        for m in range(6):
            goats += s[p + m] < _HEIGHT[m]
        for step in range(11, 25):
            if s[_BIG + step] == k + 1:
                goats += 1
                on_big += 1
        if goats != _GOATS or s[p + 15]:
            raise ValueError("goats")
    for step in range(11, 25):
        if s[_BIG + step] > (seats if big else 0):
            raise ValueError("Big Mountain")
    if s[_ON_BIG] != on_big:
        raise ValueError("Big Mountain")
