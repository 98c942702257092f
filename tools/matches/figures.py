"""The figures of a match: seatings, deals, scores and their intervals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from tools.games import Rng

# Student's t, two-sided 95 %, for 1, 2, ... degrees of freedom; above those by expansion.
T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
Z95 = 1.959964


def t95(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t (Abramowitz and Stegun, 26.7.5), `freedom` from 1 up."""
    if freedom <= len(T95):
        return T95[freedom - 1]
    z, v = Z95, freedom
    return z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)


def seatings(names: Sequence[str]) -> list[tuple[int, ...]]:
    """Every way to seat players, as the player of seat 0, 1, ...; players of the same name are not told apart, but sit
    in each place equally often. Of one name alone the players only change places round the table."""
    count = len(names)
    if len(set(names)) == 1:
        return [tuple((seat + turn) % count for seat in range(count)) for turn in range(count)]
    found = []
    for number, order in enumerate(sorted(set(itertools.permutations(names)))):
        seated = [0] * count
        for name in set(names):
            players = [player for player in range(count) if names[player] == name]
            places = [seat for seat in range(count) if order[seat] == name]
            for i, seat in enumerate(places):
                seated[seat] = players[(i + number) % len(players)]
        found.append(tuple(seated))
    return found


def tasks(ways: Sequence[tuple[int, ...]], deals: int, seed: int) -> list[dict]:
    """The games of a match for tools/matches/worker.py: each deal in every seating."""
    seeds = Rng(seed)
    found = []
    for deal in range(deals):
        chance, thought = (seeds.below(1 << 13) << 13 | seeds.below(1 << 13) for _ in range(2))
        for way, seated in enumerate(ways):
            # Another thought for each seating: else equal positions of one deal would be one sample.
            own = (thought + 15485863 * way) & 0x3FFFFFFF
            found.append({"id": deal * len(ways) + way, "seated": list(seated), "chance": chance, "thought": own})
    return found


def interval(scores: Sequence[float], games: int) -> tuple[float, float, float]:
    """(mean, low, high) of deals' mean scores 0..1, each over `games` games: a 95 % interval whose sample is the deal,
    as the games of one deal are not independent.

    Two more games, one won and one lost, keep it honest where there are few deals or all ended alike (A. Agresti and
    B. Coull, Approximate Is Better than "Exact" for Interval Estimation of Binomial Proportions, 1998)."""
    deals = len(scores)
    if not deals:
        return 0.0, 0.0, 1.0
    mean = sum(scores) / deals
    if deals == 1:
        return mean, 0.0, 1.0
    centre = (games * sum(scores) + 1) / (games * deals + 2)
    spread = games**2 * sum((x - mean) ** 2 for x in scores) * deals / (deals - 1)
    spread += centre**2 + (1 - centre) ** 2
    half = t95(deals - 1) * math.sqrt(spread) / (games * deals + 2)
    return mean, max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half))


@dataclass
class Tally:
    """What the players of a match did; `games` are those of whole deals only."""

    names: Sequence[str]
    ways: int
    results: dict[int, list[tuple[dict, dict]]] = field(default_factory=dict)

    def add(self, game: dict, result: dict) -> None:
        """Count a game with its result."""
        self.results.setdefault(game["id"] // self.ways, []).append((game, result))

    def whole(self) -> list[list[tuple[dict, dict]]]:
        """The deals that were played in every seating."""
        return [games for _, games in sorted(self.results.items()) if len(games) == self.ways]

    def figures(self) -> list[dict]:
        """For each player what the JSON of the arena says."""
        whole = self.whole()
        return [self._player(whole, player) for player in range(len(self.names))]

    def _player(self, whole: list[list[tuple[dict, dict]]], player: int) -> dict:
        wins = shared = moves = us = playouts = 0
        scores = []
        for games in whole:
            total = 0.0
            for game, result in games:
                if result["winners"] >> game["seated"].index(player) & 1:
                    among = result["winners"].bit_count()
                    total += 1 / among
                    wins += among == 1
                    shared += among > 1
                moves += result["moves"][player]
                us += result["us"][player]
                playouts += result["playouts"][player]
            scores.append(total / self.ways)
        mean, low, high = interval(scores, self.ways)
        return {
            "name": self.names[player],
            "wins": wins,
            "shared": shared,
            "score": round(mean, 4),
            "lo": round(low, 4),
            "hi": round(high, 4),
            "ms_per_move": round(us / 1000 / max(1, moves), 3),
            "playouts_per_move": round(playouts / max(1, moves), 1),
        }
