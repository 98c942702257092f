"""The firmware in a terminal, in real time."""

from __future__ import annotations

import os
import time
from typing import Any

from firmware import app
from tools import cli
from tools.pace import Pace
from tools.terminal import console
from tools.terminal.decoder import ESC_S, QUIT, Decoder
from tools.terminal.painter import Painter


class Live:
    """The firmware on a host device (hal.host.HostDevice) whose clock runs, in this terminal.

    style: a name of painter.STYLES, or None for what fits. Raises cli.Failure where the window is too small.
    """

    def __init__(self, device: Any, language: str | None, seed: int | None, style: str | None) -> None:
        self.pace = Pace()
        self.device = device
        board = device.board
        colour = not os.environ.get("NO_COLOR")
        self._painter = Painter(board.WIDTH, board.HEIGHT, f"Cairn: {board.TITLE}", style, colour)
        columns, rows = console.size()
        if not self._painter.fits(columns, rows):
            wide, high = self._painter.smallest()
            raise cli.Failure(f"the window has {columns}x{rows} characters, {wide}x{high} are needed; enlarge it")
        self.app = app.App(device, language, seed)
        self._turn_s = app.TICK_MS / 1000

    def run(self) -> None:
        """Until the person quits. Raises console.Stopped."""
        decoder = Decoder()
        display = self.device.display
        self.pace = Pace()
        try:
            with console.Console() as window:
                due = time.monotonic()
                while True:
                    now = time.monotonic()
                    # Esc is told from a sequence by the time; look again when that is over.
                    data = window.read(min(due - now, ESC_S) if decoder.waiting() else due - now)
                    for key in decoder.feed(data, time.monotonic()):
                        if key == QUIT:
                            return
                        if self._painter.fits(*console.size()):
                            self.device.keys.tap(key)
                    if time.monotonic() < due:
                        continue
                    started = time.perf_counter()
                    size = console.size()
                    # Nobody should lose a turn to a window that shows nothing.
                    sent = self.app.step() if self._painter.fits(*size) else 0
                    if window.fresh:
                        window.fresh = False
                        self._painter.forget()
                    if change := self._painter.paint(display.shown, *size):
                        window.write(change)
                    self.pace.turn(time.perf_counter() - started, sent)
                    self.pace.terminal_bytes = window.written
                    # A turn that took too long, or a pause, is not made up for.
                    due = max(due + self._turn_s, time.monotonic() - self._turn_s)
        except KeyboardInterrupt:
            # Ctrl-C is one of the ways to quit.
            return
