"""Scripts for an emulated Pico: what the person at it does, one step a line.

    wait MS           let it run
    still MS          wait until the picture has not changed for MS
    tap KEY [MS]      press and let go; KEY is UP DOWN LEFT RIGHT A B
    press KEY, release KEY
    bounce KEY        a tap whose contact chatters
    expect TEXT       wait until the serial console has printed TEXT (since the last expect)
    send TEXT         type on the serial console; \\r, \\x03 and the like are understood
    shot FILE         write the picture as PNG
    adc CHANNEL RAW   what an ADC channel reads, 0..4095
    reset             reset the chip

Empty lines and lines that begin with # are skipped. Times are emulated milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hal.device import KEY_NAMES
from tools import png
from tools.cli import Failure, Usage
from tools.emulator.chip import Pico

TAP_MS = 60
LIMIT_MS = 60_000
_CHATTER_MS = (0.4, 0.3, 0.6, 0.5, 0.8, 0.4)

_WORDS = {
    "wait": (1, 1), "still": (1, 1), "tap": (1, 2), "press": (1, 1), "release": (1, 1), "bounce": (1, 1),
    "expect": (1, 999), "send": (1, 999), "shot": (1, 1), "adc": (2, 2), "reset": (0, 0),
}  # fmt: skip
"""word: the least and the most arguments."""


@dataclass(frozen=True)
class Step:
    """One line of a script."""

    number: int
    word: str
    rest: str

    @property
    def arguments(self) -> list[str]:
        return self.rest.split()


def _milliseconds(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1e9:
        raise ValueError(text)
    return value


def _key(text: str) -> int:
    return KEY_NAMES.index(text.upper())


def parse(text: str) -> list[Step]:
    """The steps of a script. Usage, with the line, for what is none."""
    steps = []
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        step = Step(number, word, rest.strip())
        least, most = _WORDS.get(word, (-1, -1))
        if not least <= len(step.arguments) <= most:
            raise Usage(f"script line {number}: {line.strip()!r} is no step; there are: {', '.join(_WORDS)}")
        try:
            if word in ("tap", "press", "release", "bounce"):
                _key(step.arguments[0])
            if word in ("wait", "still"):
                _milliseconds(step.arguments[0])
            if word == "tap" and len(step.arguments) > 1:
                _milliseconds(step.arguments[1])
            if word == "adc":
                channel, raw = map(int, step.arguments)
                if not (0 <= channel < 5 and 0 <= raw < 4096):
                    raise ValueError(step.rest)
        except ValueError:
            raise Usage(f"script line {number}: {line.strip()!r} has a wrong key or number") from None
        steps.append(step)
    return steps


def still(pico: Pico, ms: float, limit_ms: float = LIMIT_MS) -> bool:
    """Run until the picture has not changed for `ms`; False if that did not come within `limit_ms`."""
    end = pico.ms + limit_ms
    last, since = pico.panel.picture(), pico.ms
    while pico.ms < end:
        pico.run(min(ms, 10))
        now = pico.panel.picture()
        if now != last:
            last, since = now, pico.ms
        elif pico.ms - since >= ms:
            return True
    return False


def shoot(pico: Pico, path: Path) -> None:
    """Write the picture on the glass as PNG."""
    try:
        path.write_bytes(png.encode(pico.panel.picture(), pico.panel.width, pico.panel.height))
    except OSError as fault:
        raise Failure(f"cannot write {path}: {fault.strerror}") from None


def play(pico: Pico, steps: list[Step], said: Callable[[str], None] = lambda text: None) -> None:
    """Carry out the steps. Failure, with the line, where something expected did not come."""
    heard = len(pico.console)
    for step in steps:
        said(f"{pico.ms:9.1f} ms  {step.word} {step.rest}")
        given = step.arguments
        if step.word == "wait":
            pico.run(_milliseconds(given[0]))
        elif step.word == "still":
            if not still(pico, _milliseconds(given[0])):
                raise Failure(f"script line {step.number}: the picture never stood still for {given[0]} ms")
        elif step.word == "tap":
            key = _key(given[0])
            pico.key(key, True)
            pico.run(_milliseconds(given[1]) if len(given) > 1 else TAP_MS)
            pico.key(key, False)
        elif step.word in ("press", "release"):
            pico.key(_key(given[0]), step.word == "press")
        elif step.word == "bounce":
            _bounce(pico, _key(given[0]))
        elif step.word == "expect":
            text = step.rest.encode()
            if not pico.run(LIMIT_MS, lambda text=text: text in pico.console[heard:]):
                raise Failure(f"script line {step.number}: the console never said {step.rest!r}")
            heard = pico.console.index(text, heard) + len(text)
        elif step.word == "send":
            pico.type(step.rest.encode().decode("unicode_escape").encode("latin-1"))
        elif step.word == "shot":
            shoot(pico, Path(given[0]))
        elif step.word == "adc":
            pico.battery(int(given[0]), int(given[1]))
        else:
            pico.hold_reset()


def _bounce(pico: Pico, key: int) -> None:
    """A tap with chatter at both ends, 3 ms each; contacts may take 5."""
    for first in (True, False):
        down = first
        for ms in _CHATTER_MS:
            pico.key(key, down)
            pico.run(ms)
            down = not down
        pico.key(key, first)
        pico.run(TAP_MS)
