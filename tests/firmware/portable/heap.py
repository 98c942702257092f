"""Games that come and go leave nothing behind."""

import gc

from firmware import modules, records
from tests.firmware.hand import Hand

# MicroPython for unix never frees machine code, so this is for bytecode; the 32-bit one collects only between calls.
PLATFORMS = ("bytecode",)


def test_heap_is_flat_over_games():
    """What is in use when the title is back, after one game and after four."""
    hand = Hand()
    used = []
    for _ in range(5):
        hand.start([1, 2], 0)
        hand.play_on(12)
        hand.app.home()
        hand.wait(0)
        gc.collect()
        used.append(gc.mem_alloc())
    assert used[4] - used[1] < 1024, used


def few(_bot, level, _seats):
    """A budget that takes little of the test's time."""
    return 3 if level else 0


def test_heap_is_flat_over_all_games_with_hints_and_replays():
    """The same after rounds of a hint, a move taken back, a last look, a replay and a kept game of each game."""
    hand = Hand()
    used = []
    for _ in range(4):
        for game in modules.GAMES:
            hand.start([1, 2, 3], 0, game)
            scene = hand.app.top()
            # What it finds is no matter here, and would take its time.
            modules.levels().budget = few
            for _ in range(2):
                while hand.waits_for() != "choice":
                    if hand.waits_for() == "roll":
                        hand.press("A")
                    else:
                        hand.wait(100)
                hand.menu("menu.hint")
                hand.until("told")
                hand.press("A")
                plies = scene.plies
                while scene.plies == plies:
                    hand.press("A")
            saved = scene.course.kept()
            records.keep(hand.device.store, saved)
            hand.app.home("replay", saved)
            hand.press("RRRRL")
            scene = saved = None
            hand.app.home("kept")
            hand.press(".")
            hand.app.home("setup", game)
            hand.press("DDD")
        hand.device.store.remove(records.NAME)
        hand.app.home()
        hand.wait(0)
        gc.collect()
        used.append(gc.mem_alloc())
    assert used[3] - used[1] < 1024, used
