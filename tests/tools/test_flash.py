"""`flash` with stand-in boards: what it sends, what it leaves alone, and one clear line for each thing that goes wrong."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.standin.board import StandIn, micropython
from tests.standin.direct import DirectLink
from tests.standin.tree import REPOSITORY, write_tree
from tests.tools.test_board_records import kept, played
from tools import __main__ as commands
from tools import cli, flash
from tools.boards import ports, saves, update
from tools.boards.link import Gone
from tools.boards.progress import Lines
from tools.image import filesystem, image
from tools.image.contents import Choice

pytestmark = pytest.mark.skipif(
    os.name != "posix" or not micropython(),
    reason="the stand-in board needs pseudo-terminals and a micropython",
)


def built(folder: Path, version: str, native: bool = False, **more: str) -> Path:
    """The image of a small tree, as `build --out` leaves it."""
    tree = write_tree(folder / "tree", version, native=native, **more)
    if version == "4.0.0":
        (tree / "firmware" / "art" / "title.bin").write_bytes(bytes(range(256)) * 240)
    image.write(image.build(Choice(tree, "pico", "reference", ("en", "fr"))), folder / "image")
    return folder / "image"


@pytest.fixture(scope="module")
def images(tmp_path_factory) -> dict[str, Path]:
    """By version; 3.0.0 does not start, 4.0.0 is large."""
    broken = {"hal__ssd1306": "raise RuntimeError('oh')\n"}
    return {
        version: built(tmp_path_factory.mktemp("built"), version, **(broken if version == "3.0.0" else {}))
        for version in ("1.0.0", "2.0.0", "3.0.0", "4.0.0")
    }


@pytest.fixture
def board(tmp_path):
    with StandIn(tmp_path) as made:
        yield made


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command as `python3 -m tools` does, in this process: (exit code, stdout, stderr)."""
    monkeypatch.setattr("tools.environment.run_inside", lambda argv: None)

    def call(*arguments: object) -> tuple[int, str, str]:
        code = commands.main(["flash", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def complaint(err: str) -> str:
    """The one line in which `flash` says what is wrong; progress lines come before it."""
    lines = [line for line in err.splitlines() if line.startswith("cairn: ")]
    assert len(lines) == 1, err
    assert "Traceback" not in err
    return lines[0]


def started(board: StandIn, seconds: float = 5) -> str:
    """What the board's firmware said at its last start."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        text = board.console.decode("utf-8", "replace").rpartition("Cairn: ")[2]
        if "firmware " in text and ">>> " in text:
            break
        time.sleep(0.02)
    return next((line.strip() for line in text.splitlines() if line.startswith("firmware ")), text)


def says(version: str) -> str:
    return f"firmware {version} {version} reference {version} hello"


def test_install_then_nothing_then_only_what_differs(board, images, run):
    code, out, _ = run("--port", board.port, "--image", images["1.0.0"], "--json")
    (outcome,) = json.loads(out)["boards"]
    assert (code, outcome["before"], outcome["error"]) == (0, "no Cairn", None)
    assert outcome["after"].startswith("Cairn 1.0.0 (")
    assert started(board) == says("1.0.0")
    code, out, _ = run("--port", board.port, "--image", images["1.0.0"])
    assert (code, "up to date" in out) == (0, True)
    assert started(board) == says("1.0.0"), "the firmware runs again afterwards"
    code, out, _ = run("--port", board.port, "--image", images["2.0.0"], "--json")
    (outcome,) = json.loads(out)["boards"]
    # The version is in three of the thirteen files; the ten others are copied on the board.
    assert outcome["done"] == "updated: 3 files sent, 10 were there"
    assert started(board) == says("2.0.0")
    code, out, _ = run("--port", board.port, "--image", images["1.0.0"], "--json")
    assert json.loads(out)["boards"][0]["done"] == "updated: 0 files sent, 13 were there", (
        "the other folder has it"
    )
    assert started(board) == says("1.0.0")


def test_check_changes_nothing(board, images, run):
    run("--port", board.port, "--image", images["1.0.0"])
    before = board.flash.read_bytes()
    code, out, _ = run("--port", board.port, "--image", images["2.0.0"], "--check")
    assert code == 0
    assert "would send 3 files" in out
    assert board.flash.read_bytes() == before
    assert started(board) == says("1.0.0")


def contents(board: StandIn) -> dict[str, bytes]:
    return filesystem.unpack(board.flash.read_bytes(), filesystem.Layout(0, 96))


def put(board: StandIn, files: dict[str, bytes]) -> None:
    """Put files onto a board that is not plugged in."""
    with DirectLink(board.flash) as link:
        for path, data in files.items():
            link.call("make_folders", path)
            link.put(path, data)


def test_what_is_not_ours_stays(tmp_path, images, run):
    mine = {
        "/main.py": b"print('a program of a pupil')\n",
        "/notes.txt": b"notes",
        "/lib/other.py": b"X = 1\n",
        "/a/firmware/notes.txt": b"notes in our folder",
        "/saves/goats.0": b"a save",
        "/records/one.jsonl": b"{}\n",
    }
    board = StandIn(tmp_path)
    put(board, mine)
    with board:
        code, out, _ = run("--port", board.port, "--image", images["1.0.0"])
        assert (code, "the main.py that was on it is kept as main-before-cairn.py" in out) == (0, True)
        for version in ("2.0.0", "1.0.0", "2.0.0"):
            assert run("--port", board.port, "--image", images[version])[0] == 0
        assert started(board) == says("2.0.0")
    after = contents(board)
    assert after.pop("main.py") == (REPOSITORY / "firmware" / "loader.py").read_bytes()
    assert after["main-before-cairn.py"] == mine.pop("/main.py")
    for path, data in mine.items():
        assert after[path[1:]] == data


def test_stale_files_of_ours_go(tmp_path, images, run):
    board = StandIn(tmp_path)
    with board:
        more = built(tmp_path / "more", "1.1.0", games__dice__weights="A = 1\n", games__old__rules="B = 2\n")
        for tree in (more, images["1.0.0"], images["2.0.0"]):
            assert run("--port", board.port, "--image", tree)[0] == 0
    after = contents(board)
    assert not [path for path in after if "weights" in path or "games/old" in path]


def test_many_at_once_some_of_them_bad(tmp_path, images, run, monkeypatch):
    with ExitStack() as stack:
        boards = [stack.enter_context(StandIn(tmp_path, f"board{i}")) for i in range(4)]
        full = stack.enter_context(StandIn(tmp_path, "full", blocks=20))
        everyone = [*boards, full]
        monkeypatch.setattr(
            ports, "find", lambda: [ports.Port(b.port, str(i)) for i, b in enumerate(everyone)]
        )
        boards[1].mute = True
        boards[2].unplug_at = 40
        code, out, err = run("--all", "--image", images["4.0.0"], "--timeout", "6")
        assert code == 1
        results = [line.split() for line in out.splitlines()[1:]]
        assert [row[0] for row in results] == [b.port for b in everyone]
        assert ["FAILED" in row for row in results] == [False, True, True, False, True], err
        complaints = [line for line in err.splitlines() if line.startswith("cairn: ")]
        assert len(complaints) == 3
        assert "no MicroPython answers" in complaints[0]
        assert "the board went away" in complaints[1]
        assert "file system is full" in complaints[2]
        boards[1].mute = False
        boards[2].unplug_at = None
        boards[2].plug()
        everyone.remove(full)
        code, out, _ = run("--all", "--image", images["4.0.0"])
        assert code == 0
        assert out.count("up to date") == 2
        assert [started(b).partition(" ")[2][:5] for b in everyone] == ["4.0.0"] * 4


def test_no_board_several_boards_and_bootsel(run, monkeypatch, tmp_path, images):
    monkeypatch.setattr(ports, "find", list)
    monkeypatch.setattr(ports, "_drives", list)
    code, _, err = run("--image", images["1.0.0"])
    assert (code, "no board found: plug one in" in complaint(err)) == (1, True)
    (tmp_path / "INFO_UF2.TXT").write_text(
        "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
    )
    monkeypatch.setattr(ports, "_drives", lambda: [tmp_path / "none", tmp_path])
    code, _, err = run("--image", images["1.0.0"])
    assert (
        code,
        f"BOOTSEL mode is at {tmp_path}: drag MicroPython's UF2 for RPI_PICO" in complaint(err),
    ) == (1, True)
    monkeypatch.setattr(ports, "find", lambda: [ports.Port("/dev/one", "E66"), ports.Port("/dev/two")])
    code, _, err = run("--image", images["1.0.0"])
    assert code == 2
    assert "2 boards: /dev/one (E66), /dev/two (no number). Choose one with --port" in complaint(err)


def test_ports_are_those_of_picos_one_each(monkeypatch):
    from serial.tools import list_ports

    class Found:
        def __init__(self, device: str, vid: int | None, serial_number: str | None) -> None:
            self.device, self.vid, self.serial_number = device, vid, serial_number

    there = [
        Found("COM10", 0x2E8A, "B"),
        Found("COM9", 0x2E8A, "A"),
        Found("COM11", 0x2E8A, "A"),
        Found("COM1", None, None),
        Found("COM2", 0x0403, "C"),
        Found("COM12", 0x2E8A, None),
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: there)
    assert ports.find() == [ports.Port("COM9", "A"), ports.Port("COM10", "B"), ports.Port("COM12", "")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "x", "--all"), "not both"),
        (("--port", "x", "--check", "--blink"), "one at a time"),
        (("--port", "x", "--backup", "y", "--check"), "one at a time"),
        (("--port", "x", "--timeout", "0"), "above 0"),
        (("--port", "x", "--timeout", "nan"), "above 0"),
        (("--port", "x", "--timeout", "inf"), "above 0"),
        (("--image", "x", "--board", "y"), "--image has its board"),
        (("--nonsense",), "unrecognized"),
    ],
)
def test_wrong_use(run, arguments, words):
    code, _, err = run(*arguments)
    assert code == 2
    assert words in complaint(err)


def test_no_such_port(run, images, tmp_path):
    code, _, err = run("--port", tmp_path / "none", "--image", images["1.0.0"])
    assert (code, "there is no such port" in complaint(err)) == (1, True)


@pytest.mark.skipif(os.name == "nt", reason="ports of POSIX")
def test_what_is_no_serial_port(run, images, tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file", "/dev/null"):
        code, _, err = run("--port", path, "--image", images["1.0.0"])
        assert (code, "is no serial port" in complaint(err)) == (1, True)


def test_a_wrong_backup_is_told_before_a_port_is_opened(run, tmp_path):
    code, _, err = run("--port", tmp_path / "none", "--restore", tmp_path / "backup.zip")
    assert (code, "cannot read" in complaint(err)) == (1, True)


def test_nothing_listens_on_a_socket(run, images):
    code, _, err = run("--port", "socket://127.0.0.1:1", "--image", images["1.0.0"])
    assert (code, "nothing listens there" in complaint(err)) == (1, True)


def test_port_in_use(board, run, images):
    import serial

    with serial.Serial(board.port, exclusive=True):
        code, _, err = run("--port", board.port, "--image", images["1.0.0"])
    assert (code, "in use; close the program that has it" in complaint(err)) == (1, True)


def test_too_old_a_micropython(tmp_path, run, images, monkeypatch):
    monkeypatch.setattr(flash, "_BLINK_ROUNDS", 1)
    with StandIn(tmp_path, CAIRN_VERSION="1.22.0") as board:
        code, _, err = run("--port", board.port, "--image", images["1.0.0"])
        assert code == 1
        assert "MicroPython 1.22.0 is too old, 1.24 or newer is needed: hold BOOTSEL" in complaint(err)
        code, _, err = run("--port", board.port, "--blink")
        assert code == 0, (err, board.console)


def test_machine_code_for_another_processor(board, run, tmp_path):
    tree = built(tmp_path / "built", "1.0.0", native=True)
    code, _, err = run("--port", board.port, "--image", tree)
    assert (code, "it cannot run machine code for armv6m" in complaint(err)) == (1, True), err
    assert "active" not in contents(board)


def test_full_file_system_keeps_what_runs(tmp_path, run, images):
    board = StandIn(tmp_path, blocks=96)
    with board:
        assert run("--port", board.port, "--image", images["1.0.0"])[0] == 0
    put(board, {"/holiday.jpg": bytes(300_000)})
    with board:
        before = board.flash.read_bytes()
        code, _, err = run("--port", board.port, "--image", images["4.0.0"])
        line = complaint(err)
        assert code == 1
        assert "file system is full" in line
        assert "KB are missing; the largest files that are not Cairn's: /holiday.jpg (293 KB)" in line
        assert board.flash.read_bytes() == before, "told before anything was written"
        assert started(board) == says("1.0.0")


def test_replace_makes_room_where_two_firmwares_have_none(tmp_path, run, images, monkeypatch):
    board = StandIn(tmp_path, blocks=96)
    with board:
        assert run("--port", board.port, "--image", images["1.0.0"])[0] == 0
    put(board, {"/saves/game.0": b"a game", "/note.txt": b"mine", "/holiday.jpg": bytes(205_000)})
    with board:
        code, _, err = run("--port", board.port, "--image", images["4.0.0"])
        assert (code, "let --replace remove the old firmware first" in complaint(err)) == (1, True)
        assert started(board) == says("1.0.0")
        # Interrupted when the old one is gone: nothing starts, nothing else is lost, and the next try is whole.
        looked = update.look
        calls = []

        def pulled_out(link):
            calls.append(0)
            if len(calls) == 2:
                raise Gone("pulled out")
            return looked(link)

        monkeypatch.setattr(update, "look", pulled_out)
        assert run("--port", board.port, "--image", images["4.0.0"], "--replace")[0] == 1
        monkeypatch.undo()
        assert not {"a/manifest.json", "b/manifest.json"} & set(contents(board))
        assert run("--port", board.port, "--image", images["4.0.0"], "--replace")[0] == 0
        assert started(board) == says("4.0.0")
        assert contents(board)["saves/game.0"] == b"a game" and contents(board)["note.txt"] == b"mine"


def test_replace_keeps_both_where_there_is_room(board, run, images):
    assert run("--port", board.port, "--image", images["1.0.0"])[0] == 0
    assert run("--port", board.port, "--image", images["2.0.0"], "--replace")[0] == 0
    assert started(board) == says("2.0.0")
    assert {"a/manifest.json", "b/manifest.json"} <= set(contents(board))


def test_file_system_that_fills_up_while_sending(tmp_path, run, images, monkeypatch):
    """The estimate beforehand is an estimate: where it is wrong, the board's own error gives the same line."""
    monkeypatch.setattr(update.Plan, "blocks_short", lambda plan: 0)
    with StandIn(tmp_path, blocks=44) as board:
        assert run("--port", board.port, "--image", images["1.0.0"])[0] == 0
        code, _, err = run("--port", board.port, "--image", images["4.0.0"])
        assert (code, "file system is full, no room is left" in complaint(err)) == (1, True)
        assert started(board) == says("1.0.0")
        assert run("--port", board.port, "--image", images["2.0.0"])[0] == 0
        assert started(board) == says("2.0.0")


def test_bytes_that_arrive_wrong(board, run, images):
    assert run("--port", board.port, "--image", images["1.0.0"])[0] == 0
    # Every .mpy begins with "M", 6, 0: "TQYA" in base64. It arrives with another letter in it.
    board.corrupt = lambda data: data.replace(b"b'TQYA", b"b'TQYB")
    code, _, err = run("--port", board.port, "--image", images["2.0.0"])
    assert (code, "arrived wrong; run again" in complaint(err)) == (1, True)
    assert started(board) == says("1.0.0")
    board.corrupt = lambda data: data
    assert run("--port", board.port, "--image", images["2.0.0"])[0] == 0
    assert started(board) == says("2.0.0")


def test_new_firmware_that_does_not_start(board, run, images):
    assert run("--port", board.port, "--image", images["1.0.0"])[0] == 0
    code, _, err = run("--port", board.port, "--image", images["3.0.0"])
    assert code == 1
    assert "the new firmware does not start (RuntimeError: oh); the board runs what it had" in complaint(err)
    assert started(board) == says("1.0.0")


def test_hanging_board(board, run, images):
    board.hang()
    began = time.monotonic()
    code, _, err = run("--port", board.port, "--image", images["1.0.0"], "--timeout", "3")
    assert (code, "no MicroPython answers" in complaint(err)) == (1, True)
    assert time.monotonic() - began < 10


def test_board_that_hangs_in_the_middle(board, run, images):
    assert run("--port", board.port, "--image", images["1.0.0"])[0] == 0

    def hang(data: bytes) -> bytes:
        if b"write(" in data:
            board.hang()
        return data

    board.corrupt = hang
    code, _, err = run("--port", board.port, "--image", images["2.0.0"], "--timeout", "2")
    assert (code, "no answer in time; unplug it" in complaint(err)) == (1, True)
    board.corrupt = lambda data: data
    board.unplug()
    board.plug()
    assert started(board) == says("1.0.0")


@pytest.mark.parametrize("noise", [b"\x00\xff", b"temperature 21\r\n", b">>> ", b"\x04\x04>OK"])
def test_not_micropython(board, run, images, noise):
    """A device that talks without end and answers nothing."""
    board.hang()
    board.babble = noise
    began = time.monotonic()
    code, _, err = run("--port", board.port, "--image", images["1.0.0"], "--timeout", "3")
    assert (code, "no MicroPython answers" in complaint(err)) == (1, True)
    assert time.monotonic() - began < 10


def test_pulled_out_in_the_middle(board, run, images):
    code, _, err = run("--port", board.port, "--image", images["1.0.0"])
    assert code == 0, err
    for commands_until in (3, 12, 20, 28):
        board.commands = 0
        board.unplug_at = commands_until
        code, _, err = run("--port", board.port, "--image", images["2.0.0"])
        assert (code, "the board went away; plug it in" in complaint(err)) == (1, True)
        board.unplug_at = None
        board.plug()
        assert started(board) in (says("1.0.0"), says("2.0.0"))
    assert run("--port", board.port, "--image", images["2.0.0"])[0] == 0
    assert started(board) == says("2.0.0")


def process(*arguments: object) -> subprocess.Popen:
    """`flash` in a process of its own, to be killed."""
    code = "import sys; from tools.__main__ import main; sys.exit(main(sys.argv[1:]))"
    return subprocess.Popen(
        [sys.executable, "-c", code, "flash", *map(str, arguments)],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_flash_killed_at_random_moments(board, run, images, request, how):
    chance = random.Random(f"killed by {how}")
    assert run("--port", board.port, "--image", images["1.0.0"])[0] == 0
    seen = set()
    for round_number in range(20 if request.config.getoption("--slow") else 4):
        version = ("2.0.0", "1.0.0")[round_number % 2]
        running = process("--port", board.port, "--image", images[version])
        begun = running.stderr.readline()
        assert "connecting" in begun, begun
        time.sleep(chance.uniform(0, 1.5))
        running.send_signal(how)
        _, err = running.communicate(timeout=30)
        seen.add(running.returncode)
        if running.returncode == 130:
            assert err.splitlines()[-1] == "cairn: stopped"
        board.unplug()
        board.plug()
        assert started(board) in (says("1.0.0"), says("2.0.0"))
    assert seen & {-how, 130}, "it was killed before it was done at least once"
    assert run("--port", board.port, "--image", images["2.0.0"])[0] == 0
    assert started(board) == says("2.0.0")


def test_blink_shows_which_is_which(tmp_path, run, monkeypatch):
    with StandIn(tmp_path, "one") as one, StandIn(tmp_path, "two") as two:
        monkeypatch.setattr(ports, "find", lambda: [ports.Port(one.port, "1"), ports.Port(two.port, "2")])
        monkeypatch.setattr(flash, "_BLINK_ROUNDS", 2)
        code, out, _ = run("--blink")
        assert code == 0
        assert one.led.read_text() == "10" * 2
        assert two.led.read_text() == "1010" * 2
        assert "blinked 2 times" in out


def test_backup_and_restore(tmp_path, run):
    board = StandIn(tmp_path)
    put(
        board,
        {"/saves/goats.0": b"first", "/saves/kings.0": b"k0", "/saves/kings.1": b"k1", "/notes.txt": b"n"},
    )
    kept = tmp_path / "kept" / "saves.zip"
    with board:
        code, out, _ = run("--port", board.port, "--backup", kept)
        assert (code, "3 files of saves" in out) == (0, True)
        assert run("--port", board.port, "--backup", tmp_path / "again.zip")[0] == 0
    assert kept.read_bytes() == (tmp_path / "again.zip").read_bytes()
    put(board, {"/saves/goats.0": b"later", "/saves/goats.1": b"latest", "/saves/horses.0": b"h"})
    with board:
        assert run("--port", board.port, "--restore", kept)[0] == 0
    found = {path: data for path, data in contents(board).items() if path.startswith("saves/")}
    # goats.1 is newer than the backup's only slot and would win over it; horses is not in the backup at all.
    assert found == {
        "saves/goats.0": b"first",
        "saves/kings.0": b"k0",
        "saves/kings.1": b"k1",
        "saves/horses.0": b"h",
    }


def test_backup_of_several_boards_is_a_file_each(tmp_path, run, monkeypatch):
    with StandIn(tmp_path, "one") as one, StandIn(tmp_path, "two") as two:
        monkeypatch.setattr(ports, "find", lambda: [ports.Port(one.port), ports.Port(two.port)])
        assert run("--all", "--backup", tmp_path / "kept")[0] == 0
    assert sorted(p.name for p in (tmp_path / "kept").iterdir()) == [
        f"{n.encode().hex()}.zip" for n in ("one", "two")
    ]


def test_what_is_no_backup_is_refused(tmp_path, run, board):
    text, foreign = tmp_path / "text.zip", tmp_path / "foreign.zip"
    text.write_text("not a zip")
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("saves/../main.py", "")
    for path, words in (
        (text, "is not a backup"),
        (foreign, "is not a backup"),
        (tmp_path / "none", "cannot read"),
    ):
        code, _, err = run("--port", board.port, "--restore", path)
        assert (code, words in complaint(err)) == (1, True)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_damaged_backup_is_refused_or_read(tmp_path, method):
    """Cut at any byte, and every byte with each bit turned: among them an entry that is encrypted, or packed in a way that
    nobody knows."""
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w", method) as archive:
        archive.writestr("saves/goats.0", bytes(40))
    data = whole.read_bytes()
    damaged = tmp_path / "damaged.zip"
    refused = set()
    turned = [data[:i] + bytes((data[i] ^ 1 << bit,)) + data[i + 1 :] for i in range(len(data)) for bit in range(8)]
    for text in [*turned, *(data[:i] for i in range(len(data)))]:
        damaged.write_bytes(text)
        try:
            saves.read_backup(damaged)
        except cli.Failure as fault:
            refused.add(str(fault).split(":")[0])
    assert f"{damaged} is not a backup" in refused


def test_kept_games_are_fetched_as_records(tmp_path, run):
    board = StandIn(tmp_path)
    (tmp_path / "store").mkdir()
    files = kept(tmp_path / "store", [played("goats", 2, 0, seed) for seed in range(3)])
    put(board, files)
    with board:
        code, out, _ = run("--port", board.port, "--records", tmp_path / "records")
    folder = tmp_path / "records" / b"board".hex()
    assert (code, f"3 records in {folder}" in out) == (0, True)
    for path in folder.iterdir():
        assert commands.main(["replay", str(path)]) == 0
    assert {path: data for path, data in contents(board).items() if path.startswith("saves/")} == {
        path[1:]: data for path, data in files.items()
    }


def test_built_on_the_way_or_before(board, run, images, tmp_path):
    tree = write_tree(tmp_path / "tree", "5.0.0")
    assert run("--port", board.port, "--source", tree, "--lang", "en")[0] == 0
    assert started(board) == says("5.0.0")
    assert (
        commands.main(["build", "--source", str(tree), "--lang", "en", "--out", str(tmp_path / "out")]) == 0
    )
    code, out, _ = run("--port", board.port, "--image", tmp_path / "out")
    assert (code, "up to date" in out) == (0, True)
    code, _, err = run("--port", board.port, "--image", tmp_path / "none")
    assert (code, "no whole image" in complaint(err)) == (1, True)
    assert (
        commands.main(["build", "--source", str(tree), "--target", "web", "--out", str(tmp_path / "web")])
        == 0
    )
    code, _, err = run("--port", board.port, "--image", tmp_path / "web")
    assert (code, "holds an image for web: build with --target pico" in complaint(err)) == (1, True)


def test_progress_lines_are_redrawn_on_a_terminal_and_few_elsewhere():
    class Screen:
        def __init__(self, live: bool) -> None:
            self.live, self.text = live, ""

        def isatty(self) -> bool:
            return self.live

        def write(self, text: str) -> None:
            self.text += text

        def flush(self) -> None:
            pass

    for live in (True, False):
        screen = Screen(live)
        with Lines(["one", "three"], screen) as lines:
            lines.show("one", "sending", 0, 10)
            for done in range(11):
                lines.show("three", "sending", done, 10)
            lines.show("one", "failed")
        if live:
            assert screen.text.endswith(
                "\rone    failed\x1b[K\n\rthree  sending [####################] 100 %\x1b[K\n"
            )
        else:
            assert screen.text == "one    sending\nthree  sending\none    failed\n"


def test_saves_are_written_whole_or_not_at_all(tmp_path):
    """A restore that is stopped at any call leaves every save as it was or as it shall be."""
    flash = tmp_path / "board.flash"
    with DirectLink(flash) as link:
        link.call("make_folders", "/saves/x")
        link.put("/saves/goats.0", b"old")
        link.put("/saves/goats.1", b"newer")
    before = flash.read_bytes()
    files = {"saves/goats.0": b"restored" * 600}
    stop = 0
    results = set()
    while True:
        stop += 1
        flash.write_bytes(before)
        try:
            with DirectLink(flash, stop_at=stop) as link:
                saves.restore(link, files)
            break
        except Gone:
            found = filesystem.unpack(flash.read_bytes(), filesystem.Layout(0, 96))
            results.add((found.get("saves/goats.0"), found.get("saves/goats.1")))
    assert results == {(b"old", b"newer"), (b"restored" * 600, b"newer")}
