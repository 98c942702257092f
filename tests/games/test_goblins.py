"""Goblins against the plain version of its rules, over thousands of random games; bounds and conservation."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from itertools import combinations, product

import pytest

from games.goblins import bot, notation, rules
from games.rng import Rng
from tests.reference import goblins as plain

CONFIGURATIONS = [(seats, mask) for seats in (2, 3, 4) for mask in range(4)]

# Offsets of the state (games/goblins/rules.py).
TO_MOVE, PHASE, RACE, LANE, SEAT = 2, 3, 4, 8, 63
DUCATS, MC, PRIZES, BOUGHT, FEE = 6, 7, 8, 9, 10
BUYING = 5


def fresh(seats: int, mask: int) -> bytearray:
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, seats, mask, None)
    return state


def plain_game(seats: int, mask: int) -> plain.Game:
    return plain.Game(seats, actions=bool(mask & 1), contested=bool(mask & 2))


def legal_texts(state: bytearray) -> list[str]:
    buf = array("H", [0] * rules.MAX_LEGAL)
    codes = list(buf[: rules.legal(state, buf)])
    assert codes == sorted(set(codes)), "ascending, no duplicates"
    return [notation.move_text(state, code) for code in codes]


def cards(state: bytearray, at: int) -> list[plain.Card]:
    """A counted row of cards; what follows it is empty."""
    row = state[at + 1 : at + 5]
    assert not any(row[state[at] :])
    return [plain.Card((card >> 4) - 1, card & 7, bool(card & 8)) for card in row[: state[at]]]


def hand(state: bytearray, seat: int) -> Counter[plain.Card]:
    first, second, star = state[SEAT + 11 * seat : SEAT + 11 * seat + 3]
    found: Counter[plain.Card] = Counter()
    for value in range(7):
        found[plain.Card(seat, value, False)] = (first >> value & 1) + (second >> value & 1)
        found[plain.Card(seat, value, True)] = star >> value & 1
    return +found


def assert_same(state: bytearray, game: plain.Game) -> None:
    """Everything that the page names is equal in both, at any ply and at the end."""
    assert state[RACE] == game.race - (game.deciding != "buy" and not game.over)
    assert (rules.seat(state) == rules.OVER) == game.over
    if not game.over:
        assert rules.seat(state) == game.to_move
        assert (state[PHASE] == BUYING) == (game.deciding == "buy")
    for lane, place in zip(game.lanes, range(LANE, SEAT, 11)):
        assert cards(state, place + 1) == lane.track
        assert cards(state, place + 6) == lane.zone
    for seat, base in zip(range(game.seats), range(SEAT, rules.STATE_BYTES, 11)):
        assert hand(state, seat) == Counter(game.hands[seat])
        assert state[base + DUCATS] == game.ducats[seat]
        assert state[base + MC] == game.mc[seat]
        assert state[base + PRIZES] == game.prizes[seat]
        assert state[base + BOUGHT] == game.bought[seat]
        assert state[base + FEE] == game.paid_for_mc[seat]
    scores = array("h", [0] * 4)
    rules.scores(state, scores)
    assert list(scores[: game.seats]) == game.scores()
    assert [seat for seat in range(game.seats) if rules.winners(state) >> seat & 1] == game.winners()


def assert_conserved(state: bytearray, game: plain.Game) -> None:
    """No card and no ducat comes or goes but by the bank and out of the game; the plain version's own books."""
    dealt = plain_game(game.seats, state[1]).hands
    for seat in range(game.seats):
        held = hand(state, seat)
        for place in range(LANE, LANE + 11 * (game.seats + 1), 11):
            held.update(card for card in cards(state, place + 1) + cards(state, place + 6) if card.seat == seat)
        held.update(card for card in game.out if card.seat == seat)
        assert held == Counter(dealt[seat])
    bank = 3 * sum(game.prizes) - sum(game.bought) - sum(game.paid_for_mc)
    assert sum(state[SEAT + 11 * seat + DUCATS] for seat in range(game.seats)) == 6 * game.seats + bank


def told() -> list[tuple[int, ...]]:
    return [tuple(rules.TRACE[i : i + 4]) for i in range(1, 1 + 4 * rules.TRACE[0], 4)]


def compare_one_game(seats: int, mask: int, pick: random.Random, most: dict[str, int]) -> None:
    state = fresh(seats, mask)
    game = plain_game(seats, mask)
    assert_same(state, game)
    plies = 0
    while not game.over:
        legal = legal_texts(state)
        assert sorted(legal) == game.legal()
        chosen = pick.choice(legal)
        purses = list(game.ducats)
        following = rules.apply(state, notation.move_code(state, chosen))
        game.play(chosen)
        assert following == rules.seat(state)
        assert_same(state, game)
        assert_conserved(state, game)
        rules.check(state)
        # The trace tells the ducats and the MC cards.
        for kind, a, b, c in told():
            if kind == rules.PRIZE:
                purses[a] += c
            elif kind == rules.PAID:
                purses[a] -= b
                assert c == game.mc[a]
            elif kind == rules.BACK and chosen.startswith("buy"):
                purses[a] -= 1
        assert purses == game.ducats
        plies += 1
        most["legal"] = max(most["legal"], len(legal))
    most["plies"] = max(most["plies"], plies)
    assert legal_texts(state) == []


