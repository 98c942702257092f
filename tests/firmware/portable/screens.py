"""Screens equal the golden ones."""

from tests.firmware.console import console
from tests.firmware.pictures import compare
from tests.firmware.shell import shell
from tests.firmware.walk import seats, walk


def up_to(last, pictures):
    for name, shown in pictures:
        yield name, shown
        if name == last:
            return


def test_screens_of_the_walk_up_to_the_pause():
    """tests/firmware/portable/walking.py goes on to the end."""
    compare(up_to("pause", walk()))


def test_screens_of_the_console():
    compare(console())


def test_screens_around_a_game():
    compare(shell())


def test_screens_by_seats():
    compare([seats(2, 0)])
    compare([seats(5, 1)])
