"""What the board runs: how it starts, ends and goes on after a fault."""

import sys

from tests.hal.fakes import machine

sys.modules["machine"] = machine

from firmware import main as main_module  # noqa: E402 (after the fake)
from firmware.app import App  # noqa: E402
from hal.device import A  # noqa: E402
from hal.host import HostDevice, ManualClock  # noqa: E402

# The browser starts elsewhere.
PLATFORMS = ("cpython", "bytecode", "viper")

printed = []


def run(faults, held=0, ms=5000, tone=0):
    """main() where each turn of the loop lasts `ms` and then raises the next of `faults`, while a tone of `tone` Hz
    sounds; returns the apps."""
    device = HostDevice(clock=ManualClock())
    device.keys.press(held)
    apps = []

    class Faulty(App):
        def run(self):
            apps.append(self)
            self.step()
            device.speaker.tone(tone, 2 * ms)
            device.clock.sleep(ms)
            raise faults.pop(0)

    printed.clear()
    main_module.App = Faulty
    main_module.PicoDevice = lambda: device
    kept = getattr(sys, "print_exception", None)
    if kept is None:
        sys.print_exception = printed.append
    try:
        main_module.main()
    finally:
        main_module.App = App
        if kept is None:
            del sys.print_exception
    return apps


def test_ctrl_c_ends_it_and_its_tone():
    apps = run([KeyboardInterrupt()], tone=440)
    assert [app.where() for app in apps] == [["title"]]
    assert apps[0].device.speaker.hz == 0


def test_a_fault_is_shown_and_it_goes_on():
    apps = run([ValueError("no such step"), KeyboardInterrupt()])
    assert [app.where()[-1] for app in apps] == ["title", "crash"]
    assert apps[1].top()._lines == ["ValueError: no such step"]
    app = apps[1]
    app.device.keys.tap(A)
    app.step()
    assert app.where() == ["title"]


def test_a_fault_right_at_the_start_ends_it():
    assert len(run([ValueError("again and again")], ms=100)) == 1


def test_a_held_at_power_on_leaves_the_repl():
    assert run([], held=A) == []


def test_a_missing_panel_is_told_in_a_line():
    def missing():
        raise OSError("no panel answers")

    main_module.PicoDevice = missing
    main_module.main()
