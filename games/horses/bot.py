"""Computer players of the carrot race: the instant one, which weighs spaces won against tokens spent, one turn ahead;
and playouts that are judged by weights fitted to the exact solution of the race for two (docs/strength.md).
"""

import micropython
from array import array
from micropython import const

from games.horses import rules
from games.horses.tables import TABLE
from games.horses.weights import WEIGHTS

# Iterations of the levels normal, hard and expert.
ITERATIONS = (40, 300, 600)

# Dice or tokens follow each decision, so the tree is the root and its moves.
NODES = 1 + rules.MAX_LEGAL

# Offsets of games/horses/rules.py, repeated because a const of another file fails in viper; a test holds them equal.
_SEATS = const(0)
_TO_MOVE = const(2)
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
_CHANCE = const(254)
_OVER = const(255)
_WIN = const(252)

# WEIGHTS. A seat's strength, in 1/64, is _STEP for each space and the weight 9 * space + tokens, of which more than
# _MANY count as _MANY; to which comes, if the seat has a turn more left in this round than the one that begins it,
_CLASSES = const(9)
_MANY = const(8)
_STEP = const(11)
_TEMPO = const(463)  # + space >> 3.
# Half as likely to win is who stands back by 2048 / slope, where it depends on the horse that leads the race:
_SLOPE = const(450)  # + space >> 2.

# [i]: 4096 halved i / 32 times.
_HALVES = array(
    "H",
    (4096, 4008, 3922, 3838, 3756, 3676, 3597, 3520, 3444, 3371, 3298, 3228, 3158, 3091, 3025, 2960, 2896, 2834, 2774)
    + (2714, 2656, 2599, 2543, 2489, 2435, 2383, 2332, 2282, 2233, 2186, 2139, 2093),
)

# A playout goes on while a horse is this near the finish, but for so many turns at most.
_NEAR = const(43)
_TURNS = const(12)

_values = array("h", [0] * 4)

# Ways to end a turn, two for each stake or one for each roll: space, tokens, worth.
_spaces = bytearray(2 * rules.MAX_LEGAL)
_hands = bytearray(2 * rules.MAX_LEGAL)
_worths = array("H", [0] * (2 * rules.MAX_LEGAL))

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


@micropython.viper
def _weigh(s: ptr8, count: int):
    """Write into _worths what it is worth, of 4096, to end the turn on each of `count` _spaces with that many _hands:
    the share against the other that stands best, and in a last turn whether it wins against the others as they are."""
    w = ptr8(WEIGHTS)
    half = ptr16(_HALVES)
    spaces = ptr8(_spaces)
    hands = ptr8(_hands)
    worths = ptr16(_worths)
    player = s[_PLAYER]
    last = s[_SEATS] - 1
    ends = 0
    if s[_HOME] or s[_ROUND] == _LAST_ROUND:
        ends = 1
    # --- Who is to be beaten.
    rival = 0
    target = 0
    lead = 0
    k = 0
    while k <= last:
        if k != player:
            p = _SEAT + 32 * k
            n = s[p + _TOKENS]
            p = s[p]
            if p > lead:
                lead = p
            if 32 * p + n > target:
                target = 32 * p + n
            if n > _MANY:
                n = _MANY
            n = _STEP * p + w[_CLASSES * p + n]
            if k > player:
                # It has a turn more in this round.
                n += w[_TEMPO + (p >> 3)]
            if n > rival:
                rival = n
        k += 1
    # --- Each way to end the turn.
    k = 0
    while k < count:
        p = spaces[k]
        n = hands[k]
        if ends or (p == _FINISH and player == last):
            x = 32 * p + n - target
            v = 2048
            if x > 0:
                v = 4096
            elif x < 0:
                v = 0
        else:
            if n > _MANY:
                n = _MANY
            x = _STEP * p + w[_CLASSES * p + n] - rival
            if lead > p:
                p = lead
            n = w[_SLOPE + (p >> 2)]
            if x < 0:
                n = (0 - x) * n >> 6
            else:
                n = x * n >> 6
            v = 0
            if n < 384:
                v = half[n & 31] >> (n >> 5)
            # The share of two of which one is half as likely to win as the other, again and again.
            v = (1 << 24) // (4096 + v)
            if x < 0:
                v = 4096 - v
        worths[k] = v
        k += 1


@micropython.viper
def _stake(state, aim: int) -> int:
    """The stake of a jump, 1.., that promises most by the weights, added to 32 times its worth, of 4096."""
    s = ptr8(state)
    t = ptr8(TABLE)
    odds = ptr16(_odds)
    spaces = ptr8(_spaces)
    hands = ptr8(_hands)
    worths = ptr16(_worths)
    tokens = s[_SEAT + 32 * s[_PLAYER] + _TOKENS]
    fall = t[_BEHIND + aim]
    k = 0
    while k < tokens:
        n = k + k
        spaces[n] = aim
        spaces[n + 1] = fall
        hands[n] = tokens - k - 1
        hands[n + 1] = tokens - k - 1
        k += 1
    _weigh(state, tokens + tokens)
    best = 0
    stake = 1
    k = 1
    while k <= tokens:
        n = worths[k + k - 2]
        n += (worths[k + k - 1] - n) * odds[k] >> 10
        if n > best:
            best = n
            stake = k
        k += 1
    return 32 * best + stake


