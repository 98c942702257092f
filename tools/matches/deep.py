"""A program that looks for positions in which a deep search finds one move better. Runs on MicroPython, else on CPython.

    deep.py GAME SEATS MASK BUDGET SEED MARGIN MISSED AGREED

prints, without end, a line `STATE MOVE MARGIN` for each one found (hexadecimal, code, thousandths of a win) and `-` for
each game. The games are played by the instant player, with a random move now and then; the plain search judges, which
plays out at random and knows nothing of any evaluation. It must find the same move better by MARGIN twice, with
different seeds. With MISSED 1 the instant player would play another one. With AGREED 1 that move must also be better by
MARGIN in games that the instant player plays on to the end.
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

# Games of the instant player for each move: two standard errors of a difference are seven hundredths at most.
GAMES = 400


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


def lead(rules, bot, s, move, rng):
    """Thousandths of a win by which `move` is better than any other of state s when the instant player plays on."""
    buf = array("H", [0] * rules.MAX_LEGAL)
    moves = [buf[i] for i in range(rules.legal(s, buf))]
    seat = rules.seat(s)
    trial = bytearray(rules.STATE_BYTES)
    mean = other = 0
    for m in moves:
        won = 0
        for _ in range(GAMES):
            for i in range(len(s)):
                trial[i] = s[i]
            rules.hide(trial, seat, rng)
            who = rules.apply(trial, m)
            while who != OVER:
                if who == CHANCE:
                    who = rules.apply(trial, rules.sample(trial, rng))
                else:
                    who = rules.apply(trial, bot.choose(trial, buf, rules.legal(trial, buf), rng))
            winners = rules.winners(trial)
            if winners >> seat & 1:
                won += WIN // bin(winners).count("1")
        won = won * 1000 // (GAMES * WIN)
        if m == move:
            mean = won
        else:
            other = max(other, won)
    return mean - other


def main(game, seats, mask, budget, seed, margin, missed, agreed):
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
                if (
                    found
                    and not (missed and found[0] == move)
                    and not (agreed and lead(rules, bot, s, found[0], rng) < margin)
                ):
                    print("".join("{:02x}".format(byte) for byte in s), found[0], found[1])
                    looking = False
            rules.apply(s, move if rng.below(RANDOM) else buf[rng.below(rules.legal(s, buf))])
        print("-")
        if hasattr(sys.stdout, "flush"):
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], *[int(text) for text in sys.argv[2:]])
