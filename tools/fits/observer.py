"""A process that plays games and tells what a fit can learn from them: JSON lines as in tools/matches/worker.py.

    {"game", "part", "tables": [[seats, mask], ...], "weights": hex}     what to do, first of all
    {"id", "seed"}                                          a game to play, at the table of its number, answered by
    {"id", "rows": [[block, target, alternatives, numbers], ...]}                  see tools/fits/parts.py

A target is the index of the alternative that was chosen, or the shares of 60 that the seats won.
"""

import sys

if sys.implementation.name != "micropython":
    # CPython: tools/matches/crew.py runs this as a module.
    from tools import standins

    standins.install()

from array import array

from games import catalogue
from games.rng import Rng
from games.search import Search
from tools.fits import parts
from tools.matches.movers import NODES, STEP
from tools.matches.worker import CHANCE, OVER, serve

SHARES = 60
# A search that is nearly sure who wins chooses without care: in 1/252.
SURE = (25, 227)


class Player:
    """Plays every seat."""

    def __init__(self, rules, bot, name):
        kind, _, count = name.partition(":")
        self._bot = bot
        self._search = None
        if kind != "easy":
            self._budget = int(count)
            self._search = Search(rules, bot, min(NODES, self._budget + 2))
            if kind == "wide":
                self._search._narrow = None

    def choose(self, s, buf, n, rng):
        """The move, and whether it was made with care."""
        search = self._search
        if search is None:
            return self._bot.choose(s, buf, n, rng), True
        search.start(s, self._budget, rng.below(16383))
        while not search.step(STEP):
            pass
        return search.best(), SURE[0] < worth(search) < SURE[1]


def worth(search):
    """What the move that a search chooses is worth to it, in 1/252 of a win."""
    # Node 0 is the root: its fields are at 0, those of the others from 5 on (games/search.py).
    nodes = search._nodes
    move = search.best()
    child = nodes[3]
    while nodes[5 * child] != move:
        child = nodes[5 * child + 4]
    return search._sums[child] // nodes[5 * child + 1]


class Table:
    """Plays what is asked for."""

    def __init__(self, asked):
        game = asked["game"]
        self.rules = catalogue.load(game)
        module = __import__("tools.fits." + game, None, None, ("PARTS",))
        self.part = module.PARTS[asked["part"]]
        # That one whose weights the part looks at.
        self.bot = module.bot
        self.bot.WEIGHTS = bytes.fromhex(asked["weights"])
        self.player = Player(self.rules, self.bot, self.part.player)
        self.tables = asked["tables"]
        self.state = bytearray(self.rules.STATE_BYTES)
        self.buf = array("H", [0] * self.rules.MAX_LEGAL)

    def strayed(self, chance):
        """The weights of a player: in half of the cases each is up to `spread` away from the bot's."""
        own, spread = self.bot.WEIGHTS, self.part.spread
        if not spread or chance.below(2):
            return own
        return bytes([min(255, max(0, w + chance.below(2 * spread + 1) - spread)) for w in own])

    def play(self, asked):
        """Play a game; what there is to learn from it."""
        rules, part, s, buf = self.rules, self.part, self.state, self.buf
        own = self.bot.WEIGHTS
        number = asked["id"]
        chance = Rng(asked["seed"])
        # What is seen does not change what is played.
        sight = Rng(asked["seed"] + 1)
        seats, mask = self.tables[number % len(self.tables)]
        rules.new(s, seats, mask, chance)
        astray = number // len(self.tables) % 4 * part.random_moves
        rows = []
        seated = [self.strayed(chance) for _ in range(seats)]
        who = rules.seat(s)
        while who != OVER:
            if who == CHANCE:
                move = rules.sample(s, chance)
            else:
                n = rules.legal(s, buf)
                careful = n > 1
                move = buf[0]
                if n > 1:
                    self.bot.WEIGHTS = seated[who]
                    move, careful = self.player.choose(s, buf, n, chance)
                    self.bot.WEIGHTS = own
                row = None
                if sight.below(part.seen) == 0:
                    row = parts.line(part, self.bot, s, buf, rules.legal(s, buf), move)
                    self.bot.WEIGHTS = own
                if row and (careful or row[1] is None):
                    rows.append(row)
                if chance.below(128) < astray:
                    move = buf[chance.below(n)]
            who = rules.apply(s, move)
        winners = rules.winners(s)
        count = sum([winners >> seat & 1 for seat in range(seats)])
        shares = [SHARES // count * (winners >> seat & 1) for seat in range(seats)]
        for row in rows:
            if row[1] is None:
                row[1] = shares
        return {"id": number, "rows": rows}


if __name__ == "__main__":
    serve(lambda asked: Table(asked).play)
