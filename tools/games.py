"""The games on the host: loading one, its options and seats as a person writes them, playing one on."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

from tools import standins
from tools.cli import Usage

standins.install()

from games import catalogue  # noqa: E402 (needs the stand-ins)
from games.recording import VERSION, Recording  # noqa: E402, F401
from games.rng import Rng, seed_of  # noqa: E402

CHANCE, OVER = 254, 255
Choose = Callable[[bytearray, array, int, Rng], int]
"""A player: (state, legal moves, how many, generator) to one of the moves."""


@dataclass(frozen=True)
class Game:
    """A loaded game with the options (a bit mask) and seats of a table."""

    name: str
    rules: ModuleType
    notation: ModuleType
    seats: int
    mask: int

    @property
    def options(self) -> dict[str, int]:
        """All options of the game, 0 or 1, in the game's order."""
        return {name: self.mask >> i & 1 for i, name in enumerate(self.rules.OPTIONS)}

    def start(self, rng: Rng) -> bytearray:
        """The state of a new game."""
        s = bytearray(self.rules.STATE_BYTES)
        self.rules.new(s, self.seats, self.mask, rng)
        return s

    def buffer(self) -> array:
        """Room for the legal moves."""
        return array("H", [0] * self.rules.MAX_LEGAL)

    def texts(self, s: bytearray, buffer: array) -> dict[str, int]:
        """The legal moves of a state by their text."""
        count = self.rules.legal(s, buffer)
        return {self.notation.move_text(s, move): move for move in buffer[:count]}

    def scores(self, s: bytearray) -> list[int]:
        """The scores, a number for each seat."""
        points = array("h", [0] * self.seats)
        self.rules.scores(s, points)
        return list(points)

    def winners(self, s: bytearray) -> list[int]:
        """The seats that share the win, ascending."""
        mask = self.rules.winners(s)
        return [seat for seat in range(self.seats) if mask >> seat & 1]


def open_game(name: str, seats: int | None = None, options: Sequence[str] = ()) -> Game:
    """Load a game for a table. `seats` None: as few as there may be. Usage if there is no such table."""
    if name not in catalogue.ids():
        raise Usage(f"no game {name!r}; there are: {', '.join(catalogue.ids())}")
    names = catalogue.options(name)
    mask = 0
    for option in options:
        if option not in names:
            raise Usage(f"{name} has no option {option!r}; there are: {', '.join(names) or 'none'}")
        mask |= 1 << names.index(option)
    fewest, most = catalogue.seats(name, mask)
    if seats is None:
        seats = fewest
    if not fewest <= seats <= most:
        with_options = f" with {', '.join(options)}" if options else ""
        more = [option for i, option in enumerate(names) if catalogue.seats(name, mask | 1 << i)[1] >= seats > most]
        remedy = f"; --options {','.join([*options, more[0]])} allows them" if more else ""
        raise Usage(f"{name}{with_options} is for {fewest} to {most} seats, not {seats}{remedy}")
    return Game(name, catalogue.load(name), catalogue.load(name, "notation"), seats, mask)


def split_names(text: str) -> list[str]:
    """The names of a comma list; an empty text is an empty list."""
    return [name.strip() for name in text.split(",") if name.strip()]


def seed(text: str) -> int:
    """A seed as a person writes it: a number, or any word."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else seed_of(text)
