"""What is left of an exception that reached the top: a file of bounded size, a line, and the safe screen.

Uses as little of the firmware as it can, since that has just failed.
"""

import io
import sys

from micropython import const

from firmware.screen import Screen, text_width

# Beside the firmware, with the newest crash only. `mpremote cat :crash.txt` shows it.
FILE = "crash.txt"
_MOST_BYTES = const(2000)


class _Bounded(io.IOBase):
    """A stream that keeps the first bytes and swallows the rest: a traceback can be as long as the memory."""

    def __init__(self, file):
        self._file = file
        self._left = _MOST_BYTES

    def write(self, data):
        n = min(len(data), self._left)
        self._left -= n
        self._file.write(data[:n])
        return len(data)


def keep(fault):
    """Write the traceback to the crash file. What cannot be written is lost; it was printed."""
    try:
        with open(FILE, "wb") as file:
            sys.print_exception(fault, _Bounded(file))
    except (OSError, MemoryError):
        print("Cairn: no room for", FILE)


def line(fault):
    """An exception in one line."""
    return fault.__class__.__name__ + ": " + str(fault)


def show(display, fault):
    """The safe screen. In English, as the texts may be what fails."""
    screen = Screen(display)
    screen.clear()
    screen.frame.fill_rect(0, 0, display.width, 12, 1)
    screen.text("Cairn stopped", 2, 0, 0)
    told = line(fault)
    for y in (15, 26):
        n = len(told)
        while text_width(told[:n]) > display.width:
            n -= 1
        screen.text(told[:n], 0, y)
        told = told[n:]
    screen.text("Flash it again, or", 0, 42)
    screen.text("unplug it and plug it in", 0, 53)
    display.start()
    display.show()
    # It may have been asleep.
    display.on(True)
