"""`arena`: computer players against each other, each deal in every seating, with 95 % intervals that know this."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence

from tools import cli, games, players
from tools.games import Game
from tools.matches import crew, dialogue, figures
from tools.matches.program import THINK_MS
from tools.record import positive

GAMES = 100


def parser() -> cli.Parser:
    """The command's arguments."""
    p = cli.Parser("arena", "Computer players against each other: wins, 95 % intervals, time and playouts per move.")
    p.add_argument("game", metavar="GAME", help=", ".join(games.catalogue.ids()))
    p.add_argument(
        "--players",
        required=True,
        metavar="A,B,...",
        help=f"by commas, the last one takes all seats that are left: {players.names_help()}",
    )
    p.add_argument("--seats", type=int, metavar="N", help="how many play (default: as many as the players)")
    p.add_argument("--options", default="", metavar="A,B", help="options of the game that are on")
    p.add_argument(
        "--games",
        type=positive,
        default=GAMES,
        metavar="N",
        help=f"how many games ({GAMES}); made up to whole deals, each of which is played in every seating",
    )
    p.add_argument("--seed", default="1", help="a number or a word; the same seed plays the same games (1)")
    p.add_argument("--workers", type=positive, metavar="N", help="processes at once (default: one for each core)")
    p.add_argument(
        "--think-ms",
        type=positive,
        default=THINK_MS,
        metavar="MS",
        help=f"time a program has for a move ({THINK_MS})",
    )
    p.add_argument("--json", action="store_true", help="print the result as one JSON object")
    return p


def seated(game: str, names: Sequence[str], seats: int | None, options: Sequence[str]) -> tuple[Game, list[str]]:
    """The game's table and a player's name for each of its seats. Usage if that does not fit."""
    if not names:
        raise cli.Usage("--players names nobody")
    for name in names:
        players.check(name)
    if seats is None and game in games.catalogue.ids():
        seats = max(len(names), games.open_game(game, None, options).seats)
    table = games.open_game(game, seats, options)
    if len(names) > table.seats:
        raise cli.Usage(f"{len(names)} players do not fit {table.seats} seats; write --seats {len(names)}")
    return table, [*names, *[names[-1]] * (table.seats - len(names))]


def main(argv: list[str]) -> int:
    """Play the match that `argv` asks for."""
    asked = parser().parse_args(argv)
    table, names = seated(asked.game, games.split_names(asked.players), asked.seats, games.split_names(asked.options))
    seed = games.seed(asked.seed)
    ways = figures.seatings(names)
    tally = figures.Tally(names, len(ways))
    stopped = False
    try:
        play(table, tally, figures.tasks(ways, -(-asked.games // len(ways)), seed), asked)
    except KeyboardInterrupt:
        if not tally.whole():
            raise
        stopped = True
    found = {
        "game": table.name,
        "seats": table.seats,
        "games": len(tally.whole()) * len(ways),
        "seed": seed,
        "players": tally.figures(),
    }
    print(json.dumps(found) if asked.json else text(found))
    if stopped:
        raise KeyboardInterrupt
    return cli.DONE


def play(game: Game, tally: figures.Tally, tasks: list[dict], asked: Namespace) -> None:
    """Play the games of a match and count them in `tally`."""
    talk = dialogue.Dialogue(game, tally.names, asked.think_ms, cli.say)
    table = crew.Table(game.name, game.seats, game.mask, talk.seats())
    try:
        with (
            cli.Progress("games", len(tasks)) as progress,
            crew.Crew(table, asked.workers or crew.cores(), talk.ask, talk.end) as playing,
        ):
            for task, result in playing.play(tasks):
                tally.add(task, result)
                progress.step()
    finally:
        talk.close()
        if talk.faults > dialogue.TELL:
            cli.say(f"{talk.faults} games in all were lost by a program's own fault")


def text(found: dict) -> str:
    """The result as a table."""
    width = max(6, *(len(player["name"]) for player in found["players"]))
    lines = ["{game}, {seats} seats, {games} games, seed {seed}".format(**found)]
    lines.append(f"{'player':{width}}    wins  shared   score   95 %             ms/move  playouts/move")
    for p in found["players"]:
        span = f"{p['lo']:.4f}-{p['hi']:.4f}"
        lines.append(
            f"{p['name']:{width}} {p['wins']:7} {p['shared']:7}  {p['score']:.4f}  {span}"
            f" {p['ms_per_move']:10.3f} {p['playouts_per_move']:14.1f}"
        )
    return "\n".join(lines)
