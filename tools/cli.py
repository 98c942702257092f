"""What all commands share: one-line errors, exit codes, progress on stderr."""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, TextIO

DONE, FAILED, MISUSED = 0, 1, 2
"""Exit codes: the command did its work; it could not; it was called wrongly."""

DRAW_EVERY_S = 0.1
COARSE_EVERY_S = 10.0


class Failure(Exception):
    """The command cannot do its work; the text is one line that also says what to do about it."""


class Usage(Exception):
    """The command was called wrongly; the text is one line."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line (argparse prints the whole usage before it), and to which an empty
    value is none, unless that is the option's default."""

    def __init__(self, command: str, description: str, **options) -> None:
        options.setdefault("prog", f"python3 -m tools {command}")
        super().__init__(description=description, **options)
        self.register("type", Path, _path)

    def parse_known_args(self, args=None, namespace=None):
        """As argparse does; `--lang "$LANGUAGE"` with nothing in LANGUAGE is a mistake."""
        found, left = super().parse_known_args(args, namespace)
        for name, value in vars(found).items():
            if "" in (value if isinstance(value, list) else [value]) and self.get_default(name) != "":
                self.error(f"argument {name.replace('_', '-')}: it is empty")
        return found, left

    def error(self, message: str) -> NoReturn:
        raise Usage(f"{message} (see: {self.prog} -h)")

    def print_help(self, file=None) -> None:
        """As argparse does, which however keeps it to itself when the text cannot be written."""
        with suppress(BrokenPipeError):
            (file or sys.stdout).write(self.format_help())


def _path(text: str) -> Path:
    # The empty path is the folder we are in.
    if not text:
        raise argparse.ArgumentTypeError("it is empty")
    return Path(text)


def say(message: str, stream: TextIO | None = None) -> None:
    """Print one line for the person at the terminal, on stderr; nothing where nobody reads it any more."""
    stream = stream or sys.stderr
    try:
        print(f"cairn: {message}", file=stream, flush=True)
    except BrokenPipeError:
        # The exit code still tells. Python would change it when it cannot write the line at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def answer(text: str) -> None:
    """Print, on stdout, what a command has found out when it comes to its end. Where the reader goes away (`| head`) the
    rest is of no use, and the command ends as it would have."""
    with suppress(BrokenPipeError):
        print(text)


def text_of(option: str, name: str) -> str:
    """The text of the file that an option names, "-" for stdin. Usage if there is none."""
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except OSError as fault:
        raise Usage(f"cannot read {option} {name}: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise Usage(f"{option} {name} is not a text file (UTF-8)") from None


class Progress:
    """How far a long work is, on stderr: a line redrawn in place on a terminal, else a line now and then.

    Use as a context manager; `total` 0 means that the end is not known.
    """

    def __init__(self, what: str, total: int = 0, stream: TextIO | None = None) -> None:
        self.what = what
        self.total = total
        self.count = 0
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._started = self._shown = time.monotonic()
        self._width = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()

    def update(self, count: int, note: str = "") -> None:
        """Say that `count` of `total` are done; `note` is a word on the present step."""
        self.count = count
        now = time.monotonic()
        if now - self._shown < (DRAW_EVERY_S if self._live else COARSE_EVERY_S):
            return
        self._shown = now
        of = f"{count}/{self.total}" if self.total else str(count)
        text = f"{self.what} {of}  {now - self._started:.0f} s  {note}".rstrip()
        if not self._live:
            self._stream.write(text + "\n")
        else:
            text = text[:78]
            self._stream.write("\r" + text.ljust(self._width))
            self._width = max(self._width, len(text))
        self._stream.flush()

    def step(self, note: str = "") -> None:
        """One more is done."""
        self.update(self.count + 1, note)
