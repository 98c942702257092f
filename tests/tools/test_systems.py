"""Windows and macOS, as far as they can be had elsewhere: nothing of Linux is missed, keys and ports are their own."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.tools.systems import POSIX_MODULES, ROOT
from tools import players
from tools.boards import ports
from tools.environment import Environment

KEYS = """
import msvcrt
from tools.terminal import console
shown = []
for typed in TYPED:
    msvcrt.typed = typed
    shown.append(console.Console().read(0))
print(shown)
"""


def on(system: str, program: str, given: str = "") -> str:
    """What a program prints that runs as if on that system."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("systems.py")), system, program],
        cwd=ROOT,
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "LOCALAPPDATA": os.devnull},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_all_tools_can_be_imported(system):
    said = on(
        system,
        "import importlib\n"
        "from pathlib import Path\n"
        "from tools import standins\n"
        "standins.install()\n"
        "for path in sorted(Path('tools').rglob('*.py')):\n"
        "    name = '.'.join(path.with_suffix('').parts)\n"
        "    if '__main__' not in name and 'onboard' not in name and 'standins' not in name and not name.endswith('_rounds'):\n"
        "        importlib.import_module(name.removesuffix('.__init__'))\n"
        "        print(name)\n"
    )
    assert len(said.splitlines()) > 60


def test_no_test_needs_posix_to_be_collected():
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                named = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
                assert not {str(name).split(".")[0] for name in named} & set(POSIX_MODULES), path


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_the_handheld_plays(system):
    said = on(
        system,
        "from tools.__main__ import main\nassert main(['play', '--keys', '-', '--text']) == 0\n",
        "A 200ms A 200ms A 500ms",
    )
    assert len(said.splitlines()) == 16
    assert sum(map(said.count, "⣿⡇⠉⠒⠤")) > 10


def test_games_are_played_on_all_cores_of_a_mac():
    said = on(
        "darwin",
        "from tools.__main__ import main\nassert main(['arena', 'goats', '--players', 'random', '--games', '4']) == 0\n",
    )
    assert "random" in said


def test_keys_of_the_console_are_those_of_a_terminal():
    """Arrows; a letter that is also the beginning of an arrow; one that takes two characters; keys that are nothing."""
    typed = ["\xe0H", "\x00P", "\xe0M\xe0K", "\r", "\x1b", "q", "\xe0", "é", "\ud83d\ude00q", "\x00;"]
    said = on("win32", f"TYPED = {typed!r}\n{KEYS}")
    assert said.strip() == str(
        [b"\x1b[A", b"\x1b[B", b"\x1b[C\x1b[D", b"\r", b"\x1b", b"q", "à".encode(), "é".encode(), b"q", b""]
    )


def test_the_console_is_left_as_it_was_found():
    said = on(
        "win32",
        "import ctypes\n"
        "from tools.terminal import console\n"
        "kernel = ctypes.windll.kernel32\n"
        "try:\n"
        "    with console.Console() as window:\n"
        "        assert kernel.mode == 7 and window.fresh\n"
        "        raise KeyboardInterrupt\n"
        "except KeyboardInterrupt:\n"
        "    assert kernel.mode == 3\n"
        "kernel.old = True\n"
        "try:\n"
        "    console.Console().__enter__()\n"
        "except console.cli.Failure as fault:\n"
        "    print(fault)\n"
    )
    assert said.startswith("\x1b[?1049h")
    assert "\x1b[?1049l" in said
    assert said.splitlines()[-1].endswith("this console does not know escape sequences; use Windows Terminal")


def test_two_that_make_the_environment_wait_for_each_other(tmp_path):
    said = on(
        "win32",
        "import msvcrt\n"
        "from pathlib import Path\n"
        "from tools import environment\n"
        "environment.POLL_S = 0\n"
        "msvcrt.held = 3\n"
        f"with environment.locked(Path({str(tmp_path / 'lock')!r}), 'busy'):\n"
        "    print(msvcrt.held, msvcrt.locks)\n"
        "    msvcrt.held = 1\n"
        f"    with environment.alone(Path({str(tmp_path / 'lock')!r})) as mine:\n"
        "        print(mine)\n"
        "print(msvcrt.locks)\n"
    )
    assert said.splitlines() == ["0 1", "False", "0"]


def test_the_environment_lies_where_windows_has_it(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "win32")
    assert Environment(tmp_path).python == tmp_path / ".venv" / "Scripts" / "python.exe"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (r"C:\bots\mine.exe --fast", [r"C:\bots\mine.exe", "--fast"]),
        (r'"C:\Program Files\Python\python.exe" bot.py', [r"C:\Program Files\Python\python.exe", "bot.py"]),
        ('py "my bot.py"', ["py", "my bot.py"]),
    ],
)
def test_a_command_keeps_its_backslashes(monkeypatch, asked, words):
    monkeypatch.setattr(players.shutil, "which", lambda name: name)
    monkeypatch.setattr(players.os, "name", "nt")
    try:
        assert players.command(f"exec:{asked}") == words
    finally:
        monkeypatch.undo()


def test_ports_are_in_the_order_of_their_numbers_and_one_a_board(monkeypatch):
    """A Pico may show two; others are not asked."""
    from serial.tools import list_ports

    def port(device, serial, vendor=0x2E8A):
        return SimpleNamespace(device=device, serial_number=serial, vid=vendor)

    there = [port("COM10", "B"), port("COM3", None, None), port("COM6", "A"), port("COM5", "A"), port("COM4", "C", 0x1A86)]
    monkeypatch.setattr(list_ports, "comports", lambda: there)
    assert ports.find() == [ports.Port("COM5", "A"), ports.Port("COM10", "B")]


def test_a_pico_that_waits_for_a_uf2_is_one_of_the_drives(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert [str(drive) for drive in ports._drives()][:2] == ["D:", "E:"]
    monkeypatch.setattr(sys, "platform", "darwin")
    assert all(str(drive).startswith("/Volumes/") for drive in ports._drives())
