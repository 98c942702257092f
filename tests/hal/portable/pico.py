"""What hal/pico.py must do, on a fake `machine`: wiring, interrupts, saves, buzzer, battery, what it says if unwell."""

import os
import sys
import time

import micropython

from tests.hal.fakes import machine

sys.modules["machine"] = machine
if not hasattr(time, "ticks_ms"):
    # CPython
    time.ticks_ms = lambda: time.monotonic_ns() // 1_000_000 & 0x3FFFFFFF
    time.sleep_ms = lambda ms: time.sleep(ms / 1000)

from boards import reference  # noqa: E402 (after the fake)
from hal import device, panels, pico  # noqa: E402
from hal.host import MemoryStore  # noqa: E402
from hal.keys import QUIET_MS, REPEAT_FIRST_MS  # noqa: E402

# The 32-bit MicroPython has no files of its own to save to.
PLATFORMS = ("cpython", "bytecode", "viper")
BITS = (device.UP, device.DOWN, device.LEFT, device.RIGHT, device.A, device.B)


class Board:
    """The reference kit with changes."""

    def __init__(self, **changes):
        for name in dir(reference):
            if name[0] != "_":
                setattr(self, name, getattr(reference, name))
        for name, value in changes.items():
            setattr(self, name, value)


def fresh(**changes):
    machine.reset()
    return pico.PicoDevice(Board(**changes))


def refused(call):
    """The text of the OSError that call() raises."""
    try:
        call()
    except OSError as e:
        return str(e)
    raise AssertionError("no OSError")


def presses(keys):
    out = []
    while True:
        bit = keys.next()
        if not bit:
            return out
        out.append(bit)


def test_wiring():
    d = fresh()
    assert [machine.pins[n].pull for n in reference.KEY_PINS] == [machine.Pin.PULL_UP] * 6
    assert all(machine.pins[n].hard for n in reference.KEY_PINS)
    bus = machine.buses[reference.I2C_BUS]
    assert (bus.sda, bus.scl, bus.freq) == (4, 5, 400000)
    # A frame at 100 kHz takes 93 ms, and machine.I2C gives up after 50 by itself.
    assert bus.timeout > 1026 * 9 * 10
    assert len(d.display.buffer) == 1024
    assert d.board.NAME == "reference"
    assert 0 < d.entropy() < 1 << 30
    assert machine.pins["LED"].mode == machine.Pin.OUT
    assert d.say is print


def test_keys_reach_their_bits():
    d = fresh()
    for i in range(6):
        number, bit = reference.KEY_PINS[i], BITS[i]
        machine.pins[number].drive(0)
        # B waits, as it may be held.
        assert d.keys.next() == (0 if bit == device.B else bit)
        assert d.keys.held() == bit
        machine.pins[number].drive(1)
        d.clock.sleep(QUIET_MS + 1)
        d.keys.scan()
        assert d.keys.held() == 0
        assert d.keys.next() == (bit if bit == device.B else 0)


def test_an_encoder_turns():
    d = fresh(KEY_LAYOUT="encoder", KEY_PINS=(None, None, 12, 13, 14, None), ENCODER_EDGES=4)
    assert machine.pins[12].hard and machine.pins[13].hard
    left, right = machine.pins[12], machine.pins[13]
    for first, second, bit in ((left, right, device.RIGHT), (right, left, device.LEFT)):
        first.drive(0)
        second.drive(0)
        assert d.keys.next() == 0
        first.drive(1)
        second.drive(1)
        assert d.keys.next() == bit
        assert d.keys.next() == 0
    d.keys.scan()
    machine.pins[14].drive(0)
    machine.pins[14].drive(1)
    d.clock.sleep(QUIET_MS + 1)
    d.keys.scan()
    assert d.keys.next() == device.A


def test_tap_while_interrupts_are_off():
    """A whole tap in a flash write: the pin is high again when the handler runs at last."""
    d = fresh()
    state = machine.disable_irq()
    machine.pins[14].drive(0, 1)
    assert d.keys.next() == 0
    machine.enable_irq(state)
    assert presses(d.keys) == [device.A]


def test_bounce_is_one_press():
    d = fresh()
    pin = machine.pins[15]
    for _ in range(6):
        pin.drive(0)
        pin.drive(1)
    pin.drive(0)
    d.keys.scan()
    assert d.keys.held() == device.B
    pin.drive(1)
    d.clock.sleep(QUIET_MS + 1)
    d.keys.scan()
    assert presses(d.keys) == [device.B]


