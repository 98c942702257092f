"""The final ranking: its order, its ties, and what it shows of what broke them."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from firmware.scenes.result import Scene
from games.goats import rules
from games.rng import Rng
from tests.firmware.hand import Hand, pbm

GOLDEN = Path(__file__).parent / "golden"
GAMES = 400


def ended(seats: int, seed: int) -> bytearray:
    """A game that was played at random to its end."""
    rng = Rng(seed)
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, seats, int(seats > 4), rng)
    rules.playout(state, rng)
    return state


def scores_of(state: bytearray) -> list[int]:
    scores = array("h", [0] * 5)
    rules.scores(state, scores)
    return list(scores[: state[0]])


def has_tie(state: bytearray) -> bool:
    scores = scores_of(state)
    return scores.count(max(scores)) > 1


def tie(language: str = "en") -> bytes:
    """The frame of a final ranking with a tie that the summits broke."""
    state = next(state for state in (ended(2, seed) for seed in range(1, 5000)) if has_tie(state))
    hand = Hand(language=language)
    hand.app.open("result", "goats", bytes([1, 2]), state)
    hand.press(".")
    return bytes(hand.device.display.shown)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_ranking(seats: int) -> None:
    hand = Hand()
    ties = 0
    for seed in range(1, GAMES // seats):
        state = ended(seats, seed)
        scores = scores_of(state)
        scene = Scene(hand.app, "goats", bytes([2] * seats), state)
        order = [-seat for _, _, seat in scene._rows]
        assert sorted(order) == list(range(seats))
        assert [scores[k] for k in order] == sorted(scores, reverse=True)
        # Who wins stands first, even where a tie had to be broken.
        winners = [k for k in range(seats) if rules.winners(state) >> k & 1]
        assert sorted(order[: len(winners)]) == winners
        ties += has_tie(state)
    assert ties or seats > 2


def test_picture_of_a_tie() -> None:
    """Two seats with equal scores: goats on summits and the highest summit stand beside them."""
    assert pbm(tie()) == (GOLDEN / "result-tie.pbm").read_bytes()
