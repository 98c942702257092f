"""What a fit needs to know of a part of a game's weights. Runs on CPython and MicroPython, as the observer does.

A part is some equal blocks of WEIGHTS, one for each stage of a game. In a state it gives each alternative (a seat, for a
judge; a play, for a policy) a value that is linear in the weights of one block, so the fit learns what a weight stands
for from the bot itself: it asks for the values once more with that weight changed by one.
"""

from array import array

HIGHEST = 255

_shares = array("h", [0] * 5)


class Part:
    """One part. A subclass sets what differs and has three methods: block(s), which block speaks of the state, -1 for
    none; alternatives(s, buf, n), among what it tells apart, the n legal moves in `buf`; values(s, alternatives), what
    each is worth by the weights of the bot."""

    size = 0
    """Weights in a block."""
    first = 0
    """Where the first block begins."""
    blocks = 0
    """How many there are."""
    games = 0
    """Games to be seen, unless the command says otherwise."""
    seats = (2, 5)
    """The fewest and most seats for which it is."""
    tables: "tuple[str, ...]" = ()
    """Tables at which they are played, likewise."""
    player = "easy"
    """Who plays them, likewise: easy, search:N, or wide:N, a search that asks no bot which moves are worth a look."""
    random_moves = 0
    """In every fourth game none, in the others up to three times so many moves of 128 are random."""
    spread = 0
    """Half of the players have weights of their own, each up to so far from the bot's."""
    seen = 1
    """One state of so many is kept, by chance."""
    origin: "tuple[int, ...]" = ()
    """What a weight is that says nothing, by its place in a block."""
    still: "tuple[int, ...]" = ()
    """Places in a block that the fit leaves as they are."""
    ridge = 1.0
    """How strongly, in squared logits, a weight that is hardly seen is held at its origin."""
    slope: "int | None" = None
    """The place of the weight that turns values into logits, None if they are logits but for `unit`;"""
    slope_unit = 1.0
    """and how much of it is a logit for a value of one."""
    unit = 1.0
    """How many units of a weight are a logit, without a slope."""
    lowest: "tuple[tuple[int, ...], ...]" = ()
    """Groups of places whose weights only count against each other: the least of each group becomes 0."""

    def chosen(self, move, alternatives):
        """Which of them is what came of it, with this move: its index, -1 if none; None: it is the winners."""
        return None


class Judge(Part):
    """The weights of a bot's `judge`: the alternatives are the seats."""

    def __init__(self, bot):
        self._bot = bot

    def alternatives(self, s, buf, n):
        """The seats."""
        return list(range(s[0]))

    def values(self, s, alternatives):
        """What each has."""
        self._bot.judge(s, _shares)
        return [self._bot._values[seat] for seat in alternatives]


def line(part, bot, s, buf, n, move):
    """What a fit learns from a state: [block, chosen (see Part), seats, [value, what each weight of the block does to
    it] for each alternative, in one list]; None if there is nothing to learn."""
    block = part.block(s)
    if block < 0:
        return None
    found = part.alternatives(s, buf, n)
    if len(found) < 2:
        return None
    chosen = part.chosen(move, found)
    if chosen == -1:
        return None
    weights = bytearray(bot.WEIGHTS)
    bot.WEIGHTS = weights
    at = part.values(s, found)
    first = part.first + part.size * block
    columns = []
    for i in range(first, first + part.size):
        step = -1 if weights[i] == HIGHEST else 1
        weights[i] += step
        columns.append([(value - was) * step for value, was in zip(part.values(s, found), at)])
        weights[i] -= step
    numbers = []
    for k in range(len(found)):
        numbers.append(at[k])
        for column in columns:
            numbers.append(column[k])
    return [block, chosen, len(found), numbers]
