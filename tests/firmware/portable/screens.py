"""Screens equal the golden ones, and every frame on the way to them is the same on every platform."""

from tests.firmware.console import console
from tests.firmware.hand import pbm
from tests.firmware.shell import shell
from tests.firmware.walk import seats, walk

GOLDEN = "tests/firmware/golden/"


def golden(name):
    with open(GOLDEN + name + ".pbm", "rb") as f:
        return f.read()


def test_screens_of_the_walk():
    wrong = []
    for name, shown in walk():
        if name:
            if pbm(shown) != golden(name):
                wrong.append(name)
        else:
            with open(GOLDEN + "frames.txt") as f:
                expected = f.read()
            digest = "{:08x} {}\n".format(*shown)
            if digest != expected:
                wrong.append("some frame: " + digest.strip() + " for " + expected.strip())
    assert not wrong, wrong


def test_screens_of_the_console():
    wrong = []
    for name, shown in console():
        if pbm(shown) != golden(name):
            wrong.append(name)
    assert not wrong, wrong


def test_screens_around_a_game():
    wrong = []
    for name, shown in shell():
        if pbm(shown) != golden(name):
            wrong.append(name)
    assert not wrong, wrong


def test_screens_by_seats():
    for count, options in ((2, 0), (3, 1), (4, 0), (5, 1)):
        name, shown = seats(count, options)
        assert pbm(shown) == golden(name), name
