"""Thinking leaves no garbage: not one byte in many iterations, and all with the heap locked. Portable."""

import gc
import micropython

from games import catalogue
from games.levels import NAMES, Player
from tests.games.portable.search import parts, some

PLATFORMS = ("bytecode", "viper", "webassembly")
STEPS = 24


def think(player, s, seed, lock=False):
    """A move's thought, in the smallest steps."""
    if lock:
        micropython.heap_lock()
    player.start(s, seed)
    steps = STEPS
    while steps and not player.step(1):
        player.best()
        steps -= 1
    player.best()


def each():
    """(game, level, player, state) of every level of every game at every table."""
    for game in catalogue.ids():
        rules, bot = parts(game)
        # The others differ from the last in their number of iterations.
        for level in (0, len(NAMES) - 1):
            player = Player(rules, bot, level)
            for s in some(game):
                yield game, NAMES[level], player, s


def test_thinking_allocates_nothing():
    for game, level, player, s in each():
        # What a module makes on its first call stays.
        think(player, s, 1)
        gc.collect()
        gc.disable()
        before = gc.mem_alloc()
        think(player, s, 2)
        after = gc.mem_alloc()
        gc.enable()
        assert after == before, (game, level, after - before)


def test_thinking_needs_no_heap():
    for game, level, player, s in each():
        try:
            think(player, s, 3, True)
            fault = None
        except MemoryError as refused:
            fault = refused
        micropython.heap_unlock()
        assert fault is None, (game, level)
