"""Makes the golden records anew: `python3 -m tests.games.rerecord`. Read each against its rules page before it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tools import standins

standins.install()

from tests.platforms.traces import tables  # noqa: E402 (needs the stand-ins)
from tools import games, players, record  # noqa: E402

GOLDEN = Path(__file__).parent / "golden"
# Of the first hundred one that shows the most: all actions and starred cards, a shared win, stakes that win and lose.
SEED = 38


def names_on(game: str, mask: int) -> list[str]:
    """The options of a game that are on."""
    return [name for i, name in enumerate(games.catalogue.options(game)) if mask >> i & 1]


def file_name(game: str, mask: int) -> str:
    """`goblins-actions-contested.jsonl`; without options the game alone."""
    return "-".join([game, *names_on(game, mask)]) + ".jsonl"


def wanted() -> Iterator[tuple[str, str]]:
    """Name and text of each golden record: a random game for each number of seats, for every game and option set."""
    for game in games.catalogue.ids():
        for mask in range(1 << len(games.catalogue.options(game))):
            text = ""
            for seats in [seats for seats, options in tables(game) if options == mask]:
                table = games.open_game(game, seats, names_on(game, mask))
                # The random player: its moves do not change when the others learn.
                for line in record.records(table, players.seat_players(table, ["random"]), SEED, 1):
                    text += line + "\n"
            yield file_name(game, mask), text


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, text in wanted():
        (GOLDEN / name).write_bytes(text.encode("utf-8"))
        print(f"{len(text):8} {name}")