def test_key_held_at_start_is_seen_but_is_no_press():
    machine.reset()
    machine.Pin(14).level = 0
    d = pico.PicoDevice(Board())
    assert d.keys.held() == device.A
    assert d.keys.next() == 0


def test_keys_that_a_kit_lacks():
    d = fresh(KEY_PINS=(None, None, None, 13, 14, 15), KEY_PRESSED=1, KEY_PULL_UP=False)
    assert 10 not in machine.pins
    assert d.keys.held() == 0


def test_repeat():
    d = fresh()
    machine.pins[13].drive(0)
    assert presses(d.keys) == [device.RIGHT]
    d.clock.sleep(REPEAT_FIRST_MS + 5)
    d.keys.scan()
    assert presses(d.keys) == [device.RIGHT]


def test_press_during_save():
    folder = "{}/cairn-saves-{}".format(os.getenv("TMPDIR") or "/tmp", fresh().entropy())
    pico.SAVES = folder
    d = fresh()
    store = d.store
    during = []
    inner = store._path

    def path(name, slot):
        # Interrupts are off in a flash write; this stands for a tap that falls into one.
        if not during:
            during.append(1)
            state = machine.disable_irq()
            machine.pins[14].drive(0, 1)
            machine.enable_irq(state)
        return inner(name, slot)

    store._path = path
    assert store.save("game", b"state")
    assert presses(d.keys) == [device.A]
    assert store.load("game") == b"state"
    assert store.message is None
    store.remove("game")
    assert store.load("game") is None
    os.rmdir(folder)


def test_buzzer():
    d = fresh()
    d.speaker.tone(440, 20)
    assert machine.tones[16] == (440, 32768)
    d.speaker.tick()
    assert machine.tones[16][1] == 32768
    d.clock.sleep(25)
    d.speaker.tick()
    assert machine.tones[16][1] == 0
    d.speaker.tone(880, 1000)
    d.speaker.tone(0, 0)
    assert machine.tones[16][1] == 0
    silent = fresh(BUZZER=None)
    silent.speaker.tone(440, 5)
    silent.speaker.tick()
    assert not machine.tones


def test_battery():
    d = fresh()
    machine.volts_u16[29] = 32768  # 1.65 V behind the divider by three
    assert 4930 <= d.power.battery_mv() <= 4960
    machine.volts_u16[29] = 65535
    assert d.power.battery_mv() == 9900
    assert fresh(BATTERY=None).power.battery_mv() == 0


def test_missing_panel_is_said_in_words():
    machine.reset()
    machine.answering.clear()
    said = refused(lambda: pico.PicoDevice(Board()))
    for word in ("0x3c", "GP4", "GP5", "nothing"):
        assert word in said, said
    machine.answering.add(0x3D)
    assert "0x3d" in refused(lambda: pico.PicoDevice(Board()))


def test_reset_line():
    """Pulsed at the start and each time that the panel is set up anew, before anything is sent; let go ever after."""
    spi = {"BUS": "spi", "SPI_BUS": 0, "SPI_SCK": 2, "SPI_MOSI": 3, "SPI_CS": 5, "SPI_DC": 6, "SPI_HZ": 8000000}
    for changes in ({}, {"DISPLAY": "sh1107"}, {"DISPLAY": "find out"}, spi):
        d = fresh(RESET=7, **changes)
        line = machine.pins[7]
        assert line.mode == machine.Pin.OUT and line.history[:2] == [0, 1] and line.level == 1
        if d.finder:
            d.display = d.finder.next()
        bus = machine.buses[0]
        sent = []
        value = line.value

        def watched(level, value=value, bus=bus, sent=sent):
            sent.append((level, bus.bytes))
            value(level)

        line.value = watched
        before = bus.bytes
        d.display.start()
        assert sent == [(0, before), (1, before)] and bus.bytes > before
        sent.clear()
        d.display.show()
        d.display.on(False)
        d.display.on(True)
        assert sent == [], "a picture must not be reset"


def test_clock():
    d = fresh()
    t = d.clock.ms()
    assert 0 <= t <= device.TICKS_MASK
    d.clock.sleep(3)
    assert 2 < d.clock.since(t) < 1000
    assert d.clock.since((d.clock.ms() + 1) & device.TICKS_MASK) > device.TICKS_MASK - 1000


