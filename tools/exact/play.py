"""Plays games on the host and stops at each decision."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator

from tools.games import CHANCE, OVER, Game, Rng


def decisions(
    game: Game, rng: Rng, choose: Callable[[bytearray, array, int], int]
) -> Iterator[tuple[bytearray, array, int]]:
    """One game, in which `choose` makes all moves; at each decision, before it, (state, legal moves, how many), which
    stay as they are only until the next one."""
    rules = game.rules
    s = game.start(rng)
    buf = game.buffer()
    while (seat := rules.seat(s)) != OVER:
        if seat == CHANCE:
            rules.apply(s, rules.sample(s, rng))
            continue
        n = rules.legal(s, buf)
        yield s, buf, n
        rules.apply(s, choose(s, buf, n))


def loose(instant: Callable, rng: Rng, part: int) -> Callable[[bytearray, array, int], int]:
    """The instant player's `choose` for `decisions`, but one move in `part` is random."""
    return lambda s, buf, n: instant(s, buf, n, rng) if rng.below(part) else buf[rng.below(n)]
