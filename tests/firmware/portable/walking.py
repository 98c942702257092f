"""A walk through a whole game: its screens equal the golden ones, and every frame on the way is the same on every platform."""

from tests.firmware.pictures import compare
from tests.firmware.walk import seats, walk

# They take ten times as long as the others.
SLOW = ("cpython", "webassembly")


def test_screens_of_the_walk():
    compare(walk())


def test_screens_by_seats():
    compare([seats(3, 1)])
    compare([seats(4, 0)])
