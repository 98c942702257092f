"""Computer players of kings: the instant policy, and playouts that it guides and the evaluation cuts short."""

import micropython
from array import array
from micropython import const

from games.kings import rules
from games.kings.weights import WEIGHTS
from games.search import ODDS

# Iterations of the levels normal, hard and expert; with more than two seats, where a playout takes longer.
ITERATIONS = (40, 140, 1200)
ITERATIONS_OF_MORE = (40, 140, 680)

# Of the tree: with all of expert's it would not fit beside the game in a Pico.
NODES = 400

# Offsets of games/kings/rules.py, repeated because a const of another file fails in viper; a test holds them equal.
_SEATS = const(0)
_TO_MOVE = const(2)
_DRAWING = const(3)
_KINGS = const(4)
_OWNER = const(8)
_MINES = const(12)
_PILE = const(16)
_IN_DECK = const(20)
_CENTRE = const(21)
_UNDER = const(25)
_HAND = const(30)
_LINK = const(56)
_TAKES = const(136)
_LEFT = const(216)
_AREA = const(357)
_ONLY_ZERO = const(17)
_FOREMAN = const(32)
_PROFILE = const(81)
_NEED = const(182)
_WORTH = const(202)
_DROP = const(5120)
_TAKE = const(5200)
_FROM_DECK = const(4)
_OVER = const(255)

# WEIGHTS. A phase is 0 (the last turns) to 5. First, for two seats, by phase what the table is judged by: what an unfinished
# mine is worth to its owner, for each point of its worth, in 1/64 of an exploited point, +128: by cards left, whether there
# is a foreman, and whether the cards that are missing leave less than two degrees of strength to pass over;
_CLASSES = const(24)
_READY = const(24)  # more if a card in the hand goes on: the last one, the foreman, another;
_TEMPO = const(27)  # the next turn, in 1/32 of a point, +64;
_SLOPE = const(28)  # a point of lead, in 1/256 of a logit.
_JUDGE = const(29)  # of them in a phase.
_MORE = const(350)  # the same for more than two seats, phases 0 to 4
# What the policy adds, in 1/16 of a point unless it says otherwise.
_HOLD = const(174)  # + strength: a card in the hand; + 10: of the own race
_OPEN = const(194)  # + cards left then: an attack that conquers nothing, for each point of worth, in 1/64, +128
_BLIND = const(199)  # a card from the deck
_USE = const(200)  # the part of the best gain that counts for a card that is drawn, in 1/64
_STEP = const(201)  # less for each degree of strength passed over, in 1/64
_OTHERS = const(202)  # the part of a mine's worth that counts if it goes to another, in 1/64
_POLICY = const(203)  # the worth of mines as above, as the policy sees it: 6 * 24 weights
_NEXT = const(347)  # a worked mine that a card in the hand or the market goes on: as _READY, in every phase

# Turns that a playout plays before the table is judged; with more than two seats, those of each.
_TURNS = const(4)
_ROUNDS = const(6)

# Moves that the search looks at, and in the last two phases, where a move that looks bad may be the only one left.
_WIDE = const(5)
_LATE = const(12)

# Of the legal moves in their order, + 0x4000: a gain may be negative.
_gains = array("H", [0] * rules.MAX_LEGAL)
_values = array("H", [0] * 4)


@micropython.viper
def phase(s: ptr8) -> int:
    """How near the end is, by the turns that two seats would have: 0 (the last ones) to 5."""
    left = 2 * s[_IN_DECK] // s[_SEATS]
    if left < 4:
        return 0
    if left < 8:
        return 1
    if left < 14:
        return 2
    if left < 22:
        return 3
    if left < 36:
        return 4
    return 5


