"""The mpremote command with a board of ours: copying, checking, mip; what it cannot promise, and what holds all the same."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.standin.board import StandIn, micropython
from tests.standin.tree import REPOSITORY, write_tree
from tests.tools.test_loader import boot
from tools import build
from tools.image import image
from tools.image.contents import Choice

pytestmark = pytest.mark.skipif(
    os.name != "posix" or not micropython(),
    reason="the stand-in board needs pseudo-terminals and a micropython",
)


@pytest.fixture(scope="module")
def outs(tmp_path_factory) -> dict[str, Path]:
    """What `build --out` writes, by version."""
    made = {}
    for version in ("1.0.0", "2.0.0"):
        folder = tmp_path_factory.mktemp("out")
        tree = write_tree(folder / "tree", version)
        build.write(image.build(Choice(tree, "pico", "reference", ("en",))), folder / "out")
        made[version] = folder / "out"
    return made


def mpremote(board: StandIn, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", board.port, *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_mip_installs_the_package(tmp_path, outs):
    board = StandIn(tmp_path)
    with board:
        done = mpremote(board, "mip", "install", "--target", "/", str(outs["1.0.0"] / "package.json"))
        assert done.returncode == 0, done.stdout + done.stderr
    assert "firmware 1.0.0 1.0.0 reference 1.0.0 hello" in boot(board.flash)


def test_mip_interrupted_never_starts_a_mixture(tmp_path, outs, request):
    """mip overwrites the folder in use, so nothing may start for a while; but never half of one and half of another."""
    board = StandIn(tmp_path)
    with board:
        assert (
            mpremote(board, "mip", "install", "--target", "/", str(outs["1.0.0"] / "package.json")).returncode
            == 0
        )
    before = board.flash.read_bytes()
    with board:
        assert (
            mpremote(board, "mip", "install", "--target", "/", str(outs["2.0.0"] / "package.json")).returncode
            == 0
        )
        calls = board.commands
    every = 1 if request.config.getoption("--slow") else calls // 6
    printed = []
    for stop in range(5, calls, every):
        board.flash.write_bytes(before)
        board.unplug_at = stop
        with board:
            done = mpremote(board, "mip", "install", "--target", "/", str(outs["2.0.0"] / "package.json"))
        assert done.returncode, "mpremote says that it failed"
        printed.append(boot(board.flash))
    whole = [f"firmware {version} {version} reference {version} hello" for version in outs]
    for text in printed:
        assert "no whole firmware" in text or any(line in text for line in whole), text
    assert any("no whole firmware" in text for text in printed), "what `flash` promises, mip cannot"


def test_files_copied_by_hand_into_the_other_folder(tmp_path, outs):
    """The switch with nothing but `mpremote cp`: files, then the manifest, then the pointer."""
    board = StandIn(tmp_path)
    with board:
        assert (
            mpremote(board, "mip", "install", "--target", "/", str(outs["1.0.0"] / "package.json")).returncode
            == 0
        )
        out = outs["2.0.0"]
        folders = sorted(p.name for p in (out / "image").iterdir())
        copied = [str(out / "image" / name) for name in folders]
        for step in (
            ["fs", "mkdir", ":/b"],
            ["fs", "cp", "-r", *copied, ":/b/"],
            ["fs", "cp", str(out / "manifest.json"), ":/b/manifest.json"],
        ):
            done = mpremote(board, *step)
            assert done.returncode == 0, done.stdout + done.stderr
        listed = mpremote(board, "fs", "sha256sum", ":/b/firmware/main.mpy")
        expected = hashlib.sha256((out / "image" / "firmware" / "main.mpy").read_bytes()).hexdigest()
        assert expected in listed.stdout
        pointer = tmp_path / "active"
        pointer.write_text("b")
        done = mpremote(board, "fs", "cp", str(pointer), ":/active")
        assert done.returncode == 0, done.stdout + done.stderr
    assert "firmware 2.0.0 2.0.0 reference 2.0.0 hello" in boot(board.flash)
