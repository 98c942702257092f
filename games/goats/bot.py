"""Computer players of goats: the instant policy, and playouts that it guides and the evaluation cuts short."""

import micropython
from array import array
from micropython import const

from games.goats import rules
from games.goats.weights import WEIGHTS
from games.search import ODDS

# Iterations of the levels normal, hard and expert; with more than two seats, where a playout takes longer.
ITERATIONS = (150, 500, 2900)
ITERATIONS_OF_MORE = (80, 250, 1000)

# Dice follow each decision, so the tree is the root and its moves.
NODES = 1 + rules.MAX_LEGAL

# Offsets of games/goats/rules.py, repeated because a const of another file fails in viper; a test holds them equal.
_SEATS = const(0)
_PLAYER = const(3)
_BONUS = const(6)
_LEFT = const(9)
_SUMMIT = const(15)
_BIG = const(10)
_ON_BIG = const(8)
_SEAT = const(37)
_TAKEN = const(6)
_SETS = const(13)
_MOVES = const(1870)
_CHANCE = const(254)
_OVER = const(255)

# WEIGHTS, in eighths of a point: what a goat is worth by 5 * mountain + steps left, while the mountain has tokens, and
_SET = const(30)  # a first token of a mountain above the seat's sets, while a bonus token is left
_TEMPO = const(31)  # the next turn
_LOST = const(32)  # less for each goat on the Big Mountain: it cannot climb again
# The same once more, by which the table of more than two seats is judged.
_MORE = const(33)

# Turns of each seat that a playout looks ahead before the table is judged.
_TURNS = const(3)

_gains = array("h", [0] * 30)
_points = array("h", [0] * 5)
_values = array("h", [0] * 5)
_moves = array("H", [0] * rules.MAX_LEGAL)


@micropython.viper
def policy(s: ptr8, buf: ptr16, n: int) -> int:
    """Which of the n legal moves in buf gains most, by the weights; the first of equals."""
    t = ptr8(rules.TABLE)
    w = ptr8(WEIGHTS)
    gains = ptr16(_gains)
    mine = _SEAT + 16 * s[_PLAYER]
    sets = s[mine + _SETS]
    # Mountains that already have a token above the sets: the sixth completes a set.
    above = 0
    m = 0
    while m < 6:
        if s[mine + _TAKEN + m] > sets:
            above += 1
        m += 1
    # --- A mountain at a time: what one, two, three and four groups gain.
    m = 0
    while m < 6:
        left = s[mine + m]
        tokens = s[_LEFT + m]
        fresh = 0
        if s[mine + _TAKEN + m] == sets:
            fresh = 1
        total = 0
        # Of the mountains 7 to 10 each group has two dice.
        groups = 2
        if m < 2:
            groups = 4
        g = 1
        p = 5 * m
        while g <= groups:
            if left:
                left -= 1
                if tokens:
                    total += w[p + left] - w[p + left + 1]
                    # Who is sent down is no longer worth its summit.
                    if left == 0 and s[_SUMMIT + m]:
                        total += w[p]
            if left == 0 and tokens:
                tokens -= 1
                total += 8 * (m + 5)
                if tokens == 0:
                    total -= w[p]
                if fresh and s[_BONUS]:
                    fresh = 0
                    if above == 5:
                        total += 24 * s[_BONUS] + 24
                    else:
                        total += w[_SET]
            # A gain may be negative; the sums below are of 16 bits and signed again by the offset.
            gains[p + g] = total + 4096
            g += 1
        m += 1
    # --- The moves: the sum of their mountains, and of their steps of the Big Mountain.
    best = 0
    most = -30000
    i = 0
    while i < n:
        q = _MOVES + 9 * buf[i]
        total = 0
        last = 9
        g = 0
        while True:
            v = t[q]
            q += 1
            if v != last:
                if g:
                    total += gains[5 * last + g] - 4096
                g = 0
                if v & 128:
                    break
            if v & 24:
                total += int(step_worth(s, v)) - w[_LOST]
                last = 9
            else:
                last = v
                g += 1
        if total > most:
            most = total
            best = i
        i += 1
    return best


@micropython.viper
def step_worth(s: ptr8, step: int) -> int:
    """Eighths of a point that a goat on this empty step would score, if the Big Mountain stayed as it is."""
    t = ptr8(rules.TABLE)
    rank = 0
    k = 24
    while k > step:
        if s[_BIG + k]:
            rank += 1
        k -= 1
    if rank > 4:
        return 0
    return 8 * t[2712 + 5 * s[_SEATS] + rank]


@micropython.viper
def judge(state, shares: ptr16):
    """Write each seat's share of a WIN, as far as the table tells; between two turns."""
    s = ptr8(state)
    w = ptr8(WEIGHTS)
    odds = ptr8(ODDS)
    points = ptr16(_points)
    values = ptr16(_values)
    rules.scores(state, _points)
    seats = s[_SEATS]
    more = 0
    if seats > 2:
        more = _MORE
    left = 0
    m = 0
    while m < 6:
        left += s[_LEFT + m]
        m += 1
    best = 0
    k = 0
    while k < seats:
        p = _SEAT + 16 * k
        v = 8 * points[k]
        sets = s[p + _SETS]
        m = 0
        while m < 6:
            if s[_LEFT + m]:
                v += w[more + 5 * m + s[p + m]]
            if s[_BONUS] and s[p + _TAKEN + m] > sets:
                v += w[more + _SET]
            m += 1
        if s[_ON_BIG]:
            m = 11
            while m < 25:
                if s[_BIG + m] == p and v > w[more + _LOST]:
                    v -= w[more + _LOST]
                m += 1
        if k == s[_PLAYER]:
            v += w[more + _TEMPO]
        values[k] = v
        if v > best:
            best = v
        k += 1
    # A point counts more the fewer tokens are left: 1/16 to 1/7 of a logit.
    slope = 36 - ((left * 22) >> 6)
    total = 0
    while k:
        k -= 1
        m = ((best - values[k]) * slope) >> 8
        if m > 39:
            m = 39
        m = odds[m]
        shares[k] = m
        total += m
    while k < seats:
        shares[k] = 252 * shares[k] // total
        k += 1


def choose(s, buf, n, rng):
    """The instant policy's move; buf holds the n legal moves. Draws nothing."""
    return buf[policy(s, buf, n)]


def rollout(s, rng, shares):
    """Play on by the policy for some turns of each, then judge: shares of the seats (array('h')); returns the plies."""
    # Look-ups of a module's names cost as much as the calls.
    legal, sample, apply = rules.legal, rules.sample, rules.apply
    moves, best = _moves, policy
    plies = 0
    turns = _TURNS * s[_SEATS]
    who = rules.seat(s)
    while who != _OVER:
        if who == _CHANCE:
            if turns == 0:
                judge(s, shares)
                break
            turns -= 1
            who = apply(s, sample(s, rng))
        else:
            who = apply(s, moves[best(s, moves, legal(s, moves))])
        plies += 1
    return plies
