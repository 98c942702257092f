"""Which tests one process runs, where several share the work: those that share what is set up for them.

pytest-xdist has marks for this, which pytest 9.2 no longer lets it read. So what belongs together is seen from the file.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).resolve().parents[1]
# A file that has one of these is run by one process.
TOGETHER = ('scope="module"', "pytest.mark.xdist_group(")


@functools.cache
def is_whole(file: str) -> bool:
    """Whether one process runs all tests of a file."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return any(sign in text for sign in TOGETHER)


def group(nodeid: str) -> str:
    """The group of a test: its file, for a portable file (one process for all its functions) with the platform; or the
    test alone."""
    file, _, test = nodeid.partition("::")
    if "/portable/" in file:
        platform = re.search(r"\[(\w+)\]$", test)
        return f"{file}[{platform[1]}]" if platform else nodeid
    return file if is_whole(file) else nodeid


class Sharing(LoadScopeScheduling):
    """Gives each process the next group when it has little left; the groups with most tests first."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Sharing:
    return Sharing(config, log)
