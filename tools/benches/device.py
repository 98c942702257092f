"""The figures of a Pico that has the image: start, memory, screen, playouts, thoughts. Emulated or real, by the same
programs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from tools.benches.host import PROGRAM, parse
from tools.boards.link import Link
from tools.cli import Failure

SCREEN = Path(__file__).with_name("screen.py")
THINKING = Path(__file__).with_name("thinking.py")
REAL_CALIBRATION_MS = 334
"""100,000 rounds of `while i < n: i += 1` on a real Pico at 125 MHz."""

BLOCK_BYTES = 16
"""Of MicroPython's heap on a 32-bit chip; mem_info() counts in them."""

_LIMIT_MS = 300_000
_LOOKS = 3

_START = """
import sys, gc, time, micropython
sys.path.insert(0, '/{folder}')
t = time.ticks_ms()
import firmware.main as m
d = m.PicoDevice()
a = m.App(d, 'en', 2026)
a.step()
print('start_ms', time.ticks_diff(time.ticks_ms(), t))
"""
# A game; who plays are kinds of players (firmware/saves.py).
_GAME = "a.home('game', None, '{game}', 0, bytes({who}))\nfor i in range(3): a.step()\n"
_PERSON, _EASY, _EXPERT = 1, 2, 5
_PERSONS, _AGAINST_EASY, _AGAINST_EXPERT = (_PERSON, _PERSON), (_PERSON, _EASY), (_PERSON, _EXPERT)
_THINK_MS = 600
# Some turns apart: what looks like a pointer on the stack may keep a dead object for a moment.
_MEMORY = "for i in range(4):\n a.step()\n gc.collect()\n print('free', gc.mem_free())\n micropython.mem_info()\n"
_CALIBRATION = (
    "import time\ndef f(n):\n i = 0\n while i < n: i += 1\n"
    "t = time.ticks_us(); f(20000); print('calibration_us', time.ticks_diff(time.ticks_us(), t) * 5)\n"
)


class Board(Protocol):
    """What is asked of a board."""

    def soft_reset(self) -> None:
        """A fresh interpreter, without main.py."""

    def execute(self, source: str, limit_ms: float = ...) -> str:
        """Run a program; what it prints. RuntimeError with its traceback."""


