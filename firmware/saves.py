"""A game as bytes, while it is played and when it is kept: what is played, by whom, from which chance, and the moves.

    0           version
    1           length n of the game's id, then the id (ASCII)
    n + 2       bit mask of options
    n + 3       seats k, then a kind of player for each
    n + k + 4   1: practice; 2: the base is a state
    n + k + 5   bit mask of the winners, 0 before the end
    n + k + 6   state of the generator at the base, 4 bytes, little-endian, as all numbers here
    n + k + 10  plies before the base, plies up to now, check of the state now: 2 bytes each
    n + k + 16  length w of the word that the game was drawn from, then the word (ASCII)
    ...         where the base is a state: its length, 2 bytes, then the state
    ...         the moves since the base

Else the base is what the rules' `new` makes with that generator, and all later chance comes out of it too. So no die
is kept: what `new` and `sample` draw is a part of this format, which the golden records hold. A move is its number among
the legal moves, 255 and the rest where that is more than 254.

Version 1 had the state instead, and no moves: seats, generator, plies, state. It becomes a game whose base is a state.
"""

import binascii

from micropython import const

from firmware import modules
from games import catalogue

NAME = "game"
# Where a save is put that cannot be used.
ASIDE = "game-aside"

VERSION = const(2)

# Kinds of players: from EASY on the levels of games/levels.py.
NOBODY = const(0)
PERSON = const(1)
EASY = const(2)
NORMAL = const(3)
HARD = const(4)
EXPERT = const(5)
KINDS = const(6)

# Letters of a word that a game is drawn from.
LETTERS = const(4)

_PRACTICE = const(1)
_BASE = const(2)


def new_word(rng):
    """Any letters for a game to be drawn from."""
    return "".join([chr(65 + rng.below(26)) for _ in range(LETTERS)])


def two(number):
    """A number of 0..65535 as two bytes."""
    return bytes((number & 255, number >> 8))


def check(state):
    """A check of 16 bits over a state."""
    return binascii.crc32(state) & 0xFFFF


class Saved:
    """A game: `game`, `options`, `kinds` (a kind of player for each seat), `word`, `generator`, `base` (a state, or
    None), `before` and `plies` (how many before the base and up to now), `check` (of the state now), `moves` (bytearray),
    `practice` (whether a ply was taken back that told something), `winners` (bit mask, 0 before the end)."""

    def __init__(self, game, options, kinds, word, generator):
        self.game = game
        self.options = options
        self.kinds = kinds
        self.word = word
        self.generator = generator
        self.base = None
        self.before = self.plies = 0
        self.check = 0
        self.moves = bytearray()
        self.practice = False
        self.winners = 0

    def pack(self):
        """The bytes of the game."""
        x = self.generator
        data = (
            bytes((VERSION, len(self.game)))
            + self.game.encode()
            + bytes((self.options, len(self.kinds)))
            + bytes(self.kinds)
            + bytes((_PRACTICE * self.practice + _BASE * (self.base is not None), self.winners))
            + two(x & 0xFFFF)
            + two(x >> 16)
            + two(self.before)
            + two(self.plies)
            + two(self.check)
            + bytes((len(self.word),))
            + self.word.encode()
        )
        if self.base is not None:
            data += two(len(self.base)) + self.base
        return data + self.moves


class _Reader:
    """Numbers and pieces of bytes, one after the other; ValueError at their end."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    def piece(self, count):
        at = self._at
        self._at = at + count
        if self._at > len(self._data):
            raise ValueError("too short")
        return bytearray(self._data[at : self._at])

    def rest(self):
        return bytearray(self._data[self._at :])

    def one(self):
        return self.piece(1)[0]

    def two(self):
        low, high = self.piece(2)
        return low | high << 8

    def text(self):
        return "".join([chr(b) for b in self.piece(self.one())])


def read(data):
    """The Saved of the bytes of a game, of any version so far; ValueError unless it can be one. Its state and moves are
    not looked at yet: that takes the rules (firmware/course.py)."""
    from_ = _Reader(data)
    version = from_.one()
    if not 1 <= version <= VERSION:
        raise ValueError("version")
    game = from_.text()
    if game not in modules.GAMES:
        raise ValueError("game")
    options = from_.one()
    if options >> len(catalogue.options(game)):
        raise ValueError("options")
    seats = from_.one()
    fewest, most = catalogue.seats(game, options)
    if not fewest <= seats <= most:
        raise ValueError("seats")
    kinds = from_.piece(seats)
    for kind in kinds:
        if not PERSON <= kind < KINDS:
            raise ValueError("kinds")
    saved = Saved(game, options, kinds, "", 0)
    flags = _BASE
    if version > 1:
        flags = from_.one()
        if flags > 3:
            raise ValueError("flags")
        saved.winners = from_.one()
        if saved.winners >> seats:
            raise ValueError("winners")
    low = from_.two()
    saved.generator = low | from_.two() << 16
    if not 1 <= saved.generator <= 1073479678:
        raise ValueError("generator")
    saved.before = saved.plies = from_.two()
    if version == 1:
        saved.base = from_.rest()
        saved.check = check(saved.base)
        return saved
    saved.plies = from_.two()
    if saved.plies < saved.before:
        raise ValueError("plies")
    saved.check = from_.two()
    saved.word = from_.text()
    for letter in saved.word:
        if not "A" <= letter <= "Z":
            raise ValueError("word")
    saved.practice = bool(flags & _PRACTICE)
    if flags & _BASE:
        saved.base = from_.piece(from_.two())
    saved.moves = from_.rest()
    return saved