@micropython.viper
def weigh(s: ptr8) -> int:
    """Write what each legal move gains, by what the seat to move knows, into _gains; returns the best, the first of
    equals."""
    t = ptr8(rules.TABLE)
    w = ptr8(WEIGHTS)
    gains = ptr16(_gains)
    me = s[_TO_MOVE]
    king = s[_KINGS + me]
    drawing = s[_DRAWING]
    area = _AREA - 4 + (72 - 6 * s[_SEATS]) * me
    places = s[_MINES + me] + 4
    v = _POLICY + _CLASSES * int(phase(s))
    # What could go on after a card that is played: a bit for each strength, foreign and own.
    foreign = 0
    own = 0
    i = 0
    while i < 10:
        if i < 6:
            card = s[_HAND + 7 * me + i]
        else:
            card = s[_PILE - 6 + i]
        i += 1
        if card:
            if t[_PROFILE + card] >> 5 == king:
                own |= 1 << t[card]
            else:
                foreign |= 1 << t[card]
    best = 0
    most = 0
    n = 0
    i = 0
    # --- Each card that may be played or drawn, on each mine that takes it: in the order of `legal`.
    while i < 6:
        if drawing:
            if i == 4:
                break
            card = s[_PILE + i]
        else:
            card = s[_HAND + 7 * me + i]
        i += 1
        if card == 0:
            continue
        strength = t[card]
        race = t[_PROFILE + card] >> 5
        foreman = 0
        hold = _HOLD + strength
        if race == king:
            foreman = _FOREMAN
            hold += 10
        hold = 4 * w[hold]
        use = 0
        place = 0
        while place < places:
            if place < 4:
                mine = s[_CENTRE + place]
                takes = s[_TAKES + mine]
            else:
                mine = s[area + place]
                takes = s[_TAKES + mine]
                if (takes ^ foreman) & _FOREMAN:
                    place += 1
                    continue
            if strength - takes & 16:
                place += 1
                continue
            takes &= 31
            gain = 0
            if takes != _ONLY_ZERO:
                gain -= w[_STEP] * (strength - takes)
            left = s[_LEFT + mine]
            k = t[_PROFILE + mine] & 31
            worth = t[_WORTH + k]
            # The class of the mine, as far as there is a foreman.
            c = v
            if worth & 16:
                worth &= 15
                c += 2
            if place > 3:
                # Work: what the mine is worth then, less what it is now.
                if takes > 10:
                    takes = 10
                k = c + 4 * left - 4
                if takes + left > 8:
                    k += 1
                value = w[k] - 128
                if left == 1:
                    gain += (64 - value) * worth
                else:
                    k = c + 4 * left - 8
                    if strength + left > 8:
                        k += 1
                    value = w[k] - value - 128
                    # Whether another card goes on: the foreman is of the own race, and on a 9 only a 0 fits.
                    mask = foreign
                    k = _NEXT + 2
                    if left == 2:
                        k = _NEXT
                        if c > v:
                            k = _NEXT + 1
                            mask = own
                    if strength < 9:
                        mask >>= strength + 1
                    else:
                        mask &= 1
                    if mask:
                        value += w[k]
                    gain += value * worth
            elif left > 1:
                value = (w[_OPEN + left - 1] - 128) * worth
                if left == 2:
                    # The stronger the card, the fewer can conquer the mine then.
                    value = value * (10 - strength) >> 2
                gain += value
            else:
                # Conquered, for the king of this race.
                value = (w[c + 4 * t[_NEED + k] - 4] - 128) * worth
                k = s[_OWNER + race]
                if k and k - 1 != me:
                    gain -= (value * w[_OTHERS]) >> 6
                else:
                    gain += value
            if drawing:
                if gain > use:
                    use = gain
            else:
                gain += 0x4000 - hold
                gains[n] = gain
                n += 1
                if gain > most:
                    most = gain
                    best = 64 * card - 64 + place
            place += 1
        if drawing:
            gain = 0x4000 + hold + (use * w[_USE] >> 6)
            gains[n] = gain
            n += 1
            if gain > most:
                most = gain
                best = _TAKE - 1 + i
    if drawing:
        if s[_IN_DECK]:
            gain = 0x4000 + 4 * w[_BLIND]
            gains[n] = gain
            if gain > most:
                best = _TAKE + _FROM_DECK
    elif n == 0:
        # None can be played: one is dropped.
        while n < 6:
            card = s[_HAND + 7 * me + n]
            hold = _HOLD + t[card]
            if t[_PROFILE + card] >> 5 == king:
                hold += 10
            gain = 0x4000 - 4 * w[hold]
            gains[n] = gain
            n += 1
            if gain > most:
                most = gain
                best = _DROP - 1 + card
    return best


