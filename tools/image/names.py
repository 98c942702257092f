"""Gives private data short names that all modules share, on their way into an image.

MicroPython keeps every name of every module that was ever loaded, and makes room for twice as many when it is full: on
the Pico the names of four games went over 1,260, which took 9 KB more. Private names of data (attributes, module
variables, arguments) can be the same in modules that know nothing of each other. Names of functions stay as they are,
for tracebacks, and so do lines.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

_PRIVATE = re.compile(r"_[a-z][a-z0-9_]*")


def shortened(sources: dict[str, str]) -> dict[str, str]:
    """path: source of all modules of an image, with private names of data shortened. The order of `sources` and what is
    in them decide alone what comes out."""
    modules = {path: _Module(path, text) for path, text in sources.items()}
    group = {path: path for path in modules}
    for path, module in modules.items():
        for base in module.bases & set(modules):
            old, new = sorted((group[path], group[base]), reverse=True)
            group = {p: new if g == old else g for p, g in group.items()}
    # What one module takes from the private parts of another keeps its name everywhere.
    owned: dict[str, set[str]] = {}
    for path, module in modules.items():
        owned.setdefault(group[path], set()).update(module.stored)
    fixed = set().union(*(module.fixed for module in modules.values()))
    for path, module in modules.items():
        fixed |= module.used - owned[group[path]]
    found = {}
    for path, module in modules.items():
        names = sorted(owned[group[path]] - fixed)
        found[path] = _renamed(module.text, {name: f"_{i}" for i, name in enumerate(names)})
    return found


class _Module:
    """What a module does with private names: `stored` here as data, `used` here, `fixed` (must stay); `bases`: the
    paths of the modules that its classes inherit from."""

    def __init__(self, path: str, text: str) -> None:
        self.text = text
        self.stored: set[str] = set()
        self.used: set[str] = set()
        self.fixed: set[str] = set()
        self.bases: set[str] = set()
        imported: dict[str, str] = {}
        for node in ast.walk(ast.parse(text, path)):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                    self.fixed |= _private(alias.name, alias.asname)
            elif isinstance(node, ast.ClassDef):
                for base in node.bases:
                    name = ast.unparse(base)
                    dotted = imported.get(name) or imported.get(name.rpartition(".")[0], "") + ".x"
                    self.bases.add(dotted.rpartition(".")[0].replace(".", "/") + ".py")
            self._look(node)

    def _look(self, node: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self.fixed |= _private(node.name)
        elif isinstance(node, ast.Name):
            self._mention(node.id, node.ctx)
        elif isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                self._mention(node.attr, node.ctx)
            else:
                # Whose it is cannot be seen from here.
                self.fixed |= _private(node.attr)
        elif isinstance(node, ast.arg):
            self.stored |= _private(node.arg)
        elif isinstance(node, ast.keyword):
            self.fixed |= _private(node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.fixed |= _private(node.value)
        elif isinstance(node, ast.JoinedStr):
            self.fixed |= set(_PRIVATE.findall(ast.unparse(node)))

    def _mention(self, name: str, how: ast.expr_context) -> None:
        kept = _private(name)
        if isinstance(how, ast.Store):
            self.stored |= kept
        else:
            self.used |= kept


def _private(*names: str | None) -> set[str]:
    return {name for name in names if name and _PRIVATE.fullmatch(name)}


def _renamed(text: str, short: dict[str, str]) -> str:
    """The source with other names, each line where it was."""
    lines = text.splitlines(keepends=True)
    for token in reversed(list(_names(text))):
        if token.string in short:
            row, at = token.start
            line = lines[row - 1]
            lines[row - 1] = line[:at] + short[token.string] + line[at + len(token.string) :]
    return "".join(lines)


def _names(text: str) -> Iterator[tokenize.TokenInfo]:
    return (t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.NAME)
