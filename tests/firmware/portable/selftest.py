"""The self-test on the Pico's device, with keys that are pressed for as long as people press them."""

import sys

from tests.hal.fakes import machine
from tests.hal.fakes.clock import Time

sys.modules["machine"] = machine

from boards import classroom_three, classroom_two, encoder, reference  # noqa: E402 (after the fake)
from firmware.app import TICK_MS, App  # noqa: E402
from firmware.scenes import selftest  # noqa: E402
from hal import pico  # noqa: E402
from hal.host import MemoryStore  # noqa: E402

# The 32-bit MicroPython has no files, of which the free ones are counted.
PLATFORMS = ("cpython", "bytecode", "viper")
TURN = TICK_MS + 1
# Steps, of which a compiled module keeps no names.
LED, LET_GO, RESULT = 3, 4, 5
NAMES = ("UP", "DOWN", "LEFT", "RIGHT", "A", "B")


class Person:
    """Somebody who does the self-test of a board; `press_ms`: how long a key is down."""

    def __init__(self, board, press_ms):
        machine.reset()
        machine.volts_u16[29] = 30000
        pico.time = self._time = Time()
        device = pico.PicoDevice(board)
        device.store = MemoryStore()
        self._device = device
        self._press_ms = press_ms
        self.pins = {}
        for name, number in zip(NAMES, board.KEY_PINS):
            if number is not None:
                self.pins[name] = machine.pins[number]
        self.app = App(device, "en", 1)
        self.app.open("selftest")
        self.wait(TURN)

    def wait(self, ms):
        while ms > 0:
            self.app.step()
            self._time.now += TURN
            ms -= TURN

    def press(self, name, ms=0):
        """A press, or a turn of an encoder by a click."""
        pins = self.pins
        if self._device.keys.layout == "encoder" and name != "A":
            first, second = (pins["LEFT"], pins["RIGHT"]) if name == "RIGHT" else (pins["RIGHT"], pins["LEFT"])
            for pin, level in ((first, 0), (second, 0), (first, 1), (second, 1)):
                pin.drive(level)
        else:
            pins[name].drive(0)
            self.wait(ms or self._press_ms)
            pins[name].drive(1)
        self.wait(2 * TURN)

    def test(self):
        """All of it, answered with A; the scene at its result."""
        scene = self.app.top()
        self.press("A")
        for name in self.pins:
            self.press(name)
        if "B" not in self.pins:
            self.press("A", 700)
        while scene._step < LET_GO:
            self.press("A")
        self.wait(TURN)
        return scene


def test_a_good_board_passes_however_long_its_keys_are_pressed():
    for board in (reference, classroom_three, classroom_two, encoder):
        for press_ms in (TURN, 99, 400):
            scene = Person(board, press_ms).test()
            assert scene._step == RESULT
            # How much memory is free depends on the PC.
            code = scene.code & ~selftest.BAD_MEMORY
            assert code == 0, (board.NAME, press_ms, code, scene._lines)


def test_a_key_that_is_not_let_go_is_told_in_the_end():
    for name in ("UP", "B"):
        person = Person(reference, 99)
        scene = person.app.top()
        scene._step = LED
        person.pins[name].drive(0)
        person.wait(TURN)
        person.press("A")
        assert scene._step == LET_GO and not scene.code
        # It waits for that, and keys change nothing.
        person.press("A")
        assert scene._step == LET_GO and not scene.code
        person.wait(10000)
        if name == "UP":
            assert scene._step == RESULT and scene.code & selftest.BAD_WIRES
            assert scene._lines[2] == "UP is always down"
        else:
            # Held for a second it leads out.
            assert person.app.where() == ["title"]
