"""The first ten minutes of somebody who has a copy of Cairn, Python, and nothing else: README's two commands."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.copies import copied
from tests.pages import PAGES, in_blocks, text_of
from tests.tools.test_play import Terminal, check_restored, posix, started

PLAY, TEST = (command for command, _ in in_blocks(text_of(PAGES[0]))[:2])
# One test, to show that the environment is whole.
ONE = "tests/games/test_rng.py -n 0"


@pytest.fixture
def stranger(tmp_path: Path) -> tuple[Path, list[str]]:
    """The folder of the copy, and what a command begins with to run there with an empty home and no variables."""
    home = tmp_path / "home"
    home.mkdir()
    python = Path(getattr(sys, "_base_executable", sys.executable))
    own = tmp_path / "bin"
    own.mkdir()
    # Not a link: an environment's Python knows by the link where it is.
    (own / "python3").write_text(f'#!/bin/sh\nexec {shlex.quote(str(python))} "$@"\n', encoding="utf-8")
    (own / "python3").chmod(0o755)
    variables = [f"PATH={own}{os.pathsep}{os.defpath}", f"HOME={home}", "TERM=xterm", "LC_ALL=C.UTF-8"]
    return copied(tmp_path / "cairn"), ["env", "-i", *variables]


def plays(root: Path, before: list[str]) -> None:
    with Terminal("sh", "-c", f"cd {shlex.quote(str(root))} && exec {shlex.join(before)} {PLAY}") as terminal:
        terminal.until(started)
        terminal.type(b"q")
        assert terminal.report() == {"code": 0}
        check_restored(terminal)


@posix
def test_it_plays_at_once(stranger):
    root, before = stranger
    plays(root, before)
    assert not (root / ".venv").exists()


@posix
@pytest.mark.slow
def test_both_commands_of_the_readme_work(stranger):
    """`test` makes the environment, which takes the network and a minute, and runs; then `play` works as before."""
    root, before = stranger
    done = subprocess.run(
        [*before, *shlex.split(f"{TEST} {ONE}")], cwd=root, capture_output=True, text=True, timeout=900
    )
    if "the network cannot be reached" in done.stderr:
        pytest.skip("stranger: the network cannot be reached")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
    assert "made .venv" in done.stderr
    plays(root, before)
