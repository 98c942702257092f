"""A board's serial port as a TCP socket: MicroPython's REPL, raw REPL and raw paste, as they are on the wire.

In front of a real MicroPython (direct.Interpreter); the bytes follow MicroPython, shared/runtime/pyexec.c. It is fast and
can be disturbed at any byte, where the stand-in board (board.py) has MicroPython's own REPL.
"""

from __future__ import annotations

import os
import random
import select
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tests.standin.direct import Interpreter

_WINDOW = 128  # bytes that a board takes before it says so (MICROPY_REPL_STDIN_BUFFER_MAX / 2)
_PROMPT, _RAW_PROMPT = b"\r\n>>> ", b"raw REPL; CTRL-B to exit\r\n>"
_RUN_MAIN = "exec(open('/main.py').read(), {'__name__': '__main__'})"
_POLL_S = 0.05


class _Server:
    """A socket of this machine that a thread serves until `ended` is set; `port` is the number to connect to."""

    def __init__(self, serve: Callable[[], None]) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.ended = threading.Event()
        self._thread = threading.Thread(target=serve, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.ended.set()
        self._thread.join()
        self.socket.close()


class Wire:
    """One board; `port` is the number to connect to, each connection one opening of its port. It stays as it was from one
    to the next, unless it was unplugged.

    paste: whether it knows raw paste: "yes", "no", or "unknown" for a MicroPython that never heard of it.
    cut: the number of the command, from 1, at which it is unplugged, `cut_after` after having run it; 0: never.
    silent: the number of the command from which on it says nothing. noise: called with the number of each
    command, gives bytes that come before the answer. corrupt: called with each command, gives what arrived. delay_s:
    before each answer. codes: all that it was told to run.
    """

    def __init__(self, flash: Path, paste: str = "yes", **environment: str) -> None:
        self.flash = flash
        self.environment = environment
        self.paste = paste
        self.cut = self.silent = 0
        self.cut_after = False
        self.delay_s = 0.0
        self.noise = lambda number: b""
        self.corrupt = lambda code: code
        self.codes: list[str] = []
        self.console = b""
        self._interpreter: Interpreter | None = None
        self._server = _Server(self._serve)
        self.port = self._server.port

    def __enter__(self) -> Wire:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()
        self._power_off()

    def _power_off(self) -> None:
        if self._interpreter:
            self._interpreter.close()
            self._interpreter = None

    def _serve(self) -> None:
        session = _Session(self)
        while not self._server.ended.is_set():
            if select.select([self._server.socket], [], [], _POLL_S)[0]:
                connection, _ = self._server.socket.accept()
                with connection:
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    try:
                        session.run(connection, self._server.ended)
                    except _Unplugged:
                        session = _Session(self)

    def reset(self) -> Interpreter:
        """The interpreter after a reset."""
        self._power_off()
        self._interpreter = Interpreter(self.flash, **self.environment)
        return self._interpreter


class _Unplugged(Exception):
    """The board was pulled out."""


class _Session:
    """The board from when it is plugged in, at its prompt."""

    connection: socket.socket

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.interpreter = wire.reset()
        self.raw = False
        self.pasting = False
        self.escape = b""
        self.line = bytearray()
        self.number = 0

    def run(self, connection: socket.socket, ended: threading.Event) -> None:
        """Until the other side closes the port. _Unplugged if it is pulled out before."""
        self.connection = connection
        try:
            while not ended.is_set():
                if select.select([self.connection], [], [], _POLL_S)[0]:
                    data = self.connection.recv(4096)
                    if not data:
                        return
                    for byte in data:
                        self._take(byte)
        except ConnectionError:
            # The other side went away in the middle.
            return

    def _say(self, data: bytes) -> None:
        self.wire.console += data
        if self.wire.silent and self.number >= self.wire.silent:
            return
        self.connection.sendall(data)

    def _take(self, byte: int) -> None:
        if self.pasting:
            self._paste(byte)
        elif self.escape:
            self._escape(byte)
        elif byte == 1:
            self.raw = True
            self.line.clear()
            self._say(_RAW_PROMPT)
        elif byte == 2:
            self.raw = False
            self._say(b"\r\nMicroPython" + _PROMPT)
        elif byte == 3:
            self.line.clear()
            if not self.raw:
                self._say(_PROMPT)
        elif byte == 4 and self.raw and self.line:
            self._say(b"OK")
            self._execute()
        elif byte == 4:
            self._soft_reset()
        elif byte == 5 and self.raw and not self.line and self.wire.paste != "unknown":
            self.escape = b"\x05"
        elif self.raw:
            self.line.append(byte)

    def _escape(self, byte: int) -> None:
        self.escape += bytes([byte])
        if len(self.escape) < 3:
            return
        self.escape = b""
        if self.wire.paste == "no":
            self._say(b"R\x00")
            return
        self.pasting = True
        self._say(b"R\x01" + _WINDOW.to_bytes(2, "little") + b"\x01")

    def _paste(self, byte: int) -> None:
        if byte == 3:
            self.pasting = False
            self.line.clear()
            self._say(b"\x04\x04Traceback (most recent call last):\r\nKeyboardInterrupt: \r\n\x04>")
            return
        if byte == 4:
            self.pasting = False
            self._say(b"\x04")
            self._execute()
            return
        self.line.append(byte)
        if len(self.line) % _WINDOW == 0:
            self._say(b"\x01")

    def _soft_reset(self) -> None:
        if self.raw:
            self._say(b"OK\r\n")
        self._say(b"MPY: soft reboot\r\n")
        self.interpreter = self.wire.reset()
        if self.raw:
            self._say(_RAW_PROMPT)
            return
        printed, error = self.interpreter.run(_RUN_MAIN)
        self._say((printed + error).replace("\n", "\r\n").encode() + b"MicroPython" + _PROMPT)

    def _execute(self) -> None:
        self.number += 1
        code = self.wire.corrupt(self.line.decode())
        self.line.clear()
        self.wire.codes.append(code)
        cut = self.number == self.wire.cut
        if cut and not self.wire.cut_after:
            # A board that has a battery goes on: a soft reset closes files that are open, half written.
            if self.number > 1:
                self.interpreter.run("finish()")
            raise _Unplugged
        printed, error = self.interpreter.run(code)
        if cut:
            raise _Unplugged
        time.sleep(self.wire.delay_s)
        noise = self.wire.noise(self.number)
        self._say(noise + printed.replace("\n", "\r\n").encode() + b"\x04" + error.encode() + b"\x04>")


class Bridge:
    """The port of a stand-in board (a terminal) as a TCP socket, as long as it is there."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._server = _Server(self._serve)
        self.port = self._server.port

    def __enter__(self) -> Bridge:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    def _serve(self) -> None:
        while not self._server.ended.is_set():
            if select.select([self._server.socket], [], [], _POLL_S)[0]:
                connection, _ = self._server.socket.accept()
                with connection:
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self._relay(connection)

    def _relay(self, connection: socket.socket) -> None:
        try:
            terminal = os.open(self.path, os.O_RDWR | os.O_NOCTTY)
        except OSError:
            return
        try:
            while not self._server.ended.is_set():
                ready, _, _ = select.select([terminal, connection], [], [], _POLL_S)
                for source in ready:
                    data = os.read(source, 4096) if source is terminal else connection.recv(4096)
                    if not data:
                        return
                    if source is terminal:
                        connection.sendall(data)
                    else:
                        os.write(terminal, data)
        except OSError:
            # Pulled out: so is the other side's port.
            return
        finally:
            os.close(terminal)


def random_noise(seed: int) -> bytes:
    """Bytes as a bad cable makes them: text, halves of UTF-8, control characters but none of the protocol."""
    chance = random.Random(seed)
    pool = [b"\xff", b"\xc3", b"\xe2\x82", b"\x00", b"\r\n", b"abc", b"\x1b[0m", b"\xf0\x9f", b"{", b'"', b">>> "]
    return b"".join(chance.choice(pool) for _ in range(chance.randrange(12)))
