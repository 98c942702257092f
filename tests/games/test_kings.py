"""Kings against the plain version of its rules, what a seat may know against a list of all worlds, and its bounds."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from itertools import permutations

import pytest

from games.kings import bot, notation, rules
from games.rng import Rng
from tests.games.portable import kings as small
from tests.games.test_offsets import ROOT, consts
from tests.platforms.strict import StrictBytes
from tests.reference import kings as plain

SEATS = [2, 3, 4]


def buffer() -> array:
    return array("H", [0] * rules.MAX_LEGAL)


def too_far(chi: float, degrees: int) -> bool:
    """Whether chi-square is more than five standard deviations above what chance gives."""
    return chi > degrees + 5 * (2 * degrees) ** 0.5


def chi_square(seen: dict, expected: dict) -> float:
    assert set(seen) <= set(expected), "something that cannot be"
    return sum((seen.get(key, 0) - mean) ** 2 / mean for key, mean in expected.items())


# --- The same game twice


def assert_same(s: bytearray, game: plain.Game) -> None:
    """Every card lies where it lies in the plain version; scores, winners and the turn are equal."""
    names = lambda cards: [str(card) for card in cards]  # noqa: E731
    assert rules.seat(s) == (rules.OVER if game.over else game.seat)
    assert s[small.DRAWING] == game.drawing
    for k in range(game.seats):
        assert small.hand(s, k) == sorted(names(game.hands[k]), key=small.NAMES.index)
        assert small.area(s, k) == [str(mine.card) for mine in game.areas[k]]
        assert small.chain(s, small.UNDER + k)[::-1] == names(game.exploited[k])
        for mine in game.areas[k]:
            assert small.chain(s, small.LINK + small.number(str(mine.card)))[::-1] == names(mine.stack)
            assert s[small.LEFT + small.number(str(mine.card))] == mine.card.capacity + mine.card.foreman - len(
                mine.stack
            )
    assert small.centre(s) == [str(mine.card) for mine in game.centre]
    for mine in game.centre:
        assert small.chain(s, small.LINK + small.number(str(mine.card)))[::-1] == names(mine.stack)
    for race in plain.RACES:
        assert small.pile(s, race)[::-1] == names(game.market[race])
    assert small.cards(s, small.DECK, s[small.IN_DECK])[::-1] == names(game.deck)
    for card in game.gone:
        assert s[small.LINK + card.number + 1] == 0
    assert small.points(s) == game.scores()
    assert [k for k in range(game.seats) if rules.winners(s) >> k & 1] == game.winners()


@pytest.mark.parametrize("games", [25, pytest.param(1500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seats", SEATS)
def test_random_games_against_the_plain_version(seats, games):
    """Move by move: legal moves, hands, piles, stacks, areas, the deck, scores, winners, the end."""
    rng = Rng(seats)
    buf = buffer()
    for _ in range(games):
        s = bytearray(rules.STATE_BYTES)
        rules.new(s, seats, 0, rng)
        chance = notation.header(s)
        game = plain.Game(chance["deck"], chance["kings"])
        plies = 0
        while not game.over:
            assert_same(s, game)
            n = rules.legal(s, buf)
            legal = [notation.move_text(s, move) for move in buf[:n]]
            assert sorted(legal) == game.legal()
            chosen = rng.below(n)
            rules.apply(s, buf[chosen])
            game.play(legal[chosen])
            assert sorted(card.number for card in game.cards()) == list(range(80))
            rules.check(s)
            plies += 1
        assert_same(s, game)
        assert plies <= rules.MAX_PLIES


@pytest.mark.parametrize("seats", SEATS)
def test_the_plain_version_deals_what_the_deck_says(seats):
    """Any deck: `set_up` and the plain version lay out the same table."""
    for seed in range(30):
        game = plain.deal(seats, random.Random(seed))
        deck = [str(card) for hand in game.hands for card in hand] + [str(mine.card) for mine in game.centre]
        deck += [str(card) for pile in game.market.values() for card in pile] + [str(card) for card in game.deck]
        s = bytearray(rules.STATE_BYTES)
        notation.set_up(s, seats, 0, {"deck": deck, "kings": list(game.kings)})
        assert_same(s, game)


def test_tables_hold_both_sides_of_every_card():
    for c in range(80):
        card = plain.Card(c)
        assert rules.TABLE[c + 1] == card.strength
        assert rules.TABLE[82 + c] == card.profile | plain.RACES.index(card.race) << 5
        assert rules.TABLE[162 + card.profile] == card.defence
        assert rules.TABLE[182 + card.profile] == card.capacity + card.foreman
        assert rules.TABLE[202 + card.profile] == card.worth | card.foreman << 4


def test_the_small_tests_use_the_true_offsets():
    own = consts(ROOT / "games" / "kings" / "rules.py")
    theirs = consts(ROOT / "tests" / "games" / "portable" / "kings.py")
    tuples = "TO_MOVE DRAWING KINGS OWNER MINES PILE IN_DECK CENTRE UNDER HAND LINK TAKES LEFT DECK AREA SEEN ONLY_ZERO FOREMAN"
    assert not theirs
    for name in tuples.split():
        assert getattr(small, name) == own["_" + name], name


# --- Random play


def last_turn() -> bytearray:
    """A table on which the game ends with this turn, as the deck has one card and the market none."""
    return small.table(
        "DO", "O5a D5a G5a I8a D0b G0a", [*small.FULL[:3], small.FAR[3]], [["G6b: O1b G2a", "I0b"]], deck="O8a"
    )


def outcomes(start: bytearray) -> dict[bytes, int]:
    """The end of the game after each legal move and the draw from the deck."""
    buf = buffer()
    ends = Counter()
    for move in buf[: rules.legal(start, buf)]:
        s = bytearray(start)
        rules.apply(s, move)
        rules.apply(s, rules.DECK)
        assert rules.seat(s) == rules.OVER
        ends[bytes(s)] += 1
    return ends


def test_a_playout_draws_every_legal_move_equally():
    rng = Rng(9)
    start = last_turn()
    ends = outcomes(start)
    tries = 400 * len(ends)
    seen = Counter()
    for _ in range(tries):
        s = bytearray(start)
        assert rules.playout(s, rng) == 2
        seen[bytes(s)] += 1
    expected = dict.fromkeys(ends, tries / len(ends))
    assert len(ends) > 12
    assert not too_far(chi_square(seen, expected), len(ends) - 1)
    # A tenth too many of one move would be seen.
    one = next(iter(ends))
    seen[one] += int(tries / len(ends) * 0.5)
    assert too_far(chi_square(seen, expected), len(ends) - 1)


def drawn(start: bytearray, x: int) -> int:
    """The move that a playout must begin with: numbers below 6 * places from the generator in state x, by Lemire's rule,
    until one is a (place, card of the hand) that is legal."""
    buf = buffer()
    legal = set(buf[: rules.legal(start, buf)])
    hand = [small.number(name) - 1 for name in small.hand(start, start[small.TO_MOVE])]
    n = 6 * (4 + start[small.MINES + start[small.TO_MOVE]])
    while True:
        x = 16380 * (x & 65535) + (x >> 16)
        product = (x & 65535) * n
        place, slot = divmod(product >> 16, 6)
        if product & 65535 >= 65536 % n and 64 * hand[slot] + place in legal:
            return 64 * hand[slot] + place


def test_a_playout_refuses_the_draws_that_would_favour_some():
    """Too rare for statistics: states of the generator whose next draw must be refused, and others."""
    start = last_turn()
    n = 6 * (4 + start[small.MINES])
    refused = [x for x in range(1, 60_000) if (16380 * x & 65535) * n & 65535 < 65536 % n]
    assert len(refused) > 5
    rng = Rng(1)
    for x in refused + list(range(1, 4000, 13)):
        rng.state[0] = x
        s = bytearray(start)
        rules.playout(s, rng)
        t = bytearray(start)
        rules.apply(t, drawn(start, x))
        rules.apply(t, rules.DECK)
        assert s == t


def test_a_playout_drops_every_card_equally():
    """After having looked in vain for a card that can be played; and where two of 24 can, it draws these equally."""
    rng = Rng(10)
    start = small.table("DO", "O5a D5a G5a I5a D6a G6a", small.FULL, deck="O8a")
    seen = Counter()
    for _ in range(3000):
        s = bytearray(start)
        assert rules.playout(s, rng) == 2
        seen[bytes(s)] += 1
    ends = outcomes(start)
    assert len(ends) == 6
    assert not too_far(chi_square(seen, dict.fromkeys(ends, 500)), 5)
    rare = small.table(
        "DO",
        "O5a D5a G5a I5a D6a G0a",
        [*small.FULL[:2], small.FAR[2] + ": O1b G8a", small.FAR[3] + ": O3b G8b"],
        deck="O8a",
    )
    ends = outcomes(rare)
    assert len(ends) == 2
    seen = Counter()
    for _ in range(1000):
        s = bytearray(rare)
        assert rules.playout(s, rng) == 2
        seen[bytes(s)] += 1
    assert not too_far(chi_square(seen, dict.fromkeys(ends, 500)), 1)


def test_a_playout_draws_from_pile_and_deck_equally():
    """The game ends at once when the last card of the deck is drawn: one time in (piles + 1)."""
    rng = Rng(11)
    for market in ("", "O1a", "O1a G1a", "O1a O2a G1a D1a", "O1a G1a D2a I4a"):
        start = small.table("DO", "O5a D5a G5a I5b D6a", small.far(), market=market, deck="O8a", drawing=1)
        choices = rules.legal(start, buffer())
        ended = 0
        tries = 600
        for _ in range(tries):
            ended += rules.playout(bytearray(start), rng) == 1
        mean = tries / choices
        assert abs(ended - mean) <= 5 * (mean * (1 - 1 / choices)) ** 0.5, market


def test_a_playout_goes_on_from_any_ply():
    rng = Rng(5)
    buf = buffer()
    for plies in range(60):
        s = bytearray(rules.STATE_BYTES)
        rules.new(s, 2 + plies % 3, 0, rng)
        for _ in range(plies):
            rules.apply(s, buf[rng.below(rules.legal(s, buf))])
        assert plies + rules.playout(s, rng) <= rules.MAX_PLIES
        rules.check(s)
        ended = bytes(s)
        before = rng.state[0]
        assert rules.playout(s, rng) == 0
        assert bytes(s) == ended
        assert rng.state[0] == before


# --- Bounds


def test_most_legal_moves():
    """59 empty mines in one area: every foreign card goes on each of them and on the four in the centre."""
    hand = ["O1a", "G1a", "I1a", "O2a", "G2a", "I2a"]
    rest = [name for name in small.NAMES if name not in hand]
    mines = rest[4:63]
    others = rest[63:69]
    s = small.table("DO", " ".join(hand), rest[:4], [mines], deck=rest[69], other=" ".join(others))
    buf = buffer()
    assert rules.legal(s, buf) == rules.MAX_LEGAL == 6 * (4 + 59)
    assert list(buf) == sorted(set(buf))
    # One conquest more and the deck is empty: the area holds 60, and the game ends with this turn.
    rng = Rng(1)
    for _ in range(100):
        t = StrictBytes(s)
        rules.playout(t, rng)
        rules.check(t)


def test_most_plies():
    """60 conquests of at most 5 attacks, 4 mines with 4 attacks each, 80 cards worked or dropped; a play and a draw each."""
    most = max(defence for defence, _, _, _ in plain.PROFILES)
    assert 2 * (60 * most + 4 * (most - 1) + 80) == rules.MAX_PLIES


@pytest.mark.parametrize("seats", SEATS)
def test_random_games_stay_far_below_the_bounds(seats):
    """The page's figures: about 62-98 turns in all, never more than 59 legal moves seen."""
    rng = Rng(seats)
    buf = buffer()
    turns = []
    for _ in range(60):
        s = bytearray(rules.STATE_BYTES)
        rules.new(s, seats, 0, rng)
        turns.append(0)
        while rules.seat(s) != rules.OVER:
            turns[-1] += s[small.DRAWING]
            rules.apply(s, buf[rng.below(rules.legal(s, buf))])
    assert min(turns) >= 55
    assert max(turns) <= 125


