"""Mountain Goats with the Big Mountain: the rules on one flat bytearray.

A turn is two plies: the dice (a chance event, the class 0..125 of the roll) and a move (a set of sums, 0 is the
pass). `apply` holds the rules; everything else prepares for it or reads the state. Mountain m is 0..5 for the
mountains 5..10; goats are kept as steps *left* to the summit, so that arriving is a test against zero.
"""

from array import array

import micropython
from micropython import const

from games.goats.tables import TABLE as _MADE

STATE_BYTES = 117
VIEW_BYTES = 117
# Enumerated over all 126 rolls (tests/games/test_goats.py): 29 without the Big Mountain, 46 with it.
MAX_LEGAL = 46
# 60 rounds of 5 seats, each turn one roll and one move.
MAX_PLIES = 600
SEATS = (2, 5)
OPTIONS = ("big",)
# Codes of moves: every set of sums that some roll can form.
MOVES = 94
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
_TRACE = const(4695)
_TRACE_BYTES = const(65)

# The made table and, behind it, TRACE: each buffer more costs every call 4 us.
TABLE = bytearray(_MADE + bytes(_TRACE_BYTES))
TRACE = memoryview(TABLE)[_TRACE:]
# `catalogue.load` forgets the module that it came from.
del _MADE

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
_SUMMIT = const(15)  # + m: owner of the goat on the summit, as the place of the seat's bytes, 0 if none
_BIG = const(10)  # + step 11..24: owner of the goat there, likewise
_LOW = const(35)  # a bit for each occupied step 11..18
_HIGH = const(36)  # and 19..24
_SEAT = const(37)  # + 16 * seat:
_TAKEN = const(6)  # + m: tokens taken; the six bytes before are the steps left to the summit
_POOL = const(12)  # goats that are on no mountain; without the Big Mountain it cannot run short and stays 6
_SETS = const(13)  # the smallest number of _TAKEN
_BONUSES = const(14)  # bit mask of bonus tokens taken: bit 3 the 15, bit 0 the 6
_FOOT = const(15)  # with the Big Mountain a bit for each mountain at whose foot the seat's goat is, else 0

_CHANCE = const(254)
_OVER = const(255)
_ROUNDS = const(60)
_GOATS = const(6)

# What a move of -1 asks of `apply`.
_PLAY = const(-1)

# TABLE, see there.
_BITS = const(6)
_TOKENS = const(2716)
_RANKS = const(2712)  # + 5 * seats
_CLASS = const(70)
_STARTS = const(1366)
_COUNTS = const(1618)
_MOVES = const(1870)
_NONE = const(255)

# Where the moves of a class of roll begin in TABLE.
_starts = array("H", TABLE[_STARTS:_COUNTS])

# The generator's state while `apply` plays at random: an argument less for every other call.
_chance = array("I", [1])


@micropython.viper
def new(s: ptr8, seats: int, options: int, rng):
    """Set up a game for 2..5 seats in s (bytearray of STATE_BYTES); options is the bit mask of OPTIONS.
    Draws nothing from `rng`."""
    t = ptr8(TABLE)
    # Three bytes a round: the loop costs more than the store.
    i = 117
    while i:
        i -= 3
        s[i] = 0
        s[i + 1] = 0
        s[i + 2] = 0
    s[_SEATS] = seats
    s[_OPTIONS] = options
    s[_TO_MOVE] = _CHANCE
    s[_BONUS] = 4
    fewer = 4 - seats
    if fewer < 0:
        fewer = 0
    i = 6
    while i:
        i -= 1
        s[_LEFT + i] = t[_TOKENS + i] - fewer
    p = _SEAT + 16 * seats
    while p - _SEAT:
        p -= 16
        i = 6
        while i:
            i -= 1
            s[p + i] = t[i]
        s[p + _POOL] = _GOATS
        if options:
            s[p + _FOOT] = 63


@micropython.viper
def seat(state) -> int:
    """Whose decision it is: a seat, CHANCE or OVER."""
    s = ptr8(state)
    return s[_TO_MOVE]


