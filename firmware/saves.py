"""The saved game as bytes: what is played, by whom, the generator and the state, so that it goes on exactly
as before.

    0           version
    1           length n of the game's id, then the id (ASCII)
    n + 2       bit mask of options
    n + 3       seats k, then a kind of player for each
    n + k + 4   state of the generator, 4 bytes, little-endian
    n + k + 8   plies played, 2 bytes, little-endian
    n + k + 10  state of the game
"""

from micropython import const

from firmware import modules
from games import catalogue

NAME = "game"
# Where a save is put that cannot be used.
ASIDE = "game-aside"

VERSION = const(1)

# Kinds of players; later levels of computer players follow.
NOBODY = const(0)
PERSON = const(1)
EASY = const(2)
KINDS = const(3)


def pack(game, options, kinds, rng, plies, state):
    """The save of a game in progress; kinds: bytes, one for each seat."""
    x = rng.state[0]
    return (
        bytes((VERSION, len(game)))
        + game.encode()
        + bytes((options, len(kinds)))
        + bytes(kinds)
        + bytes((x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24, plies & 255, plies >> 8))
        + state
    )


class Saved:
    """What a save says of itself; ValueError unless it can be one. The state is not looked at yet."""

    def __init__(self, data):
        if len(data) < 3 or data[0] != VERSION:
            raise ValueError("version")
        at = 2 + data[1]
        self.game = "".join([chr(b) for b in data[2:at]])
        if self.game not in modules.GAMES or len(data) < at + 2:
            raise ValueError("game")
        self.options = data[at]
        seats = data[at + 1]
        if self.options >> len(catalogue.options(self.game)):
            raise ValueError("options")
        fewest, most = catalogue.seats(self.game, self.options)
        at += 2
        self.kinds = bytearray(data[at : at + seats])
        at += seats
        if not fewest <= seats <= most or len(data) < at + 6:
            raise ValueError("seats")
        for kind in self.kinds:
            if not PERSON <= kind < KINDS:
                raise ValueError("kinds")
        if data[at + 3] > 63:
            raise ValueError("generator")
        self.generator = data[at] | data[at + 1] << 8 | data[at + 2] << 16 | data[at + 3] << 24
        if not 1 <= self.generator <= 1073479678:
            raise ValueError("generator")
        self.plies = data[at + 4] | data[at + 5] << 8
        self.state = bytearray(data[at + 6 :])
