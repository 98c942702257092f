"""The site, its server and a browser for the tests of the page; what is missing skips them by name."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.platforms import platforms
from tests.web.pages import Visit
from tools.environment import Environment, has_node, locked
from tools.site import assemble, serve

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# The site lies in a folder of its server, as it may on any static host.
FOLDER = "class/cairn"


@pytest.fixture(scope="session")
def site() -> Path:
    """A site with one kit, made once in a test run."""
    if not has_node() or not Environment().webassembly():
        pytest.skip("web: Node and npm are not installed")
    folder = Path(os.environ[platforms.SHARED], "site")
    out = folder / FOLDER
    whole = folder / "whole"
    with locked(folder.with_suffix(".lock")):
        if not whole.exists():
            assemble.write(out, ("cs", "en", "fr"), ["reference"], lambda what: None)
            whole.touch()
    return out


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    with serve.Server(site.parents[1], 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"{server.address}{FOLDER}/"
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """A headless Chromium of this system."""
    executable = os.environ.get("CAIRN_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not executable:
        pytest.skip("web: there is no Chromium on the PATH, nor named by CAIRN_CHROMIUM")
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        pytest.skip("web: there is no wheel of playwright for this system")
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        except Error as fault:
            pytest.skip(f"web: {executable} does not start: {str(fault).splitlines()[0]}")
        yield started
        started.close()


@pytest.fixture
def visit(browser, address: str) -> Iterator[Callable[..., Visit]]:
    """Opens the page: visit(hash="", context=None, fast=False, before="", **options of the browser's context).

    fast: time goes by only in Visit.frames(). before: JavaScript that runs before the page's. At the end of the test no page
    may have complained, nor asked another server for anything."""
    contexts = []
    visits: list[Visit] = []

    def open_page(hash: str = "", context=None, fast: bool = False, before: str = "", **options) -> Visit:
        if context is None:
            context = browser.new_context(**{"locale": "en", **options})
            contexts.append(context)
        made = Visit(context, address, fast, before)
        visits.append(made)
        made.go(hash)
        return made

    yield open_page
    for made in visits:
        assert made.complaints == []
        assert [url for url in made.requests if not url.startswith((address, "data:", "blob:"))] == []
    for context in contexts:
        context.close()
