"""A game's view by itself, on a display of its own, and the decisions of random games to show on it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from types import ModuleType

from firmware.screen import Screen
from games.rng import Rng
from hal.host import HostDevice


def decisions(
    rules: ModuleType, seats: int, options: int, seeds: range, every: int = 1
) -> Iterator[tuple[bytearray, list[int]]]:
    """(a copy of the state, legal moves) of the decisions of random games, of which each `every`-th ply counts."""
    legal = array("H", [0] * rules.MAX_LEGAL)
    for seed in seeds:
        rng = Rng(seed)
        state = bytearray(rules.STATE_BYTES)
        rules.new(state, seats, options, rng)
        ply = seed
        while rules.seat(state) != rules.OVER:
            if rules.seat(state) == rules.CHANCE:
                rules.apply(state, rules.sample(state, rng))
                continue
            n = rules.legal(state, legal)
            if ply % every == 0:
                yield bytearray(state), list(legal[:n])
            rules.apply(state, legal[rng.below(n)])
            ply += 1


class Table:
    """A view of firmware/views on a display of its own, seen by the seat to move if no other is given."""

    def __init__(self, rules: ModuleType, view: ModuleType, state: bytearray, viewer: int | None = None) -> None:
        self.display = HostDevice().display
        self.screen = Screen(self.display)
        self.view = view.View(rules, state[0])
        self.view.viewer = state[2] if viewer is None else viewer
        self.view.sync(state)

    def choose(self, legal: list[int]) -> None:
        self.view.choose(array("H", legal), len(legal))

    def show(self, ghosts: bool = True, cursor: bool = True) -> int:
        """Draw and send; the bytes that it takes."""
        self.screen.clear()
        self.view.draw(self.screen, ghosts)
        if ghosts and cursor:
            self.view.draw_cursor(self.screen)
        return self.display.show()

    def pixels(self, x: int, y: int, width: int, height: int) -> list[int]:
        return [self.screen.frame.pixel(c, r) for r in range(y, y + height) for c in range(x, x + width)]
