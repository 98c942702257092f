"""Make games/goats/tables.py: every roll of four dice and the sets of sums it can form (rules page of goats)."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

DOC = '''"""Rolls of four dice and the sums they can form: made by `python3 -m tools.tables`, not by hand.

TABLE, bytes, in ten parts:
  0     6        steps of the mountains 5..10
  6     64       how many bits the numbers 0..63 have
  70    1,296    class (0..125) of the roll d1 * 216 + d2 * 36 + d3 * 6 + d4, dice counted from 0; the classes are
                 the rolls in ascending order of their ascending dice
  1366  126 * 2  a class: where its moves begin in TABLE (low byte, high byte)
  1618  126      how many of its moves need no Big Mountain (they come first)
  1744  126      how many moves it has in all
  1870  94 * 9   a move: its sums, ascending, 5..10 as the mountains 0..5, 255 after the last, 5 bytes; a bit for
                 each mountain used; a bit for each step 11..18, 19..24 used, 2 bytes; how many of these;
                 moves below 49 need no Big Mountain; 0 is the pass
  2716  6        tokens of the mountains with 4 or 5 seats
  2722  20       what the ranks 1..5 of the Big Mountain score with 2, 3, 4 and 5 seats
  2742  1,953    the moves of all classes, ascending within a class
"""
'''

HEIGHTS = (4, 4, 3, 3, 2, 2)
TOKENS = (12, 11, 10, 9, 8, 7)
RANKS = (12, 8, 4, 0, 0, 16, 12, 8, 4, 0, 15, 12, 9, 6, 3, 15, 12, 9, 6, 3)
LISTS = 2742
"""Where the last part begins."""


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
    parts: set[tuple[int, ...]] = {()}
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


def is_big(sums: tuple[int, ...]) -> bool:
    """Whether a set of sums needs the Big Mountain."""
    return any(v > 10 for v in sums)


def move_entry(sums: tuple[int, ...]) -> bytes:
    """The nine bytes of a move."""
    places = [v - 5 if v <= 10 else v for v in sums]
    steps = sum(1 << v - 11 for v in sums if v > 10)
    mountains = sum(1 << v - 5 for v in set(sums) if v <= 10)
    big = sum(1 for v in sums if v > 10)
    return bytes([*places, *[255] * (5 - len(places)), mountains, steps & 255, steps >> 8, big])


def build() -> bytes:
    """The TABLE of games/goats/tables.py."""
    rolls: list[tuple[int, ...]] = list(combinations_with_replacement(range(1, 7), 4))
    # A step of the Big Mountain holds one goat: 12+12 can never be carried out.
    per_roll = [{sums for sums in moves_of(roll) if sums not in ((11, 11), (12, 12))} for roll in rolls]
    moves = sorted(set().union(*per_roll), key=lambda sums: (is_big(sums), sums))
    code = {sums: i for i, sums in enumerate(moves)}
    small = sum(not is_big(sums) for sums in moves)
    out = bytearray(HEIGHTS)
    out += bytes(i.bit_count() for i in range(64))
    out += bytes(rolls.index(tuple(sorted(dice))) for dice in product(range(1, 7), repeat=4))
    lists = [sorted(code[sums] for sums in found) for found in per_roll]
    start = LISTS
    for codes in lists:
        out += start.to_bytes(2, "little")
        start += len(codes)
    out += bytes(sum(c < small for c in codes) for codes in lists)
    out += bytes(len(codes) for codes in lists)
    for sums in moves:
        out += move_entry(sums)
    out += bytes(TOKENS + RANKS)
    for codes in lists:
        out += bytes(codes)
    assert (len(rolls), small, len(moves), len(out)) == (126, 49, 94, LISTS + 1953)
    return bytes(out)


def source() -> str:
    """The text of games/goats/tables.py."""
    return DOC + "\nTABLE = (\n" + literal(build()) + ")\n"


def literal(data: bytes, width: int = 24) -> str:
    """Lines of bytes literals, `width` bytes each."""
    rows = (data[i : i + width] for i in range(0, len(data), width))
    return "".join('    b"' + "".join(f"\\x{byte:02x}" for byte in row) + '"\n' for row in rows)
