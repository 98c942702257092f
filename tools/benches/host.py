"""Playouts of a game on this machine: CPython, MicroPython's bytecode and machine code, and the plain reference."""

from __future__ import annotations

import importlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import standins
from tools.cli import Failure
from tools.environment import ROOT, Environment
from tools.image import bytecode
from tools.image.undecorate import undecorate

PROGRAM = Path(__file__).with_name("playouts.py")
LIMIT_S = 300
_FOLDERS = ("games",)


def parse(printed: str) -> dict[str, int]:
    """The figures that playouts.py printed."""
    found = {}
    for line in printed.splitlines():
        name, _, value = line.partition(" ")
        if value.strip().lstrip("-").isdigit():
            found[name] = int(value)
    return found


def _run(command: list[str], variables: dict[str, str], arguments: list[str]) -> dict[str, int]:
    environ = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "MICROPYPATH")} | variables
    try:
        done = subprocess.run(
            [*command, str(PROGRAM), *arguments], env=environ, capture_output=True, text=True, timeout=LIMIT_S
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]}: no figures after {LIMIT_S} s") from None
    if done.returncode:
        raise Failure(f"{Path(command[0]).name}: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return parse(done.stdout)


@contextmanager
def _as_bytecode() -> Iterator[Path]:
    """A copy of the games without the decorators of machine code."""
    with tempfile.TemporaryDirectory(prefix="cairn-") as name:
        for top in _FOLDERS:
            for source in sorted((ROOT / top).rglob("*.py")):
                target = Path(name) / source.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(undecorate(source.read_text(encoding="utf-8")), encoding="utf-8")
        yield Path(name)


def _arguments(game: str, seats: int, mask: int, ms: int) -> list[str]:
    return [game, str(seats), str(mask), str(ms), *standins.VIPER_NAMES]


def on_cpython(game: str, seats: int, mask: int, ms: int) -> dict[str, int]:
    """The figures of this Python."""
    path = os.pathsep.join((str(ROOT), standins.FOLDER))
    return _run([sys.executable, "-B"], {"PYTHONPATH": path}, _arguments(game, seats, mask, ms))


def speeds(game: str, seats: int, mask: int, ms: int) -> dict[str, dict[str, int]]:
    """Figures by platform: cpython, and bytecode and viper where MicroPython is installed."""
    arguments = _arguments(game, seats, mask, ms)
    found = {"cpython": on_cpython(game, seats, mask, ms)}
    interpreter = Environment().has("micropython")
    if interpreter:
        with _as_bytecode() as folder:
            path = os.pathsep.join((str(folder), ".frozen"))
            found["bytecode"] = _run([str(interpreter)], {"MICROPYPATH": path}, arguments)
        path = os.pathsep.join((str(ROOT), ".frozen"))
        found["viper"] = _run([str(interpreter)], {"MICROPYPATH": path}, arguments)
    return found


def reference_per_s(game: str, seats: int, options: dict[str, int], ms: int) -> int | None:
    """Games a second of the plain version of tests/reference, None where there is none."""
    if not (ROOT / "tests" / "reference" / f"{game}.py").is_file():
        return None
    plain = importlib.import_module(f"tests.reference.{game}")
    if hasattr(plain, "fill"):
        plain.fill()
    chance = random.Random(2026)
    plain.random_game(seats, options, chance)
    count = 0
    started = time.perf_counter()
    while time.perf_counter() - started < ms / 1000:
        plain.random_game(seats, options, chance)
        count += 1
    return round(count / (time.perf_counter() - started))


def sizes(game: str) -> dict[str, dict[str, int]]:
    """Bytes of each module of a game as .mpy: for the Pico, and as bytecode alone."""
    found = {}
    for source in sorted((ROOT / "games" / game).glob("*.py")):
        text = source.read_text(encoding="utf-8")
        path = source.relative_to(ROOT).as_posix()
        found[source.stem] = {
            "pico": len(bytecode.compile_source(path, text, native=True)),
            "bytecode": len(bytecode.compile_source(path, text, native=False)),
        }
    return found
