"""Who imports whom, read from the sources: the layers of the design, no circles, nothing of the PC on the device.

    tools, tests -> everything     firmware -> games, hal     hal -> boards     games, boards -> nothing else of ours
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.environment import ROOT

OURS = ("games", "hal", "boards", "firmware", "tools", "tests")
MAY = {
    "games": {"games"},
    "boards": {"boards"},
    "hal": {"hal", "boards"},
    "firmware": {"firmware", "games", "hal"},
    "tools": {"tools", "firmware", "games", "hal", "boards"},
    "tests": set(OURS),
}
# All that games may use besides.
FOR_GAMES = {"micropython", "array"}


def sources(root: Path) -> dict[str, ast.Module]:
    """Module name to syntax tree of all our files."""
    found = {}
    for top in OURS:
        for path in sorted((root / top).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return found


def imports(name: str, tree: ast.Module, known: set[str], everywhere: bool = True) -> set[str]:
    """Full names of what a module imports; with `everywhere` false only what it needs while it is loaded."""
    found = set()
    for node in ast.walk(tree) if everywhere else _at_load(tree.body):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = name.split(".")[: -node.level]
                base = ".".join([*above, base] if base else above)
            # `from games import rng` is the module games.rng; `from games.rng import Rng` is games.rng.
            found |= {f"{base}.{a.name}" if f"{base}.{a.name}" in known else base for a in node.names}
    return found


def _at_load(body: list[ast.stmt]):
    for node in body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
            for field in ("body", "orelse", "finalbody", "handlers"):
                yield from _at_load(getattr(node, field, []))


def faults(modules: dict[str, ast.Module]) -> list[str]:
    """Every import that the design does not allow."""
    found = []
    for name, tree in modules.items():
        top = name.partition(".")[0]
        for imported in sorted(imports(name, tree, set(modules))):
            other = imported.partition(".")[0]
            if other in OURS and other not in MAY[top]:
                found.append(f"{name} imports {imported}")
            if top == "games" and other not in OURS and other not in FOR_GAMES and name != "games.catalogue":
                found.append(f"{name} imports {imported}")
            if top == "games" and len(imported.split(".")) > 2 and imported.split(".")[1] != name.split(".")[1]:
                found.append(f"{name} imports {imported}, the file of another game")
    return found


def circle(modules: dict[str, ast.Module]) -> list[str]:
    """Names of modules that import each other in a ring, [] if there are none."""
    graph = {n: sorted(imports(n, t, set(modules), everywhere=False) & set(modules)) for n, t in modules.items()}
    done: set[str] = set()

    def search(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name not in done:
            for imported in graph[name]:
                if ring := search(imported, [*path, name]):
                    return ring
            done.add(name)
        return []

    for name in graph:
        if ring := search(name, []):
            return ring
    return []


MODULES = sources(ROOT)


def test_each_part_imports_only_what_it_may():
    assert faults(MODULES) == []


def test_there_are_no_circles():
    assert circle(MODULES) == []


def test_the_reference_games_are_for_tests_only():
    for name, tree in MODULES.items():
        if not name.startswith("tests."):
            assert not any(i.startswith("tests") for i in imports(name, tree, set(MODULES))), name


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("games.goats.rules", "import random"),
        ("games.goats.rules", "from hal import keys"),
        ("games.goats.rules", "def f():\n    import os"),
        ("games.goats.bot", "from games.kings import rules"),
        ("hal.host", "from games import rng"),
        ("hal.host", "import tools.standins"),
        ("boards.reference", "import hal.keys"),
        ("firmware.app", "from tools import standins"),
        ("firmware.app", "import boards.reference"),
        ("tools.play", "import tests.reference.goats"),
        ("games.goats.rules", "from ..kings import rules"),
    ],
)
def test_a_wrong_import_is_found(name, source):
    assert len(faults({"games.kings.rules": ast.parse(""), name: ast.parse(source)})) >= 1


def test_a_circle_is_found():
    around = {"hal.a": "from hal import b", "hal.b": "if 1:\n    import hal.c", "hal.c": "from hal.a import x"}
    assert circle({name: ast.parse(source) for name, source in around.items()}) == ["hal.a", "hal.b", "hal.c", "hal.a"]
    around["hal.c"] = "def f():\n    from hal.a import x"
    assert circle({name: ast.parse(source) for name, source in around.items()}) == []
