"""Makes firmware/art/*.py out of the drawings in this folder: `python3 -m tools.art`."""
from __future__ import annotations

import sys
from pathlib import Path

from tools.art.source import Fault, Picture, read_font, read_sprites

HERE = Path(__file__).parent
TARGET = HERE.parent.parent / "firmware" / "art"
CELL_ROWS = 11
# The title font is the body font with these rows twice and strokes two pixels wide: capitals of 10 rows.
DOUBLED_ROWS = (3, 5, 7)


def columns(picture: Picture) -> bytes:
    """MONO_VLSB: page by page of eight rows, a byte a column, the upper row in the lowest bit."""
    height, width = len(picture), len(picture[0])
    data = bytearray()
    for page in range(0, height, 8):
        for x in range(width):
            data.append(sum(1 << y for y in range(min(8, height - page)) if picture[page + y][x] == "#"))
    return bytes(data)


def bolder(picture: Picture) -> Picture:
    rows: Picture = []
    for y, row in enumerate(picture):
        wide = "".join("#" if "#" in pair else "." for pair in zip(row + ".", "." + row, strict=True))
        rows += [wide] * (2 if y in DOUBLED_ROWS else 1)
    return rows


def literal(data: bytes) -> str:
    lines = ["".join(f"\\x{b:02x}" for b in data[i : i + 24]) for i in range(0, len(data), 24)]
    return "(\n" + "".join(f'    b"{line}"\n' for line in lines) + ")\n"


def font_module(subject: str, glyphs: dict[str, Picture]) -> str:
    """A font. `EXTRA` has the characters after '~' in the order of their glyphs; a missing one's glyph is last."""
    plain = [chr(code) for code in range(32, 127)]
    extra = sorted(c for c in glyphs if len(c) == 1 and c not in plain)
    starts, data, at = bytearray(), bytearray(), 0
    for name in [*plain, *extra, "missing"]:
        starts += at.to_bytes(2, "little")
        at += len(glyphs[name][0])
        data += columns(glyphs[name])
    starts += at.to_bytes(2, "little")
    rows = len(glyphs["missing"])
    lines = [ascii("".join(extra[i : i + 16]))[1:-1] for i in range(0, len(extra), 16)]
    listed = "".join(f'    "{line}"\n' for line in lines)
    return (
        f'"""{subject}: made by `python3 -m tools.art`, not by hand."""\n\n'
        f"ROWS = {rows}\nPAGES = {(rows + 7) // 8}\n"
        "# The characters after '~', ascending; the glyph after them stands for what is missing.\n"
        f"EXTRA = (\n{listed})\n"
        "# Where each glyph starts (columns, low byte first), and where the last one ends.\n"
        f"STARTS = {literal(bytes(starts))}"
        "# Per glyph its pages, per page a byte a column.\n"
        f"COLUMNS = {literal(bytes(data))}"
    )


def sprite_module(subject: str, pictures: dict[str, Picture]) -> str:
    how = "made by `python3 -m tools.art`, not by hand. Width, height, then pages of columns"
    text = f'"""{subject}: {how}."""\n\n'
    for name, picture in pictures.items():
        text += f"{name} = {literal(bytes([len(picture[0]), len(picture)]) + columns(picture))}"
    return text


def modules() -> dict[str, str]:
    """What the files in firmware/art are to hold, by file name."""
    body = read_font(HERE / "body.txt", CELL_ROWS)
    title = {name: bolder(glyph) for name, glyph in body.items()}
    title.update(read_font(HERE / "title.txt", CELL_ROWS + len(DOUBLED_ROWS)))
    made = {
        "body.py": font_module("Body font", body),
        "title.py": font_module("Title font", title),
    }
    for path in sorted(HERE.glob("*.txt")):
        if path.stem not in ("body", "title"):
            made[path.stem + ".py"] = sprite_module(f"Pictures of {path.stem}", read_sprites(path))
    return made


def main() -> int:
    try:
        made = modules()
    except Fault as fault:
        print(f"cairn: {fault}", file=sys.stderr)
        return 1
    for name, text in made.items():
        (TARGET / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
