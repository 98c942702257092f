"""The conversation with the programs at a table: what they are told, what they are asked, when they lose."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from tools import players
from tools.games import Game, Rng
from tools.matches import sight
from tools.matches.program import Program, ProgramFault
from tools.record import Record, line

# So many lost games are told one by one.
TELL = 5


class Closed:
    """Whether a match is closed: no program is started any more."""

    def __init__(self) -> None:
        self.yes = False
        self.lock = threading.Lock()
        """Held while a program is started, and by who closes."""


class _Round:
    """One game with programs at it."""

    def __init__(self, game: Game, task: dict, commands: Sequence[list[str] | None]) -> None:
        self.record = Record(game, game.start(Rng(task["chance"])))
        self.programs: dict[int, Program] = {}
        self.lost: int | None = None
        """The seat whose program lost the game by its own fault."""
        self._commands = {seat: commands[player] for seat, player in enumerate(task["seated"]) if commands[player]}

    def tell(self) -> None:
        """Tell all programs what they have not been told."""
        for values in self.record.ready():
            for seat, program in self.programs.items():
                program.tell(line(sight.seen(self.record.game, values, seat)))

    def open(self, closed: Closed) -> None:
        """Start the programs. ProgramFault if one cannot be, with its seat in `lost`, or if the match is closed."""
        for seat, command in self._commands.items():
            assert command
            # Whoever closes the match waits for a start and so ends each program that there is.
            with closed.lock:
                if closed.yes:
                    raise ProgramFault("the match is over")
                self.lost = seat
                self.programs[seat] = Program(command)
        self.lost = None

    def ask(self, seat: int, ms: int) -> int:
        """The move of the program on this seat. ProgramFault if it gives none."""
        game, s = self.record.game, self.record.s
        legal = self.record.legal()
        values = {"seat": seat, "legal": legal, "view": sight.table(game, s, seat)}
        answer = self.programs[seat].ask(line(values), ms)
        if answer not in legal:
            raise ProgramFault(f"it answered {answer[:60]!r}, which is not a legal move")
        return game.texts(s, game.buffer())[answer]

    def close(self, winners: int) -> None:
        """End the programs; who is told that the game is over had a part in its end."""
        self.tell()
        if self.lost is not None:
            game = self.record.game
            won = [seat for seat in range(game.seats) if winners >> seat & 1]
            for seat, program in self.programs.items():
                if seat != self.lost:
                    program.tell(line({"scores": game.scores(self.record.s), "winners": won}))
        for seat, program in self.programs.items():
            program.close(seat == self.lost)


class Dialogue:
    """Speaks with all programs of a match; `ask` and `end` are for tools/matches/crew.py and come from its threads."""

    def __init__(self, game: Game, names: Sequence[str], think_ms: int, say: Callable[[str], None]) -> None:
        self._game = game
        self._names = names
        self._commands = [players.command(n) if n.startswith(players.PROGRAM) else None for n in names]
        self._ms = think_ms
        self._say = say
        self._rounds: dict[int, _Round] = {}
        self._lock = threading.Lock()
        self._closed = Closed()
        self.faults = 0
        """Games that a program lost by its own fault."""

    def seats(self) -> list[str | None]:
        """The names for a worker, None for the programs."""
        return [name if command is None else None for name, command in zip(self._names, self._commands)]

    def ask(self, task: dict, seat: int, plies: Sequence[int]) -> int | None:
        """The move of a program; None if it lost the game."""
        playing = self._rounds.get(task["id"])
        try:
            if playing is None:
                playing = _Round(self._game, task, self._commands)
                self._rounds[task["id"]] = playing
                playing.open(self._closed)
            for code in plies:
                playing.record.ply(code)
            playing.tell()
            return playing.ask(seat, self._ms)
        except ProgramFault as fault:
            if self._closed.yes:
                # Not its fault: it was ended.
                return None
            assert playing
            playing.lost = seat if playing.lost is None else playing.lost
            self._tell(task, playing.lost, str(fault))
            return None

    def end(self, task: dict, result: dict) -> None:
        """Close what was opened for a game."""
        playing = self._rounds.get(task["id"])
        if playing is None:
            return
        if playing.lost is None:
            for code in result["plies"]:
                playing.record.ply(code)
        playing.close(result["winners"])
        # Only now: where the match is stopped meanwhile, close() does not wait for programs that take their time.
        self._rounds.pop(task["id"], None)

    def close(self) -> None:
        """End all programs of games that are not over yet; none is started any more."""
        with self._closed.lock:
            self._closed.yes = True
        for playing in list(self._rounds.values()):
            for program in list(playing.programs.values()):
                program.close(at_once=True)

    def _tell(self, task: dict, seat: int, fault: str) -> None:
        with self._lock:
            self.faults += 1
            number = self.faults
        if number <= TELL:
            self._say(f"{self._names[task['seated'][seat]]} loses game {task['id'] + 1} on seat {seat}: {fault}")
