"""Searches of seeded positions of every catalogue entry as text: equal on all platforms. Portable."""

import binascii
from array import array

from games import catalogue
from games.rng import Rng
from games.search import Search
from tests.platforms.traces import CHANCE, OVER

EVERY = 9
NODES = 40


def searches(game, seats, mask, budget, count):
    """Print a line for each of `count` decisions of a game played at random (all texts): what the search finds in
    `budget` iterations, the plain search too, and a checksum of all that they remember."""
    rules = catalogue.load(game)
    both = [Search(rules, catalogue.load(game, "bot"), NODES), Search(rules, None, NODES, True)]
    rng = Rng(int(seats) * 8 + int(mask))
    s = bytearray(rules.STATE_BYTES)
    buf = array("H", [0] * rules.MAX_LEGAL)
    found = ply = 0
    rules.new(s, int(seats), int(mask), rng)
    while found < int(count):
        who = rules.seat(s)
        if who == OVER:
            rules.new(s, int(seats), int(mask), rng)
            continue
        if who == CHANCE:
            rules.apply(s, rules.sample(s, rng))
            continue
        n = rules.legal(s, buf)
        ply += 1
        if n > 1 and ply % EVERY == 0:
            told = [game, seats, mask, found]
            for search in both:
                search.start(s, int(budget), found)
                while not search.step(1000):
                    pass
                total = binascii.crc32(search._nodes)
                total = binascii.crc32(search._sums, total)
                told += [search.best(), binascii.crc32(search._rng.state, total)]
            print(*told)
            found += 1
        rules.apply(s, buf[rng.below(n)])
