"""How far several boards are: one line each on stderr, redrawn in place on a terminal, else a line for each new step."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TextIO

_DRAW_EVERY_S = 0.1
_BAR = 20


class Lines:
    """One line a board. Use as a context manager; `show` may be called from any thread."""

    def __init__(self, names: list[str], stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        # Windows' old console takes the control characters for text; its newer terminal says who it is.
        self._live = self._stream.isatty() and (os.name != "nt" or "WT_SESSION" in os.environ)
        self._width = max(map(len, names), default=0)
        self._texts = dict.fromkeys(names, "waiting")
        self._lock = threading.Lock()
        self._drawn = 0
        self._last = 0.0

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            with self._lock:
                self._draw()

    def show(self, name: str, what: str, done: int = 0, total: int = 0) -> None:
        """Say what a board does now; `done` of `total` where that is known."""
        with self._lock:
            new_step = not self._texts[name].startswith(what)
            bar = ""
            if total:
                filled = _BAR * done // total
                bar = f" [{'#' * filled}{'.' * (_BAR - filled)}] {100 * done // total:3} %"
            self._texts[name] = what + bar
            if self._live:
                if new_step or time.monotonic() - self._last > _DRAW_EVERY_S:
                    self._draw()
            elif new_step:
                self._stream.write(f"{name.ljust(self._width)}  {what}\n")
                self._stream.flush()

    def _draw(self) -> None:
        text = f"\x1b[{self._drawn}A" if self._drawn else ""
        for name, line in self._texts.items():
            text += f"\r{name.ljust(self._width)}  {line}"[:79] + "\x1b[K\n"
        self._drawn = len(self._texts)
        self._last = time.monotonic()
        self._stream.write(text)
        self._stream.flush()