# --- What a seat knows


def hidden_parts(s: bytearray, seat: int):
    """The mines with their places, the unknown cards of the other hands by seat, and the deck; all as names."""
    mines = small.centre(s)
    for k in range(s[0]):
        mines = mines + small.area(s, k)
    for k in range(s[0]):
        mines = mines + small.chain(s, small.UNDER + k)
    hands = []
    for k in range(s[0]):
        if k != seat:
            hands.append(frozenset(n for n in small.hand(s, k) if not rules.known(s, small.number(n))))
    return tuple(mines), tuple(hands), tuple(small.cards(s, small.DECK, s[small.IN_DECK]))


def every_world(s: bytearray, seat: int) -> set:
    """All ways to lay out what the seat has not seen, by trying every order of it: profiles must fit."""
    mines, hands, deck = hidden_parts(s, seat)
    unseen = [*mines, *(name for hand in hands for name in hand), *deck]
    profiles = [plain.CARDS[name].profile for name in mines]
    worlds = set()
    for chosen in permutations(unseen, len(mines)):
        if [plain.CARDS[name].profile for name in chosen] != profiles:
            continue
        for rest in permutations([name for name in unseen if name not in chosen]):
            at = 0
            dealt = []
            for hand in hands:
                dealt.append(frozenset(rest[at : at + len(hand)]))
                at += len(hand)
            worlds.add((chosen, tuple(dealt), rest[at:]))
    return worlds


