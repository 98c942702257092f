"""The computer players as the arena seats them. Runs on CPython and MicroPython.

A mover has `choose(s, buf, n, rng)`, the move for state s, where buf holds the n legal moves and rng is the player's
own generator; and `playouts`, how many iterations its searches took so far.
"""

from array import array

from games import levels
from games.rng import Rng
from games.search import Search

CHANCE = 254
# Plies between two looks at whether a search is done.
STEP = 100000
# Nodes of the searches that are no level: they play on a PC.
NODES = 6000
REFERENCE = 2000
MOST = 65535


def mover(rules, bot, name):
    """The mover of a name as in tools/players.py, but no program; `bot` may be None if that needs none."""
    kind, _, count = name.partition(":")
    if kind == "random":
        return Instant(random_move)
    if kind == "greedy":
        return Instant(Greedy(rules).choose)
    if kind == "easy":
        return Instant(bot.choose)
    if kind in levels.NAMES:
        return Thinker(levels.Player(rules, bot, levels.NAMES.index(kind)))
    return Thinker(Counted(rules, bot, int(count) if count else REFERENCE, kind != "search"))


class Instant:
    """Chooses without a search."""

    def __init__(self, choose):
        self.choose = choose
        self.playouts = 0


class Counted:
    """A search of so many iterations, driven as a level's player is (games/levels.py)."""

    def __init__(self, rules, bot, budget, plain):
        self._budget = budget
        self._search = Search(rules, None if plain else bot, min(NODES, budget + 2), plain)
        self.step = self._search.step
        self.best = self._search.best

    def start(self, s, seed):
        self._search.start(s, self._budget, seed)

    def done(self):
        return self._search.done


class Thinker:
    """Chooses by a search."""

    def __init__(self, player):
        self._player = player
        self.playouts = 0

    def choose(self, s, buf, n, rng):
        player = self._player
        player.start(s, rng.below(16383))
        while not player.step(STEP):
            pass
        self.playouts += player.done()
        return player.best()


def random_move(s, buf, n, rng):
    """Every legal move equally likely."""
    return buf[rng.below(n)]


class Greedy:
    """Looks one ply ahead at the bare score: its own less the best of the others'; one of the equals at random."""

    def __init__(self, rules):
        self._rules = rules
        self._trial = bytearray(rules.STATE_BYTES)
        self._points = array("h", [0] * 5)

    def choose(self, s, buf, n, rng):
        rules = self._rules
        me = rules.seat(s)
        seed = rng.below(16383)
        best = []
        most = -0x8000
        for i in range(n):
            self._trial[:] = s
            # What it does not know it guesses, the same way for each move.
            guess = Rng(seed)
            rules.hide(self._trial, me, guess)
            who = rules.apply(self._trial, buf[i])
            while who == CHANCE:
                who = rules.apply(self._trial, rules.sample(self._trial, guess))
            lead = self._lead(me)
            if lead > most:
                most = lead
                best = []
            if lead == most:
                best.append(buf[i])
        return best[rng.below(len(best))]

    def _lead(self, me):
        points = self._points
        self._rules.scores(self._trial, points)
        return points[me] - max([points[seat] for seat in range(self._trial[0]) if seat != me])
