"""Collects portable tests: each `test_*` function of a file in a folder `portable` is one test per platform.

The files import no pytest and are never imported here; a process per file and platform runs all functions that were
asked for, when the first of them is due.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.platforms import platforms
from tools.environment import ROOT


class PortableFault(Exception):
    """A portable test failed; the text is its traceback."""


class PortableFile(pytest.File):
    """A file of portable tests. A constant PLATFORMS in it names those that it is for, if not for all; SLOW those that
    are for `--slow` only."""

    def collect(self) -> Iterator[pytest.Item]:
        tree = ast.parse(self.path.read_text(encoding="utf-8"), str(self.path))
        said = {
            getattr(node.targets[0], "id", ""): node.value for node in tree.body if isinstance(node, ast.Assign)
        }
        chosen, slow = (
            ast.literal_eval(said[name]) if name in said else default
            for name, default in (("PLATFORMS", platforms.NAMES), ("SLOW", ()))
        )
        for platform in chosen:
            for node in tree.body:
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    test = PortableTest.from_parent(
                        self, name=f"{node.name}[{platform}]", function=node, platform=platform
                    )
                    if platform in slow:
                        test.add_marker(pytest.mark.slow)
                    yield test


class PortableTest(pytest.Item):
    """One function on one platform."""

    def __init__(self, *, function: ast.FunctionDef, platform: str, **rest) -> None:
        super().__init__(**rest)
        # Not `function`: `-k` of pytest takes that for a function object.
        self.wanted = function.name
        self.line = function.lineno
        self.platform = platform
        self.module = ".".join(self.path.relative_to(ROOT).with_suffix("").parts)
        reason = platforms.missing(platform)
        if reason:
            self.add_marker(pytest.mark.skip(reason=reason))

    def runtest(self) -> None:
        key = (self.module, self.platform)
        asked = [
            item.wanted
            for item in self.session.items
            if isinstance(item, PortableTest) and (item.module, item.platform) == key
        ]
        fault = platforms.run_once(self.platform, self.module, asked).faults[self.wanted]
        if fault is not None:
            raise PortableFault(fault)

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, PortableFault):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, self.line - 1, f"{self.wanted}[{self.platform}]"
