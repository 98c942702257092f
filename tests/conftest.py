"""What all tests share: the stand-ins for MicroPython's modules, portable tests, `--slow`, who runs what."""

from __future__ import annotations

import functools
import gc
import hashlib
import inspect
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import standins

standins.install()

from tests.platforms import platforms  # noqa: E402 (needs the stand-ins)
from tests.platforms.collect import PortableFile  # noqa: E402
from tests.sharing import pytest_xdist_make_scheduler  # noqa: E402, F401 (a hook)
from tools.image import bytecode  # noqa: E402


def kept(compile_source: Callable[..., bytes]) -> Callable[..., bytes]:
    """What compiles a source for the Pico, once for all tests of a run: images share most of their files."""

    @functools.wraps(compile_source)
    def compiled(path: str, source: str, native: bool, lines: bool = False) -> bytes:
        asked = repr((path, source, native, lines)).encode()
        file = Path(os.environ[platforms.SHARED], hashlib.sha256(asked).hexdigest() + ".mpy")
        if not file.exists():
            data = compile_source(path, source, native, lines)
            # Whole or not at all, as another process may be looking for it.
            written = file.with_suffix(f".{os.getpid()}")
            written.write_bytes(data)
            os.replace(written, file)
        return file.read_bytes()

    return compiled


@pytest.fixture
def fresh_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler itself, for tests of what it makes."""
    monkeypatch.setattr(bytecode, "compile_source", inspect.unwrap(bytecode.compile_source))


def keep_bytecode() -> None:
    """Where Python is asked to write none of its bytecode, keep it for this run and outside the tree: the firmware's
    modules come and go, and many tests start a Python of their own."""
    if sys.dont_write_bytecode:
        sys.dont_write_bytecode = False
        sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(Path(os.environ[platforms.SHARED], "bytecode"))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_finish() -> None:
    """What is there by now stays: the firmware collects garbage with each scene, and must not look through all tests."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="the long runs too")


def pytest_configure(config: pytest.Config) -> None:
    # Only the process that starts the workers (or works alone) owns the shared folder.
    if not hasattr(config, "workerinput"):
        platforms.begin()
        keep_bytecode()
    bytecode.compile_source = kept(bytecode.compile_source)


def pytest_unconfigure(config: pytest.Config) -> None:
    bytecode.compile_source = bytecode.compile_source.__wrapped__
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