def test_ctrl_c_never_leaves_interrupts_off():
    """It may come between any two lines: here it comes at each thing that is asked for with interrupts off."""
    d = fresh()
    keys = d.keys

    def interrupted(*_):
        assert machine._off
        raise KeyboardInterrupt

    asked = {"scan": "tick", "rest": "at_rest", "begin": "begin_write", "end": "end_write"}
    calls = {
        "scan": keys.scan,
        "rest": lambda: keys.rest(15),
        "begin": lambda: keys.writing(True),
        "end": lambda: keys.writing(False),
    }
    for name in asked:
        setattr(keys, asked[name], interrupted)
        try:
            calls[name]()
        except KeyboardInterrupt:
            assert not machine._off, name
        else:
            raise AssertionError(name + " was not interrupted")
        delattr(keys, asked[name])
    d = fresh()
    d.keys._contacts[3].look = interrupted
    try:
        d.keys.scan()
    except KeyboardInterrupt:
        assert not machine._off


def test_interrupts_make_no_garbage():
    """The handler of a hard interrupt must not allocate, nor what runs each tick: run them with the heap locked."""
    d = fresh()
    pin = machine.pins[13]
    handler = pin.handler
    pin.info.seen = 12
    for level in (0, 1, 0, 0, 1):
        pin.level = level
        micropython.heap_lock()
        handler(pin)
        d.keys.scan()
        d.keys.writing(True)
        d.keys.writing(False)
        micropython.heap_unlock()


def test_the_self_test_finds_keys_that_are_down_and_lines_that_touch():
    d = fresh()
    assert d.examine()[:3] == ([0x3C], 0, [])
    # Wires 11 and 12 touch; what is driven by one is seen at the other.
    machine.joined.append((11, 12))
    assert d.examine()[2] == [(11, 12)]
    assert presses(d.keys) == []
    # And nothing stays driven.
    assert [machine.pins[n].mode for n in reference.KEY_PINS] == [machine.Pin.IN] * 6
    assert [machine.pins[n].pull for n in reference.KEY_PINS] == [machine.Pin.PULL_UP] * 6
    # Pins 17 and 19 have a ground pin between them: nothing to touch.
    machine.joined.append((13, 14))
    assert d.examine()[2] == [(11, 12)]
    # A key that lies on ground is told as such; what touches it cannot be.
    machine.pins[12].drive(0)
    low, shorts = d.examine()[1:3]
    assert low == 1 << 2 and shorts == []
    machine.answering.clear()
    assert d.examine()[0] == []


def test_an_encoder_at_rest_is_no_key_that_is_down():
    """Some click with every other edge, so at every other click both lines rest closed."""
    d = fresh(KEY_LAYOUT="encoder", KEY_PINS=(None, None, 12, 13, 14, None), ENCODER_EDGES=2)
    for left, right in ((0, 0), (1, 1), (0, 1), (1, 0)):
        machine.pins[12].drive(left)
        machine.pins[13].drive(right)
        assert d.keys.held() == 0
        assert d.examine()[1:3] == (0, []), (left, right)
    # The push is one.
    machine.pins[14].drive(0)
    assert d.examine()[1] == device.A


def test_pins_side_by_side():
    from hal import probe

    assert probe.beside(2, 3) and probe.beside(14, 15) and probe.beside(26, 27)
    assert not probe.beside(1, 2) and not probe.beside(13, 14) and not probe.beside(15, 16) and not probe.beside(2, 4)


def test_the_led():
    d = fresh()
    d.led(True)
    assert machine.pins["LED"].level
    d.led(False)
    assert not machine.pins["LED"].level


def test_blinks_are_counted():
    fresh()
    machine.pins["LED"].history.clear()
    pico.blink(2)
    assert machine.pins["LED"].history == [1, 0] * 2


def test_a_panel_over_spi():
    d = fresh(
        DISPLAY="sh1107", BUS="spi", SPI_BUS=1, SPI_SCK=10, SPI_MOSI=11, SPI_CS=9, SPI_DC=8, SPI_HZ=8000000, RESET=12,
        KEY_LAYOUT="two", KEY_PINS=(None, None, None, 17, 15, None),
    )  # fmt: skip
    bus = machine.buses[1]
    assert (bus.sck, bus.mosi, bus.baudrate) == (10, 11, 8000000)
    # The reset line is pulsed, the panel selected for each write and let go after it.
    assert machine.pins[12].history[:2] == [0, 1] and machine.pins[12].level == 1
    assert machine.pins[9].history[0] == 1 and machine.pins[9].history[-2:] == [0, 1]
    before = bus.bytes
    d.display.frame.pixel(4, 5, 1)
    assert d.display.show() == 15
    assert bus.bytes - before == 3 + 8
    assert d.examine()[0] is None


