"""What each function makes of altered states, as text: equal on all platforms. Portable.

A file with a state in hexadecimal on each line comes in; for each, `rejected` or a checksum of everything that the game
does with it goes out.
"""

import binascii
from array import array

from games import catalogue
from games.rng import Rng
from tests.platforms.traces import CHANCE, OVER

# Plies played one by one before the play-out.
PLIES = 12


def outcome(rules, bot, s):
    """The checksum of a state that `check` lets pass, played on in place; ValueError from `check`."""
    rules.check(s)
    t = s[:]
    rng = Rng(5)
    buf = array("H", [0] * rules.MAX_LEGAL)
    seen = bytearray(rules.VIEW_BYTES)
    points = array("h", [0] * 8)
    total = 0
    for seat in range(s[0]):
        n = rules.view(s, seat, seen)
        total = binascii.crc32(bytes(seen[:n]), total)
        t[:] = s
        rules.hide(t, seat, rng)
        rules.check(t)
        total = binascii.crc32(bytes(t), total)
    ply = 0
    while rules.seat(s) != OVER and ply < PLIES:
        if rules.seat(s) == CHANCE:
            m = rules.sample(s, rng)
        else:
            n = rules.legal(s, buf)
            assert 0 < n <= rules.MAX_LEGAL
            # Half of the plies are the bot's: it reads what it is given.
            m = bot.choose(s, buf, n, rng) if ply & 1 else buf[rng.below(n)]
        rules.apply(s, m)
        rules.check(s)
        total = binascii.crc32(bytes(s), total)
        ply += 1
    assert rules.playout(s, rng) <= rules.MAX_PLIES
    rules.check(s)
    assert rules.seat(s) == OVER
    rules.scores(s, points)
    winners = rules.winners(s)
    assert 0 < winners < 1 << s[0]
    return binascii.crc32(bytes(s) + bytes([winners]), total)


def outcomes(game, file):
    """Print a line for each state in the file (both texts)."""
    rules = catalogue.load(game)
    bot = catalogue.load(game, "bot")
    with open(file) as lines:
        for line in lines:
            try:
                print(outcome(rules, bot, bytearray(binascii.unhexlify(line.strip()))))
            except ValueError:
                print("rejected")
