"""Matches on all cores of this machine, or of the machines of a Dask cluster: the same games either way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tools.cli import Failure
from tools.environment import distributed_pin
from tools.matches.crew import Crew, Work, cores

# Games of a piece of work for a cluster: a process there is started for each piece.
PIECE = 16
CONNECT_S = 20

Played = list[tuple[dict, dict]]
"""Games with their results."""


class Hands(Protocol):
    """Whoever plays matches."""

    def play(self, work: Work, games: Sequence[dict], played: Callable[[], None]) -> Played:
        """Play games and return them with their results, in any order; `played` is called after each."""

    def close(self) -> None:
        """Let go of what is held."""


class Here:
    """The cores of this machine."""

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or cores()

    def play(self, work: Work, games: Sequence[dict], played: Callable[[], None]) -> Played:
        found = []
        with Crew(work, self._workers) as crew:
            for game, result in crew.play(games):
                found.append((game, result))
                played()
        return found

    def close(self) -> None:
        pass


def play_piece(work: Work, games: Sequence[dict]) -> Played:
    """Play games in one process; on a machine of the cluster, whose worker runs in the project's folder."""
    return Here(1).play(work, games, lambda: None)


class Cluster:
    """The machines of a Dask scheduler."""

    def __init__(self, address: str) -> None:
        """Connect. Failure if that cannot be done."""
        try:
            import distributed
        except ImportError:
            raise Failure(
                f"--scheduler needs a package that is not installed: {distributed_pin()}; "
                "install it for this Python and on the machines of the cluster"
            ) from None
        self._distributed: Any = distributed
        try:
            self._client = distributed.Client(address, timeout=CONNECT_S)
        except (OSError, ValueError) as fault:
            raise Failure(f"no Dask scheduler answers at {address}: {fault}") from None
        if not self._client.ncores():
            self.close()
            raise Failure(
                f"the Dask scheduler at {address} has no workers; start `dask worker {address}` in this folder"
            )

    def play(self, work: Work, games: Sequence[dict], played: Callable[[], None]) -> Played:
        pieces = [games[i : i + PIECE] for i in range(0, len(games), PIECE)]
        waiting = [self._client.submit(play_piece, work, piece, pure=False) for piece in pieces]
        found: Played = []
        try:
            for done in self._distributed.as_completed(waiting):
                results = done.result()
                found += results
                for _ in results:
                    played()
        finally:
            self._client.cancel(waiting)
        return found

    def close(self) -> None:
        self._client.close()
