"""Worker processes that play games: on the fastest interpreter at hand, one for each core."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from tools.cli import Failure
from tools.environment import ROOT, Environment

HEAP = "32m"
# Runs only where machine code is made.
PROBE = "import micropython, json\n@micropython.viper\ndef f(a: int) -> int:\n    return a + 1\nprint(f(1))"
PROBE_S = 20
POLL_S = 0.3
TRACEBACK = "Traceback "

Ask = Callable[[dict, int, Sequence[int]], "int | None"]
"""Gives a move of a player that no worker has: (game, seat, plies since the last line) to the move, None if it lost."""
End = Callable[[dict, dict], None]
"""Told of a game and its result."""


class Work(Protocol):
    """What a worker does: its program, and the first line for it."""

    @property
    def program(self) -> str:
        """The module, a main program for MicroPython and CPython."""

    def asked(self) -> dict[str, Any]:
        """The first line for a worker."""


@dataclass(frozen=True)
class Table:
    """A match's game and players. A player None is asked for; weights None are the bot's own."""

    program: ClassVar[str] = "tools.matches.worker"
    game: str
    seats: int
    mask: int
    players: Sequence[str | None]
    weights: Sequence[bytes | None] = ()

    def asked(self) -> dict[str, Any]:
        """The first line for a worker."""
        weights = [w.hex() if w is not None else None for w in self.weights] or [None] * len(self.players)
        names = list(self.players)
        return {"game": self.game, "seats": self.seats, "mask": self.mask, "players": names, "weights": weights}


def interpreter(program: str = Table.program, heap: str = HEAP) -> tuple[list[str], dict[str, str], str]:
    """The command, environment variables and name of the fastest interpreter at hand that runs a worker, or another
    program of the kind, with so much memory where that must be said."""
    variables = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "MICROPYPATH")}
    found = Environment().has("micropython") or shutil.which("micropython")
    if found:
        with suppress(OSError, subprocess.TimeoutExpired):
            probe = subprocess.run([str(found), "-c", PROBE], capture_output=True, timeout=PROBE_S, text=True)
            if probe.stdout.strip() == "2":
                variables["MICROPYPATH"] = os.pathsep.join((str(ROOT), ".frozen"))
                file = str(ROOT.joinpath(*program.split("."))) + ".py"
                return [str(found), "-X", f"heapsize={heap}", file], variables, "MicroPython"
    return [sys.executable, "-m", program], variables, "CPython"


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Worker:
    """One process that does some work."""

    def __init__(self, work: Work) -> None:
        command, variables, _ = interpreter(work.program)
        # A session of its own: Ctrl-C is for this process, which ends the workers.
        apart: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(
            command, cwd=ROOT, env=variables, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8", **apart
        )
        self._send(work.asked())

    def play(self, game: dict, ask: Ask | None = None) -> dict:
        """Have a game played; its result. Failure if the process ends."""
        self._send(game)
        while True:
            answer = self._receive()
            if "ask" not in answer:
                return answer
            assert ask
            move = ask(game, answer["ask"], answer["plies"])
            self._send({"lost": 1} if move is None else {"move": move})

    def close(self) -> None:
        """End the process."""
        self._child.kill()
        self._child.wait()

    def _send(self, values: dict) -> None:
        assert self._child.stdin
        try:
            self._child.stdin.write(json.dumps(values) + "\n")
            self._child.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None

    def _receive(self) -> dict:
        assert self._child.stdout
        line = self._child.stdout.readline()
        if not line.endswith("\n"):
            raise self._ended()
        try:
            return json.loads(line)
        except ValueError:
            if line.startswith(TRACEBACK):
                # MicroPython writes its own here.
                raise self._ended(self._child.stdout.read()) from None
            self.close()
            told = f"wrote {line.strip()[:80]!r} to its standard output, which is for results alone"
            raise Failure(f"a process that played games {told}") from None

    def _ended(self, said: str = "") -> Failure:
        """Why it ended; `said` is what it wrote of that to its standard output."""
        self._child.kill()
        assert self._child.stderr
        told = [line for line in (said + self._child.stderr.read()).splitlines() if line.strip()]
        why = told[-1] if told else f"exit code {self._child.wait()}"
        return Failure(f"a process that played games ended: {why}")


class Crew:
    """Plays games on several workers. A context manager: leaving it ends them."""

    def __init__(self, work: Work, workers: int, ask: Ask | None = None, end: End | None = None) -> None:
        self._work = work
        self._count = workers
        self._ask = ask
        self._end = end
        self._workers: list[Worker] = []
        self._closed = False
        self._lock = threading.Lock()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._closed = True
        for worker in self._workers:
            worker.close()

    def play(self, games: Sequence[dict]) -> Iterator[tuple[dict, dict]]:
        """Yield each game with its result, in the order in which they end. Failure if a worker ends."""
        waiting = iter(games)
        ended: queue.SimpleQueue = queue.SimpleQueue()
        for _ in range(min(self._count, len(games))):
            worker = Worker(self._work)
            self._workers.append(worker)
            threading.Thread(target=self._serve, args=(worker, waiting, ended), daemon=True).start()
        for _ in range(len(games)):
            game, result = self._next(ended)
            if isinstance(result, BaseException):
                raise result
            yield game, result

    @staticmethod
    def _next(ended: queue.SimpleQueue) -> tuple[dict, Any]:
        """The next of a queue; on Windows only a wait that ends hears Ctrl-C."""
        while True:
            with suppress(queue.Empty):
                return ended.get(timeout=POLL_S)

    def _serve(self, worker: Worker, waiting: Iterator[dict], ended: queue.SimpleQueue) -> None:
        """Keep one worker busy (a thread)."""
        while True:
            with self._lock:
                game = None if self._closed else next(waiting, None)
            if game is None:
                return
            try:
                result = worker.play(game, self._ask)
                if self._end:
                    self._end(game, result)
            except BaseException as fault:  # it is raised again where the results are read
                ended.put((game, fault))
                return
            ended.put((game, result))
