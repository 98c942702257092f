"""The scenes of the console that need more than memory: help read from files, settings kept."""

from firmware import modules, settings
from tests.firmware.hand import Hand


def test_help_is_read_page_by_page():
    hand = Hand()
    for game in modules.GAMES:
        hand.app.open("help", game)
        hand.press(".")
        first = bytes(hand.device.display.shown)
        pages = len(hand.app.top()._pages)
        assert 5 <= pages <= 9
        seen = set()
        for _ in range(pages):
            seen.add(bytes(hand.device.display.shown))
            hand.press("R")
        assert len(seen) == pages
        assert hand.device.display.shown == first
        hand.press("B.")


def test_settings_and_statistics_are_kept():
    hand = Hand()
    hand.app.open("settings")
    hand.press("DADA")
    values = bytes(hand.app.settings.values)
    hand.press("B.")
    hand.app.statistics.ended("goats", bytearray((1, 2)), 1)
    again = Hand(store=hand.device.store)
    assert again.app.settings.values == values
    assert values != settings.Settings(Hand().device.store).values
    assert again.app.statistics.games("goats", 0) == (1, 1, 0)
    again.app.open("statistics")
    for _ in range(again.app.top()._last()):
        again.press("R")
    assert again.scene() == "statistics"


def test_the_key_test():
    hand = Hand(layout="encoder")
    hand.app.open("keytest")
    hand.press("LRAb.")
    assert hand.app.where() == ["title"]
