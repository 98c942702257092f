"""Computer players of the goblin pig race: the instant policy, and playouts that it leads to the next race, where the
evaluation judges the table."""

import micropython
from array import array
from micropython import const

from games.goblins import rules
from games.goblins.weights import WEIGHTS

# Iterations of the levels normal, hard and expert; with more than two seats, where a playout takes three times as long.
ITERATIONS = (200, 600, 2700)
ITERATIONS_OF_MORE = (150, 450, 1380)

# Nodes of the tree, and the visits that make one ripe for children.
NODES = 620
RIPE = 2

# Offsets of games/goblins/rules.py, repeated because a const of another file fails in viper; a test holds them equal.
_SEATS = const(0)
_OPTIONS = const(1)
_TO_MOVE = const(2)
_PHASE = const(3)
_TRIP = const(1)
_SWITCH = const(2)
_BUY = const(5)
_RACE = const(4)
_PLACE = const(6)
_LANE = const(8)
_TRACK = const(1)
_ZONE = const(6)
_SEAT = const(63)
_TWICE = const(1)
_STAR = const(2)
_LOST = const(3)
_DUCATS = const(6)
_MC = const(7)
_OVER = const(255)

# Moves.
_NO = const(80)
_DONE = const(81)
_TRIPS = const(88)
_RESCUES = const(144)
_BUYS = const(160)

# WEIGHTS. Of the policy, 23 for each race: what it costs to play a card, by value;
_BEFORE = const(6)  # + plays left on a lane, 1..7: that who leads it is to change;
_AFTER = const(13)  # + plays left then, 0..6: to lead it;
_END = const(21)  # to lead a lane when the race ends;
_NOISE = const(22)  # mask of what chance adds to a move.
_POLICY = const(23)
# Of the judge, 18 for each race but the first, at its beginning, in eighths of a ducat: a card in hand, by value;
_JUDGE = const(74)  # + 18 * race
_EQUAL = const(7)  # less for a card that equals another one;
_STARS = const(7)  # + value 1..4: more for a starred card;
_WAIT = const(12)  # not to be the one who begins;
_PRICE = const(13)  # to pay a ducat for MC cards;
_LEAD = const(14)  # to lead a lane,
_HOLD = const(15)  # and to have a card for it;
_REPLY = const(16)  # to have a card that takes a lane;
_SLOPE = const(17)  # by 1024 / so many it is half as likely to win.
_VALUES = const(18)

# 255 halved i / 16 times.
_HALVES = b"\xff\xf4\xea\xe0\xd6\xcd\xc5\xbc\xb4\xad\xa5\x9e\x98\x91\x8b\x85"

# Of more moves than _FEW the search sees those that the policy thinks at most _WORSE than the best.
_FEW = const(8)
_WORSE = const(35)

_WIN = const(252)

# What the policy thinks of a play, + _ZERO, by 16 * lane + value.
_gains = array("H", [0] * 80)
_ZERO = const(4096)

# A generator that stays at 0 and adds no chance.
_still = array("I", [0])

_values = array("h", [0] * 4)


@micropython.viper
def standing(s: ptr8, lane: int, without: int, me: int) -> int:
    """Who leads a lane (its offset), if `without` of its leftmost cards are out: 1 me, -1 another, 0 nobody."""
    p = lane + 2 + without
    packed = 0
    c = s[p]
    while c:
        packed += (4 * (c & 7) + 1) << (7 * (c >> 4) - 7)
        p += 1
        c = s[p]
    own = 0
    other = 0
    k = 0
    while packed:
        c = packed & 127
        if k == me:
            own = c
        elif c > other:
            other = c
        packed >>= 7
        k += 1
    if s[_OPTIONS] & 2 and (own == 0 or other == 0):
        return 0
    if own > other:
        return 1
    if own < other:
        return -1
    return 0