def position_of_two_seats() -> bytearray:
    """Profile 4 lies twice and is once in the deck, profile 9 lies once and is once in the other hand."""
    return small.table(
        "DO",
        "O5a D5a G5a I5a D6b* G6a",
        ["I3b: O1a", "I1b", "I3a", "I4b"],
        [["I1a: G2a"]],
        [[], ["G1a"]],
        market="O2a",
        deck="D8b O8a",
        other="G7a* O3b G7b* O9b D3a* D3b*",
    )


def position_of_three_seats() -> bytearray:
    """Seat 0 is to draw; profiles 16 and 17 lie twice, and their other cards are in a hand and in the deck."""
    return small.table(
        "DOG",
        "O5a D5a G5a I5a D6a*",
        ["I1b", "D6b", "I3a", "G0b"],
        [],
        [],
        market="O2a",
        deck="O5b",
        other="G7a* G8b* G7b* O4a D3a* D3b* G2a* G2b* G3a* G3b* G4a* O0a",
        drawing=1,
    )


POSITIONS = [(position_of_two_seats, 0), (position_of_two_seats, 1), (position_of_three_seats, 1)]


def sampled(start: bytearray, seat: int, tries: int, hide) -> Counter:
    rng = Rng(31)
    seen = Counter()
    for _ in range(tries):
        s = bytearray(start)
        hide(s, seat, rng)
        seen[hidden_parts(s, seat)] += 1
    return seen


