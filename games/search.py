"""Tree search for all games: information-set Monte Carlo tree search (P. Cowling, E. Powley and D. Whitehouse, 2012).

Every iteration deals the hidden things anew with `hide`, walks down the tree among the moves that are legal in that
world, adds one node, lets the game's `rollout` judge what comes after, and adds each seat's share to the moves it made
on the way: every seat maximises its own. The tree ends where chance decides: below 126 rolls no node is seen twice.

All memory is taken once and nothing is left behind. A level is a number of iterations, never of seconds, so that a
seed gives one move everywhere.
"""

from array import array

import micropython
from micropython import const

from games.rng import Rng

# What a won game is worth to the search; a shared one its part of it.
WIN = 252
MOST_SEATS = 5

ODDS = (
    b"\xff\xe1\xc7\xaf\x9b\x88\x78\x6a\x5e\x53\x49\x40\x39\x32\x2c\x27\x23\x1e\x1b\x18"
    b"\x15\x12\x10\x0e\x0d\x0b\x0a\x09\x08\x07\x06\x05\x05\x04\x04\x03\x03\x02\x02\x02"
)
"""255 * exp(-i / 8): the chance of winning of who is behind by i eighths of a logit, beside that of the leader. Divided by
their sum these are the chances of all seats, for bots that judge a table."""

_CHANCE = const(254)
_OVER = const(255)
_WIN = const(252)

# A node: five numbers of 16 bits in `_nodes`, one of 32 in `_sums`. Node 0 is the root; as a link 0 means none.
_CODE = const(0)  # the move that leads here
_VISITS = const(1)
_AVAILABLE = const(2)  # how often the move was legal when its parent was visited
_CHILD = const(3)  # children are linked in ascending order of their moves
_NEXT = const(4)
_WIDTH = const(5)

# No path goes deeper: what comes after is the rollout's.
_DEEPEST = const(60)

# Weight of curiosity in the upper confidence bound, in 1/16 of a WIN for one standard term. In mirrored matches 8 did as
# well as 11 for goats and horses, and won 0.55 (0.50-0.60) of plain searches of goblins.
_CURIOUS = const(8)


class _Grab:
    """Its items are the slices that it is asked for."""

    def __getitem__(self, key):
        return key


# Made once: `a[:] = b` would make a slice, which is garbage, each time.
_ALL = _Grab()[:]


@micropython.viper
def select(nodes: ptr16, sums: ptr32, buf: ptr16, n: int, node: int, start: int) -> int:
    """Where to go from a node when the n moves in `buf` are legal: the child of the highest upper confidence bound,
    or, while a legal move has no child, -1 - i for the first such move buf[i] from i = `start` on, around the end.

    The bound, in 1/16: mean share + _CURIOUS / 16 * WIN * sqrt(log2(available) / visits). It is worked out here and
    not in a function, as a call costs the Pico more than the bound does."""
    child = nodes[node * _WIDTH + _CHILD]
    best = 0
    most = -1
    fresh = -1
    late = -1
    counted = 0
    log = 0
    i = 0
    while i < n:
        # Both lists ascend.
        code = buf[i]
        p = child * _WIDTH
        while child:
            if nodes[p] >= code:
                break
            child = nodes[p + _NEXT]
            p = child * _WIDTH
        if child == 0 or nodes[p] != code:
            if fresh < 0:
                fresh = i
            if late < 0 and i >= start:
                late = i
            i += 1
            continue
        x = nodes[p + _AVAILABLE] + 1
        nodes[p + _AVAILABLE] = x
        if x != counted:
            # log2 in 1/16, straight between the powers of two.
            counted = x
            log = 0
            while x > 1:
                x >>= 1
                log += 1
            log = (log << 4) + ((counted << 4) >> log) - 16
        visits = nodes[p + _VISITS]
        x = (log << 12) // visits
        # The root of a number of at most 20 bits, one bit at a time.
        root = 0
        bit = 512
        while bit:
            root |= bit
            if root * root > x:
                root ^= bit
            bit >>= 1
        bound = (sums[child] << 4) // visits + ((root * (_CURIOUS * _WIN)) >> 8)
        if bound > most:
            most = bound
            best = child
        i += 1
    if late >= 0:
        return -1 - late
    if fresh >= 0:
        return -1 - fresh
    return best


@micropython.viper
def insert(nodes: ptr16, sums: ptr32, parent: int, child: int, code: int):
    """Hang a new node below `parent`, at its place in the ascending list."""
    p = child * _WIDTH
    nodes[p] = code
    nodes[p + _VISITS] = 0
    nodes[p + _AVAILABLE] = 1
    nodes[p + _CHILD] = 0
    sums[child] = 0
    link = parent * _WIDTH + _CHILD
    while nodes[link]:
        if nodes[nodes[link] * _WIDTH] > code:
            break
        link = nodes[link] * _WIDTH + _NEXT
    nodes[p + _NEXT] = nodes[link]
    nodes[link] = child


@micropython.viper
def credit(nodes: ptr16, sums: ptr32, path: ptr16, movers: ptr8, shares: ptr16, depth: int):
    """Count a visit for each node of the path, and the share of the seat that moved there."""
    while depth:
        depth -= 1
        child = path[depth]
        nodes[child * _WIDTH + _VISITS] += 1
        sums[child] += shares[movers[depth]]


