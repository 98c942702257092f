"""Offsets that a file of a game repeats (viper takes no const of another file) are those of its rules."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(path.parent.name for path in ROOT.glob("games/*/rules.py"))


def consts(path: Path) -> dict[str, int]:
    """The names that a file sets to a `const(...)` or a plain number at its top."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value
            if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "const":
                value = value.args[0]
            try:
                found[node.targets[0].id] = ast.literal_eval(value)
            except ValueError:
                continue
    return {name: value for name, value in found.items() if type(value) is int}


def differences(rules: Path, other: Path) -> dict[str, tuple[int, int]]:
    """Names of another file whose values are not those of the rules; `_STATE_BYTES` means STATE_BYTES."""
    own = consts(rules)
    own["_STATE_BYTES"] = own["STATE_BYTES"]
    return {n: (v, own[n]) for n, v in consts(other).items() if own.get(n, v) != v}


@pytest.mark.parametrize("game", GAMES)
def test_offsets_are_those_of_the_rules(game):
    rules = ROOT / "games" / game / "rules.py"
    others = [*(ROOT / "games" / game).glob("*.py"), *ROOT.glob(f"firmware/views/{game}*.py")]
    for other in others:
        assert not differences(rules, other), other


@pytest.mark.parametrize("view", sorted(path.stem for path in ROOT.glob("firmware/views/*.py")))
def test_what_a_view_calls_an_offset_is_one(view):
    """Its names are the rules' own, so that a name that only the view has cannot hide another value."""
    text = (ROOT / "firmware" / "views" / f"{view}.py").read_text(encoding="utf-8")
    (game,) = re.findall(r"# Offsets of games/(\w+)/rules\.py", text)
    block = text[text.index("# Offsets of") :].split("\n\n")[0]
    rules = ROOT / "games" / game / "rules.py"
    named = re.findall(r"^(_[A-Z_0-9]+) = const", block, re.MULTILINE)
    assert len(named) > 5
    assert set(named) <= set(consts(rules))


def test_a_wrong_offset_would_be_seen(tmp_path):
    rules = tmp_path / "rules.py"
    bot = tmp_path / "bot.py"
    rules.write_text("STATE_BYTES = 9\n_SEAT = const(3)\n", encoding="utf-8")
    bot.write_text("_SEAT = const(4)\n_STATE_BYTES = const(9)\n_OWN = const(1)\n", encoding="utf-8")
    assert differences(rules, bot) == {"_SEAT": (4, 3)}
