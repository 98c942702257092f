"""`play`: what the terminal is sent, what its keys mean, and that it is left as it was found, whatever happens."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

from hal import device
from hal.store import Store
from tools import __main__ as commands
from tools import cli, play, png, script
from tools.terminal import cells, console
from tools.terminal.decoder import ESC_S, QUIT, Decoder
from tools.terminal.painter import HELP, Painter

ROOT = Path(__file__).resolve().parents[2]
WIDTH, HEIGHT = 128, 64

posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX pseudo-terminal")


def noise(seed: int) -> bytearray:
    return bytearray(random.Random(seed).randbytes(WIDTH * HEIGHT // 8))


def lit(picture, x, y):
    """MONO_VLSB: a byte is eight rows of a column, the lowest bit on top."""
    return picture[y // 8 * WIDTH + x] >> y % 8 & 1


# Pixels as characters.


def test_braille_cells_have_the_dots_of_the_unicode_standard():
    # The Unicode Standard, Braille Patterns: dots 1-8 are bits 0-7; dots 1 2 3 7 down the left, 4 5 6 8 the right.
    dots = {(0, 0): 1, (0, 1): 2, (0, 2): 3, (1, 0): 4, (1, 1): 5, (1, 2): 6, (0, 3): 7, (1, 3): 8}
    picture = noise(1)
    picture[:256] = bytes(256)
    rows = cells.braille(picture, WIDTH, HEIGHT)
    assert [len(row) for row in rows] == [64] * 16
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            code = 0x2800 if char == " " else ord(char)
            for (dx, dy), dot in dots.items():
                assert code >> dot - 1 & 1 == lit(picture, 2 * x + dx, 4 * y + dy)


def test_half_blocks_have_the_upper_pixel_on_top():
    picture = noise(2)
    rows = cells.halves(picture, WIDTH, HEIGHT)
    assert [len(row) for row in rows] == [128] * 32
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            assert (char in "▀█", char in "▄█") == (lit(picture, x, 2 * y), lit(picture, x, 2 * y + 1))


# What the terminal shows.


class Glass:
    """What a terminal shows that knows just what we send: a cursor position, clearing, colours, modes."""

    CODE = re.compile(r"\x1b\[(\?)?([\d;]*)([A-Za-z])")

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.clear()
        self.modes = set()
        self.y = self.x = 0
        self.printed = 0

    def clear(self):
        self.lines = [[" "] * self.columns for _ in range(self.rows)]

    def feed(self, text):
        at = 0
        while at < len(text):
            match = self.CODE.match(text, at)
            if match:
                private, numbers, kind = match.groups()
                at = match.end()
                if kind == "H":
                    self.y, self.x = (int(n) - 1 for n in numbers.split(";"))
                elif kind == "J":
                    assert numbers == "2"
                    self.clear()
                elif private and kind in "hl":
                    (self.modes.add if kind == "h" else self.modes.discard)(int(numbers))
                else:
                    assert kind == "m", match[0]
                continue
            char = text[at]
            assert char.isprintable(), repr(text[at : at + 20])
            assert 0 <= self.y < self.rows, "printed outside the window"
            assert 0 <= self.x < self.columns, "printed outside the window"
            self.lines[self.y][self.x] = char
            self.x += 1
            self.printed += 1
            at += 1

    def text(self):
        return ["".join(line).rstrip() for line in self.lines]


def framed(columns, rows, picture, rendering, title):
    """The window as it should be, written out plainly."""
    inner = rendering(picture, WIDTH, HEIGHT)
    wide, high = len(inner[0]) + 2, len(inner) + 3
    help_line = HELP[1] if len(HELP[1]) <= wide else HELP[0]
    block = ["┌" + f" {title} ".ljust(wide - 2, "─") + "┐"]
    block += ["│" + row + "│" for row in inner]
    block += ["└" + "─" * (wide - 2) + "┘", " " * ((wide - len(help_line)) // 2) + help_line]
    top, left = (rows - high) // 2, (columns - wide) // 2
    lines = [""] * top + [(" " * left + row).rstrip() for row in block]
    return lines + [""] * (rows - len(lines))


@pytest.mark.parametrize("seed", range(5))
def test_the_window_shows_the_picture_after_any_changes_of_pixels_and_size(seed):
    rng = random.Random(seed)
    painter = Painter(WIDTH, HEIGHT, "Cairn", colour=seed % 2 == 0)
    picture = noise(seed)
    size = (80, 24)
    glass = Glass(*size)
    for _ in range(60):
        if rng.random() < 0.2:
            sizes = {(80, 24), (66, 19), (130, 35), (200, 60), (129, 35), (100, 34)}
            size = rng.choice(sorted(sizes - {size}))
            # A terminal that was made larger or smaller may show anything.
            glass = Glass(*size)
            glass.lines = [["#"] * size[0] for _ in range(size[1])]
        for _ in range(rng.randrange(4)):
            picture[rng.randrange(len(picture))] = rng.randrange(256)
        glass.feed(painter.paint(picture, *size))
        large = size[0] >= 130 and size[1] >= 35
        assert glass.text() == framed(*size, picture, cells.halves if large else cells.braille, "Cairn")
        assert not glass.modes


def test_an_unchanged_picture_sends_nothing_and_a_pixel_one_cell():
    painter = Painter(WIDTH, HEIGHT, "Cairn")
    picture = noise(1)
    glass = Glass(80, 24)
    glass.feed(painter.paint(picture, 80, 24))
    assert painter.paint(picture, 80, 24) == ""
    picture[500] ^= 1
    before = glass.printed
    glass.feed(painter.paint(picture, 80, 24))
    assert glass.printed == before + 1


def test_a_window_too_small_says_so_in_one_line_and_comes_back():
    painter = Painter(WIDTH, HEIGHT, "Cairn")
    picture = noise(1)
    painter.paint(picture, 80, 24)
    for size in ((65, 24), (80, 18), (20, 5), (1, 1)):
        glass = Glass(*size)
        glass.feed(painter.paint(picture, *size))
        assert glass.text()[0] == "Window too small: 66x19 needed (q quits)"[: size[0]]
        assert painter.paint(noise(2), *size) == ""
    glass = Glass(66, 19)
    glass.feed(painter.paint(picture, 66, 19))
    assert glass.text() == framed(66, 19, picture, cells.braille, "Cairn")


# Keys.

CODES = {
    b"\x1b[A": device.UP, b"\x1b[B": device.DOWN, b"\x1b[C": device.RIGHT, b"\x1b[D": device.LEFT,
    b"\x1bOA": device.UP, b"\x1bOB": device.DOWN, b"\x1bOC": device.RIGHT, b"\x1bOD": device.LEFT,
    b"\x1b[1;5A": device.UP,
    b"w": device.UP, b"s": device.DOWN, b"a": device.LEFT, b"d": device.RIGHT, b"W": device.UP, b"D": device.RIGHT,
    b"\r": device.A, b"\n": device.A, b" ": device.A, b"z": device.A, b"Z": device.A,
    b"\x7f": device.B, b"\x08": device.B, b"x": device.B, b"X": device.B,
    b"h": device.BACK, b"H": device.BACK,
    b"q": QUIT, b"Q": QUIT, b"\x03": QUIT, b"\x04": QUIT,
}  # fmt: skip

NOTHING = [b"\x1b[5~", b"\x1b[200~", b"\x1b[?1;2c", b"\x1bOP", b"\x1b[15;2~", b"e", b"7", "ž€".encode(), b"\x00"]


def decode(pieces, gap=0.001):
    decoder, now, keys = Decoder(), 1.0, []
    for piece in pieces:
        keys += decoder.feed(piece, now)
        now += gap
    return keys + decoder.feed(b"", now + ESC_S)


@pytest.mark.parametrize("code", CODES, ids=repr)
def test_each_key_whole_and_in_pieces(code):
    assert decode([code]) == [CODES[code]]
    assert decode([code[i : i + 1] for i in range(len(code))]) == [CODES[code]]
    assert decode([code * 3]) == [CODES[code]] * 3


@pytest.mark.parametrize("code", NOTHING, ids=repr)
def test_other_keys_are_nothing(code):
    assert decode([code]) == []
    assert decode([code, b"\x1b[A"]) == [device.UP]


def test_a_lone_escape_is_b_when_its_time_is_over():
    decoder = Decoder()
    assert decoder.feed(b"\x1b", 1.0) == []
    assert decoder.waiting()
    assert decoder.feed(b"", 1.0 + ESC_S / 2) == []
    assert decoder.feed(b"", 1.0 + ESC_S) == [device.B]
    assert not decoder.waiting()
    assert decoder.feed(b"[A", 1.0 + 2 * ESC_S) == [device.LEFT]  # '[' is nothing, 'A' of WASD


def test_escape_then_another_key():
    assert decode([b"\x1b", b"d"], gap=1.0) == [device.B, device.RIGHT]
    assert decode([b"\x1bd"]) == [device.B, device.RIGHT]
    assert decode([b"\x1b\x1b"]) == [device.B, device.B]
    assert decode([b"\x1b\x1b[A"]) == [device.B, device.UP]


def test_any_bytes_are_survived():
    rng = random.Random(7)
    for _ in range(300):
        data = bytes(rng.choice(b"\x1b[OABq;019~ \x00\xff") for _ in range(rng.randrange(60)))
        keys = decode([data[i : i + 3] for i in range(0, len(data), 3)])
        assert set(keys) <= {1, 2, 4, 8, 16, 32, QUIT}
        assert decode([data, b"\x1b[B"], gap=1.0)[-1] == device.DOWN


# Scripts and pictures.


def test_a_script_is_parsed():
    steps = script.parse("A DOWN*2 # B\n B:1200ms 500ms\n", "x")
    assert steps == [
        (device.A, 66, 66),
        (device.DOWN, 66, 66),
        (device.DOWN, 66, 66),
        (device.B, 1200, 66),
        (0, 0, 500),
    ]


@pytest.mark.parametrize(
    "word",
    ["a", "C", "A*", "A*-1", "500", "-5ms", "A:5", "A*1001", "3600001ms", "B:9999999ms", "💥", "A*٣"]
    + [before + "1" + "0" * 5000 + after for before, after in (("A*", ""), ("B:", "ms"), ("", "ms"))],
)
def test_a_faulty_script_names_line_and_word(word):
    with pytest.raises(cli.Usage, match=r"keys\.txt, line 3: ") as caught:
        script.parse(f"A\n\nB {word}\n", "keys.txt")
    assert "\n" not in str(caught.value)


def test_a_script_holds_keys_for_its_turns():
    held, seen = [0], []
    for _ in script.turns(script.parse("A B:330ms 99ms", "x"), 33, lambda mask: held.__setitem__(0, mask)):
        seen.append(held[0])
    assert seen == [device.A] * 2 + [0] * 2 + [device.B] * 10 + [0] * 2 + [0] * 3


@pytest.mark.parametrize("scale", [1, 3, 4])
def test_the_png_has_every_pixel(scale):
    picture = noise(3)
    data = png.encode(picture, WIDTH, HEIGHT, scale)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        chunks[kind] = data[at + 8 : at + 8 + length]
        assert data[at + 8 + length : at + 12 + length] == struct.pack(">I", zlib.crc32(kind + chunks[kind]))
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    assert struct.unpack(">IIBBBBB", chunks[b"IHDR"]) == (WIDTH * scale, HEIGHT * scale, 1, 0, 0, 0, 0)
    raw = zlib.decompress(chunks[b"IDAT"])
    stride = 1 + WIDTH * scale // 8
    assert len(raw) == stride * HEIGHT * scale
    for y in range(HEIGHT * scale):
        row = raw[y * stride : (y + 1) * stride]
        assert row[0] == 0
        bits = [row[1 + x // 8] >> (7 - x % 8) & 1 for x in range(WIDTH * scale)]
        assert bits == [lit(picture, x // scale, y // scale) for x in range(WIDTH * scale)]


# The command.


def run(*args, stdin="", env=None, cwd=ROOT):
    return subprocess.run(
        [sys.executable, "-m", "tools", "play", *args],
        cwd=cwd, input=stdin, capture_output=True, text=True, timeout=120, encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", **(env or {})},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ([], 1, "no terminal"),
        (["--board", "nosuch", "--keys", "-"], 2, "there are: .*reference"),
        (["--board", "../tools/cli", "--keys", "-"], 2, "no board"),
        (["--lang", "tlh", "--keys", "-"], 2, "there are: .*en"),
        (["--layout", "five", "--keys", "-"], 2, "there are: six, four, three, two, encoder"),
        (["--seed", "x", "--keys", "-"], 2, "seed"),
        (["--keys", "nosuch.txt"], 2, "nosuch.txt"),
        (["--keys", "."], 2, "cannot read"),
        (["--keys", "-", "--scale", "0"], 2, "1 to 16"),
        (["--keys", "-", "--shot", "x.jpg"], 2, ".png"),
        (["--keys", "-", "--shot", "no/such/x.png"], 2, "no such folder"),
        (["--keys", "-", "--saves", "file/x"], 2, "--saves"),
        (["--text"], 2, "--keys"),
        (["--pixels", "huge"], 2, "braille"),
        (["--nosuch"], 2, "nosuch"),
        (["--keys", "-", "--shot", "x" * 300 + ".png"], 2, "too long"),
        (["--keys", "x" * 300], 2, "too long"),
        (["--keys", "-", "--saves", "x" * 300], 2, "too long"),
        (["--keys", "-", "--seed", "9" * 5000], 2, "seed"),
    ],
)
def test_a_mistake_is_one_line_and_the_right_code(args, code, words, tmp_path):
    (tmp_path / "file").write_text("")
    args = [str(tmp_path / "file" / "x") if arg == "file/x" else arg for arg in args]
    done = run(*args, stdin="A")
    assert done.returncode == code
    assert re.search(words, done.stderr)
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("cairn: ")
    assert done.stdout == ""


def test_a_faulty_or_binary_script_is_one_line(tmp_path):
    done = run("--keys", "-", stdin="A\nJUMP\n")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "-, line 2: 'JUMP'" in done.stderr
    (tmp_path / "keys").write_bytes(b"\xff\xfe\x00")
    done = run("--keys", str(tmp_path / "keys"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.skipif(not hasattr(os, "geteuid") or not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_picture_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "full.png").symlink_to("/dev/full")
    done = run("--keys", "-", "--shot", str(tmp_path / "full.png"), stdin="A")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "full.png" in done.stderr


def test_scripted_keys_give_the_same_screen_each_time_and_a_picture_of_it(tmp_path):
    keys = "A 500ms A DOWN 1000ms"
    first, second = (
        run("--keys", "-", "--seed", "5", "--text", "--shot", str(tmp_path / f"{n}.png"), stdin=keys) for n in (1, 2)
    )
    assert first.returncode == second.returncode == 0
    assert first.stdout == second.stdout
    assert len(first.stdout.splitlines()) == 16
    assert first.stdout.strip()
    assert (tmp_path / "1.png").read_bytes() == (tmp_path / "2.png").read_bytes()
    assert run("--keys", "-", "--seed", "5", "--text", stdin="").stdout != first.stdout


def test_what_the_board_tells_its_serial_console_is_not_in_the_picture():
    """The self-test from the settings: its report comes after the end, on stderr."""
    keys = "DOWN*2 A UP A 200ms A UP DOWN LEFT RIGHT A B A A 200ms"
    done = run("--keys", "-", "--text", stdin=keys)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 16 and not re.search("[a-z]", done.stdout)
    assert "cairn: code 00, " in done.stderr


def test_only_what_runs_on_the_board_alone_prints():
    """On other devices the picture may have the console; what has to be told there goes through the device."""
    printing = set()
    for path in (ROOT / "firmware").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.Name) and node.id == "print" for node in ast.walk(tree)):
            printing.add(path.name)
    assert sorted(printing) == ["crash.py", "loader.py", "main.py"]


def test_other_keys_than_the_boards(tmp_path):
    """With two keys a hold of A of half a second is B, and one of a second back; keys that are not there do nothing."""
    shown = {}
    for name, keys in {"title": "", "games": "A", "menu": "A A:600ms", "back": "A RIGHT A A:1200ms A:1200ms"}.items():
        shown[name] = run("--keys", "-", "--layout", "two", "--text", stdin=keys + " LEFT UP DOWN B 100ms").stdout
    assert shown["games"] != shown["title"]
    assert shown["menu"] == shown["back"] == shown["title"]


def test_kept_games_are_written_as_records(tmp_path):
    """A game between two computers, played to its end by waiting, then another `play` that only writes."""
    saves = ("--saves", str(tmp_path / "saves"))
    keys = "A A DOWN A UP A 300000ms\n"
    done = run("--keys", "-", "--seed", "3", *saves, stdin=keys)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "records"
    for _ in range(2):
        told = run("--records", str(folder), *saves)
        assert (told.returncode, told.stdout) == (0, f"1 records in {folder}\n"), told.stderr
    (written,) = folder.iterdir()
    assert commands.main(["replay", str(written)]) == 0
    (tmp_path / "saves" / "records.0").write_bytes(b"noise")
    told = run("--records", str(folder), *saves)
    assert (told.returncode, "damaged" in told.stderr) == (1, True)


def test_folders_of_records_and_saves_that_cannot_be_are_told(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "saves").mkdir()
    told = run("--records", str(tmp_path / "records"), "--saves", str(tmp_path / "savse"))
    assert (told.returncode, "savse: there is no such folder" in told.stderr) == (2, True)
    told = run("--records", str(tmp_path / "file"), "--saves", str(tmp_path / "saves"))
    assert (told.returncode, "file: is a file; name a folder" in told.stderr) == (2, True)
    # No game is there to be written, which would not be told before one is.
    told = run("--records", str(tmp_path / "file" / "records"), "--saves", str(tmp_path / "saves"))
    assert (told.returncode, told.stdout, "cannot write into " in told.stderr) == (1, "", True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "saves"]


@pytest.mark.parametrize(
    ("name", "value"), [("--keys", "keys"), ("--shot", "p.png"), ("--seed", "0"), ("--stats", None), ("--player", "easy=exec:x")]
)
def test_records_are_written_alone(tmp_path, name, value):
    (tmp_path / "saves").mkdir()
    option = [name, *([value] if value else [])]
    told = run("--records", str(tmp_path / "records"), "--saves", str(tmp_path / "saves"), *option)
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == f"cairn: --records only writes games that were played; leave out {name}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["saves"]


def test_it_needs_nothing_installed_and_runs_from_any_python(tmp_path):
    """-I and -S: no packages of the environment, no user site."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", "import sys; sys.path.insert(0, '.'); from tools.__main__ import main;"
         "sys.exit(main(['play', '--keys', '-', '--text']))"],
        cwd=ROOT, input="A", capture_output=True, text=True, encoding="utf-8", timeout=60,
        env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("platform", "env", "want"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/cairn"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "/home/anna/.local/share/cairn"),
        ("linux", {}, "/home/anna/.local/share/cairn"),
        ("darwin", {}, "/home/anna/Library/Application Support/Cairn"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/Cairn"),
    ],
)
def test_saves_go_where_the_platform_keeps_data(monkeypatch, platform, env, want):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/anna"))
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert play.data_folder() == Path(want)


