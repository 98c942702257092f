"""Makes this Python look like one on another system, as far as Cairn can tell, and runs a program: `systems.py SYSTEM PROGRAM`.

On `win32` POSIX modules, signals and calls are gone; `msvcrt` and `ctypes.windll` are there, by their documentation. `os.name`
stays, as paths depend on it. On `darwin` what only Linux has is gone. What this cannot show is such a system itself.
"""

import ast
import contextlib
import ctypes
import importlib
import os
import signal
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
POSIX_MODULES = ("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "posix_ipc")
POSIX_SIGNALS = ("SIGHUP", "SIGQUIT", "SIGTSTP", "SIGCONT", "SIGKILL", "SIGTTOU", "SIGTTIN", "SIGALRM", "SIGUSR1")
LINUX_CALLS = ("sched_getaffinity", "posix_fallocate", "posix_fadvise", "memfd_create", "copy_file_range", "pipe2")
POSIX_CALLS = ("fork", "killpg", "setsid", "getuid", "openpty", "mkfifo", "sched_getaffinity", "tcsetpgrp")


def imports(path):
    """Names of the modules of others that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def import_others():
    """What others wrote looks at the system when it is imported: before that changes."""
    for path in sorted((ROOT / "tools").rglob("*.py")):
        for name in imports(path):
            if name.split(".")[0] not in ("tools", "games", "hal", "boards", "firmware", "micropython", *POSIX_MODULES):
                with contextlib.suppress(ImportError):
                    importlib.import_module(name)


def become_mac():
    """Change this process."""
    for name in LINUX_CALLS:
        if hasattr(os, name):
            delattr(os, name)
    sys.platform = "darwin"


def become_windows():
    """Change this process."""
    for name in POSIX_MODULES:
        sys.modules[name] = None
    for module, names in ((signal, POSIX_SIGNALS), (os, POSIX_CALLS)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    sys.modules["msvcrt"] = Msvcrt("msvcrt")
    ctypes.windll = types.SimpleNamespace(kernel32=Kernel())
    sys.platform = "win32"


class Msvcrt(types.ModuleType):
    """The console's keys are `typed`; a special key is two characters, of which the first is 0x00 or 0xE0. `held` is
    how often a lock is refused before it is given."""

    LK_NBLCK, LK_UNLCK = 2, 0
    typed = ""
    held = 0
    locks = 0

    def kbhit(self):
        return bool(self.typed)

    def getwch(self):
        assert self.typed, "waits for a key for ever"
        key, self.typed = self.typed[0], self.typed[1:]
        return key

    def locking(self, handle, mode, count):
        os.fstat(handle)
        assert os.lseek(handle, 0, os.SEEK_CUR) == 0, "a lock is of the bytes from where the file is read on"
        assert count == 1
        if mode == self.LK_NBLCK:
            if self.held:
                self.held -= 1
                raise PermissionError(13, "Permission denied")
            self.locks += 1
        else:
            self.locks -= 1


class Kernel:
    """A console whose mode is kept; `old` ones know no escape sequences."""

    VIRTUAL_TERMINAL = 4
    mode = 3
    old = False

    def GetStdHandle(self, number):
        assert number == -11
        return 7

    def GetConsoleMode(self, handle, place):
        place._obj.value = self.mode
        return int(handle == 7)

    def SetConsoleMode(self, handle, mode):
        if handle != 7 or (self.old and mode & self.VIRTUAL_TERMINAL):
            return 0
        self.mode = mode
        return 1


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    import_others()
    {"win32": become_windows, "darwin": become_mac}[sys.argv.pop(1)]()
    exec(compile(sys.argv.pop(1), "program", "exec"))
