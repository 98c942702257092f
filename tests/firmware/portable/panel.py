"""A panel that goes away during a game, as at a loose wire, and comes back."""

from firmware.app import TICK_MS
from tests.firmware.hand import Hand

PERSON, EASY = 1, 2


def loosen(hand):
    """Make the display of a hand's device one that can be away. Returns it: `away`, `asked` (how often it was asked
    for an answer meanwhile) and `starts` (how often it was set up anew)."""
    display = hand.device.display

    class Loose:
        def __init__(self):
            self.buffer = display.buffer
            self.away = False
            self.asked = self.starts = 0
            self.set_up = True

        def _answer(self):
            if self.away:
                self.asked += 1
                self.set_up = False
                raise OSError(5)

        def contrast(self, _level):
            self._answer()

        def start(self):
            self._answer()
            self.starts += 1
            self.set_up = True

        def show(self):
            self._answer()
            assert self.set_up, "a frame for a panel that was not set up"
            return display.show()

    hand.device.display = Loose()
    return hand.device.display


def test_the_game_goes_on_without_a_panel():
    """What is pressed while it is away counts, and the same frames come of it as without the fault."""
    whole, loose = Hand(), Hand()
    panel = loosen(loose)
    for hand in (whole, loose):
        hand.start([PERSON, EASY])
        hand.until("roll")
        panel.away = hand is loose
        hand.press("A")
        hand.until("choice")
        hand.press("LU")
        panel.away = False
        hand.wait(1100)
        hand.press("R")
    assert panel.asked
    assert loose.device.display.set_up
    assert loose.app.where() == ["title", "game"]
    assert loose.app.top().state == whole.app.top().state
    assert panel.buffer == whole.device.display.shown


def test_a_frame_that_was_lost_comes_without_a_change():
    hand = Hand()
    panel = loosen(hand)
    panel.away = True
    hand.app.open("about")
    hand.wait(10000)
    assert not hand.app.top().dirty
    sent = 0
    panel.away = False
    for _ in range(1000 // TICK_MS + 1):
        hand.wait(0)
        sent += hand.sent
    assert sent
    hand.press("D")
    assert panel.starts == 1


def test_it_is_asked_less_and_less_often():
    hand = Hand()
    panel = loosen(hand)
    panel.away = True
    hand.app.open("about")
    hand.wait(500)
    assert 3 < panel.asked < 7
    hand.wait(5000)
    first = panel.asked
    hand.wait(60000)
    assert 55 <= panel.asked - first <= 61