@micropython.viper
def _pace(state) -> int:
    """The gait that promises more by the weights, 0 or 1, added to twice its worth, of 18 * 4096."""
    s = ptr8(state)
    t = ptr8(TABLE)
    spaces = ptr8(_spaces)
    hands = ptr8(_hands)
    worths = ptr16(_worths)
    mine = _SEAT + 32 * s[_PLAYER]
    space = s[mine]
    tokens = s[mine + _TOKENS]
    supply = s[_STOCK] + s[_STOCK + 1] + s[_DISCARD] + s[_DISCARD + 1]
    trot = 0
    gallop = 0
    # --- The jumps first, as they use the same lists.
    i = 18
    while i < 36:
        event = t[_ROLLS + i]
        if tokens and event & 3 == 3:
            p = 50 * (event >> 3)
            gallop += int(_stake(state, t[p + t[p + space]])) >> 5
        i += 1
    # --- Where all other rolls lead.
    i = 0
    while i < 36:
        event = t[_ROLLS + i]
        p = 50 * (event >> 3)
        n = event & 3
        p += t[p + space]
        if event & 4:
            p -= 50 * (event >> 3)
            if n > supply:
                n = supply
            n += tokens
        elif n < 3 and n <= tokens:
            p = t[p]
            n = tokens - n
        else:
            p = space
            n = tokens
        spaces[i] = p
        hands[i] = n
        i += 1
    _weigh(state, 36)
    i = 0
    while i < 36:
        if i < 18:
            trot += worths[i]
        elif tokens == 0 or t[_ROLLS + i] & 3 != 3:
            gallop += worths[i]
        i += 1
    if gallop > trot:
        return 2 * gallop + 1
    return 2 * trot


@micropython.viper
def _judge(s: ptr8, shares: ptr16):
    """Write each seat's share of a WIN, by the weights; between two turns, with nobody on the finish."""
    w = ptr8(WEIGHTS)
    half = ptr16(_HALVES)
    values = ptr16(_values)
    seats = s[_SEATS]
    player = s[_PLAYER]
    lead = 0
    best = 0
    k = 0
    while k < seats:
        p = _SEAT + 32 * k
        n = s[p + _TOKENS]
        p = s[p]
        if n > _MANY:
            n = _MANY
        if p > lead:
            lead = p
        n = _STEP * p + w[_CLASSES * p + n]
        if k >= player and player:
            n += w[_TEMPO + (p >> 3)]
        values[k] = n
        if n > best:
            best = n
        k += 1
    slope = w[_SLOPE + (lead >> 2)]
    total = 0
    k = 0
    while k < seats:
        n = (best - values[k]) * slope >> 6
        v = 0
        if n < 384:
            v = half[n & 31] >> (n >> 5)
        values[k] = v
        total += v
        k += 1
    k = 0
    while k < seats:
        shares[k] = _WIN * values[k] // total
        k += 1


@micropython.viper
def _first(s: ptr8) -> int:
    """The space of the horse that leads."""
    lead = 0
    p = _SEAT
    end = _SEAT + 32 * s[_SEATS]
    while p < end:
        if s[p] > lead:
            lead = s[p]
        p += 32
    return lead


@micropython.viper
def _settle(s: ptr8, shares: ptr16, chance: int):
    """Write the shares before the last turn of the race, which its seat wins with `chance` of 18 * 4096; else who
    leads the others does."""
    player = s[_PLAYER]
    target = 0
    leader = 0
    k = 0
    while k < s[_SEATS]:
        shares[k] = 0
        n = 32 * s[_SEAT + 32 * k] + s[_SEAT + 32 * k + _TOKENS]
        if k != player and n > target:
            target = n
            leader = k
        k += 1
    n = _WIN * chance // 73728
    shares[player] = n
    shares[leader] = _WIN - n


def choose(s, buf, n, rng):
    """The move that looks best one turn ahead; buf holds the n legal moves. Draws nothing."""
    _reckon(s)
    worth = _worth(s)
    if s[_PHASE] == _STAKE:
        return 1 + (_jump(n, s[_AIM], worth) & 31)
    return _gait(s, worth)


def rollout(s, rng, shares):
    """Play the turn to its end, and the next turns too while a horse is past the last ditch, then judge: shares of the
    seats (array('h')); returns the plies."""
    # Look-ups of a module's names cost as much as the calls.
    sample, apply = rules.sample, rules.apply
    plies = 0
    turns = _TURNS
    who = s[_TO_MOVE]
    while who != _OVER:
        if who == _CHANCE:
            who = apply(s, sample(s, rng))
        elif s[_PHASE] == _STAKE:
            _reckon(s)
            who = apply(s, 1 + (_stake(s, s[_AIM]) & 31))
        else:
            last = s[_HOME] or s[_ROUND] == _LAST_ROUND
            if not last and (turns == 0 or _first(s) < _NEAR):
                _judge(s, shares)
                break
            turns -= 1
            _reckon(s)
            move = _pace(s)
            if last and who + 1 == s[_SEATS]:
                _settle(s, shares, move >> 1)
                break
            who = apply(s, move & 1)
        plies += 1
    return plies
