"""`replay`: checks game records line by line against the rules. What was drawn comes from the record alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import IO

from tools import cli, games
from tools.games import CHANCE, OVER, VERSION, Game

HEADER = ("record", "game", "seats", "options", "chance")
DECISION = ("seat", "legal", "move", "chance")
LAST = ("scores", "winners")

# A line, an object or list in it, a list in that: deeper is no record, and could not be told in a message.
NESTED = 3
DEEP = "objects and lists lie deeper in each other than in a record"
TOLD_CHARACTERS = 200

# Far more than any line of a record has, and than any number in it.
LONGEST_LINE = 1 << 20
LONGEST_NUMBER = 20


class RecordFault(Exception):
    """A record that is not as it should be."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(f"line {number}: {text}")
        self.number = number
        self.text = text


class _Lines:
    """The lines of a file as dictionaries, with the number of the present one."""

    def __init__(self, file: Iterable[bytes]) -> None:
        self.number = 0
        self._file = iter(file)

    def fault(self, text: str) -> RecordFault:
        """A fault of the present line. What it quotes from the record may be of any length and hold any character."""
        shown = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text[:TOLD_CHARACTERS])
        return RecordFault(self.number, shown if len(text) <= TOLD_CHARACTERS else shown[:TOLD_CHARACTERS] + " ...")

    def next(self) -> dict | None:
        """The next line; None at the end of the file."""
        self.number += 1
        raw = next(self._file, None)
        if raw is None:
            return None
        if len(raw) > LONGEST_LINE:
            raise self.fault(f"more than {LONGEST_LINE:,} bytes without an end: no line of a record is so long")
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise self.fault("not UTF-8") from None
        text = text.removesuffix("\n")
        if text.endswith("\r"):
            raise self.fault("ends in CR LF; lines of a record end in LF alone")
        if not text.strip():
            raise self.fault("an empty line")
        try:
            values = json.loads(
                text, object_pairs_hook=self._unique, parse_constant=self._no_number, parse_int=self._number
            )
        except json.JSONDecodeError as fault:
            raise self.fault(f"not JSON: {fault.msg}") from None
        except ValueError as fault:
            raise self.fault(f"not JSON: {fault}") from None
        except RecursionError:
            raise self.fault(f"not JSON: {DEEP}") from None
        if not isinstance(values, dict):
            raise self.fault("not a JSON object")
        if not _flat(values, NESTED):
            raise self.fault(DEEP)
        return values

    @staticmethod
    def _unique(pairs: list[tuple[str, object]]) -> dict:
        values = dict(pairs)
        if len(values) != len(pairs):
            raise ValueError("a key stands twice in one object")
        return values

    @staticmethod
    def _no_number(name: str) -> None:
        raise ValueError(f"{name} is no number")


    @staticmethod
    def _number(text: str) -> int:
        # Python has a bound too, with words for programmers.
        digits = len(text.lstrip("-"))
        if digits > LONGEST_NUMBER:
            raise ValueError(f"a number of {digits} digits")
        return int(text)


def _shaped(lines: _Lines, values: dict, keys: tuple[str, ...], what: str) -> None:
    for key in keys:
        if key not in values:
            raise lines.fault(f"{what} has no {key!r}")
    for key in values:
        if key not in keys:
            raise lines.fault(f"{what} has a key {key!r} that records do not have")


def _flat(value: object, depth: int) -> bool:
    """Whether objects and lists lie at most `depth` deep in each other."""
    if not isinstance(value, (dict, list)):
        return True
    return depth > 0 and all(
        _flat(inner, depth - 1) for inner in (value.values() if isinstance(value, dict) else value)
    )


def _is_whole(value: object) -> bool:
    # JSON's true is 1 for Python, and 1.0 equals 1.
    return type(value) is int


def _header(lines: _Lines, values: dict) -> Game:
    """The game of a header line."""
    _shaped(lines, values, HEADER, "the header")
    if not _is_whole(values["record"]) or values["record"] != VERSION:
        raise lines.fault(f"record version {values['record']!r}; this program reads {VERSION}")
    name, seats, options = values["game"], values["seats"], values["options"]
    if not isinstance(name, str) or name not in games.catalogue.ids():
        raise lines.fault(f"no game {name!r}; there are: {', '.join(games.catalogue.ids())}")
    if not isinstance(options, dict):
        raise lines.fault("'options' is not an object")
    for option, value in options.items():
        if option not in games.catalogue.options(name):
            raise lines.fault(f"{name} has no option {option!r}")
        if not _is_whole(value) or value not in (0, 1):
            raise lines.fault(f"option {option!r} is {value!r}, not 0 or 1")
    for option in games.catalogue.options(name):
        if option not in options:
            raise lines.fault(f"option {option!r} of {name} is missing")
    if not _is_whole(seats):
        raise lines.fault(f"'seats' is {seats!r}, not a number")
    try:
        return games.open_game(name, seats, [option for option, value in options.items() if value])
    except cli.Usage as wrong:
        raise lines.fault(str(wrong)) from None