@micropython.viper
def share(winners: int, shares: ptr16):
    """Divide the WIN among the seats of a bit mask (not 0); the others get 0."""
    n = 0
    seat = 5
    while seat:
        seat -= 1
        n += winners >> seat & 1
    part = _WIN // n
    seat = 5
    while seat:
        seat -= 1
        shares[seat] = part * (winners >> seat & 1)


class Search:
    """Thinks about one decision after the other of one game, with `size` nodes of 14 bytes."""

    def __init__(self, rules, bot, size, plain=False):
        """`rules` and `bot` are modules of one game (of the bot `choose`, `rollout` and, if it has that,
        `narrow` are used, which keeps the best moves of `legal` in their order; with a RIPE above 1 a node has children
        only after so many visits); size is 2..13000.
        A plain search plays out at random to the end and asks no bot, which may be None."""
        self._rules = rules
        self._bot = bot
        self._plain = plain or not hasattr(bot, "rollout")
        # A game of many moves: the few of them that its bot thinks are worth a look.
        self._narrow = None if self._plain else getattr(bot, "narrow", None)
        # So many visits make a node ripe for children.
        self._least = 1 if self._plain else getattr(bot, "RIPE", 1)
        self._ripe = 1
        self._size = size
        self._nodes = array("H", bytes(2 * _WIDTH * size))
        self._sums = array("i", bytes(4 * size))
        self._buf = array("H", bytes(2 * rules.MAX_LEGAL))
        self._path = array("H", bytes(2 * _DEEPEST))
        self._movers = bytearray(_DEEPEST)
        self._shares = array("h", bytes(2 * MOST_SEATS))
        self._root = bytearray(rules.STATE_BYTES)
        self._state = bytearray(rules.STATE_BYTES)
        self._seat = 0
        self._used = 1
        self._seed = 0
        self._budget = 0
        self._rng = Rng(0)
        self.done = 0
        """Iterations since `start`."""

    def start(self, s, budget, seed):
        """Begin to think about state s (a copy is kept) for the seat to move: `budget` iterations (0..65535), all
        chance from `seed`. A forced move needs none of them."""
        self._root[_ALL] = s
        self._seat = self._rules.seat(s)
        self._seed = seed
        self._rng.seed(seed)
        self._nodes[_VISITS] = 0
        self._nodes[_CHILD] = 0
        self._used = 1
        self._budget = budget
        self._ripe = self._least
        if self._least > 1:
            # A tree that is small for its budget would be full too early.
            self._ripe += budget // self._size
        self.done = 0
        if self._rules.legal(s, self._buf) < 2:
            self._budget = 0

    def step(self, plies):
        """Think for about so many plies of play, at least one iteration; True when the budget is used up.
        What comes out does not depend on the size of the steps."""
        while self.done < self._budget and plies > 0:
            plies -= self._iterate()
            self.done += 1
        return self.done >= self._budget

    def best(self):
        """The move to play, at any time: the most visited one, of equals the one that won more. Before the first
        iteration it is the bot's instant choice (the first legal move of a plain search)."""
        nodes = self._nodes
        sums = self._sums
        child = nodes[_CHILD]
        if not child:
            n = self._rules.legal(self._root, self._buf)
            if n < 2 or self._bot is None:
                return self._buf[0]
            move = self._bot.choose(self._root, self._buf, n, self._rng)
            # As if it had not been asked.
            self._rng.seed(self._seed)
            return move
        best = child
        while child:
            more = nodes[child * _WIDTH + _VISITS] - nodes[best * _WIDTH + _VISITS]
            if more > 0 or (more == 0 and sums[child] > sums[best]):
                best = child
            child = nodes[child * _WIDTH + _NEXT]
        return nodes[best * _WIDTH]

    def _iterate(self):
        """One iteration; the plies it played."""
        rules = self._rules
        nodes = self._nodes
        sums = self._sums
        buf = self._buf
        path = self._path
        s = self._state
        rng = self._rng
        narrow = self._narrow
        s[_ALL] = self._root
        rules.hide(s, self._seat, rng)
        node = depth = 0
        who = self._seat
        while who < _CHANCE and depth < _DEEPEST:
            n = rules.legal(s, buf)
            if narrow:
                n = narrow(s, buf, n)
            node = select(nodes, sums, buf, n, node, rng.below(n))
            if node < 0:
                move = buf[-1 - node]
                node = self._used
                if node == self._size:
                    break
                self._used = node + 1
                insert(nodes, sums, path[depth - 1] if depth else 0, node, move)
            else:
                move = nodes[node * _WIDTH]
            path[depth] = node
            self._movers[depth] = who
            depth += 1
            who = rules.apply(s, move)
            if nodes[node * _WIDTH + _VISITS] < self._ripe:
                break
        plies = depth
        shares = self._shares
        if who != _OVER:
            if self._plain:
                plies += rules.playout(s, rng)
                who = _OVER
            else:
                plies += self._bot.rollout(s, rng, shares)
                who = rules.seat(s)
        if who == _OVER:
            share(rules.winners(s), shares)
        credit(nodes, sums, path, self._movers, shares, depth)
        return plies
