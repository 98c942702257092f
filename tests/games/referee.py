"""A referee of game records who shares nothing with `replay`: JSON, the pages, and the plain version of each game."""

from __future__ import annotations

import json
from collections.abc import Iterable

from tests.reference import goats, goblins, horses, kings

# Options, fewest and most seats, and how many more with an option, from the rules pages.
OPTIONS = {"goats": {"big"}, "goblins": {"actions", "contested"}, "kings": set(), "horses": set()}


class Foul(Exception):
    """A line that the rules do not allow."""


def insist(right: bool, line: int, text: str) -> None:
    if not right:
        raise Foul(f"line {line}: {text}")


class Goats:
    """Dice come before each decision."""

    def __init__(self, seats: int, options: dict[str, int], chance: dict) -> None:
        if chance:
            raise ValueError("chance")
        self.game = goats.Game(seats, bool(options["big"]))

    def before(self, chance: dict) -> None:
        dice = chance["dice"]
        if set(chance) != {"dice"} or len(dice) != 4 or dice != sorted(dice) or set(dice) - set(range(1, 7)):
            raise ValueError("dice")
        if any(type(die) is not int for die in dice):
            raise ValueError("dice")
        self.game.roll(dice)

    def seat(self) -> int:
        return self.game.turn

    def legal(self) -> list[str]:
        return ["+".join(map(str, sums)) or "-" for sums in self.game.legal()]

    def play(self, move: str, chance: dict) -> None:
        self.game.play(tuple(map(int, move.split("+"))) if move != "-" else ())

    def scores(self) -> list[int]:
        return self.game.scores()


class Goblins:
    """There is no chance."""

    def __init__(self, seats: int, options: dict[str, int], chance: dict) -> None:
        if chance:
            raise ValueError("chance")
        self.game = goblins.Game(seats, bool(options["actions"]), bool(options["contested"]))

    def before(self, chance: dict) -> None:
        if chance:
            raise ValueError("chance")

    def seat(self) -> int:
        return self.game.to_move

    def legal(self) -> list[str]:
        return self.game.legal()

    def play(self, move: str, chance: dict) -> None:
        self.game.play(move)

    def scores(self) -> list[int]:
        return self.game.scores()


class Kings:
    """All chance lies in the header."""

    def __init__(self, seats: int, options: dict[str, int], chance: dict) -> None:
        if set(chance) != {"deck", "kings"} or sorted(chance["deck"]) != sorted(kings.CARDS):
            raise ValueError("deck")
        if len(chance["kings"]) != seats or len(set(chance["kings"])) != seats or set(chance["kings"]) - set("ODGI"):
            raise ValueError("kings")
        self.game = kings.Game(chance["deck"], chance["kings"])

    def before(self, chance: dict) -> None:
        if chance:
            raise ValueError("chance")

    def seat(self) -> int:
        return self.game.seat

    def legal(self) -> list[str]:
        return self.game.legal()

    def play(self, move: str, chance: dict) -> None:
        self.game.play(move)

    def scores(self) -> list[int]:
        return self.game.scores()


class Horses:
    """Dice and tokens come after the decision, in its line."""

    def __init__(self, seats: int, options: dict[str, int], chance: dict) -> None:
        luck = horses.GivenLuck(chance)
        self.game = horses.Race(seats, luck)
        if not luck.spent():
            raise ValueError("tokens")

    def before(self, chance: dict) -> None:
        pass

    def seat(self) -> int:
        return self.game.seat

    def legal(self) -> list[str]:
        return self.game.legal()

    def play(self, move: str, chance: dict) -> None:
        luck = horses.GivenLuck(chance)
        self.game.play(move, luck)
        if not luck.spent():
            raise ValueError("dice or tokens")

    def scores(self) -> list[int]:
        return list(self.game.spaces)


TABLES = {"goats": Goats, "goblins": Goblins, "kings": Kings, "horses": Horses}


def seats_for(game: str, options: dict[str, int]) -> range:
    """2 to 4 seats; the Big Mountain takes a fifth."""
    return range(2, 6 if game == "goats" and options["big"] else 5)


def judge(lines: Iterable[str]) -> int:
    """How many games these lines hold. Foul at the first line that is wrong; any other exception at one that is not
    even of the right shape."""
    table = None
    played = number = 0
    for number, text in enumerate(lines, start=1):
        line = json.loads(text)
        if table is None:
            insist(set(line) == {"record", "game", "seats", "options", "chance"}, number, "header")
            insist(line["record"] == 1 and set(line["options"]) == OPTIONS[line["game"]], number, "options")
            insist(set(line["options"].values()) <= {0, 1}, number, "options")
            insist(line["seats"] in seats_for(line["game"], line["options"]), number, "seats")
            try:
                table = TABLES[line["game"]](line["seats"], line["options"], line["chance"])
            except (ValueError, LookupError) as fault:
                raise Foul(f"line {number}: {fault}") from None
            continue
        if table.game.over:
            insist(set(line) == {"scores", "winners"}, number, "last line")
            insist(line["scores"] == table.scores(), number, "scores")
            insist(line["winners"] == table.game.winners(), number, "winners")
            played += 1
            table = None
            continue
        insist(set(line) == {"seat", "legal", "move", "chance"}, number, "line of a decision")
        try:
            table.before(line["chance"])
            insist(line["seat"] == table.seat(), number, "seat")
            insist(line["legal"] == sorted(table.legal()), number, "legal")
            insist(line["move"] in line["legal"], number, "move")
            table.play(line["move"], line["chance"])
        except (ValueError, LookupError) as fault:
            raise Foul(f"line {number}: {fault}") from None
    insist(table is None and number > 0, number + 1, "the last line is missing")
    return played
