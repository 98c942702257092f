"""`blunders`: finds positions in which one move is better than all others by a clear margin."""

from __future__ import annotations

import importlib
import json
import subprocess
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from tools import cli, games, output
from tools.environment import ROOT
from tools.exact.play import decisions, loose
from tools.games import Game, Rng, catalogue
from tools.matches import crew
from tools.matches.deep import LOOK, RANDOM
from tools.record import positive

PROGRAM = "tools.matches.deep"
COUNT = 12
BUDGET = 20000
MARGIN = 10

Found = tuple[bytearray, int, int]
"""A state, its best move, by how many thousandths of a win."""


def parser() -> cli.Parser:
    """The command's arguments."""
    p = cli.Parser("blunders", "Find positions in which one move is better than all others by a clear margin.")
    p.add_argument("game", metavar="GAME", help=", ".join(games.catalogue.ids()))
    p.add_argument("--seats", type=int, metavar="N", help="how many play (default: as few as the game allows)")
    p.add_argument("--options", default="", metavar="A,B", help="options of the game that are on")
    p.add_argument("-n", type=positive, default=COUNT, metavar="COUNT", help=f"how many positions ({COUNT})")
    p.add_argument(
        "--budget", type=positive, default=BUDGET, metavar="N", help=f"playouts of the plain search ({BUDGET})"
    )
    p.add_argument(
        "--margin",
        type=positive,
        default=MARGIN,
        metavar="PERCENT",
        help=f"least margin in percent of a win ({MARGIN})",
    )
    p.add_argument("--missed", action="store_true", help="only where the instant player would play another move")
    p.add_argument(
        "--agreed", action="store_true", help="only where games that the instant player plays to the end say so too"
    )
    p.add_argument("--exact", action="store_true", help="let the game's exact solution judge, if it has one")
    p.add_argument("--seed", default="1", help="a number or a word; the same seed finds the same positions (1)")
    p.add_argument("-o", type=Path, metavar="FILE", help="where to (default: standard output)")
    return p


def main(argv: list[str]) -> int:
    """Find what `argv` asks for."""
    asked = parser().parse_args(argv)
    table = games.open_game(asked.game, asked.seats, games.split_names(asked.options))
    if not 1 <= asked.margin <= 99 or asked.budget > 65535:
        raise cli.Usage("--margin must be 1 to 99, --budget at most 65535")
    if asked.agreed and asked.exact:
        raise cli.Usage("--agreed and --exact do not go together: the exact solution needs nobody to agree")
    lines = []
    with cli.Progress("positions", asked.n) as progress:
        for state, move, margin in (solved if asked.exact else searched)(table, asked):
            lines.append(line(table, state, move, margin))
            progress.step()
            if len(lines) == asked.n:
                break
    text = "\n".join(lines) + "\n"
    if asked.o is None:
        cli.answer(text.removesuffix("\n"))
        return cli.DONE
    output.write(asked.o, text)
    return cli.DONE


def line(game: Game, state: bytearray, move: int, margin: int) -> str:
    """A position as a line of JSON: header fields as in a record, the state in hexadecimal, the best move's text, by
    what part of a win it is better than the second best."""
    values = {"game": game.name, "seats": game.seats, "options": game.options, "state": state.hex()}
    values |= {"move": game.notation.move_text(state, move), "margin": margin / 1000}
    return json.dumps(values, separators=(",", ":"))


def searched(game: Game, asked: Namespace) -> Iterator[Found]:
    """Positions judged by a deep plain search (tools/matches/deep.py), without end."""
    command, variables, _ = crew.interpreter(PROGRAM)
    choice = (asked.missed, asked.agreed)
    numbers = (game.seats, game.mask, asked.budget, games.seed(asked.seed), 10 * asked.margin, *map(int, choice))
    pipe = subprocess.PIPE
    child = subprocess.Popen(
        [*command, game.name, *map(str, numbers)], cwd=ROOT, env=variables, stdout=pipe, stderr=pipe, encoding="utf-8"
    )
    assert child.stdout and child.stderr
    try:
        for text in child.stdout:
            if text.strip() != "-":
                state, move, margin = text.split()
                yield bytearray.fromhex(state), int(move), int(margin)
        told = child.stderr.read().strip().splitlines()
        raise cli.Failure(f"the search ended: {told[-1] if told else child.wait()}")
    finally:
        child.kill()
        child.wait()


def solved(game: Game, asked: Namespace) -> Iterator[Found]:
    """Positions judged by the exact solution of the game or of a simpler one beside it, without end."""
    try:
        values = importlib.import_module(f"tools.exact.{game.name}").solution(game.seats).values
    except ModuleNotFoundError:
        raise cli.Usage(f"there is no exact solution of {game.name}") from None
    bot = catalogue.load(game.name, "bot")
    rng = Rng(games.seed(asked.seed))
    while True:
        looking = True
        for s, buf, n in decisions(game, rng, loose(bot.choose, rng, RANDOM)):
            if not looking or n == 1 or rng.below(LOOK):
                continue
            best, margin = _margin(values(s))
            if margin >= 10 * asked.margin and not (asked.missed and best == bot.choose(s, buf, n, rng)):
                yield bytearray(s), best, margin
                looking = False


def _margin(values: dict[int, float]) -> tuple[int, int]:
    """The best move of {move: chance to win}, and by how many thousandths."""
    best = max(values, key=lambda move: values[move])
    second = max(value for move, value in values.items() if move != best)
    return best, round(1000 * (values[best] - second))