class Port:
    """A real board at the end of a line."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def soft_reset(self) -> None:
        self._link.soft_reset()

    def execute(self, source: str, limit_ms: float = _LIMIT_MS) -> str:
        return self._link.execute(source, limit_ms / 1000).replace("\r", "")


def _memory(printed: str) -> dict[str, int]:
    """Free bytes and the largest free block, the best of several looks, out of what mem_info() printed."""
    free = [int(n) for n in re.findall(r"^free (\d+)", printed, re.MULTILINE)]
    largest = [int(n) * BLOCK_BYTES for n in re.findall(r"max free sz: (\d+)", printed)]
    if not free or not largest:
        raise Failure(f"mem_info() printed what nobody expected: {printed.strip()[:80]!r}")
    return {"free": max(free), "largest": max(largest)}


def _folder(board: Board) -> str:
    said = board.execute("try:\n print(open('/active').read())\nexcept OSError:\n pass").strip()
    if said not in ("a", "b"):
        raise Failure("there is no firmware of ours on this board: python3 -m tools flash")
    return said


def measure(
    board: Board,
    tables: list[tuple[str, int, int]],
    ms: int,
    changes: int,
    sample: tuple[int, int],
    say: Callable[[str], None],
) -> dict[str, Any]:
    """All figures. tables: (game, seats, option mask) to play out, each for about `ms`; changes: of game, in the test
    that memory does not crumble; sample: (positions, iterations at each) in which computer players think. `say` is told
    what is being done. Failure if the firmware on the board cannot be measured."""
    try:
        return _measure(board, tables, ms, changes, sample, say)
    except RuntimeError as fault:
        raise Failure(f"on the board: {str(fault).splitlines()[-1]}") from fault


def _measure(
    board: Board,
    tables: list[tuple[str, int, int]],
    ms: int,
    changes: int,
    sample: tuple[int, int],
    say: Callable[[str], None],
) -> dict[str, Any]:
    board.soft_reset()
    folder = _folder(board)
    said = board.execute("import sys\nprint(sys.implementation._machine)\nprint(sys.version)").splitlines()
    manifest = json.loads(board.execute(f"print(open('/{folder}/manifest.json').read())"))
    found: dict[str, Any] = {"machine": said[0], "micropython": said[1], "build": manifest["build"]}
    found["calibration_us"] = parse(board.execute(_CALIBRATION))["calibration_us"]
    found["image"] = {path: size for path, size, _ in manifest["files"]}

    say("start and title")
    board.soft_reset()
    found["start_ms"] = parse(board.execute(_START.format(folder=folder), _LIMIT_MS))["start_ms"]
    found["memory"] = {"title": _memory(board.execute(_MEMORY))}
    shown = [g for g in dict.fromkeys(game for game, _, _ in tables) if f"firmware/views/{g}.mpy" in found["image"]]
    for game in shown:
        say(f"memory in {game}")
        for name, who in ((game, _AGAINST_EXPERT), (f"{game}, persons", _PERSONS)):
            board.execute(_GAME.format(game=game, who=who), _LIMIT_MS)
            found["memory"][name] = _memory(board.execute(_MEMORY))
    if changes and shown:
        # What a game adds to the names that MicroPython keeps for ever is lost once, when it is played first.
        found["memory"]["all played"] = _settled(board, shown[0])
        for n in range(changes):
            say(f"changes of game, {n + 1} of {changes}")
            board.execute(_GAME.format(game=shown[n % len(shown)], who=_AGAINST_EXPERT), _LIMIT_MS)
        found["changes"] = changes
        found["memory"]["after changes"] = _settled(board, shown[0])

    found["screen"] = {}
    if shown:
        board.execute(SCREEN.read_text(encoding="utf-8"))
    for game in shown:
        say(f"screen of {game}")
        board.execute(_GAME.format(game=game, who=_AGAINST_EASY), _LIMIT_MS)
        found["screen"][game] = parse(board.execute("measure(a)\nturns(a, 1500)", _LIMIT_MS))
        board.execute(_GAME.format(game=game, who=(_EXPERT, _EXPERT)), _LIMIT_MS)
        found["screen"][game] |= parse(board.execute(f"thinking(a, {_THINK_MS})", _LIMIT_MS))

    found["playouts"] = {}
    for game, seats, mask in tables:
        say(f"playouts of {game}")
        found["playouts"][f"{game} {seats} {mask}"] = playouts(board, game, seats, mask, ms)
    found["thoughts"] = {}
    # A firmware from before the levels has no players that think.
    for game, seats, mask in tables if "games/levels.mpy" in found["image"] else ():
        say(f"thoughts of {game}")
        found["thoughts"][f"{game} {seats} {mask}"] = thoughts(board, game, seats, mask, *sample)
    return found


def _settled(board: Board, game: str) -> dict[str, int]:
    """Memory in a game, begun some times: the collector takes numbers for pointers, so that now and then one dead game
    stays until the next change. Memory that is really lost is missing every time."""
    looks = (_memory(board.execute(_GAME.format(game=game, who=_AGAINST_EXPERT) + _MEMORY, _LIMIT_MS)) for _ in range(_LOOKS))
    return max(looks, key=lambda memory: memory["free"])


def playouts(board: Board, game: str, seats: int, mask: int, ms: int) -> dict[str, int]:
    """The figures of random games at one table, each speed for about `ms`, in a fresh interpreter."""
    return _alone(board, PROGRAM, f"measure({game!r}, {seats}, {mask}, {ms})")


def thoughts(board: Board, game: str, seats: int, mask: int, positions: int, iterations: int) -> dict[str, int]:
    """The figures of a game's computer players at one table, in a fresh interpreter: iterations a second, time a move
    by level, the longest step and heap. So many positions, so many iterations at each."""
    return _alone(board, THINKING, f"measure({game!r}, {seats}, {mask}, {positions}, {iterations})")


def _alone(board: Board, program: Path, call: str) -> dict[str, int]:
    """What a call of a program prints, in a fresh interpreter."""
    board.soft_reset()
    board.execute(f"import sys\nsys.path.insert(0, '/{_folder(board)}')")
    board.execute(program.read_text(encoding="utf-8").partition("\nif __name__")[0])
    return parse(board.execute(call, _LIMIT_MS))


def ratios(found: dict[str, Any]) -> dict[str, Any]:
    """The times of `found` as multiples of the calibration loop, and what they are on the real part: `NAME_ratio` and
    `NAME_real` beside each `*_ms`, `*_us` and `*_per_s`. The ratio of a rate is to how often a second the loop runs."""
    loop_us = found["calibration_us"]
    factor = REAL_CALIBRATION_MS * 1000 / loop_us

    def of(figures: dict[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name, value in figures.items():
            out[name] = of(value) if isinstance(value, dict) and name not in ("image", "memory") else value
            if not isinstance(value, int) or name in ("calibration_us", "import_ms"):
                continue
            if name.endswith("_us"):
                out[f"{name}_ratio"], out[f"{name}_real"] = round(value / loop_us, 5), round(value * factor)
            elif name.endswith("_ms"):
                out[f"{name}_ratio"], out[f"{name}_real"] = round(value * 1000 / loop_us, 4), round(value * factor)
            elif name.endswith("_per_s") and name != "turns_per_s":
                out[f"{name}_ratio"], out[f"{name}_real"] = round(value * loop_us / 1e6, 2), round(value / factor)
        return out

    return of(found)
