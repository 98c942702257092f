"""`record`: plays games and writes their records, JSON Lines that another program can check."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools import cli, games, output, players
from tools.games import CHANCE, OVER, Choose, Game, Rng

VERSION = 1


def line(values: dict) -> str:
    """A line of a record."""
    return json.dumps(values, separators=(",", ":"), ensure_ascii=False)


class Record:
    """The lines of a game's record, as its plies are told. `s` is the state right after `rules.new`, and is played on."""

    def __init__(self, game: Game, s: bytearray) -> None:
        self.game = game
        self.s = s
        self._buffer = game.buffer()
        setup = game.notation.header(s)
        # What was drawn and belongs to no line yet; where chance follows its decision, the first is the set-up's.
        self._drawn: dict = {} if game.notation.CHANCE_BEFORE else setup
        self._lines: list[dict] = []
        self._waiting: dict | None = {
            "record": VERSION,
            "game": game.name,
            "seats": game.seats,
            "options": game.options,
            "chance": setup,
        }

    def legal(self) -> list[str]:
        """The texts of all legal moves, as a line has them."""
        return sorted(self.game.texts(self.s, self._buffer))

    def ply(self, code: int) -> None:
        """Carry out an event of chance or a move."""
        rules, notation, s = self.game.rules, self.game.notation, self.s
        seat = rules.seat(s)
        if seat == CHANCE:
            notation.put_event(self._drawn, s, code)
            rules.apply(s, code)
            return
        self._complete()
        if not notation.CHANCE_BEFORE:
            self._drawn = {}
        text = notation.move_text(s, code)
        self._waiting = {"seat": seat, "legal": self.legal(), "move": text, "chance": self._drawn}
        if notation.CHANCE_BEFORE:
            self._drawn = {}
        rules.apply(s, code)

    def ready(self) -> list[dict]:
        """The lines that were not asked for before and are complete: a seat is to move, or the game is over and the
        last line is among them."""
        seat = self.game.rules.seat(self.s)
        if seat != CHANCE:
            over = seat == OVER and self._waiting is not None
            self._complete()
            if over:
                self._lines.append({"scores": self.game.scores(self.s), "winners": self.game.winners(self.s)})
        found, self._lines = self._lines, []
        return found

    def _complete(self) -> None:
        if self._waiting is not None:
            self._lines.append(self._waiting)
            self._waiting = None


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
