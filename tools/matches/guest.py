"""Programs as computer players of the handheld: `play --player LEVEL=exec:COMMAND`.

Whoever has that level in the set-up is the program, spoken to as in the arena. What it is told is made from the saved
game each time it is to move, so that a game taken up again and a move taken back need nothing of their own: a program
that heard otherwise is started anew. One that fails is replaced by the level itself, and `remarks` says why.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

from tools import players
from tools.cli import Usage
from tools.games import Game, catalogue
from tools.matches import sight
from tools.matches.program import THINK_MS, Program, ProgramFault
from tools.record import Record, line

# For an answer a turn of the loop waits so long before the screen has its turn.
WAIT_S = 0.002


def asked(text: str, levels: tuple[str, ...]) -> tuple[int, list[str]]:
    """LEVEL=exec:COMMAND as the level's number and the words of the command. Usage if it is not that."""
    level, _, name = text.partition("=")
    if level not in levels or not name.startswith(players.PROGRAM):
        raise Usage(f"--player {text}: write LEVEL={players.PROGRAM}COMMAND, a level being {', '.join(levels)}")
    return levels.index(level), players.command(name)


class Guests:
    """The programs of a run. commands: of each level (0..3) that has one, in words; scene: gives the scene of the game
    that is played (firmware/scenes/game.py)."""

    def __init__(self, commands: dict[int, list[str]], scene: Callable[[], Any], think_ms: int = THINK_MS) -> None:
        self.commands = dict(commands)
        """Of the levels that are still played by a program."""
        self.remarks: list[str] = []
        """What there is to say when the screen is given back."""
        self._ms = think_ms
        self._scene = scene
        # By seat: the program, and the lines that it was told.
        self._running: dict[int, tuple[Program, list[str]]] = {}

    @contextmanager
    def seated(self) -> Iterator[None]:
        """While the firmware runs: they play, and are ended after it."""
        from firmware import modules

        own = modules.levels
        modules.levels = lambda: self._levels(own())
        try:
            yield
        finally:
            modules.levels = own
            self.close()

    def _levels(self, own: ModuleType) -> Any:
        """In the place of games/levels.py, which is `own`, for a new game."""
        self.close()
        return SimpleNamespace(Player=lambda rules, bot, level: _Player(self, own.Player(rules, bot, level)))

    def plays(self, state: bytearray, level: int) -> bool:
        """Whether a program is to move in this state, and it is no hint for a person."""
        from firmware import saves

        saved = self._scene().saved
        return level in self.commands and saved.kinds[catalogue.load(saved.game).seat(state)] != saves.PERSON

    def move(self, state: bytearray, level: int) -> int:
        """The move of a program. ProgramFault if it gives none."""
        from firmware import recorded
        from firmware.course import Course

        scene = self._scene()
        saved = scene.saved
        if saved.base is not None:
            raise ProgramFault("the beginning of this game is not known")
        rules = catalogue.load(saved.game)
        seat = rules.seat(state)
        game = Game(saved.game, rules, catalogue.load(saved.game, "notation"), len(saved.kinds), saved.options)
        going = Course(rules, saved)
        record = Record(game, bytearray(going.state))
        recorded.along(rules, going, record, scene.plies)
        lines = [line(sight.seen(game, values, seat)) for values in record.ready()]
        program, told = self._running.get(seat, (None, []))
        if program is None or lines[: len(told)] != told:
            if program:
                program.close(at_once=True)
            program, told = Program(self.commands[level]), []
        self._running[seat] = program, lines
        for text in lines[len(told) :]:
            program.tell(text)
        legal = record.legal()
        answer = program.ask(line({"seat": seat, "legal": legal, "view": sight.table(game, state, seat)}), self._ms)
        if answer not in legal:
            raise ProgramFault(f"it answered {answer[:60]!r}, which is not a legal move")
        return game.texts(state, game.buffer())[answer]

    def close(self) -> None:
        """End all programs."""
        for program, _ in self._running.values():
            program.close(at_once=True)
        self._running.clear()

    def give_up(self, level: int, name: str, fault: str) -> None:
        """From now on the level plays for itself."""
        self.commands.pop(level, None)
        self.remarks.append(f"the program of {name} was replaced by {name}: {fault}")
        self.close()


class _Player:
    """As games/levels.py has it: `own`, or a program in its place, which thinks in a thread."""

    def __init__(self, guests: Guests, own: Any) -> None:
        self.level = own.level
        self._guests = guests
        self._own = own
        self._thinking: threading.Thread | None = None
        self._move: int | None = None

    def start(self, s: bytearray, seed: int) -> None:
        """Begin to think."""
        from games import levels

        state, level = bytearray(s), self.level
        self._own.level = level
        self._move = None
        if not self._guests.plays(state, level):
            self._own.start(state, seed)
            return

        def think() -> None:
            try:
                self._move = self._guests.move(state, level)
            except ProgramFault as fault:
                self._guests.give_up(level, levels.NAMES[level], str(fault))
                self._own.start(state, seed)

        self._thinking = threading.Thread(target=think, daemon=True)
        self._thinking.start()

    def step(self, plies: int) -> bool:
        """True when there is a move."""
        if self._thinking:
            self._thinking.join(WAIT_S)
            if self._thinking.is_alive():
                return False
            self._thinking = None
        return self._move is not None or self._own.step(plies)

    def best(self) -> int:
        """The move; a program is waited for."""
        if self._thinking:
            self._thinking.join()
            self._thinking = None
        return self._own.best() if self._move is None else self._move
