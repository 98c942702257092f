"""A turn of the loop in which nothing happens allocates nothing; neither does text."""

import gc

import micropython

from tests.firmware.hand import Hand

# The 32-bit MicroPython of the browser has no heap_lock(); CPython has no heap of its own.
PLATFORMS = ("bytecode", "viper")


def locked(call):
    """Run it with the heap locked: an allocation is a MemoryError."""
    gc.collect()
    micropython.heap_lock()
    try:
        call()
    finally:
        micropython.heap_unlock()


def test_idle_turns():
    hand = Hand()
    locked(hand.app.step)
    hand.press("A..")
    locked(hand.app.step)
    hand.start([1, 2, 2], 1)
    for phase in ("roll", "choice"):
        hand.until(phase)
        hand.wait(0)
        locked(hand.app.step)
        hand.press("A")


def test_text_and_numbers():
    hand = Hand()
    screen = hand.app.screen

    def draw():
        screen.text("Été 12 → žluťoučký", 3, 3)
        screen.number(205, 90, 30)

    draw()
    locked(draw)


def test_the_table_of_goats():
    hand = Hand()
    hand.start([1, 2, 2, 2], 0)
    hand.until("roll")
    hand.press("A")
    hand.until("choice")
    view = hand.app.top().view

    def draw():
        view.draw(hand.app.screen, True)
        view.draw_cursor(hand.app.screen)

    draw()
    locked(draw)
