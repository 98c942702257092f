"""What the board runs: how it starts, ends and goes on after a fault."""

import os
import sys

from tests.hal.fakes import machine
from tests.hal.fakes.clock import Time

sys.modules["machine"] = machine

import boards  # noqa: E402 (after the fake)
from boards import reference  # noqa: E402

# What an image has built in.
boards.built = reference

from firmware import crash  # noqa: E402 (after the fake)
from firmware import main as main_module  # noqa: E402
from firmware.settings import Settings  # noqa: E402
from firmware.app import App  # noqa: E402
from hal import pico  # noqa: E402
from hal.device import RIGHT, UP, A, B  # noqa: E402
from hal.host import HostDevice, ManualClock  # noqa: E402

# The browser starts elsewhere.
PLATFORMS = ("cpython", "bytecode", "viper")

printed = []
blinked = []


def print_exception(fault, file=None):
    """sys.print_exception for CPython, which has none."""
    if file is None:
        printed.append(fault)
    else:
        file.write(repr(fault).encode())


def run(faults, held=0, ms=5000, tone=0, layout=None, file="crash-test.txt", fresh=False, spoil=None):
    """main() where each turn of the loop lasts `ms` and then raises the next of `faults`, while a tone of `tone` Hz
    sounds and after spoil(device); returns the apps."""
    device = HostDevice(clock=ManualClock(), layout=layout)
    device.keys.press(held)
    # The panel's power-on delay, in which a contact comes to rest.
    device.keys.scan()
    device.clock.sleep(100)
    device.keys.forget()
    apps = []
    if not fresh:
        Settings(device.store).save(device.store)

    class Faulty(App):
        def run(self):
            apps.append(self)
            self.step()
            device.speaker.tone(tone, 2 * ms)
            device.clock.sleep(ms)
            if spoil:
                spoil(device)
            raise faults.pop(0)

    printed.clear()
    blinked.clear()
    crash.FILE = file
    main_module.App = Faulty
    main_module.PicoDevice = lambda: device
    main_module.blink = blinked.append
    kept = getattr(sys, "print_exception", None)
    if kept is None:
        sys.print_exception = print_exception
    try:
        main_module.main()
    finally:
        main_module.App = App
        if kept is None:
            del sys.print_exception
    return apps


def crash_file():
    """The crash file, which goes."""
    with open(crash.FILE, "rb") as file:
        text = file.read()
    os.remove(crash.FILE)
    return text


def test_ctrl_c_ends_it_and_its_tone():
    apps = run([KeyboardInterrupt()], tone=440)
    assert [app.where() for app in apps] == [["title"]]
    assert apps[0].device.speaker.hz == 0


def test_a_fault_is_shown_and_kept_and_any_key_leads_on():
    for key in (A, B, UP, RIGHT):
        apps = run([ValueError("no such step"), KeyboardInterrupt()])
        assert [app.where()[-1] for app in apps] == ["title", "crash"]
        assert apps[1].top()._lines == ["ValueError: no such step"]
        assert b"no such step" in crash_file()
        app = apps[1]
        app.device.keys.tap(key)
        app.step()
        assert app.where() == ["title"]


def test_the_crash_file_is_bounded():
    run([ValueError("long " * 2000), KeyboardInterrupt()])
    text = crash_file()
    assert len(text) == 2000 and b"ValueError" in text


def test_a_crash_file_that_cannot_be_written_is_no_crash():
    assert len(run([ValueError("x"), KeyboardInterrupt()], file="no-such-folder/crash.txt")) == 2


def test_three_faults_in_a_row_at_the_start_lead_to_the_safe_screen():
    apps = run([ValueError("again and again")] * 4, ms=100)
    assert len(apps) == 3 and blinked == [3]
    assert b"again and again" in crash_file()
    display = apps[0].device.display
    # A bar on top, letters below, and it is what the glass shows.
    assert display.shown == display.buffer
    assert sum([byte != 0 for byte in display.shown]) > 200


def test_a_fault_is_seen_whatever_the_panel_was():
    """Asleep, dim, upside down: the next firmware has it as the settings say, and the safe screen is lit."""
    seen = []

    def spoil(device):
        display = device.display
        seen.append((display.lit, display.level, bool(display.turned)))
        display.on(False)
        display.contrast(0)
        display.turn(True)

    run([ValueError("in the dark"), KeyboardInterrupt()], spoil=spoil)
    crash_file()
    assert len(seen) == 2 and seen[0] == seen[1] and seen[0][0], seen
    display = run([ValueError("in the dark")] * 3, ms=100, spoil=spoil)[0].device.display
    crash_file()
    assert display.lit and sum([byte != 0 for byte in display.shown]) > 200


def test_faults_far_apart_are_not_in_a_row():
    faults = [ValueError("x"), ValueError("x"), ValueError("x"), ValueError("x"), KeyboardInterrupt()]
    assert len(run(faults, ms=3000)) == 5 and not blinked
    crash_file()


def test_a_held_at_power_on_leaves_the_repl():
    assert run([], held=A) == []
    assert run([], held=A | B) == []
    assert run([], held=A, layout="two") == []


def test_b_held_at_power_on_tests_the_board():
    for layout, key in (("six", B), ("three", B), ("two", RIGHT)):
        apps = run([KeyboardInterrupt()], held=key, layout=layout)
        assert apps[0].where() == ["title", "selftest"], layout


def test_a_key_that_is_down_at_power_on_is_told():
    apps = run([KeyboardInterrupt()], held=UP)
    assert apps[0].where() == ["title", "message"]


def test_a_missing_panel_is_told_in_a_line_until_it_answers():
    tries = []
    device = HostDevice(clock=ManualClock())
    Settings(device.store).save(device.store)

    def late():
        tries.append(0)
        if len(tries) < 4:
            raise OSError("no panel answers")
        return device

    class Ended(App):
        def run(self):
            raise KeyboardInterrupt

    blinked.clear()
    main_module.PicoDevice = late
    main_module.App = Ended
    main_module.blink = blinked.append
    try:
        main_module.main()
    finally:
        main_module.App = App
    assert blinked == [2, 2, 2] and len(tries) == 4


def test_a_held_leaves_the_repl_without_a_panel_too():
    """From the start or while it waits."""
    for blinks in (0, 2):
        machine.reset()
        machine.answering.clear()
        key = machine.Pin(reference.KEY_PINS[4])
        # Another one means nothing.
        machine.Pin(reference.KEY_PINS[0]).level = 0
        key.level = int(blinks > 0)
        blinked.clear()

        def blink(times, key=key, blinks=blinks):
            blinked.append(times)
            assert len(blinked) <= blinks, "goes on without end"
            if len(blinked) == blinks:
                key.level = 0

        pico.time = Time()
        main_module.PicoDevice = pico.PicoDevice
        main_module.blink = blink
        main_module.main()
        assert blinked == [2] * blinks


def test_ctrl_c_ends_the_wait_for_a_panel():
    def missing():
        raise OSError("no panel answers")

    def interrupted(_times):
        raise KeyboardInterrupt

    main_module.PicoDevice = missing
    main_module.blink = interrupted
    main_module.main()


def test_the_first_start_asks_for_the_language():
    apps = run([KeyboardInterrupt()], fresh=True)
    assert apps[0].where() == ["title", "language"]
    apps = run([KeyboardInterrupt()], held=B, fresh=True)
    assert apps[0].where() == ["title", "language", "selftest"]
