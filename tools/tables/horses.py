"""Make games/horses/tables.py: the track of the carrot race and where its symbols lead (rules page of horses)."""

from __future__ import annotations

from tools.tables.goats import literal

TRACK = "BMHBHM~MBHHMB~HMBMHB~BHMMBH~MHBHMB~HBMBHM~MHBBHM"
FINISH = len(TRACK) + 1
SYMBOLS = "BMH"
MOVE_DIE = "BBMMHH"
# Effects as codes: 4 and the tokens gained by the blue dice; the tokens paid by the red ones, 3 is the jump.
BLUE = (5, 5, 6, 6, 6, 7)
RED = (1, 1, 2, 3, 3, 0)

DOC = '''"""Where the symbols of the track lead, and the dice: made by `python3 -m tools.tables`, not by hand.

TRACK, the symbols of the spaces 1..48: B boot, M medal, H helmet, ~ ditch.

TABLE, bytes, in three parts:
  0    3*50  symbol (0 B, 1 M, 2 H) * 50 + space 0..49: the next space ahead with that symbol, else the finish, 49
  150  50    space: the nearest ditch behind it, else the start, 0
  200  36    the outcomes of a gait and its two dice that are equally likely, 18 blue, then 18 red, each
             8 * symbol + effect; effect: 4 + tokens gained, or tokens paid, 3 is the jump
"""
'''


def build() -> bytes:
    """The TABLE of games/horses/tables.py."""
    out = bytearray()
    for symbol in SYMBOLS:
        for space in range(FINISH + 1):
            ahead = TRACK.find(symbol, space)
            out.append(ahead + 1 if ahead >= 0 else FINISH)
    for space in range(FINISH + 1):
        out.append(TRACK.rfind("~", 0, max(space - 1, 0)) + 1)
    for effects in (BLUE, RED):
        # Each symbol is on two faces of six: three outcomes of the move die are enough.
        assert all(MOVE_DIE.count(symbol) == 2 for symbol in SYMBOLS)
        for third in range(3):
            out += bytes(8 * third + effect for effect in effects)
    assert len(out) == 236
    return bytes(out)


def source() -> str:
    """The text of games/horses/tables.py."""
    return f'{DOC}\nTRACK = b"{TRACK}"\nTABLE = (\n{literal(build())})\n'
