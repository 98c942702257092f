"""Make games/goats/tables.py: every roll of four dice and the sets of sums it can form (rules page of goats)."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

DOC = '''"""Rolls of four dice and the sums they can form: made by `python3 -m tools.tables`, not by hand.

TABLE, bytes, in four parts:
  0     1,296  class (0..125) of the roll d1 * 216 + d2 * 36 + d3 * 6 + d4, dice counted from 0; the classes are
               the rolls in ascending order of their ascending dice
  1296  126*4  a class: where its moves begin in the last part (low byte, high byte), how many of them need no
               Big Mountain (they come first), how many there are in all
  1800  96*4   a move: its sums, ascending, 0 after the last; moves below 49 need no Big Mountain; 0 is the pass
  2184  1,955  the moves of all classes, ascending within a class
"""
'''


def sums_of(dice: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All sets of sums >= 5 that groups of these dice can form, each ascending; dice may stay unused."""
    found: set[tuple[int, ...]] = set()

    def place(rest: tuple[int, ...], groups: tuple[int, ...]) -> None:
        if not rest:
            found.add(tuple(sorted(g for g in groups if g >= 5)))
            return
        die, rest = rest[0], rest[1:]
        place(rest, groups + (die,))
        for i, group in enumerate(groups):
            place(rest, groups[:i] + (group + die,) + groups[i + 1 :])

    place(dice, ())
    return found | {kept for sums in found for kept in subsets(sums)}


def subsets(sums: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Every part of a set of sums: a group that was formed may as well have been left."""
    parts = {()}
    for value in sums:
        parts |= {part + (value,) for part in parts}
    return parts


def moves_of(roll: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All sets of sums of an ascending roll, with all 1s but one turned to any face."""
    ones = max(roll.count(1) - 1, 0)
    kept = roll[ones:]
    found: set[tuple[int, ...]] = set()
    for turned in combinations_with_replacement(range(1, 7), ones):
        found |= sums_of(turned + kept)
    return found


def build() -> bytes:
    """The TABLE of games/goats/tables.py."""
    rolls = list(combinations_with_replacement(range(1, 7), 4))
    per_roll = [moves_of(roll) for roll in rolls]
    moves = sorted(set().union(*per_roll), key=lambda sums: (any(v > 10 for v in sums), sums))
    code = {sums: i for i, sums in enumerate(moves)}
    small = sum(1 for sums in moves if all(v <= 10 for v in sums))
    out = bytearray(rolls.index(tuple(sorted(dice))) for dice in product(range(1, 7), repeat=4))
    lists = [sorted(code[sums] for sums in found) for found in per_roll]
    start = 0
    for codes in lists:
        out += bytes((start & 255, start >> 8, sum(1 for c in codes if c < small), len(codes)))
        start += len(codes)
    for sums in moves:
        out += bytes(sums + (0,) * (4 - len(sums)))
    for codes in lists:
        out += bytes(codes)
    assert (len(rolls), small, len(moves), start) == (126, 49, 96, 1955)
    return bytes(out)


def source() -> str:
    """The text of games/goats/tables.py."""
    return DOC + "\nTABLE = (\n" + literal(build()) + ")\n"


def literal(data: bytes, width: int = 24) -> str:
    """Lines of bytes literals, `width` bytes each."""
    rows = (data[i : i + width] for i in range(0, len(data), width))
    return "".join('    b"' + "".join(f"\\x{byte:02x}" for byte in row) + '"\n' for row in rows)
