"""A board's MicroPython at the end of a pipe: what Link does, a thousand calls a second, stopped at any of them."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from tests.standin.board import PRELUDE, micropython
from tools.boards import link

_SERVE = r"""
import sys
exec(sys.stdin.read(int(sys.stdin.readline())))
while True:
    line = sys.stdin.readline()
    if not line:
        break
    try:
        exec(sys.stdin.read(int(line)))
    except Exception as fault:
        sys.print_exception(fault, sys.stdout)
        print('\x03', end='')
    print('\x04', end='')
"""


class DirectLink(link.Link):
    """Link without the serial line.

    stop_at: the number of the call, from 1, before which the board is unplugged and resets itself.
    """

    def __init__(self, flash: Path, stop_at: int | None = None, **environment: str) -> None:
        self.port = "direct"
        self.limit_s = 10.0
        self.calls = 0
        self._started = True
        self._lost = False
        self.stop_at = stop_at
        self._folder = tempfile.TemporaryDirectory()
        script = Path(self._folder.name) / "serve.py"
        script.write_text(PRELUDE.read_text(encoding="utf-8") + _SERVE, encoding="utf-8")
        settings = {
            "CAIRN_FLASH": str(flash),
            "CAIRN_BLOCKS": "96",
            "PATH": os.environ.get("PATH", ""),
            **environment,
        }
        self._process = subprocess.Popen(
            [micropython() or "micropython", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=settings,
        )
        self._send(link.onboard())

    def close(self) -> None:
        """Power off."""
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
        self._folder.cleanup()

    def restart(self) -> None:
        """Nothing: the test boots the flash memory by itself."""

    def _send(self, code: str) -> None:
        self._process.stdin.write(f"{len(code)}\n{code}".encode())
        self._process.stdin.flush()

    def execute(self, code: str, limit_s: float) -> str:
        self.calls += 1
        if self.calls == self.stop_at:
            # A board that has a battery goes on: a soft reset closes files that are open, half written.
            self._send("finish()")
            self._process.stdin.close()
            self._process.wait()
            raise link.Gone("direct: unplugged")
        self._send(code)
        seen = b""
        while not seen.endswith(b"\x04"):
            piece = self._process.stdout.read(1)
            if not piece:
                raise link.Gone("direct: MicroPython ended")
            seen += piece
        text = seen[:-1].decode()
        if text.endswith("\x03"):
            raise self._error_of(text[:-1])
        return text
