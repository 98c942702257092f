"""Board files as data: read and never run, from any source tree."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace

from tools import cli


def names(root: Path) -> list[str]:
    """The boards there are files for."""
    return sorted(path.stem for path in (root / "boards").glob("*.py"))


def constants(root: Path, name: str) -> SimpleNamespace:
    """What a board file says, with what it takes from another one (`from boards.NAME import *`). Failure if it holds
    anything but that and constants."""
    path = root / "boards" / f"{name}.py"
    found: dict[str, object] = {}
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        raise cli.Failure(f"boards/{name}.py is missing") from None
    except SyntaxError as fault:
        raise cli.Failure(f"boards/{name}.py, line {fault.lineno}: {fault.msg}") from None
    for node in tree.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        try:
            if isinstance(node, ast.ImportFrom) and [alias.name for alias in node.names] == ["*"]:
                package, _, other = str(node.module).partition(".")
                if package == "boards" and other and other != name:
                    found.update(vars(constants(root, other)))
                    continue
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id] = ast.literal_eval(node.value)
                continue
        except ValueError:
            pass
        raise cli.Failure(f"boards/{name}.py, line {node.lineno}: a board file holds constants and nothing else")
    return SimpleNamespace(**found)
