"""`train --fit`: sees games, fits a part of the weights to them, and lets a match decide."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tools import cli, games, train
from tools.fits import fitting
from tools.matches.spread import Hands

# Games between two savings.
ROUND = 200
# A fit is left whose score may be as low as that.
LOWEST = 0.4
# A game whose weights are fitted to its exact solution instead (solution.py), and how that is asked for.
SOLVED = ("horses", "solution")


@dataclass(frozen=True)
class Sight:
    """Games that observers play."""

    program: ClassVar[str] = "tools.fits.observer"
    line: dict[str, Any]

    def asked(self) -> dict[str, Any]:
        """The first line for an observer."""
        return self.line


def settings(asked: dict[str, Any], name: str, count: int | None, tables: str) -> dict[str, Any]:
    """What the result of a fit depends on, beside what that of every training does. Usage without such a part."""
    there = fitting.parts(asked["game"])
    if name not in there:
        names = [*there, *(part for game, part in [SOLVED] if game == asked["game"])]
        told = f"there are: {', '.join(names)}" if names else "none of its weights are fitted"
        raise cli.Usage(f"--fit {name}: {asked['game']} has no such part; {told}")
    part = there[name]
    for table in games.split_names(tables):
        seats = train.opened(asked["game"], table).seats
        if not part.seats[0] <= seats <= part.seats[1]:
            raise cli.Usage(f"--tables {table}: {name} is not for {seats} seats")
    return {**asked, "fit": name, "games": count or part.games, "tables": games.split_names(tables) or [*part.tables]}


class Fit:
    """A run. The file of its state has the settings in its first line, then what was seen, a game a line, by number."""

    def __init__(self, asked: dict[str, Any], path: Path) -> None:
        self.asked = asked
        self.start = bytes.fromhex(asked["weights"])
        self.tables = [train.opened(asked["game"], table) for table in asked["tables"]]
        self._part = fitting.parts(asked["game"])[asked["fit"]]
        self._path = path

    def begin(self) -> None:
        """Forget what was seen."""
        train.save(self._path, json.dumps(self.asked) + "\n")

    def resume(self) -> None:
        """Keep what was seen. Failure if there is nothing, or it was another run."""
        try:
            whole, _, _ = self._path.read_text(encoding="utf-8").rpartition("\n")
            first = json.loads(whole.partition("\n")[0])
            known = first.keys() == self.asked.keys()
            rows = whole.split("\n")[1:]
            known = known and len(rows) <= self.asked["games"] and all(map(self._shaped, map(json.loads, rows)))
        except FileNotFoundError:
            raise train.nothing(self._path) from None
        except (OSError, ValueError, AttributeError, KeyError, TypeError):
            known = False
        if not known:
            raise train.broken(self._path)
        if first != self.asked:
            raise train.another(first, self.asked)
        # A line that was cut short goes.
        train.save(self._path, whole + "\n")

    def see(self, hands: Hands) -> None:
        """Have the games played that were not yet."""
        asked, count = self.asked, self.asked["games"]
        work = Sight(
            {
                "game": asked["game"],
                "part": asked["fit"],
                "tables": [[table.seats, table.mask] for table in self.tables],
                "weights": asked["weights"],
            }
        )
        seen = sum(1 for _ in self._lines())
        with cli.Progress("games", count) as progress:
            progress.count = seen
            for start in range(seen, count, ROUND):
                tasks = [{"id": i, "seed": asked["seed"] + 2 * i} for i in range(start, min(count, start + ROUND))]
                played = sorted(hands.play(work, tasks, progress.step), key=lambda pair: pair[0]["id"])
                with self._path.open("a", encoding="utf-8") as file:
                    file.writelines(json.dumps(result["rows"]) + "\n" for _, result in played)

    def found(self) -> bytes:
        """The weights, those of the part as they fit what was seen; says how well they do."""
        rows: list[list[fitting.Row]] = [[] for _ in range(self._part.blocks)]
        for line in self._lines():
            for row in json.loads(line):
                rows[row[0]].append(row)
        weights = bytearray(self.start)
        for number, seen in enumerate(rows):
            at = slice(self._part.first + self._part.size * number, self._part.first + self._part.size * (number + 1))
            if not seen:
                print(f"{self.asked['fit']} {number}: nothing was seen, left as it was")
                continue
            block = fitting.fit_block(seen, self._part, self.start[at])
            weights[at] = block.weights
            print(
                f"{self.asked['fit']} {number}: {block.rows} rows, loss {block.loss:.4f}, "
                f"by the weights before {block.before:.4f}, by a guess {block.guess:.4f}"
            )
        return bytes(weights)

    def _shaped(self, seen: Any) -> bool:
        """Whether this can be what an observer told of a game (tools/fits/parts.py)."""
        return isinstance(seen, list) and all(
            isinstance(row, list)
            and len(row) == 4
            and row[0] in range(self._part.blocks)
            and row[2] > 0
            and len(row[3]) == row[2] * (self._part.size + 1)
            and (len(row[1]) == row[2] if isinstance(row[1], list) else row[1] in range(row[2]))
            for row in seen
        )

    def _lines(self) -> Iterator[str]:
        with self._path.open(encoding="utf-8") as file:
            next(file)
            yield from file


def as_good(low: float, high: float) -> bool:
    """Whether a match lets a fit take the place of the weights before. Other than a walk that follows who won it does not
    begin there, so it need not be better; but a match too short to tell is no leave."""
    return high >= 0.5 and low > LOWEST


def run(fit: Fit, hands: Hands, path: Path, resume: bool) -> int:
    """See, fit and decide."""
    asked = fit.asked
    if resume:
        fit.resume()
    else:
        fit.begin()
    try:
        fit.see(hands)
        found = fit.found()
        # Every table once, however often it was seen.
        asked = {**asked, "tables": list(dict.fromkeys(asked["tables"]))}
        results = train.decide(train.Match(asked), found, hands)
    except KeyboardInterrupt:
        cli.say("stopped; the same with --resume goes on")
        raise
    how = f"`--fit {asked['fit']}`, {asked['games']} games, `--player {asked['player']}`, seed {asked['seed']}"
    train.end(asked, how, found, results, all(as_good(low, high) for _, _, low, high in results))
    path.unlink(missing_ok=True)
    return cli.DONE
