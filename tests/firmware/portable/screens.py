"""Screens equal the golden ones."""

from tests.firmware.console import console
from tests.firmware.hand import pbm
from tests.firmware.shell import shell
from tests.firmware.walk import seats, walk

GOLDEN = "tests/firmware/golden/"


def golden(name):
    with open(GOLDEN + name + ".pbm", "rb") as f:
        return f.read()


def test_screens_of_the_walk_up_to_the_pause():
    """tests/firmware/portable/walking.py goes on to the end."""
    wrong = []
    for name, shown in walk():
        if pbm(shown) != golden(name):
            wrong.append(name)
        if name == "pause":
            break
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
    for count, options in ((2, 0), (5, 1)):
        name, shown = seats(count, options)
        assert pbm(shown) == golden(name), name
