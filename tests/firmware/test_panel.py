"""The question for the panel's controller: no goes round, yes is kept, and the picture goes to the new display."""

from hal.host import HostDisplay
from tests.firmware.hand import Hand


class Finder:
    def __init__(self):
        self.certain = False
        self.which = 0
        self.kept = 0

    def name(self):
        return ("ssd1306", "sh1106", "sh1107")[self.which]

    def next(self):
        self.which = (self.which + 1) % 3
        return HostDisplay(128, 64)

    def keep(self):
        self.certain = True
        self.kept += 1


def asked():
    hand = Hand()
    hand.device.finder = Finder()
    return hand


def test_no_goes_on_to_the_next_panel_and_yes_keeps_it():
    hand = asked()
    hand.app.open("panel")
    hand.wait(0)
    first = hand.device.display
    picture = bytes(first.shown)
    assert picture[0] == 255 and any(picture)
    hand.press("B")
    second = hand.device.display
    assert second is not first and hand.device.finder.which == 1
    assert any(second.shown) and bytes(second.shown) != picture
    hand.press("BB")
    assert hand.device.finder.which == 0
    assert bytes(hand.device.display.shown) == picture
    hand.press("A")
    assert hand.device.finder.kept == 1
    assert hand.app.where() == ["title"]
    # The title is on the display that was chosen.
    assert bytes(hand.device.display.shown) not in (picture, bytes(1024))


def test_the_self_test_leads_here_when_the_frame_is_not_whole():
    hand = asked()
    hand.app.open("selftest")
    hand.press("B")
    assert hand.app.where() == ["title", "panel"]


def test_other_keys_do_nothing():
    hand = asked()
    hand.app.open("panel")
    hand.press("UDLR")
    assert hand.app.where() == ["title", "panel"] and hand.device.finder.which == 0
