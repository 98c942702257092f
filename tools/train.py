"""`train`: finds the integer weights of a game's computer player by self-play, in one of two ways.

Simultaneous perturbation (J. Spall, 1992; used for chess engines since J. Kiiski's tuner of 2011): a step moves all weights
a little, each up or down at random, plays that player against the one with all signs turned, and follows the winner.
It needs no derivative and few games a step, whatever the weights mean. The mean of the second half of the steps then plays a
match against the weights as they were, and takes their place only if the whole 95 % interval of all tables together says
that it is better, and that of none that it is worse.

With `--fit` a part of the weights is fitted to what came of games (tools/fits), and taken if the match does not say that
it is worse.
"""

from __future__ import annotations

import importlib.util
import json
import random
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import sqrt
from pathlib import Path
from typing import Any

from tools import cli, environment, games, output
from tools.environment import ROOT
from tools.games import Game
from tools.matches import figures
from tools.matches.crew import Table
from tools.matches.spread import Cluster, Hands, Here
from tools.record import positive

STEPS = 200
GAMES = 64
CONFIRM = 1000
PLAYER = "search:50"
MOST_WEIGHTS = 512
HIGHEST = 255

# Spall's exponents (Implementation of the Simultaneous Perturbation Algorithm, 1998), and gains in units of a weight's
# own perturbation.
ALPHA = 0.602
GAMMA = 0.101
GAIN = 1.5
# A perturbation: so many, and this part of the weight.
LEAST = 2
PART = 0.12

LOG = ROOT / "docs" / "training.md"
STATES = ROOT / "build" / "train"

Result = tuple[Game, float, float, float]
"""A table, the score there and its 95 % interval."""


