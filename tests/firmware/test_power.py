"""Power: a low battery is told once, a dim picture moves, the processor rests in the dark without USB."""

from firmware.app import _BATTERY_MS, _DRIFT_MS
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


def test_lit_it_does_not_rest():
    hand = Hand()
    hand.device.power.plugged = False
    for _ in range(300):
        hand.app.turn()
    assert hand.device.power.rested == 0
