"""Stand-ins for MicroPython's built-in modules on CPython; they reach `sys.path` only through `install()`."""

from __future__ import annotations

import builtins
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))

VIPER_NAMES = ("ptr", "ptr8", "ptr16", "ptr32", "uint")
"""Names that viper's compiler knows and that must exist when the same lines run as ordinary Python."""


def identity(value):
    """A viper cast on CPython: an index into `value` does what the pointer does."""
    return value


def install() -> None:
    """Make `import micropython`, `import framebuf` and viper's names work in this process. Twice is once."""
    if FOLDER not in sys.path:
        # Last, so that a real module of that name would win.
        sys.path.append(FOLDER)
    for name in VIPER_NAMES:
        if not hasattr(builtins, name):
            setattr(builtins, name, identity)