def parser() -> cli.Parser:
    """The command's arguments."""
    p = cli.Parser("train", "Find the integer weights of a game's computer player by self-play; Ctrl-C loses one step.")
    p.add_argument("game", metavar="GAME", help=", ".join(games.catalogue.ids()))
    p.add_argument("--steps", type=positive, metavar="N", help=f"steps ({STEPS})")
    p.add_argument(
        "--fit",
        metavar="PART",
        help="fit a part of the weights to what comes of games: judge, judge-more or policy, as far as the game has it; "
        "those of horses to the exact solution: solution",
    )
    p.add_argument(
        "--games", type=positive, metavar="N", help=f"games a step ({GAMES}); with --fit, games in all (as the part says)"
    )
    p.add_argument(
        "--confirm", type=positive, default=CONFIRM, metavar="N", help=f"games of the match that decides ({CONFIRM})"
    )
    p.add_argument(
        "--player", default=PLAYER, metavar="NAME", help=f"who plays with the weights: easy, search:N ({PLAYER})"
    )
    p.add_argument(
        "--tables",
        default="",
        metavar="T,T",
        help="tables in turn, the seats and the options that are on: 2,4,2+big (default: the fewest seats, or as the part "
        "says)",
    )
    p.add_argument("--keep", default="", metavar="I,J-K", help="weights, counted from 0, that stay as they are")
    p.add_argument("--seed", default="1", help="a number or a word; the same seed finds the same weights (1)")
    p.add_argument("--resume", action="store_true", help="go on where the last run of this game was stopped")
    p.add_argument("--workers", type=positive, metavar="N", help="processes at once (default: one for each core)")
    p.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, whose machines play (tcp://HOST:8786)")
    return p


def settings(asked: Namespace) -> dict[str, Any]:
    """What the result of a run depends on."""
    game = games.open_game(asked.game)
    if asked.player != "easy" and not asked.player.startswith("search:"):
        raise cli.Usage(f"--player {asked.player}: only easy and search:N play with a game's weights")
    from tools import players

    players.check(asked.player)
    weights = own_weights(game)
    return {
        "game": game.name,
        "steps": asked.steps or STEPS,
        "games": asked.games or GAMES,
        "confirm": asked.confirm,
        "player": asked.player,
        "tables": games.split_names(asked.tables) or [str(game.seats)],
        "keep": kept(asked.keep, len(weights)),
        "seed": games.seed(asked.seed),
        "weights": weights.hex(),
    }


def own_weights(game: Game) -> bytes:
    """The game's present weights, read anew. Failure if it has none."""
    if not weights_file(game.name).exists():
        raise cli.Failure(f"{game.name} has no weights: games/{game.name}/weights.py is missing")
    values = bytes(games.catalogue.load(game.name, "weights").WEIGHTS)
    if not 0 < len(values) <= MOST_WEIGHTS:
        raise cli.Failure(f"{game.name} has {len(values)} weights; from 1 to {MOST_WEIGHTS} can be trained")
    return values


def weights_file(name: str) -> Path:
    """Where a game's weights are."""
    return ROOT / "games" / name / "weights.py"


def kept(text: str, count: int) -> list[int]:
    """The numbers of a list like 3,5-8. Usage if there are none such among `count` weights."""
    found: set[int] = set()
    for part in games.split_names(text):
        first, _, last = part.partition("-")
        if not (first.isdecimal() and (last or first).isdecimal() and int(first) <= int(last or first) < count):
            raise cli.Usage(f"--keep {part}: the weights are 0 to {count - 1}; write 3 or 5-8")
        found.update(range(int(first), int(last or first) + 1))
    return sorted(found)


def opened(name: str, table: str) -> Game:
    """The game at a table like 2+big."""
    seats, *options = table.split("+")
    if not seats.isdecimal():
        raise cli.Usage(f"--tables {table}: write the seats and the options, 2+big")
    return games.open_game(name, int(seats), options)


class Match:
    """What decides between two sets of weights: `asked` are the settings of a run."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.asked = asked
        self.start = bytes.fromhex(asked["weights"])
        self.tables = [opened(asked["game"], table) for table in asked["tables"]]

    def confirm(self, found: bytes, hands: Hands, played=lambda: None) -> list[Result]:
        """The found weights against those at the start: for each table the score, scaled so that 1/2 is equal, and the
        95 % interval."""
        chance = random.Random(f"{self.asked['seed']} confirm")
        count = self.asked["confirm"]
        return [
            (table, *self.match(hands, table, found, self.start, count, chance.getrandbits(30), played)[1])
            for table in self.tables
        ]

    def match(
        self, hands: Hands, table: Game, one: bytes, other: bytes, count: int, seed: int, played
    ) -> tuple[float, tuple[float, float, float]]:
        """Seat two sets of weights in turn round the table: the lead of the first, -1..1, and its score and interval,
        scaled so that 1/2 is equal."""
        names = [("one", "other")[seat % 2] for seat in range(table.seats)]
        weights = [(one, other)[seat % 2] for seat in range(table.seats)]
        ways = figures.seatings(names)
        tasks = figures.tasks(ways, -(-count // len(ways)), seed)
        tally = figures.Tally(names, len(ways))
        player = [self.asked["player"]] * table.seats
        for task, result in hands.play(Table(table.name, table.seats, table.mask, player, weights), tasks, played):
            tally.add(task, result)
        return score_of_one(tally)

class Training(Match):
    """A run: `state` is all there is to save, so that a run stopped and resumed ends as one that was not."""

    def __init__(self, asked: dict[str, Any], state: dict[str, Any] | None = None) -> None:
        super().__init__(asked)
        self.scale = [max(LEAST, PART * w) for w in self.start]
        for i in asked["keep"]:
            self.scale[i] = 0.0
        self.state = state or {
            "asked": asked,
            "step": 0,
            "at": list(map(float, self.start)),
            "sum": [0.0] * len(self.start),
        }

    def step(self, hands: Hands, played=lambda: None) -> float:
        """Play one step; how much the weights with these signs won by, -1..1."""
        state, number = self.state, self.state["step"]
        chance = random.Random(f"{self.asked['seed']} {number}")
        signs = [chance.choice((-1, 1)) for _ in self.start]
        reach = 1 / (number + 1) ** GAMMA
        moved = [scale * reach * sign for scale, sign in zip(self.scale, signs)]
        up, down = (whole([a + way * d for a, d in zip(state["at"], moved)]) for way in (1, -1))
        table = self.tables[number % len(self.tables)]
        lead = self.match(hands, table, up, down, self.asked["games"], chance.getrandbits(30), played)[0]
        # Nothing but the sign of a perturbation is divided by it: its size is the unit.
        gain = GAIN / (number + 1 + self.asked["steps"] / 10) ** ALPHA * (self.asked["steps"] / 10) ** ALPHA
        for i, sign in enumerate(signs):
            wanted = state["at"][i] + gain * lead / (2 * reach) * self.scale[i] * sign
            state["at"][i] = min(float(HIGHEST), max(0.0, wanted))
        if number >= self.asked["steps"] // 2:
            state["sum"] = [a + b for a, b in zip(state["sum"], state["at"])]
        state["step"] += 1
        return lead

    def found(self) -> bytes:
        """The mean weights of the second half of the steps."""
        count = self.asked["steps"] - self.asked["steps"] // 2
        return whole([a / count for a in self.state["sum"]])


def better(results: Sequence[Result]) -> bool:
    """Whether a match says that it is better: at all tables together, which play different deals, and worse at none."""
    count = len(results)
    mean = sum(score for _, score, _, _ in results) / count
    reach = sqrt(sum((score - low) ** 2 for _, score, low, _ in results)) / count
    return mean - reach > 0.5 and all(high > 0.5 for _, _, _, high in results)


def score_of_one(tally: figures.Tally) -> tuple[float, tuple[float, float, float]]:
    """The lead and the scaled score, with its interval, of the players called "one" in a match."""
    share = tally.names.count("one") / len(tally.names)
    scores = []
    for deal in tally.whole():
        total = 0.0
        for game, result in deal:
            won = [seat for seat in range(len(tally.names)) if result["winners"] >> seat & 1]
            total += sum(tally.names[game["seated"][seat]] == "one" for seat in won) / len(won)
        scores.append(total / tally.ways)
    # With three seats "one" may hold two of them: its fair part becomes a half.
    scaled = [x / (2 * share) if x <= share else 1 - (1 - x) / (2 * (1 - share)) for x in scores]
    score = figures.interval(scaled, tally.ways)
    return 2 * score[0] - 1, score


def whole(values: Sequence[float]) -> bytes:
    """The nearest bytes."""
    return bytes(min(HIGHEST, max(0, round(value))) for value in values)


def weights_text(name: str, values: bytes) -> str:
    """The source of a game's weights.py."""
    # A literal: of a tuple of numbers the Pico would make as many objects first.
    rows = ["".join(f"\\x{value:02x}" for value in values[i : i + 26]) for i in range(0, len(values), 26)]
    numbers = "".join(f'    b"{row}"\n' for row in rows)
    told = f'"""Weights of the computer players of {name}, found by `python3 -m tools train {name}`: see bot.py."""'
    return f"{told}\n\nWEIGHTS = (\n{numbers})\n"


def save(path: Path, text: str) -> None:
    """Write a file whole or not at all, in a folder that may have to be made. Failure if that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise cli.Failure(f"cannot make the folder {path.parent}: {fault.strerror}") from None
    output.write(path, text)


def nothing(path: Path) -> cli.Failure:
    """What is wrong if there is no state of a run."""
    return cli.Failure(f"there is nothing to resume: {path} is missing; leave out --resume")


def broken(path: Path) -> cli.Failure:
    """What is wrong if the state of a run cannot be used."""
    return cli.Failure(f"{path} is not whole; remove it and start again without --resume")


def another(asked: dict[str, Any], wanted: dict[str, Any]) -> cli.Failure:
    """What is wrong if a run was asked for something else."""
    key = next(key for key in wanted if asked.get(key) != wanted[key])
    what = "the weights changed since" if key == "weights" else f"it had {key} {asked.get(key)}, not {wanted[key]}"
    return cli.Failure(f"that run was another ({what}); say what it was told, or leave out --resume")


def resumed(path: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    """The state of the run to go on with. Failure if there is none, or it was another."""
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
        asked = state["asked"]
        count = len(bytes.fromhex(asked["weights"]))
        whole_state = len(state["at"]) == len(state["sum"]) == count and 0 <= state["step"] <= asked["steps"]
    except FileNotFoundError:
        raise nothing(path) from None
    except (OSError, ValueError, KeyError, TypeError):
        whole_state = False
    if not whole_state:
        raise broken(path)
    if any(asked.get(key) != value for key, value in wanted.items()):
        raise another(asked, wanted)
    return state


def main(argv: list[str]) -> int:
    """Train what `argv` asks for."""
    asked = parser().parse_args(argv)
    wanted = settings(asked)
    if asked.fit is not None:
        return fit(argv, asked, wanted)
    path = STATES / f"{wanted['game']}.json"
    training = Training(wanted, resumed(path, wanted) if asked.resume else None)
    with hired(asked) as hands:
        try:
            run(training, hands, path)
            results = decide(training, training.found(), hands)
        except KeyboardInterrupt:
            cli.say(f"stopped after {training.state['step']} of {wanted['steps']} steps; the same with --resume goes on")
            raise
    how = f"{wanted['steps']} steps of {wanted['games']} games, `{wanted['player']}`, seed {wanted['seed']}"
    end(wanted, how, training.found(), results, better(results))
    path.unlink(missing_ok=True)
    return cli.DONE


def fit(argv: list[str], asked: Namespace, wanted: dict[str, Any]) -> int:
    """Fit a part of the weights; this way needs a package."""
    for option, given in (("--steps", asked.steps), ("--keep", asked.keep)):
        if given:
            raise cli.Usage(f"{option} is for training in steps, not for --fit")
    if importlib.util.find_spec("numpy") is None:
        code = environment.run_inside(["train", *argv])
        if code is not None:
            return code
    try:
        from tools.fits import run as fits
        from tools.fits import solution
    except ImportError:
        raise cli.Failure("--fit needs NumPy, which has no package for this machine; use a PC") from None
    if (wanted["game"], asked.fit) == fits.SOLVED:
        wanted = solution.settings(wanted, asked.games, asked.tables, asked.resume)
        with hired(asked) as hands:
            return solution.run(wanted, hands)
    wanted = fits.settings(wanted, asked.fit, asked.games, asked.tables)
    path = STATES / f"{wanted['game']}-{asked.fit}.jsonl"
    with hired(asked) as hands:
        return fits.run(fits.Fit(wanted, path), hands, path, asked.resume)


@contextmanager
def hired(asked: Namespace) -> Iterator[Hands]:
    """Who plays the games of a run."""
    hands: Hands = Cluster(asked.scheduler) if asked.scheduler else Here(asked.workers)
    try:
        yield hands
    finally:
        hands.close()


def run(training: Training, hands: Hands, path: Path) -> None:
    """All steps that are left; the state is saved before them and after each."""
    save(path, json.dumps(training.state))
    with cli.Progress("steps", training.asked["steps"]) as progress:
        while training.state["step"] < training.asked["steps"]:
            lead = training.step(hands)
            save(path, json.dumps(training.state))
            progress.update(training.state["step"], f"{lead:+.2f}")


def decide(match: Match, found: bytes, hands: Hands) -> list[Result]:
    """The match that decides."""
    with cli.Progress("games", match.asked["confirm"] * len(match.tables)) as progress:
        return match.confirm(found, hands, progress.step)


def end(asked: dict[str, Any], how: str, found: bytes, results: Sequence[Result], taken: bool) -> None:
    """Say what came of a run, take its weights or leave them, and log it."""
    game = asked["game"]
    won = [
        f"{name} {score:.3f} ({low:.3f}-{high:.3f})" for name, (_, score, low, high) in zip(asked["tables"], results)
    ]
    for text in won:
        print(f"{game} {text} against the weights before")
    if found.hex() == asked["weights"]:
        taken = False
        print("left as they were: no others were found")
    elif taken:
        save(weights_file(game), weights_text(game, found))
        print(f"taken: games/{game}/weights.py")
    else:
        print("left as they were: the match does not speak for the new ones")
    row = f"| {game} | {how} | {'; '.join(won)} | {'taken' if taken else 'left'} |\n"
    save(LOG, logged(LOG.read_text(encoding="utf-8"), row))


def logged(text: str, row: str) -> str:
    """The log with another row of its table, which is the last one; more may follow after it."""
    lines = text.splitlines(keepends=True)
    last = max((i for i, line in enumerate(lines) if line.startswith("|")), default=len(lines) - 1)
    return "".join([*lines[: last + 1], row, *lines[last + 1 :]])
