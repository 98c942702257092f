"""An emulated Pico to measure on, and its time from reset to the title, which only the glass can tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tools import build
from tools.cli import Failure
from tools.emulator.chip import LAYOUT, Pico
from tools.image import filesystem

TITLE_LIMIT_MS = 20_000
_STILL_MS = 20.0


def power_on(uf2: Path, board: Any, name: str) -> Pico:
    """A Pico with the image for this board, built now."""
    choice = build.choice_of(build.ROOT, "pico", name, None)
    files = filesystem.pack(filesystem.device_files(build.build(choice)), LAYOUT)
    return Pico(uf2, board, files=files)


def title_ms(pico: Pico) -> int:
    """Run a fresh Pico until a picture has come whole onto the glass; when that was."""
    shown = bytes(pico.panel.width * pico.panel.height // 8)
    since = 0.0
    while pico.ms < TITLE_LIMIT_MS:
        pico.run(2)
        now = pico.panel.picture()
        if now != shown:
            shown, since = now, pico.ms
        elif any(shown) and pico.ms - since >= _STILL_MS:
            return round(since)
    said = bytes(pico.console[-300:]).decode("utf-8", "replace").strip()
    raise Failure(f"no title within {TITLE_LIMIT_MS / 1000:.0f} s; the console says: {said!r}")
