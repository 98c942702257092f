"""The terminal itself: keys without Enter, no echo, the alternate screen, and everything back as it was at the end."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from types import FrameType, TracebackType

from tools import cli

_OPEN = "\x1b[?1049h\x1b[?25l"
_CLOSE = "\x1b[?2026l\x1b[0m\x1b[?25h\x1b[?1049l"


class Stopped(BaseException):
    """A signal asked the process to end. Not an Exception, as KeyboardInterrupt is none: nothing should catch it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def check(instead: str) -> None:
    """Raise cli.Failure unless stdin and stdout are a terminal that can show the screen; `instead` is an option that
    needs none."""
    if not (sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()):
        raise cli.Failure(f"no terminal to play in; run it in one, or give {instead}")
    if os.environ.get("TERM") == "dumb":
        raise cli.Failure(f"this terminal (TERM=dumb) cannot show the screen; use another, or give {instead}")
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    if encoding != "utf8":
        raise cli.Failure(f"the terminal's encoding is {encoding}, not UTF-8; try: PYTHONUTF8=1, or LANG=C.UTF-8")


def size() -> tuple[int, int]:
    """Columns and rows of the window."""
    try:
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
    except OSError:
        columns = rows = 0
    # Some terminals (serial lines, a new pty) do not say how large they are.
    return (columns or 80, rows or 24)


class _Console:
    """What both systems share. A context manager; `fresh` is true when everything must be painted again."""

    def __init__(self) -> None:
        self.fresh = False
        self.written = 0
        self._out = sys.stdout.fileno()


if sys.platform == "win32":
    import ctypes
    import msvcrt

    _STDOUT = -11
    _VIRTUAL_TERMINAL = 0x0004
    # What getwch() gives after 0x00 or 0xE0, as a POSIX terminal would send it.
    _SPECIAL = {"H": b"\x1b[A", "P": b"\x1b[B", "M": b"\x1b[C", "K": b"\x1b[D"}

    class Console(_Console):
        """A Windows console, from Windows 10 on."""

        def __enter__(self) -> Console:
            self._kernel = ctypes.windll.kernel32
            self._handle = self._kernel.GetStdHandle(_STDOUT)
            self._mode = ctypes.c_uint32()
            known = self._kernel.GetConsoleMode(self._handle, ctypes.byref(self._mode))
            if not known or not self._kernel.SetConsoleMode(self._handle, self._mode.value | _VIRTUAL_TERMINAL):
                raise cli.Failure("this console does not know escape sequences; use Windows Terminal")
            self.write(_OPEN)
            self.fresh = True
            return self

        def __exit__(
            self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
        ) -> None:
            self.write(_CLOSE)
            self._kernel.SetConsoleMode(self._handle, self._mode.value)

        def write(self, text: str) -> None:
            self.written += len(text.encode())
            sys.stdout.write(text)
            sys.stdout.flush()

        def read(self, timeout: float) -> bytes:
            """What was typed, after at most `timeout` seconds."""
            until = time.monotonic() + timeout
            data = b""
            while True:
                while msvcrt.kbhit():
                    key = msvcrt.getwch()
                    # 0xE0 alone is a letter; of a letter beyond 16 bits come two halves, which mean nothing here.
                    if key in "\x00\xe0" and msvcrt.kbhit():
                        data += _SPECIAL.get(msvcrt.getwch(), b"")
                    else:
                        data += key.encode("utf-8", "ignore")
                left = until - time.monotonic()
                if data or left <= 0:
                    return data
                time.sleep(min(0.005, left))

else:
    import select
    import termios
    import tty

    _ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
    _IFLAG = 0

    class Console(_Console):
        """A POSIX terminal. SIGINT raises KeyboardInterrupt, SIGTERM, SIGHUP and SIGQUIT raise Stopped; Ctrl-Z gives
        the terminal back until the process goes on."""

        def __enter__(self) -> Console:
            self._in = sys.stdin.fileno()
            self._before = termios.tcgetattr(self._in)
            self._handlers = {s: signal.signal(s, self._end) for s in _ENDING}
            self._handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._pause)
            self._handlers[signal.SIGCONT] = signal.signal(signal.SIGCONT, self._resume)
            try:
                self._open()
            except BaseException:
                self.__exit__(None, None, None)
                raise
            return self

        def __exit__(
            self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
        ) -> None:
            self._ignore()
            self._close()
            for number, handler in self._handlers.items():
                signal.signal(number, handler)

        def write(self, text: str) -> None:
            """Everything, also to a slow terminal. Raises Stopped when the terminal is gone."""
            data = text.encode()
            self.written += len(data)
            try:
                while data:
                    data = data[os.write(self._out, data) :]
            except OSError:
                raise Stopped(signal.SIGHUP) from None

        def read(self, timeout: float) -> bytes:
            """What was typed, after at most `timeout` seconds. Raises Stopped when the terminal is gone."""
            try:
                ready, _, _ = select.select([self._in], [], [], max(0.0, timeout))
                if not ready:
                    return b""
                data = os.read(self._in, 1024)
            except OSError:
                raise Stopped(signal.SIGHUP) from None
            if not data:
                raise Stopped(signal.SIGHUP)
            return data

        def _open(self) -> None:
            # cbreak: Ctrl-C and Ctrl-Z still come as signals.
            tty.setcbreak(self._in, termios.TCSANOW)
            # Ctrl-S would stop the screen, and no signal could end a process that waits to write.
            mode = termios.tcgetattr(self._in)
            mode[_IFLAG] &= ~termios.IXON
            termios.tcsetattr(self._in, termios.TCSANOW, mode)
            self.write(_OPEN)
            self.fresh = True

        def _close(self) -> None:
            # A terminal that has gone away has nothing to be restored.
            with contextlib.suppress(Stopped, termios.error):
                # What a slow terminal has not taken yet must not hold this up.
                termios.tcflush(self._out, termios.TCOFLUSH)
                self.write(_CLOSE)
            with contextlib.suppress(termios.error):
                termios.tcflush(self._in, termios.TCIFLUSH)
                termios.tcsetattr(self._in, termios.TCSANOW, self._before)

        def _end(self, number: int, _frame: FrameType | None) -> None:
            # A second one must not stop the way back in the middle.
            self._ignore()
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            raise Stopped(number)

        def _ignore(self) -> None:
            for number in self._handlers:
                signal.signal(number, signal.SIG_IGN)

        def _pause(self, number: int, _frame: FrameType | None) -> None:
            self._close()
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            # Here the process stands still until somebody sends SIGCONT.
            signal.signal(number, self._pause)

        def _resume(self, _number: int, _frame: FrameType | None) -> None:
            self._open()
