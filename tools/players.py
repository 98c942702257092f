"""The players by name: the one table of who may sit at a game."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence

from tools.cli import Usage
from tools.games import Choose, Game, catalogue
from tools.matches.movers import MOST, mover

PLAYERS = {
    "random": "every legal move equally likely",
    "greedy": "one ply ahead on the bare score",
    "easy": "the game's instant policy",
    "normal": "the tree search with the budget of the level",
    "hard": "likewise",
    "expert": "likewise",
    "reference": "plain search: 2,000 playouts a move, random to the end, no evaluation",
}
"""Names and what they stand for."""

COUNTED = {"search": "the tree search with N iterations a move", "plain": "the plain search with N playouts a move"}
"""Names that take a number, `search:500`."""

PROGRAM = "exec:"
"""`exec:COMMAND` is a program (docs/players.md); only a match can seat it."""


def names_help(programs: bool = True) -> str:
    """All names, for a line of help."""
    return ", ".join([*PLAYERS, *(f"{name}:N" for name in COUNTED), *([f"{PROGRAM}COMMAND"] if programs else [])])


def check(name: str, programs: bool = True) -> str:
    """The name itself. Usage if nobody is called so, its program is not there, or none can play here."""
    if name.startswith(PROGRAM):
        if not programs:
            raise Usage(f"{name}: a program can play only in `arena` and `play`")
        command(name)
        return name
    kind, colon, count = name.partition(":")
    if kind in COUNTED and colon:
        if count.isascii() and count.isdecimal() and len(count) < 6 and 1 <= int(count) <= MOST:
            return name
        raise Usage(f"{name!r}: {kind} takes a number from 1 to {MOST}, {kind}:500")
    if name not in PLAYERS:
        raise Usage(f"no player {name!r}; there are: {names_help(programs)}")
    return name


def command(name: str) -> list[str]:
    """The words of an `exec:COMMAND`. Usage if it is none, or its program is not to be found."""
    lexer = shlex.shlex(name[len(PROGRAM) :], posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if os.name == "nt":
        # A backslash is part of a path there.
        lexer.escape = ""
    try:
        words = list(lexer)
    except ValueError as fault:
        raise Usage(f"{name}: {fault}") from None
    if not words:
        raise Usage(f"{name} names no command; write {PROGRAM}COMMAND")
    if shutil.which(words[0]) is None:
        raise Usage(f"{name}: there is no program {words[0]!r}")
    return words


def seat_players(game: Game, names: Sequence[str]) -> list[Choose]:
    """A player for each seat of `game`: one name stands for all. Usage if that does not fit."""
    for name in names:
        check(name, programs=False)
    if len(names) == 1:
        names = list(names) * game.seats
    if len(names) != game.seats:
        raise Usage(f"{game.seats} seats need {game.seats} players or one for all, not {len(names)}")
    bot = catalogue.load(game.name, "bot")
    return [mover(game.rules, bot, name).choose for name in names]