@micropython.viper
def policy(s: ptr8, chance: ptr32) -> int:
    """The move that gains most by the weights and some chance from the state of a generator; writes _gains of plays."""
    w = ptr8(WEIGHTS)
    gains = ptr16(_gains)
    x = chance[0]
    me = s[_TO_MOVE]
    phase = s[_PHASE]
    mine = _SEAT + 11 * me
    end = _LANE + 11 + 11 * s[_SEATS]
    b = _POLICY * s[_RACE]
    noise = w[b + _NOISE]
    best = _NO
    most = 0
    lane = _LANE
    place = 0
    if phase == 0:
        most = -_ZERO
        bare = 0
        hand = s[mine]
        cards = hand | s[mine + _STAR]
        contested = s[_OPTIONS] & 2
        while lane < end:
            # --- The ranks of the lane: my own, and those of the others side by side, of which the highest counts.
            t = s[lane + _TRACK]
            p = lane + 2
            own = 0
            packed = 0
            c = s[p]
            while c:
                v = 4 * (c & 7) + 1
                k = (c >> 4) - 1
                if k == me:
                    own += v
                else:
                    packed += v << (7 * k)
                p += 1
                c = s[p]
            other = packed
            while other > 127:
                k = other & 127
                other >>= 7
                if k > other & 127:
                    other = (other >> 7 << 7) + k
            left = 7 - t - s[lane + _ZONE]
            base = 0
            if contested == 0 or (own and other):
                if own > other:
                    base -= w[b + _BEFORE + left]
                elif own < other:
                    base += w[b + _BEFORE + left]
            now = w[b + _AFTER - 1 + left]
            if t == 3:
                # --- The leftmost card goes.
                c = s[lane + 2]
                v = 4 * (c & 7) + 1
                k = (c >> 4) - 1
                if k == me:
                    own -= v
                else:
                    packed -= v << (7 * k)
                    other = packed
                    while other > 127:
                        k = other & 127
                        other >>= 7
                        if k > other & 127:
                            other = (other >> 7 << 7) + k
                if left == 1:
                    # The race ends: all lanes count.
                    now = w[b + _END]
                    p = _LANE
                    while p < end:
                        if p != lane:
                            base += int(standing(s, p, 0, me)) * now
                        p += 11
            elif left == 7:
                # Of empty lanes the first stands for all.
                if bare:
                    base -= 2000
                bare = 1
            # --- Every card that the lane takes.
            takes = cards & s[lane]
            own += 1 - other
            v = 0
            while takes:
                if takes & 1:
                    x = 16380 * (x & 65535) + (x >> 16)
                    gain = base - w[b + v] + ((x >> 4) & noise)
                    if own > 0:
                        if other or contested == 0:
                            gain += now
                    elif own < 0:
                        gain -= now
                    gains[16 * place + v] = gain + _ZERO
                    if gain > most:
                        most = gain
                        best = 16 * place + v
                takes >>= 1
                own += 4
                v += 1
            lane += 11
            place += 1
        # The plain card if there is one.
        if hand >> (best & 7) & 1 == 0:
            best += 8
    elif phase == _TRIP:
        while lane < end:
            t = s[lane + _TRACK]
            if t and place != s[_PLACE]:
                left = 7 - t - s[lane + _ZONE]
                x = 16380 * (x & 65535) + (x >> 16)
                gain = ((x >> 4) & noise) - (noise >> 1) + int(standing(s, lane, 1, me)) * w[b + _AFTER + left]
                gain -= int(standing(s, lane, 0, me)) * w[b + _BEFORE + left]
                if gain > most:
                    most = gain
                    best = _TRIPS + place
            lane += 11
            place += 1
    elif phase != _SWITCH:
        # --- The most valuable card that can come back, by what it costs to play it or, if it is bought, by the judge.
        k = _RESCUES
        again = 0
        if phase == _BUY:
            k = _BUYS
            best = _DONE
            b = _JUDGE + _VALUES * s[_RACE]
            again = w[b + _EQUAL]
            most = 8
        else:
            most = -1
        star = s[mine + _LOST + _STAR]
        cards = s[mine + _LOST] | star
        v = 0
        while v < 7:
            if cards >> v & 1:
                gain = w[b + v]
                if (s[mine] | s[mine + _STAR]) >> v & 1:
                    gain -= again
                if gain > most:
                    most = gain
                    best = k + v
                    if star >> v & 1:
                        best += 8
            v += 1
    chance[0] = x
    return best


