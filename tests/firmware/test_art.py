"""The art on the device is what the drawings say, and a drawing with a fault is told by file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.art.__main__ import TARGET, columns, modules
from tools.art.source import Fault, combine, read_font, read_sprites


def test_generated_files_are_up_to_date() -> None:
    made = modules()
    assert {path.name for path in TARGET.glob("*.py")} == set(made)
    for name, text in made.items():
        assert (TARGET / name).read_text(encoding="utf-8") == text, f"{name}: run python3 -m tools.art"


def test_columns() -> None:
    assert columns(["#.", ".#"]) == b"\x01\x02"
    assert columns(["#"] + ["."] * 8 + ["#"]) == b"\x01\x02"


def test_combine() -> None:
    glyphs = {"i": [".", ".", ".", "#", "#"], "hat": [".#.", "#.#", "...", "...", "..."]}
    assert combine(glyphs, ["i", "hat", "1"]) == ["...", ".#.", "#.#", ".#.", ".#."]
    assert combine(glyphs, ["i", "-3", "hat", "1"]) == ["...", ".#.", "#.#", "...", ".#."]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what", "neither a comment, '@' nor '+'"),
        ("@ 0 a b\n# # #\n", "2 names, but a row of 3 drawings"),
        ("@ 0 a\n#\n##\n", "a is not a rectangle of '#' and '.'"),
        ("@ 0 a\n#x\n", "a is not a rectangle of '#' and '.'"),
        ("@ 2 a\n#\n#\n", "a is taller than 3 rows"),
    ],
)
def test_faults(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "font.txt"
    path.write_text("# A comment.\n\n" + text)
    with pytest.raises(Fault, match=r"font.txt, line 3: ") as caught:
        read_font(path, 3)
    assert told in str(caught.value)


def test_sprites(tmp_path: Path) -> None:
    path = tmp_path / "things.txt"
    path.write_text("@ BALL BAT\n#. .#\n\n# Next.\n@ NET\n###\n")
    assert read_sprites(path) == {"BALL": ["#."], "BAT": [".#"], "NET": ["###"]}
