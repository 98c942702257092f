"""The table of goats: its score sheet."""

from __future__ import annotations

from functools import partial

import pytest

from firmware import saves, screen
from tests.firmware.hand import Hand


def numbers(monkeypatch, draw):
    """(y, x, value) of each number that is drawn."""
    drawn: list[tuple[int, int, int]] = []
    real = screen.Screen.number

    def number(self, value, x, y, ink=1):
        drawn.append((y, x, value))
        return real(self, value, x, y, ink)

    with monkeypatch.context() as patch:
        patch.setattr(screen.Screen, "number", number)
        draw()
    return drawn


@pytest.mark.parametrize(("seats", "big"), [(2, 0), (4, 0), (2, 1), (5, 1)])
def test_a_line_of_the_score_sheet_adds_up(monkeypatch, seats, big):
    """Tokens times their mountain, bonus tokens and, with it, the points of the Big Mountain are the score."""
    hand = Hand(seed=3)
    hand.start([saves.EASY] * seats, big, "goats")
    hand.app.settings.values[2] = 3
    seen = 0
    while hand.scene() == "game":
        hand.wait(1000)
        if hand.scene() != "game" or hand.app.top().plies < 20 * seats:
            continue
        drawn = numbers(monkeypatch, partial(hand.app.top().view.draw_sheet, hand.app.screen))
        heads = sorted((x, value) for y, x, value in drawn if y == 1)
        assert [value for _, value in heads] == [5, 6, 7, 8, 9, 10]
        worth = dict(heads)
        for seat in range(seats):
            line = sorted((x, value) for y, x, value in drawn if y == 13 + 11 * seat)
            *parts, (_, score) = line
            # Bonus tokens and the Big Mountain are points.
            assert sum(value * worth.get(x, 1) for x, value in parts) == score
            seen += len(parts)
    assert seen > 20
