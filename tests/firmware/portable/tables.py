"""Tables of games equal the golden ones, movements are the same on every platform, and drawing allocates nothing."""

import gc
import sys

import micropython

from tests.firmware import tables
from tests.firmware.pictures import compare


def draws_without_garbage(table):
    """Its choices and movements with the heap locked: an allocation is a MemoryError."""
    # CPython has no heap of its own, the 32-bit MicroPython of the browser no heap_lock().
    if sys.implementation.name != "micropython" or not hasattr(micropython, "heap_lock"):
        return

    def draw():
        view.draw(table.screen, choosing)
        if choosing:
            view.draw_cursor(table.screen)

    view = table.view
    for _ in range(40):
        choosing = table.state[2] < 4
        if choosing:
            table.choice()
        gc.collect()
        micropython.heap_lock()
        try:
            draw()
        finally:
            micropython.heap_unlock()
        table.ply()


def test_pictures_and_movements():
    for game, pictures in tables.GAMES:
        compare(((name and "tables/" + name, shown) for name, shown in pictures()), "tables/" + game)


def test_horses_draw_without_garbage():
    draws_without_garbage(tables.Table(tables.horses, tables.horses_view, 4, 0, 3))


def test_kings_draw_without_garbage():
    draws_without_garbage(tables.Table(tables.kings, tables.kings_view, 4, 0, 3))


def test_goblins_draw_without_garbage():
    draws_without_garbage(tables.Table(tables.goblins, tables.goblins_view, 4, 1, 3))
