"""What all tests share: the stand-ins for MicroPython's modules, portable tests, `--slow`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import standins

standins.install()

from tests.platforms import platforms  # noqa: E402 (needs the stand-ins)
from tests.platforms.collect import PortableFile  # noqa: E402


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="the long runs too")


def pytest_configure(config: pytest.Config) -> None:
    # Only the process that starts the workers (or works alone) owns the shared folder.
    if not hasattr(config, "workerinput"):
        platforms.begin()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        platforms.end()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="a long run: only with --slow"))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> PortableFile | None:
    if file_path.suffix == ".py" and file_path.parent.name == "portable":
        return PortableFile.from_parent(parent, path=file_path)
    return None
