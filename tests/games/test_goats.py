"""Goats against the plain version of its rules, over every roll and thousands of random games."""

from __future__ import annotations

import random
from array import array
from itertools import combinations_with_replacement

import pytest

from games.goats import notation, rules
from games.rng import Rng
from tests.reference import goats as plain

CONFIGURATIONS = [(2, 0), (3, 0), (4, 0), (2, 1), (3, 1), (4, 1), (5, 1)]
ROLLS = list(combinations_with_replacement(range(1, 7), 4))


def text(sums: tuple[int, ...]) -> str:
    return "+".join(map(str, sums)) or "-"


def legal_texts(state: bytearray) -> list[str]:
    buf = array("H", [0] * rules.MAX_LEGAL)
    codes = list(buf[: rules.legal(state, buf)])
    assert codes == sorted(set(codes)), "ascending, no duplicates"
    return [notation.move_text(state, code) for code in codes]


@pytest.mark.parametrize("big", [0, 1])
def test_legal_moves_of_all_126_rolls(big):
    """On an empty table; the most moves are those stated beside MAX_LEGAL."""
    most = 0
    for dice in ROLLS:
        state = bytearray(rules.STATE_BYTES)
        rules.new(state, 2, big, None)
        rules.apply(state, notation.take_event({"dice": list(dice)}, state))
        game = plain.Game(2, bool(big))
        game.roll(dice)
        found = legal_texts(state)
        assert set(found) == {text(sums) for sums in game.legal()}, dice
        most = max(most, len(found))
    assert most == (46 if big else 29)


def assert_same(state: bytearray, game: plain.Game) -> None:
    """Every number that the page names is equal in both."""
    seats = len(game.seats)
    assert list(state[9:15]) == list(game.left.values())
    for k, seat in enumerate(game.seats):
        base = 37 + 16 * k
        assert [plain.HEIGHT[m] - state[base + m - 5] for m in plain.HEIGHT] == list(seat.steps.values())
        assert list(state[base + 6 : base + 12]) == list(seat.tokens.values())
        assert [v for bit, v in ((8, 15), (4, 12), (2, 9), (1, 6)) if state[base + 14] & bit] == seat.bonus
        if game.big:
            assert state[base + 12] == game.pool(k)
    assert {step: (state[10 + step] - 37) // 16 for step in range(11, 25) if state[10 + step]} == game.big_steps
    scores = array("h", [0] * 5)
    rules.scores(state, scores)
    assert list(scores[:seats]) == game.scores()
    assert [k for k in range(seats) if rules.winners(state) >> k & 1] == game.winners()


def compare_one_game(seats: int, big: int, rng: Rng, pick: random.Random) -> None:
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, seats, big, rng)
    game = plain.Game(seats, bool(big))
    plies = 0
    while rules.seat(state) != rules.OVER:
        event = rules.sample(state, rng)
        before = bytes(state)
        rules.apply(state, event)
        game.roll(ROLLS[event])
        assert before != bytes(state)
        assert rules.seat(state) == game.turn
        legal = legal_texts(state)
        assert set(legal) == {text(sums) for sums in game.legal()}
        chosen = pick.choice(legal)
        rules.apply(state, notation.move_code(state, chosen))
        game.play(tuple(int(v) for v in chosen.split("+")) if chosen != "-" else ())
        assert_same(state, game)
        rules.check(state)
        plies += 2
    assert game.over and plies <= rules.MAX_PLIES


