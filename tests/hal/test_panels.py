"""Panels: what the glass of each controller's model shows is the frame, whatever was drawn and whatever went wrong."""

import random

import pytest

from hal import spans
from hal.bus import I2CBus, SPIBus
from hal.host import HostDisplay
from hal.sh1106 import SH1106
from hal.sh1107 import SH1107
from hal.ssd1306 import SSD1306
from hal.ssd1309 import SSD1309
from tools.emulator.panel import COLUMNS, Panel
from tools.emulator.panels import MODELS

ADDRESS = 0x3C
# Width, height, first column of the glass.
SIZES = [(128, 64, 0), (128, 32, 0), (64, 48, 32), (72, 40, 28), (120, 16, 8)]
DRIVERS = {"ssd1306": SSD1306, "ssd1309": SSD1309, "sh1106": SH1106, "sh1107": SH1107}
# Controller, width, height, first column of the glass.
GLASSES = [("ssd1306", *size) for size in SIZES]
GLASSES += [("ssd1309", 128, 64, 0), ("sh1106", 128, 64, 2), ("sh1106", 128, 64, 0), ("sh1107", 128, 64, 0)]


class Bus:
    """An I2C bus with a panel on it. Counts bytes with the address; `fails` at the n-th write from now on."""

    def __init__(self, panel):
        self.panel = panel
        self.bytes = 0
        self.writes = 0
        self.fail_in = None

    def writeto(self, address, data):
        if self.fail_in is not None:
            self.fail_in -= 1
            if self.fail_in < 0:
                raise OSError(5)
        assert address == ADDRESS
        self.writes += 1
        self.bytes += 1 + len(data)
        self.panel.begin()
        for byte in data:
            self.panel.write(byte)


class Spi(Bus):
    """The same by SPI. It is its own line D/C; `selected` that of the chip select."""

    def __init__(self, panel):
        super().__init__(panel)
        self.level = None
        self.selected = Select()

    def value(self, level):
        self.level = level

    def write(self, data):
        assert self.selected.level == 0
        # To the model the line says what the control byte says; both count alike.
        self.writeto(ADDRESS, bytes((0x40 if self.level else 0x00,)) + bytes(data))


class Select:
    def value(self, level):
        self.level = level


def wire(width=128, height=64, offset=0, turned=False, controller="ssd1306", spi=False):
    panel = MODELS[controller](width, height, offset)
    line = Spi(panel) if spi else Bus(panel)
    bus = SPIBus(line, line.selected, line) if spi else I2CBus(line, ADDRESS)
    return DRIVERS[controller](bus, width, height, offset, turned), panel, line


