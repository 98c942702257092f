"""The levels of the computer players, and one way to drive them for firmware, arena and bench."""

from games.search import Search

NAMES = ("easy", "normal", "hard", "expert")

# Nodes of the tree, 14 bytes each, unless a bot says that it needs fewer. A full tree only stops growing.
_NODES = 800

# For a bot that names none.
_BEFORE = (50, 150, 400)


def budget(bot, level, seats):
    """Iterations a move of a level (0..3: NAMES) of the game with this bot module; 0 means its instant choice.
    With more than two seats each may take longer, so that a bot may name fewer."""
    if not level:
        return 0
    budgets = getattr(bot, "ITERATIONS", _BEFORE)
    if seats > 2:
        budgets = getattr(bot, "ITERATIONS_OF_MORE", budgets)
    return budgets[level - 1]


class Player:
    """Plays one game at one level. It thinks in steps:

        player.start(s, seed)
        while not player.step(plies): ...
        move = player.best()

    `best` may be called before the last step. The seed must not come from the game's own generator."""

    def __init__(self, rules, bot, level):
        """`rules` and `bot` are the game's modules, `level` is 0..3: NAMES, the highest that it will play."""
        self._bot = bot
        self.level = level
        """It may be lowered before a `start`."""
        self.budget = budget(bot, level, 2)
        """Iterations of this move."""
        self._search = Search(rules, bot, min(getattr(bot, "NODES", _NODES), self.budget + 2))

    def start(self, s, seed):
        """Begin to think about state s (a copy is kept) for the seat to move."""
        self.budget = budget(self._bot, self.level, s[0])
        self._search.start(s, self.budget, seed)

    def step(self, plies):
        """Think for about so many plies of play; True when done. With 1 it is one iteration, the shortest step:
        who has a clock repeats that until the time is up."""
        return self._search.step(plies)

    def best(self):
        """The best move so far, at any time."""
        return self._search.best()

    def done(self):
        """Iterations so far, of `budget`."""
        return self._search.done
