"""Conditional logit (D. McFadden, 1974): weights by which values of alternatives tell which of them comes out.

The chance of alternative k is exp(u_k) / sum of exp(u), u linear in the weights. The likelihood has one maximum, found
by Newton's method. With two alternatives it is logistic regression on their difference. NumPy and no package for
statistics: those have no such model for alternatives that differ in number, and what is needed of them is two sums.
"""

from __future__ import annotations

import numpy as np

STEPS = 60
CLOSE = 1e-7
# Rows at once: their products with themselves are held in memory.
BATCH = 20000

Array = np.ndarray


class Choices:
    """Rows of alternatives: `features` (rows, most alternatives, weights), and (rows, most alternatives) each: `there`,
    which of them exist, `given`, what is added to u whatever the weights, `target`, what came out, adding up to 1."""

    def __init__(self, features: Array, there: Array, given: Array, target: Array) -> None:
        self.features = features
        self.there = there
        self.given = given
        self.target = target

    def __len__(self) -> int:
        return len(self.features)

    def part(self, rows: slice | Array) -> Choices:
        """Some of the rows."""
        return Choices(self.features[rows], self.there[rows], self.given[rows], self.target[rows])

    def chances(self, weights: Array) -> Array:
        """(rows, most alternatives)"""
        value = np.where(self.there, self.features @ weights + self.given, -np.inf)
        value = np.exp(value - value.max(1, keepdims=True))
        return value / value.sum(1, keepdims=True)

    def loss(self, weights: Array) -> float:
        """The mean of -log of the chance of what came out, in nats."""
        chances = np.maximum(self.chances(weights), 1e-12)
        return float(-(self.target * np.log(chances)).sum(1).mean())

    def slopes(self, weights: Array) -> tuple[Array, Array]:
        """First and second derivatives of the loss of all rows together."""
        count = self.features.shape[2]
        first, second = np.zeros(count), np.zeros((count, count))
        for start in range(0, len(self), BATCH):
            part = self.part(slice(start, start + BATCH))
            chances = part.chances(weights)
            flat = part.features.reshape(-1, count)
            first += (chances - part.target).ravel() @ flat
            mean = np.einsum("nk,nkw->nw", chances, part.features)
            second += (flat * chances.reshape(-1, 1)).T @ flat - mean.T @ mean
        return first, second


def fit(choices: Choices, ridge: Array) -> Array:
    """The weights of the largest likelihood, each held at 0 by half of `ridge` times its square."""
    at = np.zeros(choices.features.shape[2])
    # What no row tells stays where it is.
    hold = ridge + 1e-9
    for _ in range(STEPS):
        first, second = choices.slopes(at)
        step = np.linalg.solve(second + np.diag(hold), first + ridge * at)
        # Newton's step may be far too long while nothing is known.
        at = at - step * min(1.0, 10.0 / max(1e-12, np.abs(choices.features @ step).max()))
        if np.abs(step).max() < CLOSE:
            break
    return at
