"""Spans of a frame: the list and its cost against a plain count, and a driver that makes no garbage."""

import gc

import micropython

from games.rng import Rng
from hal import spans
from hal.bus import I2CBus, SPIBus
from hal.sh1106 import SH1106
from hal.sh1107 import SH1107
from hal.ssd1306 import SSD1306
from hal.ssd1309 import SSD1309

WIDTH = 128
HEIGHT = 64
FRAMES = 150


class Bus:
    """Takes everything, by I2C and by SPI; a pin of it too."""

    def __init__(self):
        self.bytes = 0

    def writeto(self, _address, data):
        self.bytes += 1 + len(data)

    def write(self, data):
        self.bytes += len(data)

    def value(self, _level):
        pass


def scatter(frame, rng):
    """Changes of every size: a few bytes here and there, a run, sometimes the whole frame."""
    kind = rng.below(12)
    if kind == 0:
        for i in range(len(frame)):
            frame[i] = rng.below(256)
        return
    for _ in range(rng.below(4 * kind)):
        at = rng.below(len(frame) - 30)
        for i in range(1 + rng.below(2 * kind)):
            frame[at + i] = rng.below(256)


def plain(now, shown):
    """(cost, spans) by looking at one column after the other."""
    found = []
    for page in range(HEIGHT // 8):
        row = page * WIDTH
        changed = [x for x in range(WIDTH) if now[row + x] != shown[row + x]]
        runs = []
        for x in changed:
            if runs and x - runs[-1][1] <= 8:
                runs[-1][1] = x
            else:
                runs.append([x, x])
        for a, b in runs:
            n = b - a + 1
            while n % 4:
                n += 1
            found.append((page, min(a, WIDTH - n), n))
    cost = 0
    for span in found:
        cost += 7 + span[2]
    if cost >= len(now) + 16:
        return len(now) + 16, []
    return cost, found


def test_spans_are_what_changed():
    rng = Rng(12)
    now = bytearray(WIDTH * HEIGHT // 8)
    shown = bytearray(len(now))
    table = spans.room(WIDTH, HEIGHT)
    for _ in range(FRAMES):
        scatter(now, rng)
        expected = plain(now, shown)
        cost = spans.changed(now, shown, table)
        found = []
        at = 2
        while table[at] != 255:
            found.append((table[at], table[at + 1], table[at + 2]))
            at += 3
        assert (cost, found) == expected
        assert shown == now
        assert spans.changed(now, shown, table) == 0


def driver_makes_no_garbage(driver, spi):
    bus = Bus()
    display = driver(SPIBus(bus, bus, bus) if spi else I2CBus(bus, 0x3C), WIDTH, HEIGHT)
    frame = display.frame

    def work(n):
        while n:
            frame.fill_rect(n % 100, n % 50, 12, 12, n & 1)
            frame.pixel(5, 3, n & 1)
            if n % 50 == 0:
                frame.fill(n // 50 & 1)
            display.show()
            display.show()
            display.contrast(n & 255)
            display.turn(n & 64)
            display.on(n & 1)
            n -= 1

    work(2)
    gc.collect()
    micropython.heap_lock()
    work(300)
    micropython.heap_unlock()
    assert bus.bytes > 10000


def test_drivers_make_no_garbage():
    for driver in (SSD1306, SSD1309, SH1106, SH1107):
        driver_makes_no_garbage(driver, False)
        driver_makes_no_garbage(driver, True)