# In a real pseudo-terminal.

# The leader of the terminal's session, as a shell is: without one there is no job control. It starts the command in
# the foreground and reports on a pipe how it is doing.
LEADER = r"""
import fcntl, json, os, signal, sys, termios
pipe = int(sys.argv[1])
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
go, ready = os.pipe()
child = os.fork()
if not child:
    os.setpgid(0, 0)
    os.read(go, 1)
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.close(pipe)
    os.execvp(sys.argv[2], sys.argv[2:])
os.setpgid(child, child)
os.tcsetpgrp(0, child)
os.write(ready, b"x")
def say(**what):
    os.write(pipe, json.dumps(what).encode() + b"\n")
say(pid=child)
while True:
    _, status = os.waitpid(child, os.WUNTRACED | os.WCONTINUED)
    if os.WIFSTOPPED(status):
        say(stopped=os.WSTOPSIG(status))
    elif os.WIFCONTINUED(status):
        say(continued=True)
    else:
        say(code=os.waitstatus_to_exitcode(status))
        break
"""


class Terminal:
    """A command in a pseudo-terminal of `columns` x `rows`."""

    def __init__(self, *command, columns=80, rows=24, env=None):
        import pty
        import termios

        self.termios = termios
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.glass = Glass(columns, rows)
        self.raw = b""
        self.reports, write = os.pipe()
        environment = {**os.environ, "PYTHONUTF8": "1", "TERM": "xterm-256color", **(env or {})}
        environment.pop("NO_COLOR", None)
        self.leader = subprocess.Popen(
            [sys.executable, "-c", LEADER, str(write), *command],
            stdin=self.slave, stdout=self.slave, stderr=self.slave, pass_fds=[write], start_new_session=True,
            cwd=ROOT, env=environment,
        )  # fmt: skip
        os.close(write)
        self.report_text = b""
        self.pid = self.report()["pid"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGCONT)
        self.leader.kill()
        self.leader.wait()
        for fd in (self.master, self.slave, self.reports):
            with contextlib.suppress(OSError):
                os.close(fd)

    def resize(self, columns, rows):
        import fcntl

        fcntl.ioctl(self.master, self.termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def report(self, timeout=20):
        import select

        until = time.monotonic() + timeout
        while b"\n" not in self.report_text:
            self.pump(0)
            if select.select([self.reports], [], [], 0.02)[0]:
                piece = os.read(self.reports, 4096)
                assert piece, "the session ended"
                self.report_text += piece
            assert time.monotonic() < until, f"no report; the window shows {self.glass.text()}"
        line, _, self.report_text = self.report_text.partition(b"\n")
        return json.loads(line)

    def pump(self, seconds):
        """Takes what was written for a while."""
        import select

        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            if select.select([self.master], [], [], max(0, left))[0]:
                try:
                    self.raw += os.read(self.master, 65536)
                except OSError:
                    return
            elif left <= 0:
                return

    def show(self, size=None):
        """What the window shows of all that was written since it has this size."""
        if size:
            self.glass = Glass(*size)
            self.raw = b""
        text = self.raw.decode("utf-8", "ignore")
        # A sequence that is still coming.
        cut = text.rfind("\x1b")
        if cut >= 0 and not Glass.CODE.match(text, cut):
            text = text[:cut]
        glass = Glass(self.glass.columns, self.glass.rows)
        glass.feed(text.replace("\r\n", "").replace("^C", "").replace("^Z", "").replace("^\\", ""))
        return glass

    def until(self, wanted, timeout=20):
        """Waits until the window satisfies `wanted(lines)`; the lines."""
        until = time.monotonic() + timeout
        while True:
            self.pump(0.05)
            lines = self.show().text()
            if wanted(lines):
                return lines
            assert time.monotonic() < until, lines

    def type(self, keys):
        os.write(self.master, keys)

    def settings(self):
        return self.termios.tcgetattr(self.slave)


def started(lines):
    """The frame, something in it, and the help line."""
    return HELP[1] in "".join(lines) and any("│" in line and line.strip("│ ") for line in lines)


def play_in(tmp_path, *args, **options):
    command = [sys.executable, "-m", "tools", "play", "--saves", str(tmp_path / "saves"), *args]
    return Terminal(*command, **options)


def check_restored(terminal):
    terminal.pump(0.1)
    assert terminal.settings() == terminal.before
    text = terminal.raw.decode()
    for mode in ("?1049", "?25"):
        last = re.findall(rf"\x1b\[\{mode}[hl]", text)[-1]
        assert last.endswith("l" if mode == "?1049" else "h")
    # Nothing of ours is written to the normal screen but lines of text.
    return text[text.rindex("\x1b[?1049l") + len("\x1b[?1049l") :]


ENDS = {
    "q": (lambda t: t.type(b"q"), 0),
    "Ctrl-C": (lambda t: t.type(b"\x03"), 0),
    "SIGINT": (lambda t: os.kill(t.pid, signal.SIGINT), 0),
    "SIGTERM": (lambda t: os.kill(t.pid, signal.SIGTERM), 128 + 15),
    "SIGHUP": (lambda t: os.kill(t.pid, signal.SIGHUP), 128 + 1),
    "SIGQUIT": (lambda t: t.type(b"\x1c"), 128 + 3),
}


@posix
@pytest.mark.parametrize("end", ENDS)
def test_the_terminal_is_restored_after(end, tmp_path):
    with play_in(tmp_path) as terminal:
        terminal.until(started)
        flags = terminal.settings()[3]
        assert not flags & terminal.termios.ICANON
        assert not flags & terminal.termios.ECHO
        assert terminal.show().modes == {1049}
        way, code = ENDS[end]
        way(terminal)
        assert terminal.report() == {"code": code}
        assert check_restored(terminal).strip() == ""


@posix
@pytest.mark.parametrize("seed", range(4))
def test_many_signals_at_once_leave_the_terminal_restored(tmp_path, seed):
    rng = random.Random(seed)
    with play_in(tmp_path) as terminal:
        terminal.until(started)
        for _ in range(30):
            with contextlib.suppress(ProcessLookupError):
                os.kill(terminal.pid, rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
            if rng.random() < 0.3:
                time.sleep(rng.random() * 0.002)
        # The last ones may meet Python when it has left the terminal and is about to end.
        assert terminal.report()["code"] in (0, 129, 143, 130, -1, -2, -15)
        check_restored(terminal)


@posix
def test_a_terminal_that_takes_nothing_does_not_hold_the_end_up(tmp_path):
    with play_in(tmp_path) as terminal:
        terminal.until(started)
        # Nobody reads the other end any more, and a screen change would fill it; Ctrl-S is no longer special.
        terminal.type(b"\x13")
        keep, terminal.pump = terminal.pump, lambda seconds: None
        for _ in range(40):
            terminal.resize(80, 24 + _ % 2)
            time.sleep(0.05)
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.report() == {"code": 128 + 15}
        terminal.pump = keep
        check_restored(terminal)


CRASH = """
import sys
sys.path.insert(0, {root!r})
from tools import standins
standins.install()
from firmware import app
turns = []
def step(self):
    turns.append(0)
    if len(turns) == 5:
        raise ZeroDivisionError("a fault of the firmware")
    return 0
app.App.step = step
from tools.__main__ import main
sys.exit(main(["play", "--saves", {saves!r}]))
"""


@posix
def test_the_terminal_is_restored_before_a_crash_is_told(tmp_path):
    code = CRASH.format(root=str(ROOT), saves=str(tmp_path / "saves"))
    with Terminal(sys.executable, "-c", code) as terminal:
        assert terminal.report() == {"code": 1}
        assert "ZeroDivisionError: a fault of the firmware" in check_restored(terminal)


@posix
def test_a_terminal_that_goes_away_ends_it(tmp_path):
    with play_in(tmp_path) as terminal:
        terminal.until(started)
        os.close(terminal.slave)
        os.close(terminal.master)
        terminal.pump = lambda seconds: None
        # The kernel sends SIGHUP to the session; the process ends by it or by the end of its input.
        assert terminal.report() == {"code": 128 + 1}


@posix
def test_what_cannot_be_written_is_a_terminal_that_is_gone():
    """A picture may be on its way when the terminal goes, before the signal comes."""
    end, start = os.pipe()
    os.close(end)
    window = console.Console.__new__(console.Console)
    window._out, window.written = start, 0
    with pytest.raises(console.Stopped) as stopped:
        window.write("picture")
    assert stopped.value.number == signal.SIGHUP
    os.close(start)


@posix
def test_suspend_gives_the_terminal_back_and_resume_takes_it(tmp_path):
    with play_in(tmp_path) as terminal:
        first = terminal.until(started)
        for _ in range(2):
            terminal.type(b"\x1a")
            assert terminal.report() == {"stopped": signal.SIGTSTP}
            check_restored(terminal)
            terminal.show((80, 24))
            os.kill(terminal.pid, signal.SIGCONT)
            assert terminal.report() == {"continued": True}
            lines = terminal.until(started)
            assert lines[2] == first[2]
            assert not terminal.settings()[3] & terminal.termios.ECHO
            assert terminal.show().modes == {1049}
        terminal.type(b"q")
        assert terminal.report() == {"code": 0}
        check_restored(terminal)


@posix
def test_a_stop_that_cannot_be_caught_is_survived_too(tmp_path):
    with play_in(tmp_path) as terminal:
        terminal.until(started)
        os.kill(terminal.pid, signal.SIGSTOP)
        assert terminal.report() == {"stopped": signal.SIGSTOP}
        # A shell takes the terminal back in its own way.
        terminal.termios.tcsetattr(terminal.slave, terminal.termios.TCSANOW, terminal.before)
        terminal.show((80, 24))
        os.kill(terminal.pid, signal.SIGCONT)
        assert terminal.report() == {"continued": True}
        terminal.until(started)
        assert not terminal.settings()[3] & terminal.termios.ICANON
        terminal.type(b"q")
        assert terminal.report() == {"code": 0}
        check_restored(terminal)


@posix
def test_the_layout_at_80_by_24(tmp_path):
    with play_in(tmp_path) as terminal:
        lines = terminal.until(started)
        assert lines[2].startswith(" " * 7 + "┌ Cairn: Reference kit")
        assert lines[2].endswith(" ─┐".replace(" ", "")) or lines[2].endswith("┐")
        assert [line[7] + line[72] for line in lines[3:19]] == ["││"] * 16
        assert lines[19] == " " * 7 + "└" + "─" * 64 + "┘"
        assert lines[20].strip() == HELP[1]
        assert lines[:2] + lines[21:] == [""] * 5


@posix
def test_a_large_window_gets_half_blocks_and_resizing_is_followed(tmp_path):
    with play_in(tmp_path, columns=160, rows=50) as terminal:
        lines = terminal.until(started)
        assert sum("│" in line for line in lines) == 32
        for size, rows in (((80, 24), 16), ((60, 20), 0), ((140, 40), 32)):
            # First the size, as what is written after it counts.
            terminal.resize(*size)
            terminal.pump(0.3)
            text = terminal.raw.decode()
            terminal.raw = text[text.rindex("\x1b[2J") :].encode()
            terminal.glass = Glass(*size)
            lines = terminal.until(lambda lines: started(lines) or "too small" in "".join(lines))
            assert sum("│" in line for line in lines) == rows
        terminal.type(b"q")
        assert terminal.report() == {"code": 0}


@posix
def test_a_window_too_small_at_the_start_is_one_line(tmp_path):
    with play_in(tmp_path, columns=60, rows=20) as terminal:
        assert terminal.report() == {"code": 1}
        terminal.pump(0.1)
        text = terminal.raw.decode()
        assert text == "cairn: the window has 60x20 characters, 66x19 are needed; enlarge it\r\n"
        assert terminal.settings() == terminal.before


@posix
@pytest.mark.parametrize(
    ("env", "words"),
    [({"TERM": "dumb"}, "TERM=dumb"), ({"PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"}, "UTF-8")],
)
def test_a_terminal_that_cannot_show_it_is_one_line(tmp_path, env, words):
    with play_in(tmp_path, env=env) as terminal:
        assert terminal.report() == {"code": 1}
        terminal.pump(0.1)
        text = terminal.raw.decode()
        assert words in text
        assert text.count("\n") == 1


@posix
def test_twenty_screens_a_second(tmp_path):
    with play_in(tmp_path, "--stats") as terminal:
        terminal.until(started)
        for _ in range(20):
            terminal.type(b"\x1b[B")
            terminal.pump(0.1)
        terminal.type(b"q")
        assert terminal.report() == {"code": 0}
        terminal.pump(0.1)
        figure = re.search(r"([\d.]+) a second", terminal.raw.decode())
        assert figure
        assert float(figure[1]) >= 20


def saved(tmp_path):
    return Store(str(tmp_path / "saves")).load("game")


@posix
def test_a_killed_game_is_resumed(tmp_path):
    """SIGKILL at several moments of a game: the next start goes on from the last save."""
    with play_in(tmp_path, "--seed", "3") as terminal:
        terminal.until(started)
        # Whatever the shell's screens are: a new game is some presses of A away.
        for _ in range(12):
            terminal.type(b"\r")
            terminal.pump(0.15)
            if saved(tmp_path):
                break
        assert saved(tmp_path), terminal.show().text()
        terminal.pump(0.3)
        os.kill(terminal.pid, signal.SIGKILL)
        assert terminal.report() == {"code": -9}
    for moment in (0.3, 0.7, 1.2):
        before = saved(tmp_path)
        with play_in(tmp_path) as terminal:
            terminal.until(started)
            terminal.type(b"\r")
            terminal.pump(0.3)
            for _ in range(5):
                terminal.type(b"\r")
                terminal.pump(0.1)
            terminal.pump(moment)
            os.kill(terminal.pid, signal.SIGKILL)
            assert terminal.report() == {"code": -9}
        after = saved(tmp_path)
        assert after
        # It is the same game: the game's name, the options and the seats are as they were.
        at = 2 + before[1]
        assert after[: at + 2 + before[at + 1]] == before[: at + 2 + before[at + 1]]
        assert plies(after) >= plies(before)
    assert plies(saved(tmp_path)) > 0


@posix
def test_a_second_play_on_the_same_saves_is_told_at_once(tmp_path):
    """Until the first ends, killed or not; elsewhere it may play meanwhile."""
    saves = ("--saves", str(tmp_path / "saves"))
    with play_in(tmp_path) as terminal:
        terminal.until(started)
        second = run("--keys", "-", *saves)
        assert (second.returncode, second.stdout) == (1, "")
        told = f"cairn: another `play` has the saves in {tmp_path / 'saves'}; end it first, or give --saves DIR\n"
        assert second.stderr == told
        assert run("--keys", "-", "--saves", str(tmp_path / "others")).returncode == 0
        os.kill(terminal.pid, signal.SIGKILL)
        assert terminal.report() == {"code": -9}
    assert run("--keys", "-", *saves).returncode == 0


def plies(data):
    at = 2 + data[1]
    at += 2 + data[at + 1] + 4
    return data[at] | data[at + 1] << 8


@posix
@pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed")
def test_in_tmux(tmp_path):
    socket = ["tmux", "-S", str(tmp_path / "socket"), "-f", "/dev/null"]
    command = f"{sys.executable} -m tools play --saves {tmp_path / 'saves'}; echo left with $?; read line"
    env = {**os.environ, "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}

    def capture(wanted):
        until = time.monotonic() + 20
        while True:
            text = subprocess.run(
                [*socket, "capture-pane", "-p"], capture_output=True, encoding="utf-8", env=env
            ).stdout
            if wanted(text):
                return text.splitlines()
            assert time.monotonic() < until, text
            time.sleep(0.1)

    subprocess.run([*socket, "new-session", "-d", "-x", "80", "-y", "24", command], cwd=ROOT, env=env, check=True)
    try:
        lines = capture(lambda text: HELP[1] in text)
        assert lines[2].startswith(" " * 7 + "┌ Cairn: ")
        assert [line[7] + line[72] for line in lines[3:19]] == ["││"] * 16
        want = run("--keys", "-", "--text").stdout.splitlines()
        assert [line[8:72].rstrip() for line in lines[3:19]] == [line.rstrip() for line in want]
        subprocess.run([*socket, "send-keys", "q"], env=env, check=True)
        lines = capture(lambda text: "left with 0" in text)
        assert not any("│" in line for line in lines)
    finally:
        subprocess.run([*socket, "kill-server"], env=env, check=False)