@micropython.viper
def apply(s: ptr8, m: int) -> int:
    """Carry out the event (0..125, the class of a roll) or the legal move (0..93) m; TRACE tells what happened.
    Returns whose decision it is then, as `seat` does.

    With m = -1 play at random to the end instead: every roll by its chance, every legal move equally likely
    (`playout` brings the generator). Returns the number of plies.

    The Pico spends 45 cycles on a division, 15 on a comparison, 6 on a truth test: hence the masks."""
    mine = s[_PLAYER]
    roll = s[_ROLL]
    to_roll = 0
    telling = 0
    if s[_TO_MOVE] == _CHANCE:
        to_roll = 1
    t = ptr8(TABLE)
    if m >= 0:
        telling = 1
        if to_roll:
            s[_ROLL] = m
            s[_TO_MOVE] = mine
            told = _TRACE
            t[told] = 1
            t[told + 1] = 6
            t[told + 2] = mine
            t[told + 3] = 0
            t[told + 4] = m
            return mine
    elif s[_TO_MOVE] == _OVER:
        return 0
    told = _TRACE + 1
    big = s[_OPTIONS]
    plies = 0
    mine = _SEAT + 16 * mine
    after = _SEAT + 16 * s[_SEATS]
    special = big | telling
    x = 0
    playing = 0
    if m < 0:
        playing = 1
        plies = 2 * s[_SEATS] * s[_ROUND] + ((mine - _SEAT) >> 3) + 1 - to_roll
        g = ptr32(_chance)
        x = g[0]
        starts = ptr16(_starts)
        counts = _COUNTS + 126 * big
    while True:
        if playing:
            # --- The dice: one of 1,296 ordered rolls, without bias (65536 = 50 * 1296 + 736).
            if to_roll:
                while True:
                    x = 16380 * (x & 65535) + (x >> 16)
                    k = (x & 65535) * 1296
                    if k & 0xFC00 or (k & 65535) >= 736:
                        break
                roll = t[_CLASS + (k >> 16)]
            to_roll = 1

            # --- The choice: one of the roll's moves, without bias, again until one fits (the pass always does).
            first = starts[roll]
            n = t[counts + roll]
            while True:
                x = 16380 * (x & 65535) + (x >> 16)
                k = (x & 65535) * n
                if k & 0xFFC0 or (k & 65535) >= 65536 % n:
                    m = t[first + (k >> 16)]
                    if big:
                        p = _MOVES + 9 * m
                        if t[p + 6] & s[_LOW] or t[p + 7] & s[_HIGH]:
                            continue
                        if t[_BITS + (t[p + 5] & s[mine + _FOOT])] + t[p + 8] > s[mine + _POOL]:
                            continue
                    break

        # --- Carry out the groups, from the smallest sum to the largest: mountains 0..5, steps 11..24, then 255.
        q = _MOVES + 9 * m
        while True:
            v = t[q]
            if v & 24:
                if v & 128:
                    break
                # The goat stays on its step of the Big Mountain for the rest of the game.
                s[_BIG + v] = mine
                if v < 19:
                    s[_LOW] |= 1 << (v - 11)
                else:
                    s[_HIGH] |= 1 << (v - 19)
                s[_ON_BIG] += 1
                s[mine + _POOL] -= 1
                if telling:
                    t[told] = 5
                    t[told + 1] = (mine - _SEAT) >> 4
                    t[told + 2] = v
                    t[told + 3] = 0
                    told += 4
                q += 1
                continue
            q += 1
            p = mine + v
            k = s[p]
            if k:
                if special:
                    if big and k == t[v]:
                        s[mine + _POOL] -= 1
                        s[mine + _FOOT] ^= 1 << v
                    if telling:
                        t[told] = 1
                        t[told + 1] = (mine - _SEAT) >> 4
                        t[told + 2] = v + 5
                        t[told + 3] = t[v] - k + 1
                        told += 4
                k -= 1
                s[p] = k
                if k:
                    continue
                # The summit holds one goat: who stands there goes back to the foot.
                p = s[_SUMMIT + v]
                s[_SUMMIT + v] = mine
                if p:
                    s[p + v] = t[v]
                    if special:
                        if big:
                            s[p + _POOL] += 1
                            s[p + _FOOT] |= 1 << v
                        if telling:
                            t[told] = 2
                            t[told + 1] = (p - _SEAT) >> 4
                            t[told + 2] = v + 5
                            t[told + 3] = 0
                            told += 4
            # On the summit: a token, if one is left.
            k = s[_LEFT + v]
            if k:
                k -= 1
                s[_LEFT + v] = k
                if k == 0:
                    s[_EMPTIED] += 1
                if telling:
                    t[told] = 3
                    t[told + 1] = (mine - _SEAT) >> 4
                    t[told + 2] = v + 5
                    t[told + 3] = k
                    told += 4
                # Bonus: the set grows when the last of the six counts passes it.
                p = mine + _TAKEN
                n = s[p + v]
                s[p + v] = n + 1
                if n - s[mine + _SETS]:
                    continue
                if s[p] > n and s[p + 1] > n and s[p + 2] > n and s[p + 3] > n and s[p + 4] > n and s[p + 5] > n:
                    s[mine + _SETS] = n + 1
                    k = s[_BONUS]
                    if k:
                        s[_BONUS] = k - 1
                        s[mine + _BONUSES] |= 1 << (k - 1)
                        if telling:
                            t[told] = 4
                            t[told + 1] = (mine - _SEAT) >> 4
                            t[told + 2] = 0
                            t[told + 3] = 3 * k + 3
                            told += 4

        # --- The next seat; after the last seat of a round the end is looked for.
        mine += 16
        if mine - after:
            if playing:
                continue
        else:
            mine = _SEAT
            k = s[_ROUND] + 1
            s[_ROUND] = k
            ending = 1
            if s[_BONUS]:
                if k - _ROUNDS:
                    # A third mountain without tokens.
                    ending = (s[_EMPTIED] + 1) & 4
                    if big:
                        if s[_ON_BIG] == _GOATS * s[_SEATS]:
                            ending = 1
            if ending:
                s[_TO_MOVE] = _OVER
                break
            if playing:
                continue
        s[_TO_MOVE] = _CHANCE
        break
    s[_PLAYER] = (mine - _SEAT) >> 4
    s[_ROLL] = 0
    if telling:
        t[_TRACE] = (told - _TRACE) >> 2
        return s[_TO_MOVE]
    g[0] = x
    return 2 * s[_SEATS] * s[_ROUND] - plies