@pytest.mark.parametrize("games", [40, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("seats", "mask"), CONFIGURATIONS)
def test_random_games_against_the_plain_version(seats, mask, games):
    """Move by move: legal moves, seat to move, hands, lanes, ducats, MC cards, scores, winners, the end."""
    pick = random.Random(4 * seats + mask)
    most = {"legal": 0, "plies": 0}
    for _ in range(games):
        compare_one_game(seats, mask, pick, most)
    assert most["legal"] <= rules.MAX_LEGAL
    assert most["plies"] <= rules.MAX_PLIES


def eager(state: bytearray, game: plain.Game, pick: random.Random) -> str:
    """A move that keeps cards in play: takes back whatever can be, and otherwise ends no race if it can help it."""
    legal = game.legal()
    back = [text for text in legal if text.startswith(("buy", "rescue"))]
    return pick.choice(back or legal)


@pytest.mark.parametrize(("seats", "mask"), CONFIGURATIONS)
def test_long_games_against_the_plain_version(seats, mask):
    """Players who buy and rescue all they can: zones, hands and purses get to where random play seldom does."""
    pick = random.Random(99)
    longest = 0
    for _ in range(20):
        state = fresh(seats, mask)
        game = plain_game(seats, mask)
        plies = 0
        while not game.over:
            assert sorted(legal_texts(state)) == game.legal()
            text = eager(state, game, pick)
            rules.apply(state, notation.move_code(state, text))
            game.play(text)
            rules.check(state)
            plies += 1
        assert_same(state, game)
        longest = max(longest, plies)
    assert longest <= rules.MAX_PLIES


def test_max_legal_is_proven():
    """11 different cards and 5 lanes; an action or a purchase offers to decline and at most one move for each
    different card, or two cards to four lanes, or four lanes."""
    kinds = {str(card) for card in plain.Game(4, actions=True).hands[0]}
    assert len(kinds) == 11
    assert max(len(kinds) * 5, 1 + len(kinds), 1 + 2 * 4, 1 + 4) == rules.MAX_LEGAL
    assert len(legal_texts(fresh(4, 1))) == rules.MAX_LEGAL, "and it is reached"


def test_max_plies_is_proven():
    """The sum beside MAX_PLIES: plays, actions, purchases, `done`."""
    seats, between = 4, 3
    in_zones = 3 * (seats + 1) + 1
    bought = between * in_zones
    rescued = 4 * seats  # one 3* a race for each seat
    plays = 12 * seats + bought + rescued
    actions = 4 * seats * (3 + 1)  # 1*, 2*, 3*, and one of them again after a rescue
    assert plays + actions + bought + between * seats == rules.MAX_PLIES


def test_no_two_seats_have_equal_sums_and_equal_numbers():
    """On a track of at most three different values, so `apply` need not look for it."""
    for size in (1, 2, 3):
        for values in combinations(range(7), size):
            for owners in product(range(4), repeat=size):
                ranks = Counter(
                    (sum(v for v, o in zip(values, owners) if o == seat), owners.count(seat)) for seat in set(owners)
                )
                assert max(ranks.values()) == 1


def test_a_playout_draws_from_the_legal_moves_in_order():
    """The same generator gives the same game through `legal` and `below` as in one call, from any ply on."""
    buf = array("H", [0] * rules.MAX_LEGAL)
    for seats, mask in CONFIGURATIONS:
        rng, twin = Rng(seats), Rng(seats)
        for opening in (0, 7, 20):
            state = fresh(seats, mask)
            for _ in range(opening):
                rules.apply(state, buf[rng.below(rules.legal(state, buf))])
                twin.below(1)
            twin.state[0] = rng.state[0]
            copy = bytearray(state)
            plies = rules.playout(copy, twin)
            count = 0
            while rules.seat(state) != rules.OVER:
                rules.apply(state, buf[rng.below(rules.legal(state, buf))])
                count += 1
            assert (copy, plies, twin.state[0]) == (state, count, rng.state[0])
            assert rules.playout(copy, twin) == 0
            assert copy == state, "an ended game stays"


@pytest.mark.parametrize(("seats", "mask"), CONFIGURATIONS)
def test_playouts_end_in_states_that_could_be(seats, mask):
    rng = Rng(100 + seats)
    for _ in range(300):
        state = fresh(seats, mask)
        assert 0 < rules.playout(state, rng) <= rules.MAX_PLIES
        rules.check(state)
        assert rules.seat(state) == rules.OVER


def test_the_trace_has_room_for_the_longest_story():
    """4 seats: a card put and one thrown, four races that end at once, each lane paid, four fees."""
    assert len(rules.TRACE) == 1 + 4 * (2 + 4 * (4 + 1 + 5) + 4)
    assert len(rules.TRACE) // 4 < 256


def won(state: bytearray, seat: int) -> float:
    winners = rules.winners(state)
    return (winners >> seat & 1) / winners.bit_count()


@pytest.mark.parametrize("mask", range(4))
def test_the_instant_player_beats_a_random_one(mask):
    """At least 85 of 100 two-seat games."""
    buf = array("H", [0] * rules.MAX_LEGAL)
    rng = Rng(2026 + mask)
    wins = 0.0
    for game in range(100):
        state = fresh(2, mask)
        while (seat := rules.seat(state)) != rules.OVER:
            n = rules.legal(state, buf)
            rules.apply(state, bot.choose(state, buf, n, rng) if seat == game % 2 else buf[rng.below(n)])
        wins += won(state, game % 2)
    assert wins >= 85