def _chance(lines: _Lines, values: dict) -> dict:
    if not isinstance(values["chance"], dict):
        raise lines.fault("'chance' is not an object")
    return dict(values["chance"])


def _draw(lines: _Lines, game: Game, s: bytearray, chance: dict) -> None:
    """Carry out all chance events that are due, from the dictionary of their line, and nothing may be left in it."""
    while game.rules.seat(s) == CHANCE:
        try:
            event = game.notation.take_event(chance, s)
        except ValueError as fault:
            raise lines.fault(f"chance: {fault}") from None
        game.rules.apply(s, event)
    if chance:
        raise lines.fault(f"chance has {next(iter(chance))!r}, which is not due here")


def _decision(lines: _Lines, game: Game, s: bytearray, values: dict) -> None:
    """Check and carry out one line of a decision."""
    rules, notation = game.rules, game.notation
    _shaped(lines, values, DECISION, "the line")
    chance = _chance(lines, values)
    if notation.CHANCE_BEFORE:
        _draw(lines, game, s, chance)
    seat = rules.seat(s)
    if not _is_whole(values["seat"]) or values["seat"] != seat:
        raise lines.fault(f"'seat' is {values['seat']!r}, but seat {seat} is to move")
    texts = game.texts(s, game.buffer())
    legal = values["legal"]
    if legal != sorted(texts):
        raise lines.fault(f"'legal' is wrong: {_difference(legal, sorted(texts))}")
    move = values["move"]
    if not isinstance(move, str) or move not in texts:
        raise lines.fault(f"move {move!r} is not legal")
    rules.apply(s, texts[move])
    if not notation.CHANCE_BEFORE:
        _draw(lines, game, s, chance)


def _difference(legal: object, texts: list[str]) -> str:
    if not isinstance(legal, list) or not all(isinstance(text, str) for text in legal):
        return "not a list of texts"
    for text in texts:
        if text not in legal:
            return f"{text!r} is missing"
    for text in legal:
        if text not in texts:
            return f"{text!r} is not legal"
    return "a text stands twice" if len(legal) != len(texts) else "not sorted by character code"


def replay(file: Iterable[bytes]) -> Iterator[int]:
    """Check a file of records, given by its lines (bounded(), unless their lengths are known); yields the number of
    decisions of each game.

    RecordFault at the first fault.
    """
    lines = _Lines(file)
    values = lines.next()
    if values is None:
        raise lines.fault("the file is empty")
    while values is not None:
        game = _header(lines, values)
        chance = _chance(lines, values)
        s = bytearray(game.rules.STATE_BYTES)
        try:
            game.notation.set_up(s, game.seats, game.mask, chance)
        except ValueError as fault:
            raise lines.fault(f"chance: {fault}") from None
        if game.notation.CHANCE_BEFORE:
            if chance:
                raise lines.fault(f"{game.name} has no chance {next(iter(chance))!r} in its set-up")
        else:
            _draw(lines, game, s, chance)
        decisions = 0
        while True:
            values = lines.next()
            if values is None:
                raise lines.fault("the file ends before the last line of its game (scores and winners)")
            if "record" in values:
                raise lines.fault("a new game starts before the last line of the one before (scores and winners)")
            if game.rules.seat(s) == OVER:
                break
            if "scores" in values:
                raise lines.fault("scores, but the game is not over")
            _decision(lines, game, s, values)
            decisions += 1
        _shaped(lines, values, LAST, "the last line")
        for key, right in (("scores", game.scores(s)), ("winners", game.winners(s))):
            value = values[key]
            if not isinstance(value, list) or not all(map(_is_whole, value)) or value != right:
                raise lines.fault(f"{key!r} is {json.dumps(value)}, but the game gives {json.dumps(right)}")
        yield decisions
        values = lines.next()


def bounded(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file, each no longer than is needed to see that it is too long: some files have no end."""
    return iter(lambda: file.readline(LONGEST_LINE + 1), b"")


def main(argv: list[str]) -> int:
    """Check the file that `argv` names."""
    parser = cli.Parser("replay", "Check game records: every line against the rules.")
    parser.add_argument("file", metavar="FILE", help="a file of records, - for standard input")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    asked = parser.parse_args(argv)
    played = decisions = 0
    try:
        with (
            cli.Progress("games") as progress,
            sys.stdin.buffer if asked.file == "-" else open(asked.file, "rb") as file,
        ):
            for count in replay(bounded(file)):
                played += 1
                decisions += count
                progress.step()
    except OSError as fault:
        raise cli.Failure(f"cannot read {asked.file}: {fault.strerror}") from None
    except RecordFault as fault:
        if asked.json:
            cli.answer(json.dumps({"ok": False, "line": fault.number, "fault": fault.text}))
            return cli.FAILED
        raise cli.Failure(f"{asked.file}: {fault}") from None
    if asked.json:
        cli.answer(json.dumps({"ok": True, "games": played, "decisions": decisions}))
    else:
        cli.answer(f"{played} games, {decisions} decisions, no fault")
    return cli.DONE
