"""The console of an emulated Pico on a TCP port of this machine, for `mpremote connect socket://127.0.0.1:PORT`."""

from __future__ import annotations

import socket

from tools.cli import Failure
from tools.emulator.chip import Pico

HOST = "127.0.0.1"
_TURN_MS = 20.0
_ROOM = 4096
"""Bytes on their way to the chip at most; what is more waits in the socket."""


class Server:
    """Listens at once. `port` 0 takes any free one; the attribute says which."""

    def __init__(self, pico: Pico, port: int) -> None:
        self._pico = pico
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((HOST, port))
        except OSError as fault:
            raise Failure(f"port {port} cannot be opened: {fault.strerror}; take another, or 0 for any") from None
        self._socket.listen(1)
        self._socket.setblocking(False)
        self.port: int = self._socket.getsockname()[1]
        self._client: socket.socket | None = None
        self._waiting = bytearray()
        pico.on_output = self._waiting.extend

    def turn(self) -> None:
        """Run for some emulated milliseconds, no faster than the clock on the wall, and pass on what was said."""
        if self._client is None:
            self._accept()
        self._read()
        self._pico.pace(_TURN_MS, lambda: bool(self._waiting))
        self._write()

    def _accept(self) -> None:
        try:
            self._client, _ = self._socket.accept()
        except BlockingIOError:
            return
        self._client.setblocking(False)
        self._client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._waiting.clear()

    def _read(self) -> None:
        if self._client is None or len(self._pico.typed) > _ROOM:
            return
        try:
            data = self._client.recv(_ROOM)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._pico.type(data)
        else:
            self._drop()

    def _write(self) -> None:
        if self._client is None:
            # Nobody listens: as on a port that no program has open.
            self._waiting.clear()
            return
        try:
            sent = self._client.send(self._waiting) if self._waiting else 0
        except BlockingIOError:
            return
        except OSError:
            self._drop()
            return
        del self._waiting[:sent]

    def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def close(self) -> None:
        """Give the port back."""
        self._drop()
        self._socket.close()
        self._pico.on_output = None
