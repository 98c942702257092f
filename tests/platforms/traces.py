"""Seeded games of every catalogue entry as text: equal on all platforms, ply by ply. Portable.

Each ply folds into a checksum what the game's functions say: seat, legal moves, bot's choice, event or move, state,
TRACE, generator; now and then also each seat's view, a `hide` and a `playout`; scores and winners at the end.
"""

import binascii
from array import array

from games import catalogue
from games.rng import Rng

CHANCE = 254
OVER = 255
# Views, hiding and play-outs are much longer than a ply.
RARELY = 32


def tables(game):
    """All (seats, option mask) that a game can be played with."""
    found = []
    for mask in range(1 << len(catalogue.options(game))):
        fewest, most = catalogue.seats(game, mask)
        for seats in range(fewest, most + 1):
            found.append((seats, mask))
    return found


def play(game, seats, mask, seed, told=None):
    """Play one game at random; (plies, checksum). `told(ply, checksum, state)` is called after each ply."""
    rules = catalogue.load(game)
    bot = catalogue.load(game, "bot")
    rng = Rng(seed)
    aside = Rng(seed + 1)
    s = bytearray(rules.STATE_BYTES)
    t = bytearray(rules.STATE_BYTES)
    seen = bytearray(rules.VIEW_BYTES)
    buf = array("H", [0] * rules.MAX_LEGAL)
    said = array("H", [0] * (rules.MAX_LEGAL + 2))
    points = array("h", [0] * 8)
    rules.new(s, seats, mask, rng)
    total = binascii.crc32(s)
    ply = 0
    while True:
        who = rules.seat(s)
        if ply % RARELY == 0 or who == OVER:
            for seat in range(seats):
                n = rules.view(s, seat, seen)
                total = binascii.crc32(memoryview(seen)[:n], total)
                t[:] = s
                rules.hide(t, seat, aside)
                total = binascii.crc32(t, total)
            rules.playout(t, aside)
            total = binascii.crc32(t, total)
        if who == OVER:
            break
        if who == CHANCE:
            m = rules.sample(s, rng)
        else:
            n = rules.legal(s, buf)
            said[0] = who
            for i in range(n):
                said[i + 1] = buf[i]
            said[n + 1] = m = bot.choose(s, buf, n, aside)
            total = binascii.crc32(memoryview(said)[: n + 2], total)
            # Both kinds of play: what the bot wants and what it never would.
            if seed & 1:
                m = buf[rng.below(n)]
        rules.apply(s, m)
        total = binascii.crc32(s, total)
        total = binascii.crc32(memoryview(rules.TRACE)[: 1 + 4 * rules.TRACE[0]], total)
        total = binascii.crc32(rng.state, total)
        ply += 1
        if told:
            told(ply, total, s)
    rules.scores(s, points)
    total = binascii.crc32(memoryview(points)[:seats], total)
    return ply, binascii.crc32(bytes([rules.winners(s)]), total)


def games(game, seats, mask, count):
    """Print a line for each of `count` games (all texts)."""
    for seed in range(int(count)):
        ply, total = play(game, int(seats), int(mask), seed)
        print(game, seats, mask, seed, ply, total)


def plies(game, seats, mask, seed):
    """Print a line for each ply of one game (all texts)."""
    play(game, int(seats), int(mask), int(seed), lambda ply, total, s: print(ply, total, binascii.hexlify(s).decode()))
