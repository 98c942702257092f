"""Make games/kings/tables.py: the two sides of the 80 cards (rules page of kings, Components)."""

from __future__ import annotations

from tools.tables.goats import literal

DOC = '''"""The two sides of the 80 cards of kings: made by `python3 -m tools.tables`, not by hand.

TABLE, bytes, in five parts; cards are counted from 1 here, so that 0 can mean none:
  0    81  + card: strength of its creature side, 0..9
  81   81  + card: profile of its mine side, 0..19, and the race of its creature side, 0..3 for O D G I, in bits 5 and 6
  162  20  + profile: defence
  182  20  + profile: creatures that exploit it: its capacity, and one more where there is a foreman
  202  20  + profile: worth in bits 0 to 3; bit 4 for a foreman
"""
'''

# defence, capacity, worth, foreman
PROFILES = (
    *((2, 2, 2, 0), (2, 2, 1, 1), (2, 3, 3, 0), (2, 3, 2, 1), (2, 4, 4, 0)),
    *((3, 2, 3, 0), (3, 3, 4, 0), (3, 3, 3, 1), (3, 4, 5, 0), (3, 4, 6, 1)),
    *((3, 2, 2, 1), (4, 3, 5, 0), (4, 3, 4, 1), (4, 4, 6, 0), (4, 4, 7, 1)),
    *((4, 5, 8, 0), (5, 4, 7, 0), (5, 4, 6, 1), (5, 5, 9, 1), (5, 5, 8, 0)),
)


def build() -> bytes:
    """The TABLE of games/kings/tables.py."""
    strengths = bytes(c % 20 // 2 for c in range(80))
    mines = bytes((7 * (c % 20) + 5 * (c // 20)) % 20 | c // 20 << 5 for c in range(80))
    defence = bytes(profile[0] for profile in PROFILES)
    need = bytes(capacity + foreman for _, capacity, _, foreman in PROFILES)
    worth = bytes(worth | foreman << 4 for _, _, worth, foreman in PROFILES)
    return b"\0" + strengths + b"\0" + mines + defence + need + worth


def source() -> str:
    """The text of games/kings/tables.py."""
    return DOC + "\nTABLE = (\n" + literal(build()) + ")\n"
