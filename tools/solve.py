"""`solve`: the exact solution of a game, and what a player's choices cost against it."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from math import sqrt
from typing import Any

from tools import cli, games, players
from tools.exact import horses
from tools.exact.play import decisions, loose
from tools.games import Choose, Game, Rng, catalogue
from tools.matches.deep import LOOK, RANDOM
from tools.matches.movers import mover
from tools.record import positive

SOLVED = ("horses",)
STATES = 1000


def parser() -> cli.Parser:
    """The command's arguments."""
    p = cli.Parser(
        "solve", "The exact solution of a simpler game for two, and what a player's choices cost against it."
    )
    p.add_argument("game", metavar="GAME", help=", ".join(SOLVED))
    p.add_argument(
        "--player", metavar="NAME", help="whose choices are judged: easy, normal, hard, expert, search:N, ..."
    )
    p.add_argument("--states", type=positive, default=STATES, metavar="N", help=f"in so many states ({STATES})")
    p.add_argument("--seed", default="1", help="a number or a word; the same seed samples the same states (1)")
    p.add_argument("--json", action="store_true", help="print the result as one JSON object")
    return p


def main(argv: list[str]) -> int:
    """Solve what `argv` asks for."""
    asked = parser().parse_args(argv)
    if asked.game not in SOLVED:
        raise cli.Usage(f"there is no solution of {asked.game!r}, only of {', '.join(SOLVED)}")
    if asked.player and players.check(asked.player, programs=False) == "random":
        raise cli.Usage(f"--player {asked.player}: only what the core's players choose can be judged")
    race = horses.solution()
    start = (0, 2)
    found: dict[str, Any] = {"game": asked.game, "seats": 2, "first": round(race.win(0, start, start), 5)}
    if asked.player:
        found |= judged(race, asked)
    cli.answer(json.dumps(found) if asked.json else text(found))
    return cli.DONE


def judged(race: horses.Race, asked: Namespace) -> dict[str, Any]:
    """What the player's choices cost: part of a win, mean with its 95 % interval, and most."""
    table = games.open_game(asked.game, 2)
    bot = catalogue.load(asked.game, "bot")
    seed = games.seed(asked.seed)
    with cli.Progress("states", asked.states) as progress:
        costs = []
        for cost in losses(race, table, mover(table.rules, bot, asked.player).choose, seed):
            costs.append(cost)
            progress.step()
            if len(costs) == asked.states:
                break
    mean = sum(costs) / len(costs)
    deviation = sqrt(sum((cost - mean) ** 2 for cost in costs) / max(1, len(costs) - 1))
    reach = 1.96 * deviation / sqrt(len(costs))
    found: dict[str, Any] = {"player": asked.player, "states": len(costs), "seed": seed}
    return found | {
        "cost": round(mean, 5),
        "lo": round(mean - reach, 5),
        "hi": round(mean + reach, 5),
        "most": round(max(costs), 5),
    }


def losses(race: horses.Race, table: Game, choose: Choose, seed: int) -> Iterator[float]:
    """What a player's choice costs in each of the sampled states, without end: decisions of games between instant
    players, whose moves are random now and then."""
    rng, thought = Rng(seed), Rng(seed + 1)
    instant = catalogue.load(table.name, "bot").choose
    while True:
        for s, buf, n in decisions(table, rng, loose(instant, rng, RANDOM)):
            if n > 1 and rng.below(LOOK) == 0:
                values = race.values(s)
                yield max(values.values()) - values[choose(s, buf, n, thought)]


def text(found: dict[str, Any]) -> str:
    """The result in lines."""
    lines = ["{game}, {seats} seats: the first wins {first:.4f} of the solved race".format(**found)]
    if "cost" in found:
        costs = {name: 100 * found[name] for name in ("cost", "lo", "hi", "most")}
        lines.append(
            f"{found['player']} in {found['states']} states, seed {found['seed']}: a choice costs {costs['cost']:.3f} % of the"
            f" winning chance ({costs['lo']:.3f}-{costs['hi']:.3f}), {costs['most']:.1f} % at most"
        )
    return "\n".join(lines)