def turned(picture, width, height):
    """The picture upside down, pixel by pixel."""
    out = bytearray(len(picture))
    for y in range(height):
        for x in range(width):
            if picture[y // 8 * width + x] >> y % 8 & 1:
                v = height - 1 - y
                out[v // 8 * width + width - 1 - x] |= 1 << v % 8
    return bytes(out)


def scribble(display, rng):
    """One random change of a frame, from a pixel to everything; often none."""
    kind = rng.randrange(9)
    frame, width, height = display.frame, display.width, display.height
    if kind == 0:
        frame.pixel(rng.randrange(width), rng.randrange(height), rng.randrange(2))
    elif kind < 3:
        frame.fill_rect(
            rng.randrange(-8, width), rng.randrange(-8, height), rng.randrange(1, 40), rng.randrange(1, 20), kind - 1
        )
    elif kind == 3:
        frame.hline(0, rng.randrange(height), width, rng.randrange(2))
    elif kind == 4:
        frame.vline(rng.randrange(width), 0, height, rng.randrange(2))
    elif kind == 5:
        display.buffer[rng.randrange(len(display.buffer))] = rng.randrange(256)
    elif kind == 6:
        for _ in range(rng.randrange(1, 60)):
            display.buffer[rng.randrange(len(display.buffer))] ^= 1 << rng.randrange(8)
    elif kind == 7 and rng.randrange(8) == 0:
        display.buffer[:] = rng.randbytes(len(display.buffer))


@pytest.mark.parametrize("spi", [False, True])
@pytest.mark.parametrize("mounted", [False, True])
@pytest.mark.parametrize(("controller", "width", "height", "offset"), GLASSES)
def test_glass_shows_the_frame(controller, width, height, offset, mounted, spi):
    display, panel, bus = wire(width, height, offset, mounted, controller, spi)
    rng = random.Random(width * height + mounted)
    upside_down = False
    for turn in range(400):
        if turn % 100 == 99:
            upside_down = not upside_down
            display.turn(upside_down)
        scribble(display, rng)
        before = bus.bytes
        sent = display.show()
        assert sent == bus.bytes - before
        expected = bytes(display.buffer)
        if mounted != upside_down:
            expected = turned(expected, width, height)
        assert panel.picture() == expected
    assert not panel.faults


@pytest.mark.parametrize("controller", MODELS)
def test_nothing_is_lit_before_the_first_frame(controller):
    """The memory is noise after power-on, and nobody must see it."""
    panel = MODELS[controller]()
    seen = []

    class Watched(Bus):
        def writeto(self, address, data):
            super().writeto(address, data)
            seen.append(panel.picture())

    display = DRIVERS[controller](I2CBus(Watched(panel), ADDRESS), 128, 64)
    assert panel.lit and set(seen) == {bytes(1024)}
    display.frame.fill(1)
    display.show()
    assert panel.picture() == b"\xff" * 1024


def plain_cost(now, shown, width, height):
    """What the changes cost by another road: columns with a change, closed over gaps, page by page."""
    total = 0
    for page in range(height // 8):
        changed = [x for x in range(width) if now[page * width + x] != shown[page * width + x]]
        runs = []
        for x in changed:
            if runs and x - runs[-1][1] - 1 <= 7:
                runs[-1][1] = x
            else:
                runs.append([x, x])
        total += sum(7 + -(-(b - a + 1) // 4) * 4 for a, b in runs)
    return min(total, width * height // 8 + 16)


def test_cost_is_what_an_independent_count_says():
    display, _, _ = wire()
    host = HostDisplay(128, 64)
    rng = random.Random(3)
    shown = bytes(1024)
    for _ in range(3000):
        scribble(display, rng)
        host.buffer[:] = display.buffer
        expected = plain_cost(display.buffer, shown, 128, 64)
        shown = bytes(display.buffer)
        assert display.show() == expected
        assert host.show() == expected, "the host device must count as the Pico sends"


def test_cost_of_typical_changes():
    display, _, bus = wire()
    assert display.show() == 0
    display.frame.pixel(64, 20, 1)
    assert display.show() == 11
    display.frame.fill_rect(40, 16, 12, 16, 1)  # a cursor of 12 by 16
    assert display.show() == 2 * (7 + 12)
    before = bus.writes
    display.frame.fill(1)
    assert display.show() == 1024 + 16
    assert bus.writes - before == 3


@pytest.mark.parametrize("width", [64, 72, 120, 128])
def test_list_of_spans_never_outgrows_its_room(width):
    """The worst frames: single columns as far apart as keeps them apart."""
    for height in (16, 64):
        for step in range(1, 14):
            now = bytearray(width * height // 8)
            shown = bytearray(len(now))
            table = spans.room(width, height)
            room = len(table)
            now[::step] = b"\x01" * len(now[::step])
            table += b"\xaa" * 600
            spans.changed(now, shown, table)
            end = table.index(255, 2)
            assert end < room and set(table[room:]) == {0xAA}
            assert shown == now


@pytest.mark.parametrize("controller", MODELS)
def test_contrast_never_looks_dead(controller):
    display, panel, _ = wire(controller=controller)
    levels = []
    for level in range(256):
        display.contrast(level)
        levels.append(panel.contrast)
    assert levels[0] >= 16 and levels[-1] == 255 and levels == sorted(levels)


@pytest.mark.parametrize("controller", MODELS)
def test_sleep_keeps_the_picture(controller):
    display, panel, _ = wire(controller=controller)
    display.frame.fill_rect(3, 3, 50, 20, 1)
    display.show()
    display.on(False)
    assert not panel.lit
    display.on(True)
    assert panel.picture() == bytes(display.buffer)


@pytest.mark.parametrize("controller", MODELS)
def test_every_failing_write_is_made_good(controller):
    """A loose wire at each write in turn: OSError, and the next show() that gets through shows the frame."""
    for fault in range(8):
        display, panel, bus = wire(controller=controller)
        rng = random.Random(fault)
        failed = 0
        for _ in range(120):
            scribble(display, rng)
            bus.fail_in = fault if rng.randrange(3) == 0 else None
            try:
                display.show()
            except OSError:
                failed += 1
                bus.fail_in = None
                display.show()
            assert panel.picture() == bytes(display.buffer)
        assert failed or fault > 2


@pytest.mark.parametrize("controller", MODELS)
def test_panel_that_lost_power_comes_back(controller):
    display, panel, _ = wire(controller=controller)
    display.frame.fill_rect(10, 10, 90, 30, 1)
    display.show()
    display.contrast(77)
    display.turn(True)
    contrast = panel.contrast
    panel.power_on()
    display.start()
    assert panel.lit
    assert panel.contrast == contrast
    assert panel.picture() == turned(bytes(display.buffer), 128, 64)


def test_missing_panel_is_an_oserror():
    bus = Bus(Panel())
    bus.fail_in = 0
    with pytest.raises(OSError, match="5"):
        SSD1306(I2CBus(bus, ADDRESS), 128, 64)


def test_row_wiring_goes_by_height():
    """Wrong wiring leaves every second row dark, in the model as on the glass."""
    for width, height, offset in SIZES:
        display, panel, _ = wire(width, height, offset)
        display.frame.fill(1)
        display.show()
        assert panel.picture() == b"\xff" * (width * height // 8)
        panel.com_pins ^= 0x10
        assert panel.picture() == b"\x55" * (width * height // 8)


def test_model_keeps_the_addressing_modes_of_the_data_sheet():
    """10.1.3, figures 10-1 to 10-5: how the pointers run, by an independent list of places."""

    def order(mode, first_column, last_column, first_page, last_page):
        if mode == 1:
            return [(p, c) for c in range(first_column, last_column + 1) for p in range(first_page, last_page + 1)]
        return [(p, c) for p in range(first_page, last_page + 1) for c in range(first_column, last_column + 1)]

    for mode in (0, 1):
        panel = Panel()
        panel.begin()
        for byte in (0x00, 0x20, mode, 0x21, 5, 9, 0x22, 2, 4):
            panel.write(byte)
        places = order(mode, 5, 9, 2, 4)
        panel.begin()
        for byte in (0x40, *range(100, 100 + len(places)), 7):
            panel.write(byte)
        # One more than the window holds comes back to its first place.
        expected = dict(zip(places, range(100, 115), strict=True)) | {places[0]: 7}
        assert {place: panel.memory[place[0]][place[1]] for place in places} == expected
    panel = Panel()
    panel.begin()
    # Page mode stays in its page. Control bytes may come before every byte (8.1.5.2).
    for byte in (0x80, 0xB3, 0x80, 0x0E, 0x80, 0x17, 0x40, 1, 2, 3):
        panel.write(byte)
    assert panel.memory[3][COLUMNS - 2 :] + panel.memory[3][:1] == b"\x01\x02\x03"
    assert not panel.faults
    panel.begin()
    for byte in (0x00, 0xE5):
        panel.write(byte)
    assert panel.faults == ["command 0xe5"]


def test_an_sh1106_taken_for_an_ssd1306_shows_noise_at_its_edge():
    """What people report: the picture two pixels off, with a bar of what was in the memory."""
    panel = MODELS["sh1106"](128, 64, 2)
    display = SSD1306(I2CBus(Bus(panel), ADDRESS), 128, 64)
    panel.pump = True
    display.frame.fill(1)
    display.show()
    assert panel.picture() != bytes(display.buffer) and panel.faults


def test_models_refuse_the_commands_of_others():
    for controller, model in MODELS.items():
        for other, driver in DRIVERS.items():
            panel = model(128, 64, 0)
            display = driver(I2CBus(Bus(panel), ADDRESS), 128, 64)
            display.frame.fill_rect(3, 5, 30, 40, 1)
            display.show()
            right = panel.picture() == bytes(display.buffer) and not panel.faults
            assert right == (controller == other), (controller, other)


def test_what_a_whole_frame_costs():
    """Bytes on the bus; an SH1106 has no horizontal mode, an SH1107 is sent in blocks of 8x8."""
    costs = {}
    for controller in MODELS:
        display, _, bus = wire(controller=controller)
        before = bus.bytes
        display.frame.fill(1)
        costs[controller] = display.show()
        assert bus.bytes - before == costs[controller]
    assert costs == {"ssd1306": 1040, "ssd1309": 1040, "sh1106": 8 * 135, "sh1107": 128 * 15}
