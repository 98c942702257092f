"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import cli


@contextmanager
def place(path: Path) -> Iterator[Path]:
    """Gives the path of a file beside `path` to write to. It takes the place of `path` when the block ends, and is
    removed when the block ends by an exception; what stood there before stays until then.

    A link is followed, and what is no file (a device, a pipe, a terminal) is written to as it is. OSError.
    """
    if path.exists() and not path.is_file():
        # Moving a file there would replace the device; a folder cannot be opened, which is the fault to tell. The name
        # stays as it was given: what /dev/stdout or /dev/fd/63 leads to when it is a pipe is no path.
        yield path
        return
    path = Path(os.path.realpath(path))
    part = path.with_name(path.name + ".part")
    try:
        yield part
        os.replace(part, path)
    finally:
        # Still there only if something stopped the work: half a file is of no use.
        _remove(part)


def _remove(path: Path) -> None:
    if not os.path.lexists(path):
        # It took its place, or never came to be: then the caller tells why.
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as fault:
        cli.say(f"cannot remove {path}: {fault.strerror}")


def write(path: Path, text: str) -> None:
    """Write a text file whole or not at all. Failure if that cannot be done."""
    try:
        with place(path) as new:
            new.write_text(text, encoding="utf-8", newline="\n")
    except OSError as fault:
        raise cli.Failure(f"cannot write {path}: {fault.strerror}") from None
