"""Scripted keys: a text file that says what is pressed, how long, and when nothing is.

Words between blanks: `A` presses a key (UP DOWN LEFT RIGHT A B), `DOWN*3` does so three times, `B:1200ms` holds it,
`500ms` waits. `#` begins a comment.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from hal import device
from tools import cli
from tools.pace import Pace

# How long a key is down and up again when the script says no more: two turns of the firmware's loop each.
PRESS_MS = 66

LONGEST_MS = 3_600_000
MOST_PRESSES = 1000

FORM = "a word is UP, DOWN, LEFT, RIGHT, A, B, KEY*3, KEY:1200ms or 500ms"

_BITS = {name: 1 << n for n, name in enumerate(device.KEY_NAMES)}
_WORD = re.compile(r"(?:([A-Z]+)(?:\*([0-9]+)|:([0-9]+)ms)?|([0-9]+)ms)")


class Step(NamedTuple):
    """`bit` is held for `down_ms` (0 with no key), then nothing for `up_ms`."""

    bit: int
    down_ms: int
    up_ms: int


def parse(text: str, name: str) -> list[Step]:
    """The steps of a script; `name` is for the errors. Raises cli.Usage."""
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        for word in line.partition("#")[0].split():
            match = _WORD.fullmatch(word)
            if not match or (match[1] and match[1] not in _BITS):
                raise cli.Usage(f"{name}, line {number}: {word[:40]!r} is not a key or a time: {FORM}")
            key, times, hold, wait = match.groups()
            if _number(hold or wait) > LONGEST_MS or _number(times) > MOST_PRESSES:
                most = f"{MOST_PRESSES} presses or {LONGEST_MS}ms at most"
                raise cli.Usage(f"{name}, line {number}: {word[:40]!r} is too much: {most}")
            if key:
                step = Step(_BITS[key], int(hold) if hold else PRESS_MS, PRESS_MS)
                steps += [step] * (int(times) if times else 1)
            else:
                steps.append(Step(0, 0, int(wait)))
    return steps


def _number(digits: str | None) -> int:
    # Python refuses to read thousands of digits; ten are too much already.
    return int((digits or "").lstrip("0")[:10] or 0)


def turns(steps: list[Step], turn_ms: int, press: Callable[[int], None]) -> Iterator[None]:
    """Yields once for each turn of the firmware's loop, after press(mask) where the keys that are down change."""
    for step in steps:
        if step.bit:
            press(step.bit)
            for _ in range(max(1, step.down_ms // turn_ms)):
                yield
            press(0)
        for _ in range(-(-step.up_ms // turn_ms)):
            yield


class Scripted:
    """The firmware on a host device (hal.host.HostDevice) with a ManualClock, which only waits when told so."""

    def __init__(self, device: Any, language: str | None, seed: int | None, steps: list[Step]) -> None:
        # Here, as a script is parsed and played on other devices too.
        from firmware import app

        self.pace = Pace()
        self.device = device
        self._steps = steps
        self.app = app.App(device, language, seed)
        self._turn_ms = app.TICK_MS

    def run(self) -> None:
        """To the end of the script."""
        self._step()
        for _ in turns(self._steps, self._turn_ms, self._hold):
            self._step()

    def _hold(self, mask: int) -> None:
        self.device.keys.mask = mask

    def _step(self) -> None:
        started = time.perf_counter()
        sent = self.app.step()
        self.device.clock.sleep(self._turn_ms)
        self.pace.turn(time.perf_counter() - started, sent)
