"""Where MicroPython's UF2 for the emulated Pico comes from: a path, CAIRN_UF2, or what rp2040py fetches and keeps."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from tools.cli import Failure

VARIABLE = "CAIRN_UF2"
VERSION = "1.28.0"

MISSING = (
    "no MicroPython for the emulated Pico: download RPI_PICO (version 1.24 or newer, the file ending in .uf2) from the"
    f" download page of micropython.org and name it with --uf2 FILE or in the variable {VARIABLE}"
)


def named(path: Path | None = None) -> Path | None:
    """The UF2 given by `path` or CAIRN_UF2; None if neither names one. Failure if the file is not there."""
    said = path or os.environ.get(VARIABLE)
    if not said:
        return None
    found = Path(said)
    if not found.is_file():
        where = "--uf2" if path else VARIABLE
        raise Failure(f"{where} names {found}, and there is no such file")
    return found


def _published() -> tuple[str, str]:
    """The version that rp2040py would fetch, and its address."""
    from rp2040py.utils.firmware_retrieve import MICROPYTHON

    offered = MICROPYTHON.boards["pico"].fw
    tag = VERSION if VERSION in offered else MICROPYTHON.boards["pico"].default_tag
    return tag, offered[tag]


def kept() -> Path | None:
    """The UF2 of an earlier download by rp2040py, None if there is none. Asks no network."""
    path = Path.home() / ".cache" / "rp2040py" / _published()[1].rpartition("/")[2]
    return path if path.is_file() and path.stat().st_size else None


def find(path: Path | None = None) -> Path:
    """A UF2 by all ways there are, the network last. Failure, saying how to get one."""
    found = named(path) or kept()
    if found is None:
        found = _download()
    if found is None:
        raise Failure(MISSING)
    return found


def _download() -> Path | None:
    from rp2040py.utils.firmware_retrieve import MICROPYTHON, retrieve

    # It logs what we say in a line of our own.
    logging.getLogger("rp2040py").setLevel(logging.CRITICAL)
    try:
        return retrieve(MICROPYTHON, _published()[0])
    except OSError:
        return None