@micropython.viper
def narrow(s, buf: ptr16, n: int) -> int:
    """Keep those of the n legal moves in buf that gain most, _WIDE or _LATE at most, in their order; returns how many."""
    wide = _WIDE
    if int(phase(s)) < 2:
        wide = _LATE
    if n > wide:
        weigh(s)
    gains = ptr16(_gains)
    while n > wide:
        least = 0
        i = 1
        while i < n:
            if gains[i] < gains[least]:
                least = i
            i += 1
        n -= 1
        i = least
        while i < n:
            gains[i] = gains[i + 1]
            buf[i] = buf[i + 1]
            i += 1
    return n


@micropython.viper
def judge(state, shares: ptr16):
    """Write each seat's share of a WIN, as far as the table and the hands tell; before a card is played."""
    s = ptr8(state)
    t = ptr8(rules.TABLE)
    w = ptr8(WEIGHTS)
    odds = ptr8(ODDS)
    values = ptr16(_values)
    v = int(phase(state))
    seats = s[_SEATS]
    if seats > 2:
        if v > 4:
            v = 4
        v = _MORE + _JUDGE * v
    else:
        v = _JUDGE * v
    area = _AREA
    best = 0
    k = 0
    while k < seats:
        total = 0x4000
        if k == s[_TO_MOVE]:
            total += 2 * w[v + _TEMPO] - 128
        mine = s[_UNDER + k]
        while mine:
            total += (t[_WORTH + (t[_PROFILE + mine] & 31)] & 15) << 6
            mine = s[_LINK + mine]
        hand = _HAND + 7 * k
        king = s[_KINGS + k]
        i = s[_MINES + k]
        while i:
            i -= 1
            mine = s[area + i]
            takes = s[_TAKES + mine]
            left = s[_LEFT + mine]
            worth = t[_WORTH + (t[_PROFILE + mine] & 31)]
            # Whether a card in the hand goes on.
            ready = 0
            p = hand
            while p < hand + 6:
                if t[s[p]] - takes & 16 == 0:
                    foreman = 0
                    if t[_PROFILE + s[p]] >> 5 == king:
                        foreman = _FOREMAN
                    if (takes ^ foreman) & _FOREMAN == 0:
                        ready = v + _READY
                        break
                p += 1
            c = v + 4 * left - 4
            if worth & 16:
                worth &= 15
                c += 2
                if ready:
                    ready += 1
            takes &= 31
            if takes > 10:
                takes = 10
            if takes + left > 8:
                c += 1
            value = w[c] - 128
            if ready:
                if left > 1:
                    ready = v + _READY + 2
                value += w[ready]
            total += value * worth
        # No lead is that long.
        if total < 0:
            total = 0
        values[k] = total
        if total > best:
            best = total
        area += 72 - 6 * seats
        k += 1
    # From 1/64 of a point to 1/8 of a logit; the chances add up to one win.
    whole = 0
    while k:
        k -= 1
        i = (best - values[k]) * w[v + _SLOPE] >> 11
        if i > 39:
            i = 39
        i = odds[i]
        shares[k] = i
        whole += i
    while k < seats:
        shares[k] = shares[k] * 252 // whole
        k += 1


def choose(s, buf, n, rng):
    """The instant policy's move; buf holds the n legal moves. Draws nothing."""
    return weigh(s)


@micropython.viper
def rollout(state, rng, shares) -> int:
    """Play on by the policy for some turns, then judge: shares of the seats (array('h')); returns the plies."""
    s = ptr8(state)
    plies = 0
    turns = _TURNS
    if s[_SEATS] > 2:
        turns = _ROUNDS * s[_SEATS]
    while s[_TO_MOVE] != _OVER:
        if s[_DRAWING] == 0:
            if turns == 0:
                judge(state, shares)
                break
            turns -= 1
        rules.apply(state, weigh(state))
        plies += 1
    return plies
