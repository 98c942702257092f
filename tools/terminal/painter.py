"""The window: where the screen, its frame, the title and the help line stand, and which characters changed."""

from __future__ import annotations

from collections.abc import Callable

from tools.terminal import cells

# Keys as the help line names them; the last one that fits is shown.
HELP = (
    "arrows, A=Enter, B=Esc, q",
    "arrows or WASD, A: Enter or Space, B: Esc or Backspace, q: quit",
)

# Screen rows that are not the picture: the frame and the help line.
_EXTRA_ROWS = 3
_EXTRA_COLUMNS = 2

# A run of unchanged characters up to this long is cheaper to write again than to jump over.
_GAP = 6

# A whole picture or none, where the terminal knows how; others ignore the unknown mode.
BEGIN = "\x1b[?2026h"
END = "\x1b[?2026l"
CLEAR = "\x1b[0m\x1b[2J"
GLASS = "\x1b[97;40m"
PLAIN = "\x1b[0m"

Rendering = Callable[[bytes | bytearray | memoryview, int, int], list[str]]

STYLES: dict[str, tuple[Rendering, int, int]] = {
    "half": (cells.halves, 1, 2),
    "braille": (cells.braille, 2, 4),
}
"""Name: how it renders, pixels of a character across and down. The largest first."""


class Painter:
    """Turns pictures of `width` * `height` pixels into what a terminal must be sent.

    style: a name of STYLES, or None for the largest that fits the window. colour: light on black, else the
    terminal's own colours.
    """

    def __init__(self, width: int, height: int, title: str, style: str | None = None, colour: bool = True) -> None:
        self._width = width
        self._height = height
        self._title = title
        self._styles = [style] if style else list(STYLES)
        self._colour = colour
        self._size = (0, 0)
        self._rows: list[str] = []
        self._shown: list[str] | None = None
        self._style: str | None = None
        self._top = self._left = 0

    def needs(self, style: str) -> tuple[int, int]:
        """Columns and rows of a window that fits the screen in this style."""
        _, across, down = STYLES[style]
        return self._width // across + _EXTRA_COLUMNS, self._height // down + _EXTRA_ROWS

    def smallest(self) -> tuple[int, int]:
        """Columns and rows that the window must have."""
        return self.needs(self._styles[-1])

    def fits(self, columns: int, rows: int) -> bool:
        """Whether the screen can be shown in such a window."""
        least = self.smallest()
        return columns >= least[0] and rows >= least[1]

    def paint(self, picture: bytes | bytearray | memoryview, columns: int, rows: int) -> str:
        """What to write so that a window of this size shows the picture; empty if it does already."""
        out = []
        if self._shown is None or (columns, rows) != self._size:
            self._size = (columns, rows)
            out.append(CLEAR)
            if not self.fits(columns, rows):
                self._shown = []
                return "".join([*out, _at(0, 0), self._too_small(columns)])
            out.append(self._lay_out(columns, rows))
        elif not self.fits(columns, rows):
            return ""
        assert self._style
        new = STYLES[self._style][0](picture, self._width, self._height)
        old = self._shown or [""] * len(new)
        changes = [
            _at(self._top + 1 + y, self._left + 1 + x) + run
            for y, (a, b) in enumerate(zip(old, new, strict=True))
            if a != b
            for x, run in runs(a, b)
        ]
        self._shown = new
        if changes:
            out += [GLASS, *changes, PLAIN] if self._colour else changes
        return BEGIN + "".join(out) + END if out else ""

    def forget(self) -> None:
        """The terminal may show anything now: the next paint() writes everything."""
        self._shown = None

    def _too_small(self, columns: int) -> str:
        wide, high = self.smallest()
        return f"Window too small: {wide}x{high} needed (q quits)"[:columns]

    def _lay_out(self, columns: int, rows: int) -> str:
        """Chooses style and place; frame, title and help line."""
        self._shown = None
        for style in self._styles:
            wide, high = self.needs(style)
            if columns >= wide and rows >= high:
                break
        self._style = style
        self._left = (columns - wide) // 2
        self._top = (rows - high) // 2
        inner = wide - _EXTRA_COLUMNS
        title = f" {self._title} "[:inner]
        out = [_at(self._top, self._left), "┌", title, "─" * (inner - len(title)), "┐"]
        for y in range(high - _EXTRA_ROWS):
            out += [
                _at(self._top + 1 + y, self._left),
                "│",
                _at(self._top + 1 + y, self._left + inner + 1),
                "│",
            ]
        out += [_at(self._top + high - 2, self._left), "└", "─" * inner, "┘"]
        text = [line for line in HELP if len(line) <= wide][-1]
        out += [_at(self._top + high - 1, self._left + (wide - len(text)) // 2), text]
        return "".join(out)


def runs(old: str, new: str) -> list[tuple[int, str]]:
    """Where `new` differs from `old` (of the same length, or empty): (first column, characters) of each run."""
    if not old:
        return [(0, new)]
    found: list[tuple[int, int]] = []
    for x, (a, b) in enumerate(zip(old, new, strict=True)):
        if a != b:
            if found and x - found[-1][1] <= _GAP:
                found[-1] = (found[-1][0], x)
            else:
                found.append((x, x))
    return [(first, new[first : last + 1]) for first, last in found]


def _at(y: int, x: int) -> str:
    return f"\x1b[{y + 1};{x + 1}H"
