"""The line to one board: mpremote's serial transport, with a time limit on every call and errors that say what to do.

mpremote 1.29 (pinned) does the talking: raw REPL, raw paste, execution. Three things of it are replaced here: waiting
(its own goes on for as long as a board babbles), entering the raw REPL (its own prints to stdout when it fails) and
reading and writing (which know no limit). It is imported when a port is opened: `flash -h` needs no package.
"""

from __future__ import annotations

import ast
import base64
import errno
import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.cli import Failure

ANSWER_LIMIT_S = 15.0
"""The longest that one call may take; a caller with long work for the board gives more."""

_PIECE_BYTES = 2304  # of a file in one call: 3072 characters of base64
_MARK = "\x02"  # of onboard.py
_WAIT_S = 0.05  # for the next bytes, before the deadline is looked at again
_WRITE_LIMIT_S = 5.0
_STARTED = ("Cairn: starting", "Cairn: no whole")  # what firmware/loader.py prints last


RESET_IT = "unplug it, plug it in again and repeat"


def onboard() -> str:
    """What goes onto the board: onboard.py without its comments and docstrings, half the bytes."""
    tree = ast.parse(Path(__file__).with_name("onboard.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef)) and ast.get_docstring(node):
            node.body = node.body[1:]
    return ast.unparse(tree)


class Hanging(Failure):
    """The board did not answer in time."""


class Gone(Failure):
    """The board is no longer there."""


class Full(Failure):
    """The board's file system has no room left."""


class BoardError(Failure):
    """Code on the board raised something that no other error here stands for."""


class _Line:
    """A pyserial port whose reads and writes keep to a deadline (`time.monotonic()`), set by its owner."""

    def __init__(self, port, name: str) -> None:
        self._port = port
        self._name = name
        self._ahead = b""
        self.deadline = 0.0
        port.write_timeout = _WRITE_LIMIT_S

    def _check(self) -> None:
        if time.monotonic() > self.deadline:
            raise Hanging(f"{self._name}: no answer in time; {RESET_IT}")

    def _fetch(self, wait: bool) -> None:
        """Take in what has come; where nothing has, wait for a moment if asked to."""
        self._check()
        try:
            waiting = self._port.in_waiting
            if waiting or wait:
                self._ahead += self._port.read(waiting or 1)
        except (OSError, TypeError) as fault:  # TypeError: pyserial, on a port closed under it
            raise self._gone() from fault

    def _gone(self) -> Gone:
        return Gone(f"{self._name}: the board went away; plug it in and repeat, it starts what it had")

    def read(self, count: int = 1) -> bytes:
        while len(self._ahead) < count:
            self._fetch(wait=True)
        data, self._ahead = self._ahead[:count], self._ahead[count:]
        return data

    def read_past(self, ending: bytes) -> bytes:
        """All up to and with `ending`."""
        while ending not in self._ahead:
            self._fetch(wait=True)
        at = self._ahead.index(ending) + len(ending)
        data, self._ahead = self._ahead[:at], self._ahead[at:]
        return data

    def inWaiting(self) -> int:
        if not self._ahead:
            self._fetch(wait=False)
        return len(self._ahead)

    def drop(self) -> None:
        """Forget what has come so far."""
        self._fetch(wait=False)
        while self._ahead:
            self._ahead = b""
            self._fetch(wait=False)

    def write(self, data: bytes) -> int:
        self._check()
        try:
            return self._port.write(data)
        except OSError as fault:
            if "timeout" in str(fault).lower():
                raise Hanging(f"{self._name}: the board takes nothing in; {RESET_IT}") from fault
            raise self._gone() from fault

    def close(self) -> None:
        self._port.close()

    @property
    def rts(self) -> bool:
        return self._port.rts

    @rts.setter
    def rts(self, level: bool) -> None:
        self._port.rts = level

    @property
    def dtr(self) -> bool:
        return self._port.dtr

    @dtr.setter
    def dtr(self, level: bool) -> None:
        self._port.dtr = level


def _open(port: str) -> Any:
    """mpremote's transport on a _Line."""
    from mpremote.transport_serial import SerialTransport

    transport = SerialTransport(port, timeout=_WAIT_S)
    line = _Line(vars(transport)["serial"], port)

    def read_until(min_num_bytes, ending, timeout=10, data_consumer=None, timeout_overall=None):
        data = line.read_past(ending)
        if data_consumer:
            data_consumer(data)
        return data

    transport.serial = line
    transport.is_pty = False
    transport.read_until = read_until
    return transport


def _why_not(port: str) -> str:
    """Why a port could not be opened: mpremote says only that it could not."""
    import serial

    try:
        serial.serial_for_url(port, exclusive=True).close()
    except serial.SerialException as fault:
        text = str(fault)
        known = (errno.EACCES, errno.ENOENT, errno.EBUSY, errno.ENOTTY)
        number = fault.errno or next((n for n in known if f"[Errno {n}]" in text or f"({n}, " in text), 0)
        if number == errno.EACCES and os.name == "posix":
            return "no right to use it; `sudo usermod -a -G dialout $USER`, log out and in again (Debian, Ubuntu)"
        if number == errno.ENOENT or "FileNotFoundError" in text:
            return "there is no such port; without --port the board is looked for"
        if "refused" in text or "could not open port socket" in text.lower():
            return "nothing listens there"
        if number in (errno.ENOTTY, errno.EISDIR):
            return "is no serial port; without --port the board is looked for"
    except ValueError as fault:
        return str(fault)
    return "in use; close the program that has it (Thonny, a serial terminal, another flash) and repeat"


class Link:
    """One board under control: its raw REPL is entered, its memory is clean, onboard.py is loaded.

    Use as a context manager, which at the end starts the board's main.py, if that was not done, and lets go of the port.
    limit_s: the longest that a call may take unless it says otherwise. stopped: asked before every call; where it
    says True, KeyboardInterrupt is raised instead.
    """

    def __init__(
        self, port: str, limit_s: float = ANSWER_LIMIT_S, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self.port = port
        self.limit_s = limit_s
        self._stopped = stopped
        self._started = False
        self._lost = False
        from mpremote.transport import TransportError

        try:
            self._transport = _open(port)
        except (TransportError, OSError, ValueError):
            raise Failure(f"{port}: {_why_not(port)}") from None
        try:
            self.soft_reset()
            self.execute(onboard(), limit_s)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Link:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, _: object) -> None:
        try:
            if not self._started and not self._lost:
                self.restart()
        except (Gone, Hanging):
            if fault is None:
                raise
        finally:
            self.close()

    def close(self) -> None:
        """Let go of the port, whatever state the board is in."""
        try:
            self._transport.close()
        except OSError:
            # The port went away with its board: there is nothing left to let go of.
            return

    def soft_reset(self) -> None:
        """Into the raw REPL of a board fresh from a soft reset (which skips main.py in this mode)."""
        line = self._transport.serial
        tries = 3
        for attempt in range(tries):
            line.deadline = time.monotonic() + self.limit_s / tries
            try:
                # Twice: a program may swallow one Ctrl-C; apart: a port may drop what comes while it stops.
                line.write(b"\r\x03")
                time.sleep(0.1)
                line.write(b"\x03")
                time.sleep(0.1)
                line.drop()
                line.write(b"\r\x01")
                line.read_past(b"raw REPL; CTRL-B to exit\r\n>")
                line.write(b"\x04")
                line.read_past(b"soft reboot\r\n")
                line.read_past(b"raw REPL; CTRL-B to exit\r\n")
                return
            except Hanging:
                if attempt == tries - 1:
                    raise Hanging(
                        f"{self.port}: no MicroPython answers; if it is a board of ours {RESET_IT}, if it is new it "
                        "needs MicroPython first (docs/flashing.md)"
                    ) from None

    def execute(self, code: str, limit_s: float) -> str:
        """Run code on the board; what it prints. Failure where it raises."""
        if self._stopped():
            raise KeyboardInterrupt
        from mpremote.transport import TransportError, TransportExecError

        self._transport.serial.deadline = time.monotonic() + limit_s
        try:
            return self._transport.exec(code).decode("utf-8", "replace")
        except (Gone, Hanging):
            self._lost = True
            raise
        except TransportExecError as fault:
            raise self._error_of(fault.error_output) from None
        except (TransportError, ValueError) as fault:
            self._lost = True
            raise Hanging(f"{self.port}: the answer was not understood ({fault}); {RESET_IT}") from None

    def _error_of(self, text: str) -> Failure:
        last = (text.strip().splitlines() or ["an error without a text"])[-1]
        number = re.match(r"OSError: (?:\[Errno )?(\d+)", last)
        if number and int(number.group(1)) == errno.ENOSPC:
            return Full(f"{self.port}: the board's file system is full")
        if number and int(number.group(1)) == errno.EIO:
            return BoardError(f"{self.port}: the board's flash memory does not work any more ({last})")
        return BoardError(f"{self.port}: on the board: {last}")

    def call(self, name: str, *arguments: object, limit_s: float | None = None):
        """Call a function of onboard.py on the board; what it returns."""
        listed = ", ".join(map(repr, arguments))
        text = self.execute(f"answer({name}({listed}))", limit_s or self.limit_s)
        pieces = text.split(_MARK)
        try:
            return json.loads(pieces[1])
        except (IndexError, ValueError):
            raise Hanging(f"{self.port}: the answer was not understood; {RESET_IT}") from None

    def put(self, path: str, data: bytes, sent: Callable[[int], None] = lambda count: None) -> None:
        """Write a file (its folder must be there); `sent` is told the bytes as they go."""
        if len(data) <= _PIECE_BYTES:
            self.call("write", path, base64.b64encode(data))
            sent(len(data))
            return
        self.call("begin", path)
        for at in range(0, len(data), _PIECE_BYTES):
            piece = data[at : at + _PIECE_BYTES]
            self.call("more", base64.b64encode(piece))
            sent(len(piece))
        self.call("finish")

    def get(self, path: str, size: int) -> bytes:
        """Read a file of `size` bytes."""
        return b"".join(
            base64.b64decode(self.call("part", path, at, min(_PIECE_BYTES, size - at)))
            for at in range(0, size, _PIECE_BYTES)
        )

    def restart(self) -> None:
        """Leave the raw REPL and start main.py, whatever it is, by a soft reset."""
        self._started = True
        line = self._transport.serial
        line.deadline = time.monotonic() + self.limit_s
        line.write(b"\r\x02")
        line.read_past(b">>> ")
        line.write(b"\x04")
        line.read_past(b"soft reboot\r\n")

    def start(self) -> str:
        """restart(), then what the board printed until our loader said what it starts; without that after a while."""
        self.restart()
        line = self._transport.serial
        seen = ""
        while not any(text.startswith(_STARTED) for text in seen.splitlines()):
            try:
                seen += line.read_past(b"\n").decode("utf-8", "replace").replace("\r", "")
            except Hanging:
                return seen
        return seen
