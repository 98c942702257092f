"""The computer players by name."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from tools.cli import Usage
from tools.games import Choose, Game, Rng, catalogue


def random_move(_state: bytearray, moves: array, count: int, rng: Rng) -> int:
    """Every legal move equally likely."""
    return moves[rng.below(count)]


def _random(_game: Game) -> Choose:
    return random_move


def _easy(game: Game) -> Choose:
    return catalogue.load(game.name, "bot").choose


# A name and what makes the player for a game.
PLAYERS = {"random": _random, "easy": _easy}


def seat_players(game: Game, names: Sequence[str]) -> list[Choose]:
    """A player for each seat of `game`: one name stands for all. Usage if that does not fit."""
    for name in names:
        if name not in PLAYERS:
            raise Usage(f"no player {name!r}; there are: {', '.join(PLAYERS)}")
    if len(names) == 1:
        names = list(names) * game.seats
    if len(names) != game.seats:
        raise Usage(f"{game.seats} seats need {game.seats} players or one for all, not {len(names)}")
    return [PLAYERS[name](game) for name in names]
