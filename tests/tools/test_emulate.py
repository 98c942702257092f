"""`emulate`: scripts, pictures, a flash that is kept, power cuts, mpremote over TCP, and what it says when used wrongly."""

import contextlib
import subprocess
import sys
import threading

import pytest

from boards import reference
from tests.tools import emulated
from tools import cli, emulate
from tools.emulator import firmware, script
from tools.emulator.chip import FLASH_BYTES, LAYOUT, Pico
from tools.emulator.serve import Server
from tools.image import uf2 as uf2_of


@pytest.fixture
def uf2(monkeypatch):
    found = emulated.uf2()
    monkeypatch.setenv(firmware.VARIABLE, str(found))
    return found


@pytest.mark.xdist_group("emulate")
def test_the_image_starts_and_keeps_its_game(uf2, tmp_path, capsys):
    """Begin a game, power off; the kept flash offers to go on with it, and another picture comes of that."""
    flash = tmp_path / "flash.bin"
    begin = tmp_path / "begin"
    begin.write_text(
        f"expect Cairn: starting from /a\nstill 200\nA 300ms # English\nstill 200\nshot {tmp_path / 'title.png'}\n"
        f"A 300ms A 300ms A 300ms # play, goats, start\nstill 400\nshot {tmp_path / 'game.png'}\n"
    )
    assert emulate.main(["--script", str(begin), "--flash-image", str(flash), "--console", "--stats"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Cairn: starting from /a")
    assert "panel on" in said.err
    assert "0 erases, 0 programs" not in said.err
    assert len(flash.read_bytes()) == FLASH_BYTES
    again = tmp_path / "again.png"
    assert emulate.main(["--shot", str(again), "--flash-image", str(flash)]) == 0
    pictures = {(tmp_path / "title.png").read_bytes(), (tmp_path / "game.png").read_bytes(), again.read_bytes()}
    assert len(pictures) == 3


@pytest.mark.xdist_group("emulate")
def test_a_cut_is_done_and_said(uf2, tmp_path, capsys):
    keys = tmp_path / "keys"
    keys.write_text("still 200\nA 300ms A 300ms A 300ms A 300ms\nstill 400\n")
    flash = tmp_path / "flash.bin"
    assert emulate.main(["--script", str(keys), "--cut", "2:before", "--flash-image", str(flash)]) == 0
    assert "power cut at" in capsys.readouterr().err
    assert len(flash.read_bytes()) == FLASH_BYTES
    with pytest.raises(cli.Failure, match="there were only"):
        emulate.main(["--shot", str(tmp_path / "x.png"), "--cut", "9999"])


@pytest.mark.xdist_group("emulate")
def test_mpremote_over_tcp(uf2):
    pico = Pico(uf2, reference)
    server = Server(pico, 0)
    command = [sys.executable, "-m", "mpremote", "connect", f"socket://127.0.0.1:{server.port}"]
    results = []

    def call():
        with contextlib.suppress(subprocess.TimeoutExpired):
            results.append(
                subprocess.run([*command, "exec", "print(6*7)"], capture_output=True, text=True, timeout=90)
            )
        results.append(None)

    thread = threading.Thread(target=call)
    thread.start()
    while not results:
        server.turn()
    thread.join()
    server.close()
    assert results[0] is not None, "mpremote hung"
    assert results[0].returncode == 0, results[0].stderr
    assert results[0].stdout.strip() == "42"


def test_without_a_uf2_it_says_how_to_get_one(monkeypatch):
    monkeypatch.delenv(firmware.VARIABLE, raising=False)
    monkeypatch.setattr(firmware, "kept", lambda: None)
    monkeypatch.setattr(firmware, "_download", lambda: None)
    with pytest.raises(cli.Failure, match=r"(?s)RPI_PICO.*micropython\.org.*--uf2.*CAIRN_UF2"):
        firmware.find()
    monkeypatch.setenv(firmware.VARIABLE, "nowhere.uf2")
    with pytest.raises(cli.Failure, match=r"CAIRN_UF2 names nowhere\.uf2, and there is no such file"):
        firmware.find()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"UF2\n",
        b"MicroPython" * 512,
        uf2_of.encode(bytes(512), 0x10000000 + LAYOUT.offset),
        uf2_of.encode(bytes(512), 0x10000000, family=0xE48BFF59),
    ],
    ids=["empty", "short", "text", "file system", "Pico 2"],
)
def test_something_else_than_its_uf2_is_refused(tmp_path, data):
    wrong = tmp_path / "wrong.uf2"
    wrong.write_bytes(data)
    with pytest.raises(cli.Failure, match=r"is not a UF2 of MicroPython for RPI_PICO: [^\n]+$"):
        Pico(wrong, reference)


@pytest.mark.parametrize(
    "text",
    ["push A", "press A", "still", "still soon", "bounce C", "shot here", "adc 9 1", "adc 0 9999", "DOWN*x", "expect"],
)
def test_a_wrong_script_line_is_named(text):
    with pytest.raises(cli.Usage, match=r"^keys, line 2: [^\n]*$"):
        script.parse(f"A 100ms\n{text}\n", "keys")


def test_a_script_has_keys_and_more():
    lines = script.parse("# keys\n\nDOWN*2 500ms A # and\nstill 50 # wait\nexpect a # b\nadc 3 2048\nreset\n", "keys")
    assert [(line.number, line.word, line.rest, len(line.keys)) for line in lines] == [
        (3, "", "", 4),
        (4, "still", "50", 0),
        (5, "expect", "a # b", 0),
        (6, "adc", "3 2048", 0),
        (7, "reset", "", 0),
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--tcp-port", "0", "--script", "x"],
        ["--tcp-port", "65536"],
        ["--console"],
        ["--shot", "picture.gif"],
        ["--flash-image", "."],
        ["--flash-image", "no such folder/flash.bin"],
        ["--cut", "0"],
        ["--cut", "3:never"],
        ["--script", "no such file"],
    ],
)
def test_wrong_use_is_one_line(arguments):
    with pytest.raises(cli.Usage, match=r"^[^\n]+$"):
        emulate.main(arguments)


def test_without_a_terminal_it_names_an_option_of_its_own():
    with pytest.raises(cli.Failure, match="no terminal") as told:
        emulate.main([])
    option = str(told.value).partition("give ")[2].split()[0]
    assert option in emulate.parser().format_help()


def test_a_flash_image_of_another_size_is_refused(uf2, tmp_path):
    short = tmp_path / "flash.bin"
    short.write_bytes(b"\xff" * 100)
    with pytest.raises(cli.Failure, match=f"has 100 bytes, the flash of a Pico has {FLASH_BYTES}"):
        emulate.main(["--shot", str(tmp_path / "x.png"), "--flash-image", str(short)])
    assert short.read_bytes() == b"\xff" * 100