@micropython.viper
def narrow(s: ptr8, buf: ptr16, n: int) -> int:
    """Keep of the n legal moves in buf those that may be good, in their order; returns how many."""
    if s[_PHASE] or n <= _FEW:
        return n
    gains = ptr16(_gains)
    policy(s, _still)
    least = 0
    i = 0
    while i < n:
        k = gains[buf[i] & 119]
        if k > least:
            least = k
        i += 1
    least -= _WORSE
    k = 0
    i = 0
    while i < n:
        if gains[buf[i] & 119] >= least:
            buf[k] = buf[i]
            k += 1
        i += 1
    return k


@micropython.viper
def starts(s: ptr8) -> int:
    """1 at the beginning of a race but the first, while nothing was thrown out yet; else 0."""
    if s[_RACE] == 0 or s[_PHASE]:
        return 0
    p = _LANE + _ZONE
    end = p + 11 + 11 * s[_SEATS]
    while p < end:
        if s[p]:
            return 0
        p += 11
    return 1


@micropython.viper
def judge(s: ptr8, shares: ptr16):
    """Write each seat's share of a WIN by the weights, at the beginning of a race but the first."""
    w = ptr8(WEIGHTS)
    half = ptr8(_HALVES)
    values = ptr16(_values)
    seats = s[_SEATS]
    end = _LANE + 11 + 11 * seats
    b = _JUDGE + _VALUES * s[_RACE]
    best = 0
    k = 0
    while k < seats:
        # --- What the seat has.
        mine = _SEAT + 11 * k
        value = 400 + 8 * s[mine + _DUCATS] - (s[mine + _MC] * (s[mine + _MC] + 1) * w[b + _PRICE] >> 1)
        if k != s[_TO_MOVE]:
            value += w[b + _WAIT]
        hand = s[mine]
        twice = s[mine + _TWICE]
        star = s[mine + _STAR]
        cards = hand | star
        i = b
        while hand | star:
            n = (hand & 1) + (twice & 1) + (star & 1)
            if n:
                value += n * w[i] - (n - 1) * w[b + _EQUAL]
                if star & 1:
                    value += w[i + _STARS]
            hand >>= 1
            twice >>= 1
            star >>= 1
            i += 1
        # --- How it stands on the lanes: its rank there and the highest of the others, now and with its best card.
        lane = _LANE
        while lane < end:
            p = lane + 2
            packed = 0
            c = s[p]
            while c:
                packed += (4 * (c & 7) + 1) << (7 * (c >> 4) - 7)
                p += 1
                c = s[p]
            lead = 0
            i = 0
            while True:
                own = 0
                other = 0
                n = 0
                p = packed
                while p:
                    c = p & 127
                    if n == k:
                        own = c
                    elif c > other:
                        other = c
                    p >>= 7
                    n += 1
                if i:
                    break
                i = 1
                if own > other:
                    lead = 1
                    value += w[b + _LEAD]
                if s[lane + _TRACK] == 3:
                    c = s[lane + 2]
                    packed -= (4 * (c & 7) + 1) << (7 * (c >> 4) - 7)
            c = cards & s[lane]
            if c:
                own -= 3
                while c:
                    own += 4
                    c >>= 1
                if own > other:
                    if lead:
                        value += w[b + _HOLD]
                    else:
                        value += w[b + _REPLY]
            lane += 11
        values[k] = value
        if value > best:
            best = value
        k += 1
    # --- Shares.
    total = 0
    k = 0
    while k < seats:
        n = (best - values[k]) * w[b + _SLOPE] >> 6
        value = 0
        if n < 128:
            value = half[n & 15] >> (n >> 4)
        shares[k] = value
        total += value
        k += 1
    k = 0
    while k < seats:
        shares[k] = _WIN * shares[k] // total
        k += 1


def choose(s, buf, n, rng):
    """The instant policy's move, with some chance; buf holds the n legal moves."""
    return policy(s, rng.state)


def rollout(s, rng, shares):
    """Play on by the policy to the beginning of the next race and judge it: shares of the seats (array('h')). The last
    race is played to its end. Returns the plies."""
    # Look-ups of a module's names cost as much as the calls.
    apply, move, chance = rules.apply, policy, rng.state
    plies = 0
    who = s[_TO_MOVE]
    # The first, or what has begun, is played.
    race = s[_RACE]
    if starts(s):
        race = -1
    while who != _OVER:
        if s[_RACE] != race and s[_PHASE] == 0:
            judge(s, shares)
            break
        who = apply(s, move(s, chance))
        plies += 1
    return plies
