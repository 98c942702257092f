"""README and docs as the tests read them: their blocks of commands, links and tables.

In a block of commands a comment may bear marks: `[board]` needs a Pico on USB, `[UF2]` MicroPython's UF2 (and with it
the network), `[long]` takes minutes.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools.environment import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARKS = {"board", "UF2", "long"}
START = "python3 -m tools "
# What a line of a block begins with that is a command.
PROGRAMS = ("python3", "py", "pip", "mpremote", "node", "npm", "npx")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(text: str) -> list[str]:
    """The lines of the indented blocks."""
    return [line.strip() for line in text.splitlines() if line.startswith("    ")]


def in_blocks(text: str) -> list[tuple[str, set[str]]]:
    """(command line, marks of its comment) of each line of a block that is a command."""
    found = []
    for line in blocks(text):
        if line.startswith(tuple(f"{program} " for program in PROGRAMS)):
            command, _, comment = line.partition("#")
            found.append((command.strip(), set(re.findall(r"\[(\w+)\]", comment))))
    return found


def in_prose(text: str) -> list[str]:
    """The command lines between backticks; `python3 -m tools` alone is none."""
    found = [" ".join(span.split()) for span in re.findall(r"`(python3\s+-m\s+t[^`]+)`", text)]
    return [command for command in found if command != START.strip()]
