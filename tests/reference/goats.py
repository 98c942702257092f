"""Mountain Goats written plainly from its rules page: slow, readable, and independent of games/goats."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement, product

HEIGHT = {5: 4, 6: 4, 7: 3, 8: 3, 9: 2, 10: 2}
TOKENS = {5: 12, 6: 11, 7: 10, 8: 9, 9: 8, 10: 7}
RANKS = {2: [12, 8, 4], 3: [16, 12, 8, 4], 4: [15, 12, 9, 6, 3], 5: [15, 12, 9, 6, 3]}


@dataclass
class Seat:
    """What lies in front of one seat, and its six goats."""

    steps: dict[int, int] = field(default_factory=lambda: dict.fromkeys(HEIGHT, 0))
    tokens: dict[int, int] = field(default_factory=lambda: dict.fromkeys(HEIGHT, 0))
    bonus: list[int] = field(default_factory=list)

    def sets(self) -> int:
        return min(self.tokens.values())


class Game:
    """One game; `dice` is None while they have to be rolled."""

    def __init__(self, seats: int, big: bool) -> None:
        fewer = {2: 2, 3: 1}.get(seats, 0)
        self.big = big
        self.left = {m: n - fewer for m, n in TOKENS.items()}
        self.bonus = [15, 12, 9, 6]
        self.seats = [Seat() for _ in range(seats)]
        self.big_steps: dict[int, int] = {}
        self.turn = 0
        self.rounds = 0
        self.over = False
        self.dice: tuple[int, ...] | None = None

    def pool(self, seat: int) -> int:
        """Goats of a seat that stand on no mountain."""
        climbing = sum(1 for step in self.seats[seat].steps.values() if step > 0)
        return 6 - climbing - list(self.big_steps.values()).count(seat)

    def roll(self, dice: list[int] | tuple[int, ...]) -> None:
        self.dice = tuple(dice)

    def legal(self) -> set[tuple[int, ...]]:
        """Every set of sums, ascending, that the dice allow and that can be carried out."""
        assert self.dice is not None
        return {sums for sums in sums_of_roll(self.dice, self.big) if self.possible(sums)}

    def possible(self, sums: tuple[int, ...]) -> bool:
        """Try the groups one after the other, from the smallest sum to the largest."""
        seat = self.turn
        steps = dict(self.seats[seat].steps)
        big = set(self.big_steps)
        pool = self.pool(seat)
        for value in sums:
            if value > 10:
                if value in big or pool == 0:
                    return False
                big.add(value)
                pool -= 1
            else:
                if steps[value] == 0:
                    if pool == 0:
                        return False
                    pool -= 1
                steps[value] = min(steps[value] + 1, HEIGHT[value])
        return True

    def play(self, sums: tuple[int, ...]) -> None:
        seat = self.seats[self.turn]
        for value in sums:
            if value > 10:
                self.big_steps[value] = self.turn
                continue
            if seat.steps[value] < HEIGHT[value]:
                seat.steps[value] += 1
                if seat.steps[value] < HEIGHT[value]:
                    continue
                for other in self.seats:
                    if other is not seat and other.steps[value] == HEIGHT[value]:
                        other.steps[value] = 0
            if self.left[value] > 0:
                before = seat.sets()
                self.left[value] -= 1
                seat.tokens[value] += 1
                if seat.sets() > before and self.bonus:
                    seat.bonus.append(self.bonus.pop(0))
        self.dice = None
        self.turn = (self.turn + 1) % len(self.seats)
        if self.turn == 0:
            self.rounds += 1
            emptied = sum(1 for n in self.left.values() if n == 0)
            full = len(self.big_steps) == 6 * len(self.seats)
            self.over = not self.bonus or emptied >= 3 or self.rounds == 60 or full

    def scores(self) -> list[int]:
        points = [sum(m * n for m, n in seat.tokens.items()) + sum(seat.bonus) for seat in self.seats]
        occupied = sorted(self.big_steps, reverse=True)
        for step, worth in zip(occupied, RANKS[len(self.seats)]):
            points[self.big_steps[step]] += worth
        return points

    def winners(self) -> list[int]:
        def key(seat: int) -> tuple[int, int, int]:
            summits = [m for m, step in self.seats[seat].steps.items() if step == HEIGHT[m]]
            return points[seat], len(summits), max(summits, default=0)

        points = self.scores()
        best = max(key(seat) for seat in range(len(self.seats)))
        return [seat for seat in range(len(self.seats)) if key(seat) == best]


@cache
def sums_of_roll(dice: tuple[int, ...], big: bool) -> set[tuple[int, ...]]:
    """Try every way to turn 1s (dice are alike: which of them shows what makes no difference) and every way to hand
    the four dice out to four groups or to none."""
    ones = [i for i, die in enumerate(dice) if die == 1]
    found = set()
    for faces in combinations_with_replacement(range(1, 7), len(ones)):
        if (len(ones) == 1 and faces != (1,)) or (ones and 1 not in faces):
            continue
        turned = list(dice)
        for i, face in zip(ones, faces):
            turned[i] = face
        for groups in product(range(5), repeat=4):
            sums = [sum(die for die, g in zip(turned, groups) if g == group) for group in range(4)]
            sums = sorted(value for value in sums if value > 0)
            if all(5 <= value <= (24 if big else 10) for value in sums):
                found.add(tuple(sums))
    return found


def fill() -> None:
    """Find the sums of every roll, so that a game that is timed only looks them up."""
    for dice in combinations_with_replacement(range(1, 7), 4):
        for big in (False, True):
            sums_of_roll(dice, big)


def random_game(seats: int, options: dict[str, int], chance: random.Random) -> tuple[list[int], list[int]]:
    """Play one game at random; returns scores and winners."""
    game = Game(seats, bool(options.get("big")))
    while not game.over:
        game.roll(sorted(chance.randint(1, 6) for _ in range(4)))
        game.play(chance.choice(sorted(game.legal())))
    return game.scores(), game.winners()
