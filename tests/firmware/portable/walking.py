"""A walk through a whole game: its screens equal the golden ones, and every frame on the way is the same on every platform."""

from tests.firmware.hand import pbm
from tests.firmware.walk import seats, walk

GOLDEN = "tests/firmware/golden/"
# They take ten times as long as the others.
SLOW = ("cpython", "webassembly")


def test_screens_of_the_walk():
    wrong = []
    for name, shown in walk():
        if name:
            with open(GOLDEN + name + ".pbm", "rb") as f:
                if pbm(shown) != f.read():
                    wrong.append(name)
        else:
            with open(GOLDEN + "frames.txt") as f:
                expected = f.read()
            digest = "{:08x} {}\n".format(*shown)
            if digest != expected:
                wrong.append("some frame: " + digest.strip() + " for " + expected.strip())
    assert not wrong, wrong


def test_screens_by_seats():
    for count, options in ((3, 1), (4, 0)):
        name, shown = seats(count, options)
        with open(GOLDEN + name + ".pbm", "rb") as f:
            assert pbm(shown) == f.read(), name
