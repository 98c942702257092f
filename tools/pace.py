"""How fast the firmware's loop ran on the host, and what it sent."""

from __future__ import annotations

import time


class Pace:
    """How fast it ran."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._turns: list[float] = []
        self.screens = 0
        self.panel_bytes = 0
        self.terminal_bytes = 0

    def turn(self, seconds: float, panel_bytes: int) -> None:
        """One turn of the loop took so long, of which it slept nothing."""
        self._turns.append(seconds)
        self.panel_bytes += panel_bytes
        self.screens += panel_bytes > 0

    def line(self) -> str:
        """All of it in a line."""
        took = max(time.perf_counter() - self._started, 1e-9)
        turns = sorted(self._turns) or [0.0]
        return (
            f"{len(self._turns)} turns in {took:.2f} s ({len(self._turns) / took:.1f} a second), "
            f"{self.screens} screens, a turn took {turns[len(turns) // 2] * 1000:.1f} ms "
            f"(the longest {turns[-1] * 1000:.1f}), "
            f"{self.panel_bytes} bytes to the panel, {self.terminal_bytes} to the terminal"
        )
