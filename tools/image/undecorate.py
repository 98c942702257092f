"""Takes `@micropython.viper` and `@micropython.native` off a source, for a MicroPython without machine code."""

from __future__ import annotations

import ast

_MACHINE_CODE = ("viper", "native")


def _asks_for_machine_code(decorator: ast.expr) -> bool:
    return (
        isinstance(decorator, ast.Attribute)
        and decorator.attr in _MACHINE_CODE
        and isinstance(decorator.value, ast.Name)
        and decorator.value.id == "micropython"
    )


def undecorate(source: str) -> str:
    """`source` without those decorators. Their lines stay, empty, so that line numbers in a traceback hold.

    SyntaxError if `source` is not Python.
    """
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                if _asks_for_machine_code(decorator):
                    lines[decorator.lineno - 1] = "\n"
    return "".join(lines)
