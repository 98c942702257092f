"""firmware/loader.py, the device's main.py: which folder starts, whatever is damaged, and the way to the REPL."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from tests.standin.board import PRELUDE, StandIn, micropython
from tests.standin.direct import DirectLink
from tests.standin.tree import write_tree
from tools.boards import update
from tools.image import image
from tools.image.contents import Choice

pytestmark = pytest.mark.skipif(not micropython(), reason="no micropython for this machine")
ONE, TWO = "firmware 1.0.0", "firmware 2.0.0"


@pytest.fixture(scope="module")
def flash_of_two(tmp_path_factory) -> bytes:
    """Version 1.0.0 in /a, 2.0.0 in /b, the pointer at /b."""
    folder = tmp_path_factory.mktemp("two")
    flash = folder / "board.flash"
    for version in ("1.0.0", "2.0.0"):
        tree = write_tree(folder / version, version)
        with DirectLink(flash) as link:
            made = image.build(Choice(tree, "pico", "reference", ("en",)))
            update.carry_out(link, update.plan(link, update.look(link), made))
    return flash.read_bytes()


def boot(flash: Path) -> str:
    """What the board prints when it is switched on."""
    done = subprocess.run(
        [micropython(), "-X", "heapsize=192k", str(PRELUDE)],
        env={"CAIRN_FLASH": str(flash), "CAIRN_BLOCKS": "96", "CAIRN_MAIN": "1"},
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return done.stdout.lstrip("\x1e")


@pytest.mark.parametrize(
    ("pointer", "starts"),
    [
        (b"b", TWO),
        (b"a", ONE),
        (b"b\r\n", TWO),
        (b"", ONE),
        (b"c", ONE),
        (b"ab", ONE),
        (b"\xff\xfe", ONE),
        (None, ONE),
    ],
)
def test_pointer(tmp_path, flash_of_two, pointer, starts):
    flash = tmp_path / "board.flash"
    flash.write_bytes(flash_of_two)
    with DirectLink(flash) as link:
        if pointer is None:
            link.call("remove", "/active")
        else:
            link.put("/active", pointer)
        expected = "b" if starts == TWO else "a"
        assert update.look(link).running == expected, "flash and loader agree on what runs"
    assert starts in boot(flash)


@pytest.mark.parametrize(
    "damage", ["no manifest", "empty manifest", "manifest cut off", "manifest is a folder"]
)
@pytest.mark.parametrize("pointer", ["a", "b"])
def test_folder_that_is_not_whole_is_passed_over(tmp_path, flash_of_two, pointer, damage):
    flash = tmp_path / "board.flash"
    flash.write_bytes(flash_of_two)
    path = f"/{pointer}/manifest.json"
    with DirectLink(flash) as link:
        link.put("/active", pointer.encode())
        data = link.get(path, update.look(link).files[path])
        link.call("remove", path)
        if damage == "empty manifest":
            link.put(path, b"")
        elif damage == "manifest cut off":
            link.put(path, data[:-1])
        elif damage == "manifest is a folder":
            link.call("make_folders", path + "/x")
        assert update.look(link).running == ("b" if pointer == "a" else "a")
    assert (TWO if pointer == "a" else ONE) in boot(flash)


@pytest.mark.parametrize(
    ("path", "contents", "reason"),
    [
        ("/b/firmware/main.mpy", None, "ImportError"),
        ("/b/firmware/main.mpy", b"M\x05\x00\x1f", "ValueError"),
        ("/b/firmware/main.mpy", b"", "ValueError"),
        ("/b/hal/ssd1306.mpy", None, "ImportError"),
    ],
)
def test_folder_that_cannot_be_imported_gives_way_to_the_other_whole(
    tmp_path, flash_of_two, path, contents, reason
):
    flash = tmp_path / "board.flash"
    flash.write_bytes(flash_of_two)
    with DirectLink(flash) as link:
        link.call("remove", path)
        if contents is not None:
            link.put(path, contents)
    printed = boot(flash)
    assert "Cairn: cannot start from /b" in printed
    assert reason in printed
    # All of it is of the older version: no module of the newer one stays loaded.
    assert "firmware 1.0.0 1.0.0 reference 1.0.0 hello" in printed


def test_nothing_whole_says_what_to_do(tmp_path, flash_of_two):
    flash = tmp_path / "board.flash"
    flash.write_bytes(flash_of_two)
    with DirectLink(flash) as link:
        for folder in "ab":
            link.call("remove", f"/{folder}/manifest.json")
        assert update.look(link).running is None
    assert "Cairn: no whole firmware in /a or /b. On a PC: python3 -m tools flash" in boot(flash)


LOOPS = "def main():\n    print('firmware runs')\n    while True:\n        pass\n"
LOOPS_AT_IMPORT = "print('firmware runs')\nwhile True:\n    pass\n"


@pytest.mark.parametrize("source", [LOOPS, LOOPS_AT_IMPORT])
def test_ctrl_c_gets_through(tmp_path, source):
    """Also while the firmware is imported: the loader must not take Ctrl-C for a fault and start the other folder."""
    tree = write_tree(tmp_path / "tree", firmware__main=source)
    flash = tmp_path / "board.flash"
    with DirectLink(flash) as link:
        made = image.build(Choice(tree, "pico", "reference", ("en",)))
        update.carry_out(link, update.plan(link, update.look(link), made))
    board = StandIn(tmp_path)
    assert board.flash == flash
    with board:
        import serial

        with serial.Serial(board.port, timeout=0.2) as port:
            end = time.monotonic() + 10
            while b"firmware runs" not in board.console and time.monotonic() < end:
                time.sleep(0.05)
            port.write(b"\x03")
            while not board.console.endswith(b">>> ") and time.monotonic() < end:
                time.sleep(0.05)
        assert b"KeyboardInterrupt" in board.console
        assert b"cannot start" not in board.console
        assert board.console.endswith(b">>> ")
