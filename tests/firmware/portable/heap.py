"""Games that come and go leave nothing behind."""

import gc

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
