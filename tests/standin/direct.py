"""A board's MicroPython at the end of a pipe: what Link does, a thousand calls a second, stopped at any of them."""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.standin.board import PRELUDE, micropython
from tools.boards import link

_SERVE = r"""
names = {"__name__": "__main__"}
while True:
    line = sys.stdin.readline()
    if not line:
        break
    try:
        exec(sys.stdin.read(int(line)), names)
    except BaseException as fault:
        print('\x03', end='')
        sys.print_exception(fault, sys.stdout)
    print('\x04', end='')
"""
_RAISED = "\x03"


class Interpreter:
    """MicroPython on a flash image, as it is after a reset: runs one piece of code after the other, in one namespace."""

    def __init__(self, flash: Path, **environment: str) -> None:
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
        self._until_end(b"\x1e")

    def run(self, code: str) -> tuple[str, str]:
        """What the code prints, and the traceback of what it raises, "" if nothing. Gone if MicroPython ends."""
        source = code.encode()
        self._process.stdin.write(b"%d\n%s" % (len(code), source))
        self._process.stdin.flush()
        printed, _, error = self._until_end(b"\x04").decode("utf-8", "replace").partition(_RAISED)
        return printed, error

    def _until_end(self, ending: bytes) -> bytes:
        seen = b""
        while not seen.endswith(ending):
            piece = self._process.stdout.read1(4096)
            if not piece:
                raise link.Gone("direct: MicroPython ended")
            seen += piece
        return seen[: -len(ending)]

    def end(self) -> None:
        """Let MicroPython end by itself."""
        self._process.stdin.close()
        self._process.wait()

    def close(self) -> None:
        """Power off."""
        self._process.kill()
        self._process.wait()
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._folder.cleanup()


class DirectLink(link.Link):
    """Link without the serial line.

    stop_at: the number of the call, from 1, before which the board is unplugged and resets itself.
    """

    def __init__(self, flash: Path, stop_at: int | None = None, **environment: str) -> None:
        self.port = "direct"
        self.limit_s = 10.0
        self.calls = 0
        self.codes: list[str] = []
        self._started = True
        self._lost = False
        self.stop_at = stop_at
        self._interpreter = Interpreter(flash, **environment)
        self._interpreter.run(link.onboard())

    def close(self) -> None:
        """Power off."""
        self._interpreter.close()

    def restart(self) -> None:
        """Nothing: the test boots the flash memory by itself."""

    def execute(self, code: str, limit_s: float) -> str:
        self.calls += 1
        self.codes.append(code)
        if self.calls == self.stop_at:
            # A board that has a battery goes on: a soft reset closes files that are open, half written.
            self._interpreter.run("finish()")
            self._interpreter.end()
            raise link.Gone("direct: unplugged")
        printed, error = self._interpreter.run(code)
        if error:
            raise self._error_of(error)
        return printed
