"""Pixels as characters: a 1-bit picture (MONO_VLSB) in Braille cells of 2x4 dots or in half blocks of 1x2."""

from __future__ import annotations

# Dots of a Braille cell (Unicode block U+2800): rows 1-4 of the left column, then of the right one.
_LEFT = (0x01, 0x02, 0x04, 0x40)
_RIGHT = (0x08, 0x10, 0x20, 0x80)

# Four rows of one column, as the low bits of a number, in a Braille cell.
_LEFT_DOTS = [sum(dot for row, dot in enumerate(_LEFT) if four >> row & 1) for four in range(16)]
_RIGHT_DOTS = [sum(dot for row, dot in enumerate(_RIGHT) if four >> row & 1) for four in range(16)]

# Some fonts draw the empty cell as eight small rings.
_CELLS = [" ", *(chr(0x2800 + dots) for dots in range(1, 256))]

_HALVES = " ▀▄█"


def braille(picture: bytes | bytearray | memoryview, width: int, height: int) -> list[str]:
    """Rows of width / 2 characters, height / 4 of them; width a multiple of 2, height of 8."""
    rows = []
    for y in range(0, height, 4):
        line = y // 8 * width
        shift = y & 4
        rows.append(
            "".join(
                _CELLS[_LEFT_DOTS[picture[line + x] >> shift & 15] | _RIGHT_DOTS[picture[line + x + 1] >> shift & 15]]
                for x in range(0, width, 2)
            )
        )
    return rows


def halves(picture: bytes | bytearray | memoryview, width: int, height: int) -> list[str]:
    """Rows of `width` characters, height / 2 of them; height a multiple of 8."""
    return [
        "".join(_HALVES[picture[y // 8 * width + x] >> (y & 7) & 3] for x in range(width)) for y in range(0, height, 2)
    ]
