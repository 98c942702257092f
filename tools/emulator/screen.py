"""An emulated Pico in this terminal: its glass as `play` shows the host device's, its keys on the keyboard."""

from __future__ import annotations

import os
import time

from hal import device
from tools import cli, script
from tools.emulator.chip import Pico, PowerCut
from tools.terminal import console
from tools.terminal.decoder import ESC_S, QUIT, Decoder
from tools.terminal.painter import Painter

_TURN_MS = 33.0
_REST_MS = script.PRESS_MS
"""Between two presses of one key: the firmware must see it up."""
_HOLD_MS = 1200.0
"""Longer than the second after which holding B leads back."""


class Screen:
    """The terminal in front of a Pico."""

    def __init__(self, pico: Pico, title: str) -> None:
        self._pico = pico
        colour = not os.environ.get("NO_COLOR")
        self._painter = Painter(pico.panel.width, pico.panel.height, title, None, colour)
        columns, rows = console.size()
        if not self._painter.fits(columns, rows):
            wide, high = self._painter.smallest()
            raise cli.Failure(f"the window has {columns}x{rows} characters, {wide}x{high} are needed; enlarge it")
        # Keys to come, each with how long it is held.
        self._presses: list[tuple[int, float]] = []
        self._until_ms = 0.0
        self._down: int | None = None

    def run(self) -> int:
        """Until the person quits; the exit code."""
        decoder = Decoder()
        try:
            with console.Console() as window:
                while True:
                    data = window.read(ESC_S if decoder.waiting() else 0.0)
                    for key in decoder.feed(data, time.monotonic()):
                        if key == QUIT:
                            return cli.DONE
                        hold = key == device.BACK
                        bit = device.B if hold else key
                        self._presses.append((bit.bit_length() - 1, _HOLD_MS if hold else script.PRESS_MS))
                    self._fingers()
                    self._pico.pace(_TURN_MS)
                    if window.fresh:
                        window.fresh = False
                        self._painter.forget()
                    if change := self._painter.paint(self._pico.panel.picture(), *console.size()):
                        window.write(change)
        except KeyboardInterrupt:
            return cli.DONE
        except PowerCut as cut:
            cli.say(str(cut))
            return cli.DONE
        except console.Stopped as stop:
            return 128 + stop.number

    def _fingers(self) -> None:
        """A terminal tells of a key that it was typed; here it goes down, stays a while and comes up."""
        if self._pico.ms < self._until_ms:
            return
        if self._down is not None:
            self._pico.key(self._down, False)
            self._down = None
            self._until_ms = self._pico.ms + _REST_MS
        elif self._presses:
            self._down, held_ms = self._presses.pop(0)
            self._pico.key(self._down, True)
            self._until_ms = self._pico.ms + held_ms
