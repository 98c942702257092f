"""From what the observers tell to the weights of a part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from tools.cli import Failure
from tools.fits import choices
from tools.fits.parts import HIGHEST, Part

Row = list[Any]


@dataclass(frozen=True)
class Block:
    """A block of weights that was fitted; the losses are in nats, of the rows it was fitted to."""

    weights: bytes
    rows: int
    loss: float
    before: float
    """By the weights before."""
    guess: float
    """If nothing is known."""


def parts(game: str) -> dict[str, Part]:
    """The parts of a game's weights that can be fitted, by name; none of a game without any."""
    try:
        return import_module(f"tools.fits.{game}").PARTS
    except ModuleNotFoundError:
        return {}


def fit_block(rows: Sequence[Row], part: Part, weights: bytes) -> Block:
    """Fit a block, whose present weights are given, to its rows (tools/fits/parts.py)."""
    seen = _Seen(rows, part, weights)
    held: dict[int, float] = {i: float(weights[i]) for i in part.still}
    while True:
        wanted, loss = seen.fit(held)
        ends = {i: min(float(HIGHEST), max(0.0, x)) for i, x in enumerate(wanted.tolist())}
        beyond = {i: end for i, end in ends.items() if abs(wanted[i] - end) > 0.5 and i != part.slope}
        if not beyond.keys() - held.keys():
            return Block(bytes(round(x) for x in ends.values()), len(rows), loss, seen.before(), seen.guess())
        # It stays at that end of a byte, and the others are fitted again.
        held.update(beyond)


class _Seen:
    """The rows of one block as arrays."""

    def __init__(self, rows: Sequence[Row], part: Part, weights: bytes) -> None:
        shape = len(rows), max(row[2] for row in rows)
        numbers = np.zeros((*shape, part.size + 1))
        self._there = np.zeros(shape, bool)
        self._target = np.zeros(shape)
        for i, (_, chosen, count, found) in enumerate(rows):
            numbers[i, :count] = np.reshape(found, (count, -1))
            self._there[i, :count] = True
            if isinstance(chosen, list):
                self._target[i, :count] = chosen
            else:
                self._target[i, chosen] = 1
        self._target /= self._target.sum(1, keepdims=True)
        self._part = part
        self._now = np.array(list(weights), float)
        self._origin = np.array(part.origin, float)
        self._values = numbers[:, :, 0]
        self._features = numbers[:, :, 1:]

    def _choices(self, held: dict[int, float]) -> choices.Choices:
        """What is left to fit if these weights are held, those of the rest counted from their origin."""
        part, start = self._part, self._origin.copy()
        for i, weight in held.items():
            start[i] = weight
        values = self._values + self._features @ (start - self._now)
        # Only differences count, and near 0 they are exact.
        value = np.where(self._there, values - values[:, :1], 0.0)
        free = self._features.copy()
        free[:, :, list(held)] = 0
        if part.slope is None:
            return choices.Choices(free, self._there, value / part.unit, self._target)
        both = np.concatenate([free, value[:, :, None]], 2)
        return choices.Choices(both, self._there, np.zeros(value.shape), self._target)

    def fit(self, held: dict[int, float]) -> tuple[np.ndarray, float]:
        """The weights wanted, as real numbers, and the loss by them."""
        part, size = self._part, self._part.size
        seen = self._choices(held)
        if part.slope is None:
            found = choices.fit(seen, np.full(size, part.ridge))
            wanted = self._origin + part.unit * found
        else:
            found = choices.fit(seen, np.array([part.ridge] * size + [0.0]))
            if found[size] * part.slope_unit < 0.5:
                raise Failure(f"{self._there.shape[0]} rows do not tell what a block is worth: ask for more --games")
            wanted = self._origin + found[:size] / found[size]
            wanted[part.slope] = part.slope_unit * found[size]
        for i, weight in held.items():
            wanted[i] = weight
        for group in part.lowest:
            wanted[list(group)] -= wanted[list(group)].min()
        return wanted, seen.loss(found)

    def before(self) -> float:
        """The loss by the present weights."""
        part = self._part
        unit = 1 / part.unit if part.slope is None else float(self._now[part.slope]) / part.slope_unit
        given = np.where(self._there, self._values * unit, 0.0)
        return choices.Choices(self._features, self._there, given, self._target).loss(np.zeros(part.size))

    def guess(self) -> float:
        """The loss if all alternatives are alike."""
        return float(np.log(self._there.sum(1)).mean())
