"""Tables of games equal the golden ones, movements are the same on every platform, and drawing allocates nothing."""

import gc
import sys

import micropython

from tests.firmware import tables
from tests.firmware.hand import pbm

GOLDEN = "tests/firmware/golden/tables/"


def compare(game, pictures):
    wrong = []
    for name, shown in pictures:
        if name:
            with open(GOLDEN + name + ".pbm", "rb") as f:
                if pbm(shown) != f.read():
                    wrong.append(name)
        else:
            with open(GOLDEN + game + ".txt") as f:
                expected = f.read()
            digest = "{:08x} {}\n".format(*shown)
            if digest != expected:
                wrong.append("some frame: " + digest.strip() + " for " + expected.strip())
    assert not wrong, wrong


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
        compare(game, pictures())


def test_horses_draw_without_garbage():
    draws_without_garbage(tables.Table(tables.horses, tables.horses_view, 4, 0, 3))


def test_kings_draw_without_garbage():
    draws_without_garbage(tables.Table(tables.kings, tables.kings_view, 4, 0, 3))


def test_goblins_draw_without_garbage():
    draws_without_garbage(tables.Table(tables.goblins, tables.goblins_view, 4, 1, 3))
