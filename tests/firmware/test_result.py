"""The final ranking: its order, its ties, and what it shows of what broke them."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from firmware.scenes.result import Scene
from firmware.texts import t
from games.goats import rules
from games.rng import Rng
from tests.firmware.hand import Hand, pbm

GOLDEN = Path(__file__).parent / "golden"
GAMES = 400
# Where the state has the owners of the summits, and the bytes of the seats, 16 each.
_SUMMIT, _SEAT = 15, 37


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


@pytest.mark.parametrize(
    ("scores", "summits", "said"),
    [
        ([30, 20, 10], [0, 0, 0], False),
        ([30, 20, 20], [0, 1, 2], False),  # a tie, but the winner's score is the highest
        ([30, 30, 20], [1, 2, 0], True),
        ([30, 30, 30], [1, 0, 0], True),
        ([30, 30, 20], [0, 0, 1], False),  # a tie that nothing broke
        ([30, 30, 30], [0, 0, 0], False),
    ],
)
def test_summits_are_named_where_they_decided_the_win(
    monkeypatch: pytest.MonkeyPatch, scores: list[int], summits: list[int], said: bool
) -> None:
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, 3, 0, Rng(1))
    state[2] = rules.OVER
    free = list(range(6))
    for seat in range(3):
        # Tokens of the mountain 10 make the score.
        state[_SEAT + 16 * seat + 6 + 5] = scores[seat] // 10
        for _ in range(summits[seat]):
            m = free.pop()
            state[_SEAT + 16 * seat + m] = 0
            state[_SUMMIT + m] = _SEAT + 16 * seat
    assert scores_of(state) == scores
    hand = Hand()
    drawn = []
    hand.app.open("result", "goats", bytes([1, 2, 2]), state)
    text = hand.app.screen.text
    monkeypatch.setattr(hand.app.screen, "text", lambda words, *place: (drawn.append(words), text(words, *place))[1])
    hand.press(".")
    assert (t("tie.goats") in drawn) == said


def test_picture_of_a_tie() -> None:
    """Two seats with equal scores: goats on summits and the highest summit stand beside them."""
    assert pbm(tie()) == (GOLDEN / "result-tie.pbm").read_bytes()
