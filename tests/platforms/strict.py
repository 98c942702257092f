"""CPython as a strict machine: memory that refuses what would silently go wrong in machine code.

On the Pico a pointer has no bounds, a negative index reads in front of the object, a store drops high bits, and a
register holds 32 bits. Here each of those raises. Run as a program it does what runner.py does, on that machine.
"""

from __future__ import annotations

import builtins
import inspect
import sys
from functools import wraps
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path

LOW, HIGH = -(2**31), 2**31 - 1


class StrictBytes(bytearray):
    """A bytearray without negative indices and of one length; slices are strict too."""

    def __getitem__(self, key):
        if key.__class__ is int:
            return bytearray.__getitem__(self, key if key >= 0 else _refuse(key))
        return StrictBytes(bytearray.__getitem__(self, key))

    def __setitem__(self, key, value):
        if key.__class__ is not int:
            if len(value) != len(range(*key.indices(len(self)))):
                raise IndexError("a slice of another length would resize the memory")
        elif key < 0:
            _refuse(key)
        bytearray.__setitem__(self, key, value)


class Pointer:
    """What viper's `ptr8`, `ptr16` and `ptr32` make of an object: items of `width` bytes, and nothing beside them.

    The width is checked when an item is touched: the same argument may serve as one kind of pointer or the other.
    """

    __slots__ = ("_items", "_name", "_right", "_writable")

    def __init__(self, target, width: int) -> None:
        view = memoryview(target)
        self._items = target
        self._right = view.itemsize == width
        self._writable = not view.readonly
        self._name = f"ptr{8 * width}"

    def __getitem__(self, key):
        if not self._right:
            raise TypeError(f"{self._name} of items of another size: plain CPython would read something else")
        return self._items[key if key >= 0 else _refuse(key)]

    def __setitem__(self, key, value):
        if not self._right:
            raise TypeError(f"{self._name} of items of another size: plain CPython would write something else")
        if not self._writable:
            raise TypeError(f"{self._name} writes into constant bytes")
        self._items[key if key >= 0 else _refuse(key)] = value


def _refuse(key):
    """The error of a negative index, which in machine code reads what lies in front."""
    raise IndexError(f"negative index {key}")


def pointer(width: int):
    """A strict `ptr8`, `ptr16` or `ptr32`."""

    def make(target):
        if width == 1 and type(target) is StrictBytes:
            # Strict already; twice would only be slower.
            return target
        return Pointer(target._items if isinstance(target, Pointer) else target, width)

    return make


def register(value: int, what: str) -> int:
    """A value that a 32-bit register can hold."""
    if not LOW <= value <= HIGH:
        raise OverflowError(f"{what} = {value} does not fit into 32 bits")
    return value


def viper(function):
    """The decorator of machine code: arguments become what their annotations say."""
    parameters = list(inspect.signature(function).parameters.values())
    casts = {"ptr8": pointer(1), "ptr16": pointer(2), "ptr32": pointer(4)}
    plan = []
    for parameter in parameters:
        kind = getattr(parameter.annotation, "kind", parameter.annotation)
        if kind in casts:
            plan.append(casts[kind])
        elif kind is int:
            plan.append(lambda value, name=parameter.name: register(int(value), name))
        else:
            plan.append(None)

    @wraps(function)
    def strict(*arguments):
        given = [cast(value) if cast else value for cast, value in zip(plan, arguments, strict=True)]
        result = function(*given)
        return register(result, "the result") if isinstance(result, int) else result

    return strict


class StrictLoader(SourceFileLoader):
    """Loads a file for which `bytearray` is StrictBytes; the standard library keeps its own."""

    def exec_module(self, module) -> None:
        module.__dict__["bytearray"] = StrictBytes
        super().exec_module(module)


class StrictFinder:
    """Finds what a Pico may run, and its portable tests."""

    TOPS = ("games", "hal", "firmware", "tests")

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        spec = PathFinder.find_spec(name, path, target) if name.partition(".")[0] in cls.TOPS else None
        if spec and isinstance(spec.loader, SourceFileLoader):
            spec.loader = StrictLoader(spec.loader.name, spec.loader.path)
        return spec


def install() -> None:
    """Make this process strict. Before anything of ours that runs on the device is imported."""
    for width in (1, 2, 4):
        cast = pointer(width)
        cast.kind = f"ptr{8 * width}"
        setattr(builtins, f"ptr{8 * width}", cast)
    from tools import standins

    standins.install()
    import micropython

    micropython.viper = viper
    sys.meta_path.insert(0, StrictFinder)


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent)
    install()
    import runner

    runner.main(sys.argv[1:])
