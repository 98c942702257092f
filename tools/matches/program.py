"""A player that is a program of its own, spoken to in lines on its standard input and output."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

THINK_MS = 5000
"""The time that a program has for a move, unless it is said."""

# A longer answer is cut, and so no move.
LONGEST = 4096
# After its last line a program may put its things in order for so long.
GRACE_S = 1.0


class ProgramFault(Exception):
    """A program did not do what a player must; the text says what."""


class Program:
    """A running program."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it. ProgramFault if that cannot be done."""
        # A session of its own, so that it ends with all that it started, and Ctrl-C is ours.
        apart: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        pipe = subprocess.PIPE
        try:
            self._child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, **apart)
        except OSError as fault:
            raise ProgramFault(f"it cannot be started: {fault.strerror}") from None
        self._told: list[str] = []
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        # Threads, as a program may read nothing, write nothing or write without end, and none of that may hold us up.
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._write, self._read, self._read_errors)
        ]
        for thread in self._threads:
            thread.start()

    def tell(self, text: str) -> None:
        """Send a line."""
        self._lines.put(text.encode() + b"\n")

    def ask(self, text: str, ms: int) -> str:
        """Send a line and return the line that answers it. ProgramFault without one within `ms` milliseconds."""
        with suppress(queue.Empty):
            if self._answers.get_nowait() is not None:
                raise ProgramFault("it wrote a line without being asked")
            raise ProgramFault(self._ending())
        self.tell(text)
        try:
            answer = self._answers.get(timeout=ms / 1000)
        except queue.Empty:
            raise ProgramFault(f"no answer within {ms} ms") from None
        if answer is None:
            raise ProgramFault(self._ending())
        return answer.decode("utf-8", "replace").strip()

    def close(self, at_once: bool = False) -> None:
        """End it; it may first come to its end by itself unless that must be `at_once`."""
        self._lines.put(None)
        if not at_once:
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(GRACE_S)
        if sys.platform == "win32":
            self._child.kill()
        else:
            # What it started may outlive it.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()

    def _ending(self) -> str:
        """Why it ended, in a line."""
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(GRACE_S)
        self._threads[2].join(GRACE_S)
        said = f": {self._told[-1]}" if self._told else ""
        if self._child.poll() is None:
            return f"it closed its output{said}"
        return f"it ended (exit code {self._child.returncode}){said}"

    def _write(self) -> None:
        pipe = _open(self._child.stdin)
        with suppress(OSError, ValueError), pipe:
            while (text := self._lines.get()) is not None:
                pipe.write(text)
                pipe.flush()

    def _read(self) -> None:
        with suppress(OSError, ValueError):
            while text := _open(self._child.stdout).readline(LONGEST):
                self._answers.put(text)
                # More than one line at a time is a fault that `ask` finds; the rest need not be kept.
                if self._answers.qsize() > 8:
                    break
        self._answers.put(None)

    def _read_errors(self) -> None:
        with suppress(OSError, ValueError):
            while text := _open(self._child.stderr).readline(LONGEST):
                if text.strip():
                    self._told = [text.decode("utf-8", "replace").strip()]


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe
    return pipe
