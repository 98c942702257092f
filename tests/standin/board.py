"""The stand-in board: what mpremote and `flash` open is one end of a pseudo-terminal, MicroPython is behind it.

MicroPython's unix port is not quite a board's: it ends at Ctrl-D, where a board resets itself; it loses Ctrl-C while
it takes a raw paste, so the paste is taken here and goes on as an ordinary raw command; and it throws away what it has
not read yet when its terminal changes mode, before and after each program, so it is sent nothing but Ctrl-C while a
program runs. The mode tells: while the REPL reads, Ctrl-C is a character to it and no signal.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

if os.name == "posix":
    # Elsewhere there is no stand-in, and its tests are skipped.
    import fcntl
    import pty
    import termios
    import tty

PRELUDE = Path(__file__).with_name("prelude.py")
_RAW_PASTE = b"\x05A\x01"
_PASTE_WINDOW = 2048
_REPL_LIMIT_S = 5
_BOOT_LIMIT_S = 10


def micropython() -> str | None:
    """The `micropython` command of the environment that runs the tests."""
    beside = Path(sys.executable).with_name("micropython")
    return str(beside) if beside.exists() else shutil.which("micropython")


class StandIn:
    """One board. `port` is what to open, `flash` the file that holds its flash memory.

    Faults: unplug() and plug(), hang(), mute (set: answers are swallowed), babble (bytes that it says for ever),
    unplug_at (unplugged when that many commands have come), corrupt (called with each command from the PC, gives what
    arrives).
    """

    def __init__(self, folder: Path, name: str = "board", blocks: int = 96, **environment: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.flash = folder / f"{name}.flash"
        self.led = folder / f"{name}.led"
        self.port = str(folder / f"{name}.port")
        self.environment = {
            "CAIRN_FLASH": str(self.flash),
            "CAIRN_BLOCKS": str(blocks),
            "CAIRN_ID": name,
            "CAIRN_LED": str(self.led),
            "PATH": os.environ.get("PATH", ""),
            **environment,
        }
        self.console = b""
        self.commands = 0
        self.unplug_at: int | None = None
        self.mute = False
        self.babble = b""
        self.corrupt = lambda data: data
        self._raw = False
        self._paste: bytearray | None = None
        self._swallow = 0
        self._hung = False
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._child: subprocess.Popen | None = None

    def __enter__(self) -> StandIn:
        self.plug()
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()

    def plug(self) -> None:
        """Power on: the board starts main.py, and its port is there."""
        self._stop.clear()
        self._hung = False
        self._raw = False
        self._paste = None
        self._swallow = 0
        self.console = b""
        self.commands = 0
        self._outer, self._slave = pty.openpty()
        tty.setraw(self._slave)
        Path(self.port).unlink(missing_ok=True)
        os.symlink(os.ttyname(self._slave), self.port)
        self._spawn(main=True)
        self._thread = threading.Thread(target=self._pump, daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Power off: MicroPython dies where it is, the port is gone."""
        self._stop.set()
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join()
        if self._child:
            self._end_child()
            os.close(self._slave)
            os.close(self._outer)
            Path(self.port).unlink(missing_ok=True)

    def hang(self) -> None:
        """From now on the board neither answers nor takes anything in."""
        if self._child:
            self._hung = True
            os.kill(self._child.pid, signal.SIGSTOP)

    def _end_child(self) -> None:
        child, self._child = self._child, None
        if child:
            child.kill()
            child.wait()
            os.close(self._inner)

    def _spawn(self, main: bool) -> None:
        master, slave = pty.openpty()
        tty.setraw(slave)
        modes = termios.tcgetattr(slave)
        modes[3] |= termios.ISIG  # Ctrl-C reaches a program that runs
        termios.tcsetattr(slave, termios.TCSANOW, modes)
        environment = dict(self.environment)
        if main:
            environment["CAIRN_MAIN"] = "1"
        self._child = subprocess.Popen(
            [micropython() or "micropython", "-X", "heapsize=192k", "-i", str(PRELUDE)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self._inner = master
        self._until(b"\x1e")

    def _until(self, ending: bytes) -> None:
        """Read what the child says up to `ending`, and drop it."""
        seen = b""
        end = time.monotonic() + _BOOT_LIMIT_S
        while not seen.endswith(ending) and time.monotonic() < end:
            if select.select([self._inner], [], [], 0.05)[0]:
                seen += os.read(self._inner, 1)

    def _say(self, data: bytes) -> None:
        self.console += data
        if not self.mute:
            os.write(self._outer, data)

    def _pump(self) -> None:
        while not self._stop.is_set():
            ready, _, _ = select.select([self._outer, self._inner], [], [], 0.02)
            if self.babble:
                self._say(self.babble)
            if self._outer in ready:
                self._from_pc(os.read(self._outer, 4096))
            if self._inner in ready:
                try:
                    data = os.read(self._inner, 4096)
                except OSError:
                    data = b""
                if data:
                    swallowed = min(self._swallow, len(data))
                    self._swallow -= swallowed
                    self._say(data[swallowed:])
                else:
                    self._soft_reset()

    def _from_pc(self, data: bytes) -> None:
        for byte in data:
            if byte in (1, 2):
                self._raw = byte == 1
            self.commands += byte == 4
        if self.unplug_at is not None and self.commands >= self.unplug_at:
            self._stop.set()
            self._end_child()
            os.close(self._slave)
            os.close(self._outer)
            Path(self.port).unlink(missing_ok=True)
            return
        if self._paste is None and _RAW_PASTE in data:
            before, _, data = data.partition(_RAW_PASTE)
            self._feed(before)
            self._paste = bytearray()
            self._say(b"R\x01" + _PASTE_WINDOW.to_bytes(2, "little"))
        if self._paste is not None:
            self._pasted(data)
            return
        while b"\x03" in data:
            at = data.index(b"\x03") + 1
            os.write(self._inner, data[:at])
            data = data[at:]
        self._feed(data)

    def _pasted(self, data: bytes) -> None:
        """A piece of a raw paste; at its end it becomes a raw command, without the OK that such a one is answered by."""
        windows = len(self._paste) // _PASTE_WINDOW
        self._paste += data
        if b"\x04" not in data:
            self._say(b"\x01" * (len(self._paste) // _PASTE_WINDOW - windows))
            return
        command = self.corrupt(bytes(self._paste[:-1]))
        self._paste = None
        self._say(b"\x04")
        self._swallow = 2
        self._feed(command + b"\x04")

    def _feed(self, data: bytes) -> None:
        if data:
            self._wait_for_repl()
        while data and not self._stop.is_set():
            if select.select([], [self._inner], [], 0.05)[1]:
                data = data[os.write(self._inner, data[:1024]) :]

    def _wait_for_repl(self) -> None:
        """Until the child reads what it is sent."""
        end = time.monotonic() + _REPL_LIMIT_S
        while not self._stop.is_set() and time.monotonic() < end:
            if self._hung or not termios.tcgetattr(self._inner)[3] & termios.ISIG:
                return
            time.sleep(0.002)

    def _soft_reset(self) -> None:
        self._end_child()
        self._say(b"MPY: soft reboot\r\n")
        self._spawn(main=not self._raw)
        if self._raw:
            self._until(b">>> ")
            self._wait_for_repl()
            os.write(self._inner, b"\x01")
