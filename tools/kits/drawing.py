"""The wiring diagram of a kit as SVG: the Pico with its forty pins, parts at its sides, each wire in a colour of its own.

A wire leaves its pin sideways, runs up or down in a lane that is its own, and reaches its terminal sideways; to a part on
the other side it passes above the Pico. A part stands half a pitch off the pins unless all its wires are straight. So wires
cross, but never lie on each other.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import Any

from tools.kits import pinout
from tools.kits.wires import Part, Wire, parts, pin_text

WIDTH = 1120
PITCH = 26
"""Between two pins and between two terminals."""
TOP = 110
"""The y of pins 1 and 40, below the channel of wires that change sides."""
PICO_LEFT, PICO_RIGHT = 480, 640
PART_WIDTH = 150
MARGIN = 24
HEAD = 44
"""From the top of a part to its first terminal."""
LANE = 11
CHANNEL = 9
BESIDE = 5

GROUND, POWER = "#222222", "#d4202a"
COLOURS = (
    *("#1f77b4", "#e07b00", "#2a9d3a", "#8e44ad", "#8a5a2b", "#d63f94", "#008b8b", "#7a7a00", "#3f4fd8", "#b5651d"),
    *("#5b8c5a", "#9a7fd1", "#c2185b", "#00a3d7", "#6b7a8f", "#a08400"),
)
"""Of the other wires, each its own."""


def svg(board: Any) -> str:
    """The whole drawing as text, ended by a newline; the board has no faults (check.py)."""
    return _Drawing(board).text()


def table(board: Any) -> str:
    """The wires as a Markdown table."""
    rows = ["| part | its pin | Pico | pin number | carries |", "|---|---|---|---|---|"]
    for part in parts(board):
        rows += [
            f"| {part.title} | {wire.terminal} | {wire.pin_text} | {wire.pin} | {wire.signal} |" for wire in part.wires
        ]
    return "\n".join(rows) + "\n"


def pin_place(pin: int) -> tuple[int, int]:
    """Where a wire leaves a pin."""
    if pin <= pinout.LEFT:
        return PICO_LEFT, TOP + PITCH * (pin - 1)
    return PICO_RIGHT, TOP + PITCH * (40 - pin)


def on_left(part: Part) -> bool:
    """Whether most wires of a part that are neither ground nor power start on the left edge."""
    signals = [wire for wire in part.wires if pin_text(wire.pin) not in (pinout.GND, pinout.POWER)]
    return 2 * sum(wire.pin <= pinout.LEFT for wire in signals) >= len(signals)


class _Drawing:
    def __init__(self, board: Any) -> None:
        self.board = board
        self.parts = parts(board)
        self.back: list[str] = []
        self.wires: list[str] = []
        self.labels: list[str] = []
        self.lanes = {True: 0, False: 0}
        self.channel = 0
        self.colour = 0
        self.leaving: Counter[int] = Counter()
        self.bottom = {True: TOP - PITCH, False: TOP - PITCH}

    def text(self) -> str:
        self._pico()
        for part in sorted(self.parts, key=lambda part: min(wire.pin for wire in part.wires)):
            self._part(part)
        height = max(TOP + 20 * PITCH, *self.bottom.values()) + 2 * MARGIN
        name = escape(self.board.TITLE)
        said = "; ".join(
            f"{part.title} {wire.terminal} to {wire.pin_text} (pin {wire.pin})"
            for part in self.parts
            for wire in part.wires
        )
        head = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            'role="img" font-family="Verdana, DejaVu Sans, sans-serif" font-size="12">',
            f"<title>{name}</title>",
            f"<desc>{escape(said)}</desc>",
            f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
            _text(MARGIN, 32, self.board.TITLE, size=20, weight="bold"),
        ]
        return "\n".join([*head, *self.back, *self.wires, *self.labels, "</svg>"]) + "\n"

    def _pico(self) -> None:
        """The board, USB at the top, and all its pins by number and name."""
        height = 19 * PITCH + 70
        self.back.append(
            f'<rect x="{PICO_LEFT + 6}" y="{TOP - 22}" width="{PICO_RIGHT - PICO_LEFT - 12}" height="{height}" rx="8" '
            'fill="#1d7a46"/>'
        )
        middle = (PICO_LEFT + PICO_RIGHT) // 2
        self.back.append(f'<rect x="{middle - 22}" y="{TOP - 32}" width="44" height="26" rx="3" fill="#c9ccd0"/>')
        self.back.append(_text(middle, TOP - 14, "USB", anchor="middle", size=11))
        name = pinout.NAMES[self.board.PICO].removeprefix("Raspberry Pi ")
        self.back.append(
            _text(middle, TOP + 20 * PITCH + 10, name, anchor="middle", fill="#ffffff", size=15, weight="bold")
        )
        used = {wire.pin for part in self.parts for wire in part.wires}
        for pin in range(1, 41):
            x, y = pin_place(pin)
            left = pin <= pinout.LEFT
            inner = x + 13 if left else x - 13
            fill = "#ffd866" if pin in used else "#e8e8e8"
            self.back.append(f'<circle cx="{inner}" cy="{y}" r="6" fill="{fill}" stroke="#555555"/>')
            fill = "#ffffff" if pin in used else "#b8d8c4"
            where = inner + 11 if left else inner - 11
            told = f"{pin} {pin_text(pin)}" if left else f"{pin_text(pin)} {pin}"
            weight = "bold" if pin in used else "normal"
            self.back.append(
                _text(where, y + 4, told, anchor="start" if left else "end", fill=fill, size=11, weight=weight)
            )

    def _part(self, part: Part) -> None:
        """A box at its side, as near to the height of its wires as the boxes above let it be."""
        left = on_left(part)
        heights = [pin_place(wire.pin)[1] for wire in part.wires if (wire.pin <= pinout.LEFT) == left]
        rows = len(part.wires)
        top = min(heights) - HEAD
        straight = heights == list(range(min(heights), min(heights) + PITCH * rows, PITCH))
        if not straight or top < self.bottom[left]:
            # The next place that is half a pitch off.
            top += PITCH // 2 + PITCH * max(-(-(self.bottom[left] - PITCH // 2 - top) // PITCH), 0)
        height = HEAD + PITCH * rows
        x = MARGIN if left else WIDTH - MARGIN - PART_WIDTH
        self.back.append(
            f'<rect x="{x}" y="{top}" width="{PART_WIDTH}" height="{height}" rx="6" fill="#eef2f7" stroke="#44546a"/>'
        )
        self.back.append(_text(x + 10, top + 18, part.title, weight="bold", size=13))
        note = _lines(part.note, 27)
        for i, line in enumerate(note):
            self.back.append(_text(x, top + height + 14 + 13 * i, line, fill="#555555", size=10))
        for row, wire in enumerate(part.wires):
            y = top + HEAD + PITCH * row
            terminal = x + PART_WIDTH if left else x
            self.back.append(f'<circle cx="{terminal}" cy="{y}" r="4" fill="#44546a"/>')
            anchor = "end" if left else "start"
            self.back.append(
                _text(terminal + (-10 if left else 10), y + 4, wire.terminal, anchor=anchor, weight="bold")
            )
            self._wire(wire, terminal, y, left)
        self.bottom[left] = top + height + 13 * len(note) + 8

    def _wire(self, wire: Wire, terminal: int, y: int, left: bool) -> None:
        colour = {pinout.GND: GROUND, pinout.POWER: POWER}.get(wire.pin_text)
        if colour is None:
            colour = COLOURS[self.colour]
            self.colour += 1
        pin_x, pin_y = pin_place(wire.pin)
        # A second wire at a pin leaves it beside the first.
        pin_y += BESIDE * self.leaving[wire.pin]
        self.leaving[wire.pin] += 1
        lane = self._lane(left)
        points = [(pin_x, pin_y)]
        if (wire.pin <= pinout.LEFT) == left:
            points += [(lane, pin_y), (lane, y)]
        else:
            out = self._lane(not left)
            channel = TOP - 42 - CHANNEL * self.channel
            self.channel += 1
            points += [(out, pin_y), (out, channel), (lane, channel), (lane, y)]
        points.append((terminal, y))
        path = " ".join(f"{a},{b}" for a, b in points)
        self.wires.append(
            f'<polyline points="{path}" fill="none" stroke="#ffffff" stroke-width="5"/>'
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5" stroke-linejoin="round"/>'
        )
        x = terminal + (12 if left else -12)
        anchor = "start" if left else "end"
        self.labels.append(
            '<g stroke="#ffffff" stroke-width="4" paint-order="stroke">'
            + _text(x, y - 5, f"{wire.signal}: {wire.pin_text}", anchor=anchor, fill=colour, size=11)
            + "</g>"
        )

    def _lane(self, left: bool) -> int:
        """The x of the next lane at a side, the first one next to the Pico."""
        lane = self.lanes[left]
        self.lanes[left] = lane + 1
        return PICO_LEFT - 24 - LANE * lane if left else PICO_RIGHT + 24 + LANE * lane


def _text(
    x: float,
    y: float,
    told: str,
    *,
    anchor: str = "start",
    fill: str = "#222222",
    size: int = 12,
    weight: str = "normal",
) -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{fill}" font-size="{size}" font-weight="{weight}">'
        f"{escape(told)}</text>"
    )


def _lines(text: str, width: int) -> list[str]:
    """A text broken at blanks into lines of at most so many letters."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