@pytest.mark.parametrize("games", [60, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("seats", "big"), CONFIGURATIONS)
def test_random_games_against_the_plain_version(seats, big, games):
    """Move by move: legal moves, steps, tokens, bonus, the Big Mountain, scores, winners, the end."""
    pick = random.Random(seats * 2 + big)
    rng = Rng(seats * 2 + big)
    for _ in range(games):
        compare_one_game(seats, big, rng, pick)


@pytest.mark.parametrize(("seats", "big"), CONFIGURATIONS)
def test_two_thousand_playouts_keep_every_token(seats, big):
    """`check` counts tokens, goats, sets and bonus tokens; the plies are those of whole rounds."""
    rng = Rng(100 + seats)
    state = bytearray(rules.STATE_BYTES)
    for _ in range(2000):
        rules.new(state, seats, big, rng)
        plies = rules.playout(state, rng)
        rules.check(state)
        assert rules.seat(state) == rules.OVER
        assert plies == 2 * seats * state[5] <= rules.MAX_PLIES


def test_a_playout_goes_on_from_any_ply():
    """From a decision as well as from a roll; the rest of the plies is returned; an ended game stays."""
    rng = Rng(5)
    buf = array("H", [0] * rules.MAX_LEGAL)
    for plies in range(60):
        state = bytearray(rules.STATE_BYTES)
        rules.new(state, 3, 1, rng)
        for _ in range(plies):
            rolls = rules.seat(state) == rules.CHANCE
            rules.apply(state, rules.sample(state, rng) if rolls else buf[rng.below(rules.legal(state, buf))])
        rest = rules.playout(state, rng)
        assert plies + rest == 2 * 3 * state[5]
        ended = bytes(state)
        assert rules.playout(state, rng) == 0 and bytes(state) == ended


def test_a_playout_draws_every_legal_move_equally():
    """Chi-square over the first move of a playout, taken from its trace in the goats' steps (one roll, no big sums)."""
    rng = Rng(9)
    start = bytearray(rules.STATE_BYTES)
    rules.new(start, 2, 0, rng)
    rules.apply(start, notation.take_event({"dice": [1, 1, 5, 6]}, start))
    start[5] = 59  # the last round: one move of each seat is left
    outcomes: dict[bytes, int] = {}
    buf = array("H", [0] * rules.MAX_LEGAL)
    n = rules.legal(start, buf)
    for code in buf[:n]:
        state = bytearray(start)
        rules.apply(state, code)
        outcomes[bytes(state[37:49])] = outcomes.get(bytes(state[37:49]), 0) + 1
    tries = 40 * n * 10
    seen = dict.fromkeys(outcomes, 0)
    for _ in range(tries):
        state = bytearray(start)
        rules.playout(state, rng)
        key = bytes(state[37:43])
        for outcome in outcomes:
            if outcome[:6] == key[:6] and outcome[6:] == bytes(state[43:49]):
                seen[outcome] += 1
    assert sum(seen.values()) >= tries * 0.9, "only a summit reached by both could change seat 0's bytes"
    expected = {key: tries * count / n for key, count in outcomes.items()}
    chi = sum((seen[key] - expected[key]) ** 2 / expected[key] for key in outcomes)
    assert chi < len(outcomes) + 5 * (2 * len(outcomes)) ** 0.5


def test_dice_have_their_true_chances():
    """Chi-square of 126 classes over 126,000 rolls, each class as likely as its ordered rolls."""
    rng = Rng(3)
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, 2, 0, rng)
    seen = [0] * 126
    tries = 126_000
    for _ in range(tries):
        seen[rules.sample(state, rng)] += 1
    expected = [0.0] * 126
    for kind in rules.TABLE[70 : 70 + 1296]:
        expected[kind] += tries / 1296
    chi = sum((a - b) ** 2 / b for a, b in zip(seen, expected))
    assert chi < 125 + 5 * (2 * 125) ** 0.5
    planted = list(seen)
    planted[ROLLS.index((1, 2, 3, 4))] += 700
    assert sum((a - b) ** 2 / b for a, b in zip(planted, expected)) > 125 + 5 * (2 * 125) ** 0.5, "a bias would show"


def test_the_instant_player_beats_a_random_one():
    """At least 95 of 100 two-seat games, with and without the Big Mountain."""
    from games.goats import bot

    buf = array("H", [0] * rules.MAX_LEGAL)
    for big in (0, 1):
        rng = Rng(2026 + big)
        wins = 0.0
        for game in range(100):
            state = bytearray(rules.STATE_BYTES)
            rules.new(state, 2, big, rng)
            while (seat := rules.seat(state)) != rules.OVER:
                if seat == rules.CHANCE:
                    rules.apply(state, rules.sample(state, rng))
                    continue
                n = rules.legal(state, buf)
                move = bot.choose(state, buf, n, rng) if seat == game % 2 else buf[rng.below(n)]
                rules.apply(state, move)
            winners = rules.winners(state)
            if winners >> game % 2 & 1:
                wins += 1 if winners.bit_count() == 1 else 0.5
        assert wins >= 95
