"""A program that looks for positions in which a deep search finds one move better. Runs on MicroPython, else on CPython.

    deep.py GAME SEATS MASK BUDGET SEED MARGIN MISSED

prints, without end, a line `STATE MOVE MARGIN` for each one found (hexadecimal, code, thousandths of a win) and `-` for
each game. The games are played by the instant player, with a random move now and then; the plain search judges, which
plays out at random and knows nothing of any evaluation. It must find the same move better by MARGIN twice, with
different seeds. With MISSED 1 the instant player would play another one.
"""

import sys

try:
    import micropython  # noqa: F401
except ImportError:
    # CPython runs this as a module.
    from tools import standins

    standins.install()

from array import array

from games import catalogue
from games.rng import Rng
from games.search import WIN, Search

CHANCE = 254
OVER = 255

# A look with a part of the budget saves most of the thinking.
GLANCE = 10

# One in so many decisions is looked at, one in so many moves is random.
LOOK = 4
RANDOM = 5


def judged(search, s, budget, seed):
    """(the best move, thousandths of a win by which it is better than any other) after a search of state s."""
    search.start(s, budget, seed)
    while not search.step(10000):
        pass
    best = search.best()
    mean = other = 0
    # The root's children (games/search.py).
    nodes, child = search._nodes, search._nodes[3]
    while child:
        move, visits, _, _, following = nodes[5 * child : 5 * child + 5]
        total = search._sums[child]
        child = following
        if move == best:
            mean = total * 1000 // (visits * WIN)
        else:
            other = max(other, total * 1000 // (visits * WIN))
    return best, mean - other


def clear(search, s, budget, margin, rng):
    """The move that is better by `margin`, with the smaller of two margins; None if there is none."""
    found, least = judged(search, s, budget // GLANCE, rng.below(16383))
    if least < margin:
        return None
    for _ in range(2):
        again, difference = judged(search, s, budget, rng.below(16383))
        if again != found or difference < margin:
            return None
        least = min(least, difference)
    return found, least


def main(game, seats, mask, budget, seed, margin, missed):
    """Look for ever."""
    rules, bot = catalogue.load(game), catalogue.load(game, "bot")
    search = Search(rules, None, 13000, True)
    buf = array("H", [0] * rules.MAX_LEGAL)
    s = bytearray(rules.STATE_BYTES)
    rng = Rng(seed)
    while True:
        rules.new(s, seats, mask, rng)
        looking = True
        while rules.seat(s) != OVER:
            if rules.seat(s) == CHANCE:
                rules.apply(s, rules.sample(s, rng))
                continue
            n = rules.legal(s, buf)
            move = bot.choose(s, buf, n, rng)
            if looking and n > 1 and rng.below(LOOK) == 0:
                found = clear(search, s, budget, margin, rng)
                if found and not (missed and found[0] == move):
                    print("".join("{:02x}".format(byte) for byte in s), found[0], found[1])
                    looking = False
            rules.apply(s, move if rng.below(RANDOM) else buf[rng.below(rules.legal(s, buf))])
        print("-")
        if hasattr(sys.stdout, "flush"):
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], *[int(text) for text in sys.argv[2:]])
