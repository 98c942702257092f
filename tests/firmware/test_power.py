"""Power: a low battery is told once, a dim picture moves, the processor rests in the dark without USB."""

import pytest

from firmware.app import _BATTERY_MS, _DRIFT_MS
from firmware.settings import DIMMED
from hal.device import DOWN, RIGHT, UP, A
from hal.host import MemoryStore
from tests.firmware.hand import Hand


def moved(picture, by):
    """The picture `by` columns to the left, column by column."""
    out = bytearray(1024)
    for page in range(8):
        for x in range(128 - by):
            out[128 * page + x] = picture[128 * page + x + by]
    return bytes(out)


def test_a_low_battery_is_told_once():
    hand = Hand()
    power = hand.device.power
    power.plugged = False
    power.mv = hand.device.board.BATTERY_LOW_MV
    hand.wait(2 * _BATTERY_MS)
    assert hand.app.where() == ["title"]
    power.mv -= 1
    hand.wait(_BATTERY_MS + 100)
    assert hand.app.where() == ["title", "message"]
    hand.press("A")
    hand.press("A")
    # It is still low, or swings about the border: no second word.
    for mv in (-1, 50, -1, 0):
        power.mv = hand.device.board.BATTERY_LOW_MV + mv
        hand.wait(_BATTERY_MS + 100)
        assert "message" not in hand.app.where(), mv
    # Charged and emptied again, it is told again.
    power.plugged = True
    hand.wait(_BATTERY_MS + 100)
    power.plugged = False
    power.mv -= 100
    hand.wait(_BATTERY_MS + 100)
    assert hand.app.where()[-1] == "message"


def test_no_battery_or_usb_says_nothing():
    for mv, plugged in ((0, False), (3000, True), (4500, False)):
        hand = Hand()
        hand.device.power.mv = mv
        hand.device.power.plugged = plugged
        hand.wait(3 * _BATTERY_MS)
        assert hand.app.where() == ["title"]


def test_a_low_battery_keeps_the_statistics():
    store = MemoryStore()
    hand = Hand(store=store)
    kept = []
    hand.app.statistics.keep = lambda: kept.append(0)
    hand.device.power.plugged = False
    hand.device.power.mv = 3000
    hand.wait(_BATTERY_MS + 100)
    assert kept


def test_a_dim_picture_moves_and_a_press_puts_it_back():
    hand = Hand()
    display = hand.device.display
    picture = bytes(display.shown)
    seen = set()
    for _ in range(5 * _DRIFT_MS // 1000):
        hand.wait(1000)
        if display.lit:
            seen.add(bytes(display.shown))
    assert seen <= {moved(picture, by) for by in range(4)} and len(seen) > 1
    hand.press(".")
    hand.press("U")
    hand.wait(0)
    assert bytes(display.shown) == picture


def test_in_the_dark_it_rests_unless_usb_gives_power():
    for plugged in (True, False):
        hand = Hand()
        hand.device.power.plugged = plugged
        for _ in range(20000):
            hand.app.turn()
        assert not hand.device.display.lit
        assert (hand.device.power.rested > 0) == (not plugged)
        # And a key wakes it.
        hand.press("A")
        hand.wait(0)
        assert hand.device.display.lit


def stuck(keys, ms=400000):
    """A hand on the set-up with keys that are down for so long."""
    hand = Hand()
    hand.press("A.")
    for key in keys:
        hand.device.keys.press(key)
    hand.wait(ms)
    return hand


@pytest.mark.parametrize("keys", [(UP,), (RIGHT,), (A,), (UP, A)])
def test_a_key_that_is_stuck_does_not_keep_the_panel_lit(keys):
    hand = stuck(keys)
    display, device = hand.device.display, hand.device
    assert not display.lit
    # Nor does its repeat click in the dark.
    count = device.speaker.count
    hand.wait(10000)
    assert device.speaker.count == count
    # Another key wakes it, the next press does something, and it goes dark again.
    where = list(hand.app.where())
    for _ in range(2):
        device.keys.press(DOWN)
        hand.wait(99)
        assert display.lit and hand.app.where() == where
        device.keys.release(DOWN)
        hand.wait(99)
    assert display.level > DIMMED
    hand.press("B")
    assert hand.app.where() == where[:-1]
    hand.wait(400000)
    assert not display.lit
    # Let go, it is a key again.
    for key in keys:
        device.keys.release(key)
    hand.wait(99)
    device.keys.press(keys[0])
    hand.wait(0)
    assert display.lit


def test_a_key_that_is_held_for_a_while_is_use():
    hand = stuck((UP,), 25000)
    assert hand.app._idle < 100
    count = hand.device.speaker.count
    hand.wait(1000)
    assert hand.device.speaker.count > count


def test_lit_it_does_not_rest():
    hand = Hand()
    hand.device.power.plugged = False
    for _ in range(300):
        hand.app.turn()
    assert hand.device.power.rested == 0
