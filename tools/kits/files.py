"""Board files as data: read and never run, from any source tree."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace

from tools import cli


def names(root: Path) -> list[str]:
    """The boards there are files for."""
    return sorted(path.stem for path in (root / "boards").glob("*.py") if path.is_file())


def constants(root: Path, name: str, takers: tuple[str, ...] = ()) -> SimpleNamespace:
    """What a board file says, with what it takes from another one (`from boards.NAME import *`). Failure if it holds
    anything but that and constants. takers: the files that take from it, each from the next."""
    found: dict[str, object] = {}
    for node in _parsed(root, name).body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        try:
            if isinstance(node, ast.ImportFrom) and [alias.name for alias in node.names] == ["*"]:
                package, _, other = str(node.module).partition(".")
                if other in (*takers, name):
                    raise cli.Failure(f"boards/{name}.py, line {node.lineno}: boards/{other}.py takes from this file itself")
                if package == "boards" and other:
                    found.update(vars(constants(root, other, (*takers, name))))
                    continue
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id] = ast.literal_eval(node.value)
                continue
        except (ValueError, TypeError, RecursionError, MemoryError):
            # What is no constant, what cannot be a key of a dictionary, and what lies too deep in brackets.
            pass
        raise cli.Failure(f"boards/{name}.py, line {node.lineno}: a board file holds constants and nothing else")
    return SimpleNamespace(**found)


def _parsed(root: Path, name: str) -> ast.Module:
    path = root / "boards" / f"{name}.py"
    try:
        text = path.read_text(encoding="utf-8")
        before, nul, _ = text.partition("\0")
        if nul:
            # Python names no line for it.
            line = before.count("\n") + 1
            raise cli.Failure(f"boards/{name}.py, line {line}: a character NUL; take it out")
        return ast.parse(text, str(path))
    except FileNotFoundError:
        raise cli.Failure(f"boards/{name}.py is missing") from None
    except OSError as fault:
        raise cli.Failure(f"boards/{name}.py cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise cli.Failure(f"boards/{name}.py is not a text file (UTF-8)") from None
    except SyntaxError as fault:
        raise cli.Failure(f"boards/{name}.py, line {fault.lineno}: {fault.msg}") from None
    except (RecursionError, MemoryError):
        raise cli.Failure(f"boards/{name}.py: it lies too deep in brackets; a board file holds constants") from None
