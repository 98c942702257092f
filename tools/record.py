"""`record`: plays games and writes their records, JSON Lines that another program can check."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from tools import cli, games, output, players
from tools.games import CHANCE, OVER, Choose, Game, Recording, Rng


def line(values: dict) -> str:
    """A line of a record."""
    return json.dumps(values, separators=(",", ":"), ensure_ascii=False)


class Record(Recording):
    """The lines of a game's record as objects. `s` is the state right after `rules.new`, and is played on."""

    def __init__(self, game: Game, s: bytearray) -> None:
        super().__init__(game.name, game.rules, game.notation, game.seats, game.mask, s)
        self.game = game

    def ready(self) -> list[dict]:
        """The lines that are complete, as Recording tells them."""
        found = []
        for pairs in super().ready():
            values = dict(pairs)
            if "options" in values:
                values["options"] = dict(values["options"])
            found.append(values)
        return found


def lines(game: Game, seated: Sequence[Choose], chance: Rng, thought: Rng) -> Iterator[str]:
    """Play one game and yield the lines of its record. `chance` is the generator of dice and bags, `thought`
    that of the players, so that the same dice fall whoever plays."""
    rules = game.rules
    record = Record(game, game.start(chance))
    buffer = game.buffer()
    while (seat := rules.seat(record.s)) != OVER:
        if seat == CHANCE:
            record.ply(rules.sample(record.s, chance))
            continue
        yield from map(line, record.ready())
        count = rules.legal(record.s, buffer)
        record.ply(seated[seat](record.s, buffer, count, thought))
    yield from map(line, record.ready())


def records(game: Game, seated: Sequence[Choose], seed: int, count: int) -> Iterator[str]:
    """The lines of `count` games; the first ones are the same for any count."""
    seeds = Rng(seed)
    for _ in range(count):
        chance, thought = (Rng(seeds.below(1 << 13) << 13 | seeds.below(1 << 13)) for _ in range(2))
        yield from lines(game, seated, chance, thought)


def main(argv: list[str]) -> int:
    """Write the records that `argv` asks for."""
    parser = cli.Parser("record", "Play games between computer players and write their records.")
    parser.add_argument("game", metavar="GAME", help=", ".join(games.catalogue.ids()))
    parser.add_argument("--seats", type=int, metavar="N", help="how many play (default: as few as the game allows)")
    parser.add_argument("--options", default="", metavar="A,B", help="options of the game that are on")
    parser.add_argument(
        "--players",
        default="random",
        metavar="NAMES",
        help=f"one name for all seats or one for each, by commas: {', '.join(players.PLAYERS)} (default: random)",
    )
    parser.add_argument("--seed", default="1", help="a number or a word; the same seed writes the same file (1)")
    parser.add_argument("-n", type=positive, default=1, metavar="COUNT", help="how many games (1)")
    parser.add_argument("-o", type=Path, metavar="FILE", help="where to (default: standard output)")
    asked = parser.parse_args(argv)
    game = games.open_game(asked.game, asked.seats, games.split_names(asked.options))
    seated = players.seat_players(game, games.split_names(asked.players))
    written = records(game, seated, games.seed(asked.seed), asked.n)
    if asked.o is None:
        # Records are UTF-8 with bare newlines on every system.
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        # A reader that has enough (`| head`) ends the games.
        with suppress(BrokenPipeError):
            for text in written:
                print(text)
            sys.stdout.flush()
        return cli.DONE
    try:
        with (
            output.place(asked.o) as place,
            cli.Progress("games", asked.n) as progress,
            place.open("w", encoding="utf-8", newline="\n") as file,
        ):
            for text in written:
                file.write(text + "\n")
                if text.startswith('{"scores"'):
                    progress.step()
    except OSError as fault:
        raise cli.Failure(f"cannot write {asked.o}: {fault.strerror}") from None
    return cli.DONE


def positive(text: str) -> int:
    """A whole number from 1 up, for argparse."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) < 10**9):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)
