"""`flash`, mpremote and the UF2 with the real MicroPython of a Pico, on an emulated one."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from boards import reference
from tests.standin.tree import REPOSITORY, write_tree
from tests.tools.emulated import uf2
from tools import build
from tools.boards import update
from tools.boards.link import Gone, Link
from tools.cli import Failure
from tools.emulator import chip
from tools.image import filesystem, image
from tools.image import uf2 as uf2_format
from tools.image.contents import Choice

LIMIT_S = 120.0  # the emulated Pico is slower than a real one, on a busy machine more so
BOOT_MS = 3000.0
LAYOUT = filesystem.LAYOUTS["RPI_PICO"]


@pytest.fixture(scope="module")
def images(tmp_path_factory) -> dict[str, image.Image]:
    made = {}
    for version in ("1.0.0", "2.0.0"):
        tree = write_tree(tmp_path_factory.mktemp("tree"), version, native=True)
        made[version] = image.build(Choice(tree, "pico", "reference", ("en",)))
    return made


class Plugged:
    """An emulated Pico that is plugged in. `flash`: the file of its flash, as it is after it was switched off."""

    def __init__(self, flash: Path, cut_at: int = 0) -> None:
        command = [sys.executable, "-m", "tests.tools.emulated_port", str(uf2()), str(flash), str(cut_at)]
        self._process = subprocess.Popen(
            command, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.port = f"socket://127.0.0.1:{self._process.stdout.readline().strip()}"
        self.how = ""
        self.operations = 0

    def __enter__(self) -> Plugged:
        return self

    def __exit__(self, *_: object) -> None:
        self.switch_off()

    def switch_off(self) -> None:
        if not self.how:
            said, _ = self._process.communicate("off\n", timeout=LIMIT_S)
            self.how, operations = said.split()
            self.operations = int(operations)


def install(port: str, made: image.Image) -> str:
    """One update, as `flash` does it; what the board printed when it started."""
    with Link(port, LIMIT_S) as link:
        state = update.look(link)
        assert update.unfit(state, made.manifest) is None
        update.carry_out(link, update.plan(link, state, made))
        return link.start()


def flashed(tmp_path: Path, made: image.Image) -> Path:
    """The flash of a Pico with MicroPython and this image: what the boot loader makes of the two UF2s.

    It writes the blocks of a UF2 where they belong, and nothing else.
    """
    pico = chip.Pico(uf2(), reference)
    flash = bytearray(pico.flash)
    address, _, data = uf2_format.decode(filesystem.drag_file(made, LAYOUT))
    offset = address - filesystem.FLASH_ADDRESS
    flash[offset : offset + len(data)] = data
    path = tmp_path / "pico.flash"
    path.write_bytes(flash)
    return path


def boot(flash: Path) -> str:
    """What a Pico with this flash prints when it is switched on, up to the REPL's prompt."""
    pico = chip.Pico(uf2(), reference, flash=flash.read_bytes())
    pico.run(BOOT_MS, lambda: pico.console.endswith(b">>> "))
    return pico.console.decode("utf-8", "replace").replace("\r", "")


def firmware(version: str) -> str:
    return f"firmware {version} {version} reference {version} hello"


def test_the_uf2_dragged_onto_a_pico_starts(images, tmp_path):
    printed = boot(flashed(tmp_path, images["1.0.0"]))
    assert "Cairn: starting from /a" in printed
    assert firmware("1.0.0") in printed


def test_an_update(images, tmp_path):
    flash = flashed(tmp_path, images["1.0.0"])
    with Plugged(flash) as board:
        assert "Cairn: starting from /b" in install(board.port, images["2.0.0"])
    assert firmware("2.0.0") in boot(flash)


@pytest.mark.slow
def test_a_first_install_on_an_empty_pico(images, tmp_path):
    """MicroPython makes an empty file system of an empty flash at its first start."""
    flash = tmp_path / "pico.flash"
    with Plugged(flash) as board:
        assert "Cairn: starting from /a" in install(board.port, images["1.0.0"])
    assert firmware("1.0.0") in boot(flash)


def cut(tmp_path: Path, images: dict[str, image.Image], at: int) -> str:
    """What boots after a power cut at that flash operation of an update from 1.0.0 to 2.0.0."""
    flash = flashed(tmp_path, images["1.0.0"])
    with Plugged(flash, cut_at=at) as board:
        with pytest.raises(Failure):
            install(board.port, images["2.0.0"])
        board.switch_off()
        assert board.how == "cut"
    printed = boot(flash)
    (version,) = [version for version in images if firmware(version) in printed]
    return version


def test_a_power_cut_during_an_update(images, tmp_path):
    """One flash operation of an update; test_interruption.py has all of them, on a PC's MicroPython."""
    assert cut(tmp_path, images, 40) == "1.0.0"


@pytest.mark.slow
def test_power_cuts_during_an_update(images, tmp_path):
    flash = flashed(tmp_path, images["1.0.0"])
    with Plugged(flash) as board:
        install(board.port, images["2.0.0"])
    moments = sorted(random.Random("power cuts").sample(range(1, board.operations), 12))
    versions = [cut(tmp_path, images, at) for at in [*moments, board.operations]]
    assert versions == sorted(versions), "once the new one starts, it stays"
    assert versions[0] == "1.0.0"


def mpremote(port: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", port, *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=LIMIT_S * 3,
        check=False,
    )


@pytest.mark.slow
def test_mip_installs_the_package(images, tmp_path):
    build.write(images["1.0.0"], tmp_path)
    flash = tmp_path / "pico.flash"
    with Plugged(flash) as board:
        done = mpremote(board.port, "mip", "install", "--target", "/", str(tmp_path / "package.json"))
        assert done.returncode == 0, done.stdout + done.stderr
    assert firmware("1.0.0") in boot(flash)


def test_unplugged_in_the_middle_is_said(images, tmp_path):
    with Plugged(flashed(tmp_path, images["1.0.0"])) as board, Link(board.port, LIMIT_S) as link:
        board.switch_off()
        with pytest.raises(Gone, match="went away"):
            update.look(link)
