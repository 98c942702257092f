"""What tests on the emulated Pico share: the UF2 or the reason to skip, and a Pico with some of our modules."""

import functools

import pytest

from tools.emulator import firmware
from tools.environment import ROOT
from tools.image import bytecode, filesystem


def uf2():
    """MicroPython's UF2; skips the test, by name, where none is at hand. Asks no network."""
    found = firmware.named() or firmware.kept()
    if found is None:
        pytest.skip(f"emulated Pico: {firmware.MISSING}")
    return found


@functools.cache
def compiled(path):
    """The .mpy of a file of ours."""
    source = (ROOT / path).read_text(encoding="utf-8")
    return bytecode.compile_source(path, source, native=True)


def packed(*paths, board="reference", extra=None):
    """A file system with these modules, compiled, and a board file as boards/built."""
    files = {path[:-3] + ".mpy": compiled(path) for path in paths}
    files["boards/built.mpy"] = compiled(f"boards/{board}.py")
    return filesystem.pack(files | (extra or {}), filesystem.LAYOUTS["RPI_PICO"])
