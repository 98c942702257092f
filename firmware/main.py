"""What the board runs: the firmware on the Pico's device, with the way back to the REPL kept open.

Ctrl-C ends main() and leaves the REPL. So does A held at power-on, which lets a PC in even where a fault at
the start would keep it out. Any other exception is printed whole and shown short, and a press leads on.
"""

import gc
import sys

from micropython import const

from firmware.app import App
from hal.device import A
from hal.pico import PicoDevice

# What fails sooner than this after a start would fail again and again: the REPL is the better place then.
_TOO_SOON_MS = const(2000)


def main():
    """Run until Ctrl-C; returns where the firmware cannot run, after a line that says why."""
    try:
        device = PicoDevice()
    except OSError as fault:
        print("Cairn:", fault)
        return
    device.keys.scan()
    if device.keys.held() & A:
        print("Cairn: not started, as A was held. Ctrl-D starts it.")
        return
    told = None
    while True:
        started = device.clock.ms()
        try:
            app = App(device)
            if told:
                app.open("crash", told)
            app.run()
        except KeyboardInterrupt:
            # Nobody is left who would end a tone.
            device.speaker.tone(0, 0)
            print("Cairn: stopped. Ctrl-D starts it again.")
            return
        except Exception as fault:
            # Whatever it was, a person without a PC goes on from the title.
            sys.print_exception(fault)
            if device.clock.since(started) < _TOO_SOON_MS:
                return
            told = fault.__class__.__name__ + ": " + str(fault)
            app = None
            gc.collect()
