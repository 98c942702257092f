"""The instant player of kings: works its mines in small steps, and conquers for others rather than for itself."""

from micropython import const

from games.kings.tables import TABLE

# Offsets of games/kings/rules.py, repeated because a const of another file is none here; a test holds them equal.
_SEATS = const(0)
_TO_MOVE = const(2)
_KINGS = const(4)
_OWNER = const(8)
_MINES = const(12)
_PILE = const(16)
_CENTRE = const(21)
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
_DRAW = const(5204)

# What the moves are worth to this player, in eighths of a point.
_BLIND = const(14)  # a card from the deck
_STRANGER = const(16)  # a mine that goes to another, for each point of it: it may never exploit it
_BURDEN = const(8)  # a mine more than it can work, for each point
_PLENTY = const(3)  # as many mines as it can work
_LAST = const(24)  # the card that exploits a mine, for each point
_STEP = const(40)  # a card that brings a mine nearer to that
_LOST = const(8)  # each degree of strength that is passed over


def _steps(takes, strength):
    """Degrees of strength that are passed over by laying this strength on a mine that takes `takes`."""
    takes &= 31
    return 0 if takes == _ONLY_ZERO else strength - takes


def _fits(takes, strength):
    """Whether a mine takes this strength (see _TAKES in rules.py)."""
    return strength - takes & 16 == 0


def _work(s, me, mine, card):
    """The worth of working this mine with this card, which it takes."""
    profile = TABLE[_PROFILE + mine] & 31
    worth = TABLE[_WORTH + profile] & 15
    left = s[_LEFT + mine] - 1
    if left == 0:
        return _STEP + _LAST * worth
    strength = TABLE[card]
    value = _STEP + _LAST * worth * (TABLE[_NEED + profile] - left) // (2 * TABLE[_NEED + profile])
    if 9 - strength < left:
        # What is missing can hardly be laid on such a card.
        value -= _STEP
    return value - _LOST * _steps(s[_TAKES + mine], strength)


def _attack(s, me, mine, card):
    """The worth of attacking this mine with this card."""
    strength = TABLE[card]
    race = TABLE[_PROFILE + card] >> 5
    # Creatures of the own race are of little other use.
    value = 8 if race == s[_KINGS + me] else 0
    value -= _steps(s[_TAKES + mine], strength)
    if s[_LEFT + mine] > 1:
        return value
    worth = TABLE[_WORTH + (TABLE[_PROFILE + mine] & 31)] & 15
    owner = s[_OWNER + race]
    if owner and owner - 1 != me:
        return value + _STRANGER * worth
    if s[_MINES + me] < _PLENTY:
        return value + 2 * worth
    return value - _BURDEN * worth


def _draw(s, me, card):
    """The worth of having this card: the best that it can do in the own area now."""
    strength = TABLE[card]
    own = TABLE[_PROFILE + card] >> 5 == s[_KINGS + me]
    area = _AREA + (72 - 6 * s[_SEATS]) * me
    best = 0 if own else 9 - strength
    for i in range(s[_MINES + me]):
        mine = s[area + i]
        takes = s[_TAKES + mine]
        if own == (takes >= _FOREMAN) and _fits(takes, strength):
            value = _work(s, me, mine, card)
            if value > best:
                best = value
    return best


def value(s, move):
    """How good a legal move is for the seat to move, by what this seat knows."""
    me = s[_TO_MOVE]
    if move == _DRAW:
        return _BLIND
    if move >= _TAKE:
        return _draw(s, me, s[_PILE + move - _TAKE])
    if move >= _DROP:
        return TABLE[move - _DROP + 1]
    place = move & 63
    card = (move >> 6) + 1
    if place < 4:
        return _attack(s, me, s[_CENTRE + place], card)
    return _work(s, me, s[_AREA - 4 + (72 - 6 * s[_SEATS]) * me + place], card)


def choose(s, buf, n, rng):
    """The move of the highest `value`, the first of equals; buf holds the n legal moves. Draws nothing."""
    best = buf[0]
    most = -0x8000
    for i in range(n):
        v = value(s, buf[i])
        if v > most:
            most = v
            best = buf[i]
    return best
