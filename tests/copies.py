"""Copies of Cairn: its sources, as somebody has them who just fetched it."""

from __future__ import annotations

import shutil
from pathlib import Path

from tools.environment import ROOT, Environment

# What the commands make.
MADE = (".git", ".venv*", "build", "__pycache__", ".*_cache", ".hypothesis", "node_modules")


def copied(root: Path) -> Path:
    """A copy in `root`, which must not be there yet."""
    return shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*MADE), symlinks=True)


def with_environment(root: Path) -> Path:
    """The copy in `root` with the environment of this run, by links."""
    lent, made = Environment(), Environment(root)
    made.folder.mkdir()
    for part in lent.folder.iterdir():
        if part != lent.stamp:
            (made.folder / part.name).symlink_to(part)
    made.stamp.write_text(made.wanted(), encoding="utf-8")
    return root