@micropython.viper
def playout(state, rng) -> int:
    """Play at random to the end; returns the number of plies."""
    r = ptr32(rng.state)
    g = ptr32(_chance)
    g[0] = r[0]
    plies = int(apply(state, _PLAY))
    r[0] = g[0]
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
    return t[_CLASS + (k >> 16)]


@micropython.viper
def legal(s: ptr8, buf: ptr16) -> int:
    """Write the legal moves into buf, array('H') of MAX_LEGAL, ascending; return how many. 0 unless a seat decides.

    With the Big Mountain a move is legal if its steps there are empty, and the pool has a goat for each of them and
    for each mountain on which it leaves the foot."""
    if s[_TO_MOVE] >= _CHANCE:
        return 0
    t = ptr8(TABLE)
    n = s[_ROLL]
    q = _STARTS + 2 * n
    q = t[q] + (t[q + 1] << 8)
    count = t[_COUNTS + 126 * s[_OPTIONS] + n]
    if s[_OPTIONS] == 0:
        n = count
        while n:
            n -= 1
            buf[n] = t[q + n]
        return count
    n = 0
    end = q + count
    mine = _SEAT + 16 * s[_PLAYER]
    while q < end:
        p = _MOVES + 9 * t[q]
        if t[p + 6] & s[_LOW] == 0 and t[p + 7] & s[_HIGH] == 0:
            if t[_BITS + (t[p + 5] & s[mine + _FOOT])] + t[p + 8] <= s[mine + _POOL]:
                buf[n] = t[q]
                n += 1
        q += 1
    return n


@micropython.viper
def scores(s: ptr8, out: ptr16):
    """Write each seat's score, as if the game ended now, into out, array('h') of at least as many elements."""
    k = s[_SEATS]
    p = _SEAT + 16 * k
    while k:
        k -= 1
        p -= 16
        v = 5 * s[p + 6] + 6 * s[p + 7] + 7 * s[p + 8] + 8 * s[p + 9] + 9 * s[p + 10] + 10 * s[p + 11]
        bonus = s[p + _BONUSES]
        if bonus:
            v += 15 * (bonus >> 3) + 12 * (bonus >> 2 & 1) + 9 * (bonus >> 1 & 1) + 6 * (bonus & 1)
        out[k] = v
    if s[_ON_BIG]:
        t = ptr8(TABLE)
        p = _RANKS + 5 * s[_SEATS]
        end = p + 5
        k = 24
        while k > 10 and p < end:
            v = s[_BIG + k]
            if v:
                out[(v - _SEAT) >> 4] += t[p]
                p += 1
            k -= 1