@pytest.mark.parametrize(("position", "seat"), POSITIONS)
def test_hide_draws_every_world_equally(position, seat):
    """Against a list of all worlds that agree with what the seat saw; planted biases are noticed."""
    start = position()
    worlds = every_world(start, seat)
    assert 30 <= len(worlds) <= 1200
    tries = 30 * len(worlds)
    expected = dict.fromkeys(worlds, tries / len(worlds))
    degrees = len(worlds) - 1
    assert not too_far(chi_square(sampled(start, seat, tries, rules.hide), expected), degrees)

    def lazy(s, seat, rng):
        """Deals hands and deck anew and leaves the mines as they truly are."""
        true = hidden_parts(s, seat)[0]
        while True:
            rules.hide(s, seat, rng)
            if hidden_parts(s, seat)[0] == true:
                return

    def tilted(s, seat, rng):
        """Tries once more, every second time, when the first mine is the true one."""
        true = hidden_parts(s, seat)[0][0]
        rules.hide(s, seat, rng)
        if hidden_parts(s, seat)[0][0] == true and rng.below(2):
            rules.hide(s, seat, rng)

    for bias, fewer in ((lazy, 6), (tilted, 1)):
        mean = dict.fromkeys(worlds, tries // fewer / len(worlds))
        assert too_far(chi_square(sampled(start, seat, tries // fewer, bias), mean), degrees), bias


# --- check


def some_states() -> list[bytes]:
    """Every third ply of a game of each seat count."""
    states = []
    buf = buffer()
    for seats in SEATS:
        rng = Rng(seats)
        s = bytearray(rules.STATE_BYTES)
        rules.new(s, seats, 0, rng)
        ply = 0
        while rules.seat(s) != rules.OVER:
            if ply % 3 == 0:
                states.append(bytes(s))
            rules.apply(s, buf[rng.below(rules.legal(s, buf))])
            ply += 1
        states.append(bytes(s))
    return states


STATES = some_states()


def plays_on(bad: bytearray) -> None:
    """A state that `check` lets pass: everything works on it, on memory that refuses wrong indices."""
    rng = Rng(1)
    for seat in range(bad[0]):
        s = StrictBytes(bad)
        rules.view(s, seat, StrictBytes(rules.VIEW_BYTES))
        rules.hide(s, seat, rng)
        rules.check(s)
    buf = buffer()
    s = StrictBytes(bad)
    for _ in range(6):
        if rules.seat(s) != rules.OVER:
            n = rules.legal(s, buf)
            assert 0 < n <= rules.MAX_LEGAL
            rules.apply(s, bot.choose(s, buf, n, rng))
            rules.check(s)
    assert rules.playout(s, rng) <= rules.MAX_PLIES
    rules.check(s)


def test_cards_that_change_places_mostly_pass():
    """The case that tests/games/test_check.py rarely meets: two cards of hands, deck or centre are exchanged."""
    rng = random.Random(2)
    passed = 0
    for _ in range(300):
        bad = bytearray(rng.choice(STATES))
        deck = [small.DECK + i for i in range(bad[small.IN_DECK])]
        if len(deck) < 2:
            continue
        one, two = rng.sample(deck, 2)
        bad[one], bad[two] = bad[two], bad[one]
        rules.check(bad)
        plays_on(bad)
        passed += 1
    assert passed > 200


# --- The instant player


def test_the_instant_player_beats_a_random_one():
    """More than 90 of 100 two-seat games."""
    buf = buffer()
    rng = Rng(2026)
    wins = 0.0
    for game in range(100):
        s = bytearray(rules.STATE_BYTES)
        rules.new(s, 2, 0, rng)
        while (seat := rules.seat(s)) != rules.OVER:
            n = rules.legal(s, buf)
            rules.apply(s, bot.choose(s, buf, n, rng) if seat == game % 2 else buf[rng.below(n)])
        winners = rules.winners(s)
        if winners >> game % 2 & 1:
            wins += 1 if winners.bit_count() == 1 else 0.5
    assert wins > 90
