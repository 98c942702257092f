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
firmware/reading.py reads all versions.
"""

import binascii

from micropython import const

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

# Flags.
PRACTICE = const(1)
BASE = const(2)


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
            + bytes((PRACTICE * self.practice + BASE * (self.base is not None), self.winners))
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
