"""The games and their instant players leave no garbage: not one byte in 1,000 plies, and with the heap locked."""

import gc
import micropython
import sys
from array import array

from games import catalogue
from games.rng import Rng
from tests.platforms.traces import CHANCE, OVER, tables

PLATFORMS = ("bytecode", "viper", "webassembly")
PLIES = 1000
# With the heap locked one allocation is enough to fail.
LOCKED_PLIES = 300


def work(rules, bot, s, t, seen, buf, points, rng, seats, mask, plies, lock=False):
    """Call everything that a game has, for this many plies; starts again at the end of a game.

    The heap is locked from the inside, since a call with so many arguments may itself need it, and stays so."""
    if lock:
        micropython.heap_lock()
    while plies:
        who = rules.seat(s)
        if who == OVER:
            rules.scores(s, points)
            rules.winners(s)
            rules.new(s, seats, mask, rng)
        elif who == CHANCE:
            rules.apply(s, rules.sample(s, rng))
        else:
            n = rules.legal(s, buf)
            m = bot.choose(s, buf, n, rng)
            if plies & 1:
                m = buf[rng.below(n)]
            if plies & 15 == 0:
                rules.view(s, who, seen)
                i = 0
                while i < len(s):
                    t[i] = s[i]
                    i += 1
                rules.hide(t, who, rng)
                if plies & 63 == 0:
                    rules.playout(t, rng)
                    rules.scores(t, points)
            rules.apply(s, m)
        plies -= 1


def each_table():
    """(name, arguments of `work` but the last) of every game, seat count and option set."""
    for game in catalogue.ids():
        rules = catalogue.load(game)
        bot = catalogue.load(game, "bot")
        for seats, mask in tables(game):
            rng = Rng(seats * 8 + mask)
            s = bytearray(rules.STATE_BYTES)
            rules.new(s, seats, mask, rng)
            buf = array("H", [0] * rules.MAX_LEGAL)
            room = (rules, bot, s, bytearray(len(s)), bytearray(rules.VIEW_BYTES), buf, array("h", [0] * 8))
            yield (game, seats, mask), room + (rng, seats, mask)


def plies(game):
    """How many plies a table of a game gets. The 32-bit interpreter is slow: there the game's tables share them."""
    return PLIES // len(tables(game)) + 1 if sys.platform == "webassembly" else PLIES


def test_a_thousand_plies_allocate_nothing():
    for name, room in each_table():
        arguments = room + (plies(name[0]),)
        # What a module makes on its first call stays.
        work(*(room + (64,)))
        gc.collect()
        gc.disable()
        before = gc.mem_alloc()
        work(*arguments)
        after = gc.mem_alloc()
        gc.enable()
        assert after == before, (name, after - before)


def test_everything_runs_with_the_heap_locked():
    for name, room in each_table():
        arguments = room + (min(plies(name[0]), LOCKED_PLIES),)
        try:
            work(*arguments, True)
            fault = None
        except MemoryError as refused:
            fault = refused
        micropython.heap_unlock()
        assert fault is None, name


def test_garbage_would_be_seen():
    def litter():
        return [1]

    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    litter()
    after = gc.mem_alloc()
    gc.enable()
    assert after > before
