"""Scripts for an emulated Pico: what the person at it does.

A line holds keys and times as in tools/script.py (`DOWN*3 A 500ms`), or one of these:

    still MS          wait until the picture has not changed for MS
    bounce KEY        press a key whose contact chatters
    expect TEXT       wait until the serial console has printed TEXT (since the last expect)
    send TEXT         type on the serial console; \\r, \\x03 and the like are understood
    shot FILE.png     write the picture as PNG
    adc CHANNEL RAW   what an ADC channel (0..4) reads from now on, 0..4095
    reset             reset the chip

Times are emulated milliseconds. `#` begins a comment, except in expect and send.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hal.device import KEY_NAMES
from tools import png, script
from tools.cli import Failure, Usage
from tools.emulator.chip import Pico

LIMIT_MS = 60_000
_CHATTER_MS = (0.4, 0.3, 0.6, 0.5, 0.8, 0.4)

_FORMS = {
    "still": r"\d{1,6}",
    "bounce": "|".join(KEY_NAMES),
    "expect": r".+",
    "send": r".+",
    "shot": r"\S+\.png",
    "adc": r"[0-4] +\d{1,4}",
    "reset": "",
}
"""word: what may follow it."""


@dataclass(frozen=True)
class Line:
    """A line of a script: `word` with what follows it, or "" with the key steps in `keys`."""

    number: int
    word: str
    rest: str
    keys: tuple[script.Step, ...] = ()


def parse(text: str, name: str) -> list[Line]:
    """The lines of a script; `name` is for the errors. Usage, with the line, for what is none."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        if word not in _FORMS:
            if word.islower() and word.isalpha():
                raise Usage(f"{name}, line {number}: {word!r} is neither a key nor one of {', '.join(_FORMS)}")
            # As many lines before it as in the file, so that an error names the right one.
            keys = tuple(script.parse("\n" * (number - 1) + line, name))
            if keys:
                lines.append(Line(number, "", "", keys))
            continue
        if word not in ("expect", "send"):
            rest = rest.partition("#")[0]
        rest = rest.strip()
        if not re.fullmatch(_FORMS[word], rest) or word == "adc" and int(rest.split()[1]) > 4095:
            raise Usage(f"{name}, line {number}: {line.strip()!r} is not complete (tools/emulator/script.py has the forms)")
        lines.append(Line(number, word, rest))
    return lines


def still(pico: Pico, ms: float, limit_ms: float = LIMIT_MS) -> bool:
    """Run until a lit picture has not changed for `ms`; False if that did not come within `limit_ms`."""
    end = pico.ms + limit_ms
    last, since = pico.panel.picture(), pico.ms
    while pico.ms < end:
        pico.run(min(ms, 10))
        now = pico.panel.picture()
        if now != last or not pico.panel.lit:
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


def play(pico: Pico, lines: list[Line], said: Callable[[str], None] = lambda text: None) -> None:
    """Carry out the lines. Failure, with the line, where something expected did not come."""
    heard = len(pico.console)
    for line in lines:
        said(f"{pico.ms / 1000:8.3f} s  line {line.number}  {line.word or 'keys'} {line.rest}")
        for step in line.keys:
            if step.bit:
                key = step.bit.bit_length() - 1
                pico.key(key, True)
                pico.run(step.down_ms)
                pico.key(key, False)
            pico.run(step.up_ms)
        if line.word == "still":
            if not still(pico, int(line.rest)):
                raise Failure(f"line {line.number}: the picture never stood still for {line.rest} ms")
        elif line.word == "bounce":
            _bounce(pico, KEY_NAMES.index(line.rest))
        elif line.word == "expect":
            try:
                heard = pico.expect(line.rest.encode(), LIMIT_MS, heard)
            except TimeoutError as late:
                raise Failure(f"line {line.number}: {late}") from None
        elif line.word == "send":
            pico.type(line.rest.encode().decode("unicode_escape").encode("latin-1"))
        elif line.word == "shot":
            shoot(pico, Path(line.rest))
        elif line.word == "adc":
            channel, raw = line.rest.split()
            pico.battery(int(channel), int(raw))
        elif line.word == "reset":
            pico.hold_reset()


def _bounce(pico: Pico, key: int) -> None:
    """A press with chatter at both ends, 3 ms each; contacts may take 5."""
    for first in (True, False):
        down = first
        for ms in _CHATTER_MS:
            pico.key(key, down)
            pico.run(ms)
            down = not down
        pico.key(key, first)
        pico.run(script.PRESS_MS)