def test_the_driver_is_that_of_the_board():
    from hal.sh1106 import SH1106
    from hal.sh1107 import SH1107
    from hal.ssd1306 import SSD1306
    from hal.ssd1309 import SSD1309

    for name, driver in (("ssd1306", SSD1306), ("ssd1309", SSD1309), ("sh1106", SH1106), ("sh1107", SH1107)):
        assert panels.driver(name) is driver


def found(status, kept=None, answering=(0x3C,)):
    """A board that has to find out what panel it has; `kept` is what it has saved."""
    machine.reset()
    machine.answering.clear()
    for address in answering:
        machine.answering.add(address)
    machine.status = status
    board = Board(DISPLAY="find out")
    store = MemoryStore()
    if kept is not None:
        store.save("panel", kept)
    return panels.panel(board, pico.PicoClock(), store), store


def test_a_panel_is_guessed_and_the_next_one_tried():
    for status, name in ((0x43, "ssd1306"), (0x06, "ssd1306"), (0x08, "sh1106"), (0x47, "sh1107"), (0x0F, "sh1107")):
        (_display, _, finder), _ = found(status)
        assert (finder.name(), finder.certain) == (name, False)
    # Nothing it says, or nothing known, is where the commonest one is tried.
    for status in (None, 0x01):
        (_display, _, finder), store = found(status)
        assert finder.name() == "ssd1306" and not finder.certain
    names = []
    for _ in range(4):
        finder.next()
        names.append(finder.name())
    assert names == ["sh1106", "sh1107", "ssd1309", "ssd1306"]
    finder.next()
    finder.keep()
    assert finder.certain and store.load("panel") == b"\x01"


def test_the_answer_is_kept_and_nonsense_is_not_believed():
    (_, _, finder), _ = found(0x06, kept=b"\x02")
    assert (finder.name(), finder.certain) == ("sh1107", True)
    for nonsense in (b"", b"\x04", b"\x00\x00"):
        (_, _, finder), _ = found(0x08, kept=nonsense)
        assert (finder.name(), finder.certain) == ("sh1106", False)


def test_the_other_address_is_found():
    (_, _, finder), _ = found(0x06, answering=(0x3D, 0x50))
    assert finder.address == 0x3D
    assert "0x50" in refused(lambda: found(0x06, answering=(0x50,)))


def test_usb_power_and_rest():
    d = fresh()
    machine.pins[24].level = 0
    assert not d.power.usb()
    machine.pins[24].level = 1
    assert d.power.usb()
    d.power.rest(20)
    assert machine.rests == [20]
    assert fresh(PICO="pico_w").power.usb() and "WL_GPIO2" in machine.pins


def test_keys_that_lead_to_3v3():
    """They rest low by a resistor inside the chip and are pressed high."""
    d = fresh(KEY_PRESSED=1, KEY_PULL_UP=False)
    machine.joined.append((11, 12))
    for _ in range(2):
        assert [machine.pins[n].pull for n in reference.KEY_PINS] == [machine.Pin.PULL_DOWN] * 6
        # What it drives for that it lets go again as it was.
        assert d.examine()[1:3] == (0, [(11, 12)])
    machine.joined.clear()
    assert d.keys.held() == 0 and d.examine()[1] == 0
    machine.pins[14].drive(1)
    assert d.keys.held() == device.A and presses(d.keys) == [device.A]
    machine.pins[14].drive(0)
    d.clock.sleep(QUIET_MS + 1)
    d.keys.scan()
    assert d.keys.held() == 0


def test_every_key_is_pulled_away_from_its_level():
    """By the chip or, where the board file says so, by a resistor of the board's."""
    down, up = machine.Pin.PULL_DOWN, machine.Pin.PULL_UP
    for pressed, pull_up, pull in ((0, True, up), (0, False, None), (1, False, down)):
        fresh(KEY_PRESSED=pressed, KEY_PULL_UP=pull_up)
        assert {machine.pins[n].pull for n in reference.KEY_PINS} == {pull}
    fresh(KEY_LAYOUT="encoder", KEY_PINS=(None, None, 12, 13, 14, None), ENCODER_EDGES=4, KEY_PRESSED=1, KEY_PULL_UP=False)
    assert {machine.pins[n].pull for n in (12, 13, 14)} == {down}


def test_several_keys_at_once():
    d = fresh()
    for number in (10, 13, 14):
        machine.pins[number].drive(0)
    assert d.keys.held() == device.UP | device.RIGHT | device.A
    assert sorted(presses(d.keys)) == [device.UP, device.RIGHT, device.A]
