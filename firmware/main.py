"""What the board runs: the firmware on the Pico's device, with the way back to the REPL kept open.

Ctrl-C ends main() and leaves the REPL. So does A held at power-on, which lets a PC in even where a fault at
the start would keep it out; B held there begins with the self-test (docs/keys.md: which key that is on boards with
fewer). Without a panel the LED blinks, and the firmware starts when one answers. Any other exception is kept
(firmware/crash.py), shown short, and a press leads on; after three in a row at the start the safe screen stays.
"""

import gc
import sys

from micropython import const

from firmware import texts
from firmware.app import App
from hal.device import RIGHT, A, B
from hal.keys import LAYOUTS
from hal.pico import PicoDevice, blink, keys_down

# Blinks of the LED in a row (docs/trouble.md).
_NO_PANEL = const(2)
_SAFE = const(3)
# What fails sooner than this after a start would fail again and again.
_TOO_SOON_MS = const(2000)
_TRIES = const(3)


def _device():
    """The device, as soon as its panel answers; None if A is down first."""
    told = ""
    while True:
        try:
            return PicoDevice()
        except OSError as fault:
            if str(fault) != told:
                told = str(fault)
                print("Cairn:", told)
                print("Cairn: the LED blinks twice until a panel answers. Ctrl-C ends it.")
        if keys_down() & A:
            return None
        blink(_NO_PANEL)


def main():
    """Run until Ctrl-C; returns where the firmware must not or cannot run, after a line that says why."""
    try:
        device = _device()
    except KeyboardInterrupt:
        return
    held = A
    if device:
        keys = device.keys
        keys.scan()
        held = keys.held()
    if held & A:
        print("Cairn: not started, as A was held. Ctrl-D starts it.")
        return
    # A board without B has another key that nothing else holds at power-on.
    test = B if LAYOUTS[keys.layout] & B else RIGHT
    first = None
    if held & test:
        first = ("selftest",)
    elif device.finder and not device.finder.certain:
        first = ("panel",)
    elif held:
        first = ("message", "keys.stuck")
    soon = 0
    while True:
        started = device.clock.ms()
        try:
            app = App(device)
            if app.settings.fresh and len(texts.there()) > 1:
                app.open("language")
            if first:
                app.open(*first)
            app.run()
        except KeyboardInterrupt:
            # Nobody is left who would end a tone.
            device.speaker.tone(0, 0)
            print("Cairn: stopped. Ctrl-D starts it again.")
            return
        except Exception as fault:
            # Whatever it was, a person without a PC goes on from the title.
            app = None
            gc.collect()
            sys.print_exception(fault)
            from firmware import crash

            crash.keep(fault)
            soon = soon + 1 if device.clock.since(started) < _TOO_SOON_MS else 0
            if soon == _TRIES:
                _stay(device, crash, fault)
                return
            first = ("crash", crash.line(fault))


def _stay(device, crash, fault):
    """The safe screen: the firmware fails at each start, and the REPL is the better place."""
    print("Cairn: failed {} times at the start. Is it whole? On a PC: python3 -m tools flash".format(_TRIES))
    device.speaker.tone(0, 0)
    try:
        crash.show(device.display, fault)
        blink(_SAFE)
    except (OSError, KeyboardInterrupt):
        # The panel went too, or somebody wants the REPL now.
        pass
