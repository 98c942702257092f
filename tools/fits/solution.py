"""`train horses --fit solution`: fits the weights of the carrot race's computer players to its exact solution for two seats.

States come from games of the full race in which each move is random, the instant player's or the best by the solution;
the weights (games/horses/bot.py says what each means) are moved along the gradient of the squared error of the winning
chance, a state at a time, with a step for each weight that shrinks as it is used (J. Duchi, E. Hazan and Y. Singer,
2011).
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator
from math import exp, log, sqrt
from typing import Any

from tools import cli, games, train
from tools.exact import horses
from tools.exact.horses import Race
from tools.exact.play import decisions
from tools.fits import run as fits
from tools.games import Rng, catalogue, open_game
from tools.matches.spread import Hands

GAMES = 6000
ROUNDS = 8

# The shape of the weights, as in games/horses/bot.py.
CLASSES = 9
STEP = 11
SLOPES = 13
TEMPOS = 7
COUNT = 50 * CLASSES + SLOPES + TEMPOS
# A strength of 1 is so many of its units; a slope of 1 makes logits of them, of which the bot wants 1/32 octaves.
UNIT = 64
SLOPE_UNIT = 32 / log(2)

EXPLORE = (0.25, 0.35)
RATE = 0.08

State = tuple[int, int, int, int, int, float]
"""Who is to move, space and tokens of who has just moved and of who is to move, and the latter's chance to win."""


def states(race: Race, games: int, seed: int, played: Callable[[], None]) -> Iterator[State]:
    """States between two turns of so many games, other than those that are over."""
    table = open_game("horses", 2)
    rules, instant = table.rules, catalogue.load("horses", "bot").choose
    pick = random.Random(seed)
    rng = Rng(seed)

    def choose(s: bytearray, buf: array, n: int) -> int:
        how = pick.random()
        if how < EXPLORE[0]:
            return buf[rng.below(n)]
        if how < sum(EXPLORE):
            return instant(s, buf, n, rng)
        values = race.values(s)
        return max(values, key=lambda move: values[move])

    for _ in range(games):
        for s, _, _ in decisions(table, rng, choose):
            if s[rules._PHASE] == rules._GAIT:
                seat = rules.seat(s)
                mine, other = race.places(s)
                yield seat, *other, *mine, race.win(seat, mine, other)
        played()


class Fit:
    """The weights as real numbers, with what each was moved by."""

    def __init__(self) -> None:
        cells = [0.19 * (i // CLASSES) + 0.15 * (i % CLASSES) - 0.8 for i in range(50 * CLASSES)]
        self.at = cells + [1.5] * SLOPES + [0.8] * TEMPOS
        self._moved = [1e-6] * COUNT

    def logit(self, state: State) -> tuple[float, list[tuple[int, float]]]:
        """The logit of who is to move, and its gradient as (index, derivative)."""
        seat, space, tokens, mine, held, _ = state
        at = self.at
        a = CLASSES * mine + min(held, CLASSES - 1)
        b = CLASSES * space + min(tokens, CLASSES - 1)
        slope = 50 * CLASSES + (max(space, mine) >> 2)
        lead = at[a] - at[b]
        gradient = [(a, at[slope]), (b, -at[slope])]
        if seat:
            # The second seat of a round has a turn more.
            tempo = 50 * CLASSES + SLOPES + (mine >> 3)
            lead += at[tempo]
            gradient.append((tempo, at[slope]))
        gradient.append((slope, lead))
        return at[slope] * lead, gradient

    def learn(self, state: State) -> float:
        """Move the weights by a state; the squared error before."""
        logit, gradient = self.logit(state)
        chance = 1 / (1 + exp(-logit)) if logit > -500 else 0.0
        error = chance - state[5]
        force = error * chance * (1 - chance)
        for i, derivative in gradient:
            step = force * derivative
            self._moved[i] += step * step
            self.at[i] -= RATE * step / sqrt(self._moved[i])
        return error * error

    def weights(self) -> bytes:
        """In the bot's units."""
        cells, rest = self.at[: 50 * CLASSES], self.at[50 * CLASSES :]
        low = min(UNIT * value - STEP * (i // CLASSES) for i, value in enumerate(cells))
        numbers = [UNIT * value - STEP * (i // CLASSES) - low for i, value in enumerate(cells)]
        numbers += [SLOPE_UNIT * value for value in rest[:SLOPES]]
        numbers += [UNIT * value for value in rest[SLOPES:]]
        return bytes(min(255, max(0, round(number))) for number in numbers)


def fit(
    race: Race, games: int, rounds: int, seed: int, played: Callable[[], None], told: Callable[[int, float], None]
) -> bytes:
    """The weights from so many games, gone through `rounds` times in random order; `told` hears each round's error."""
    seen = list(states(race, games, seed, played))
    found = Fit()
    shuffled = random.Random(seed)
    for number in range(rounds):
        shuffled.shuffle(seen)
        total = sum(map(found.learn, seen))
        told(number + 1, sqrt(total / len(seen)))
    return found.weights()


def settings(asked: dict[str, Any], count: int | None, tables: str, resume: bool) -> dict[str, Any]:
    """What the result depends on, beside what that of every training does. Usage if it was to go on with a run."""
    if resume:
        raise cli.Usage("--fit solution takes minutes and is not kept to go on with; leave out --resume")
    return {**asked, "games": count or GAMES, "tables": games.split_names(tables) or ["2"]}


def run(asked: dict[str, Any], hands: Hands) -> int:
    """Fit and decide."""
    race = horses.solution()
    with cli.Progress("games", asked["games"]) as progress:
        found = fit(race, asked["games"], ROUNDS, asked["seed"], progress.step, told)
    results = train.decide(train.Match(asked), found, hands)
    how = f"`--fit solution`, {asked['games']} games, `--player {asked['player']}`, seed {asked['seed']}"
    train.end(asked, how, found, results, all(fits.as_good(low, high) for _, _, low, high in results))
    return cli.DONE


def told(number: int, error: float) -> None:
    """One round of the fit is done."""
    cli.say(f"round {number} of {ROUNDS}: {100 * error:.2f} % root mean square error of the winning chance")