_points = array("h", [0, 0, 0, 0, 0])
_ranks = array("i", [0, 0, 0, 0, 0])


@micropython.viper
def winners(s: ptr8) -> int:
    """Bit mask of the seats that lead: most points, then most summits, then the highest summit; all that are
    still equal share the win."""
    points = ptr16(_points)
    ranks = ptr32(_ranks)
    scores(s, _points)
    seats = s[_SEATS]
    k = seats
    while k:
        k -= 1
        ranks[k] = points[k] << 6
    i = 0
    while i < 6:
        k = s[_SUMMIT + i]
        if k:
            # Three bits count the summits, three tell the highest of them so far.
            k = (k - _SEAT) >> 4
            v = ranks[k]
            ranks[k] = v - (v & 7) + 9 + i
        i += 1
    best = 0
    mask = 0
    k = seats
    while k:
        k -= 1
        if ranks[k] > best:
            best = ranks[k]
            mask = 0
        if ranks[k] == best:
            mask |= 1 << k
    return mask


def hide(state, seat, rng):
    """Nothing is hidden in this game: the state stays as it is."""


@micropython.viper
def view(state, seat: int, out) -> int:
    """Write what the seat knows, which is everything, into out (VIEW_BYTES); return the length."""
    s = ptr8(state)
    o = ptr8(out)
    i = 0
    while i < 117:
        o[i] = s[i]
        i += 1
    return i


@micropython.viper
def sums(move: int, out) -> int:
    """Write the sums of a move, ascending, into out (4 bytes); return how many."""
    t = ptr8(TABLE)
    o = ptr8(out)
    p = _MOVES + 9 * move
    n = 0
    while t[p + n] != _NONE:
        o[n] = t[p + n]
        if t[p + n] < 6:
            o[n] = t[p + n] + 5
        n += 1
    return n


@micropython.viper
def dice(roll: int, out):
    """Write the four dice (1..6) of a class of roll, ascending, into out (4 bytes)."""
    t = ptr8(TABLE)
    o = ptr8(out)
    i = 0
    # The first ordered roll of a class is the ascending one.
    while t[_CLASS + i] != roll:
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
    elif s[_ROUND] == _ROUNDS or (ends and not player):
        raise ValueError("end")


def _owners(seats):
    """The values of _SUMMIT and _BIG: the places of the seats' bytes, or 0."""
    return (0,) + tuple(range(_SEAT, _SEAT + 16 * seats, 16))


def _check_seats(s, seats):
    """Tokens, summits, bonus tokens and goats of the seats agree with the table."""
    emptied = 0
    owners = _owners(seats)
    for m in range(6):
        taken = s[_LEFT + m]
        emptied += not taken
        for k in range(seats):
            p = _SEAT + 16 * k
            if s[p + m] > TABLE[m] or (s[p + m] == 0) != (s[_SUMMIT + m] == p):
                raise ValueError("steps")
            taken += s[p + _TAKEN + m]
        if taken != TABLE[_TOKENS + m] - max(4 - seats, 0) or s[_SUMMIT + m] not in owners:
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
    owners = _owners(seats)
    for k in range(seats):
        p = _SEAT + 16 * k
        goats = s[p + _POOL]
        foot = 0
        for m in range(6):
            if s[p + m] == TABLE[m]:
                foot |= big << m
            else:
                goats += big
        for step in range(11, 25):
            if s[_BIG + step] == p:
                goats += 1
                on_big += 1
        if goats != _GOATS or s[p + _FOOT] != foot:
            raise ValueError("goats")
    steps = 0
    for step in range(11, 25):
        if s[_BIG + step] not in (owners if big else (0,)):
            raise ValueError("Big Mountain")
        steps |= (s[_BIG + step] > 0) << (step - 11)
    if s[_ON_BIG] != on_big or s[_LOW] != steps & 255 or s[_HIGH] != steps >> 8:
        raise ValueError("Big Mountain")
