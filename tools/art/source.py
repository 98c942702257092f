"""Reads the drawings of tools/art: text files in which '#' is a lit pixel and '.' a dark one."""
from __future__ import annotations

from pathlib import Path

Picture = list[str]
"""Rows from top to bottom, all of one length, of '#' and '.'."""

NAMES = {"space": " ", "narrow": "\u00a0"}


class Fault(Exception):
    """A drawing that cannot be read; the message names file and line."""


def blocks(path: Path) -> list[tuple[int, list[str], list[str]]]:
    """The blocks of a file as (line number, words of the line with '@', rows); '+' lines have no rows."""
    found: list[tuple[int, list[str], list[str]]] = []
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.strip()
        if not line:
            inside = False
        elif inside:
            found[-1][2].append(line)
        elif line[0] in "@+":
            inside = line[0] == "@"
            found.append((number, line.split(), []))
        elif line[0] != "#":
            raise Fault(f"{path.name}, line {number}: neither a comment, '@' nor '+'")
    return found


def side_by_side(path: Path, number: int, names: list[str], rows: list[str]) -> dict[str, Picture]:
    """Takes apart drawings that stand side by side, one blank between two."""
    split = [row.split() for row in rows]
    for row in split:
        if len(row) != len(names):
            raise Fault(f"{path.name}, line {number}: {len(names)} names, but a row of {len(row)} drawings")
    pictures = {}
    for i, name in enumerate(names):
        picture = [row[i] for row in split]
        if len({len(row) for row in picture}) != 1 or set("".join(picture)) - set("#."):
            raise Fault(f"{path.name}, line {number}: {name} is not a rectangle of '#' and '.'")
        pictures[name] = picture
    return pictures


def read_font(path: Path, height: int) -> dict[str, Picture]:
    """The glyphs of a font file by character (and `missing`), each `height` rows."""
    glyphs: dict[str, Picture] = {}
    for number, words, rows in blocks(path):
        if words[0] == "@":
            top = int(words[1])
            for name, picture in side_by_side(path, number, words[2:], rows).items():
                blank = "." * len(picture[0])
                full = [blank] * top + picture + [blank] * (height - top - len(picture))
                if len(full) != height:
                    raise Fault(f"{path.name}, line {number}: {name} is taller than {height} rows")
                glyphs[NAMES.get(name, name)] = full
        else:
            glyphs[words[1]] = combine(glyphs, words[3:])
    return {name: g for name, g in glyphs.items() if len(name) == 1 or name == "missing"}


def combine(glyphs: dict[str, Picture], words: list[str]) -> Picture:
    """A letter with a mark: BASE [-ROW] MARK ROW [RIGHT], see body.txt."""
    rows = list(glyphs[words[0]])
    rest = words[1:]
    if rest[0].startswith("-") and len(rest[0]) > 1:
        del rows[-int(rest.pop(0))]
        rows.insert(0, "." * len(rows[0]))
    mark = [row for row in glyphs[rest[0]] if "#" in row]
    top = int(rest[1])
    right = int(rest[2]) if len(rest) > 2 else 0
    wide = len(mark[0])
    width = max(len(rows[0]), wide)
    left = (width - len(rows[0]) + 1) // 2
    rows = ["." * left + row + "." * (width - left - len(row)) for row in rows]
    left = (width - wide) // 2 + right
    for i, row in enumerate(mark):
        placed = "." * left + row + "." * (width - left - wide)
        rows[top + i] = "".join("#" if "#" in pair else "." for pair in zip(rows[top + i], placed, strict=True))
    return rows


def read_sprites(path: Path) -> dict[str, Picture]:
    """The drawings of a sprite file by name: blocks '@ NAME NAME ...', side by side."""
    pictures: dict[str, Picture] = {}
    for number, words, rows in blocks(path):
        pictures.update(side_by_side(path, number, words[1:], rows))
    return pictures
