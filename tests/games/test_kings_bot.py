"""The computer players of kings: their arithmetic against a plain model, written from what bot.py says of the weights."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator

import pytest

from games.kings import bot, notation, rules
from games.kings.weights import WEIGHTS
from games.rng import Rng
from games.search import WIN
from tests.games.portable.kings import AREA, DRAWING, HAND, IN_DECK, LEFT, LINK, MINES, UNDER
from tests.reference.kings import Card, Game, Mine

# Where the weights are.
HOLD, OPEN, BLIND, USE, STEP, OTHERS, POLICY, NEXT, MORE = 174, 194, 199, 200, 201, 202, 203, 347, 350
# What the judge has for a phase, after the worth of mines.
READY, TEMPO, SLOPE, JUDGE = 24, 27, 28, 29
WIDE, LATE = 5, 12

# A phase begins at so many cards of the deck with two seats.
PHASES = (0, 4, 8, 14, 22, 36)


def phase(game: Game) -> int:
    """0 for the last turns, 5 for the first."""
    left = 2 * len(game.deck) // game.seats
    return max(n for n, least in enumerate(PHASES) if left >= least)


def judged_by(game: Game) -> int:
    """The first of the judge's weights for now: six phases of two seats, five of more."""
    return JUDGE * phase(game) if game.seats == 2 else MORE + JUDGE * min(phase(game), 4)


def left(mine: Mine) -> int:
    """Cards until a mine of an area is exploited."""
    return mine.card.capacity + mine.card.foreman - len(mine.stack)


def least(mine: Mine) -> int:
    """The weakest strength that a mine takes, 10 if that is only a 0 on a 9."""
    return mine.stack[-1].strength + 1 if mine.stack else 0


def rate(at: int, mine: Mine) -> int:
    """1/64 of an exploited point, for each point of a mine's worth, by the 24 weights from `at` on."""
    tight = 10 - least(mine) - left(mine) < 2
    return WEIGHTS[at + 4 * (left(mine) - 1) + 2 * mine.card.foreman + tight] - 128


def goes_on(mine: Mine, cards: list[Card], king: str) -> bool:
    """Whether one of the cards can be laid on a mine of an area of this king."""
    full = len(mine.stack) == mine.card.capacity
    return any((card.race == king) == full and mine.takes(card) for card in cards)


def kind(mine: Mine) -> int:
    """What a mine waits for: 0 its last card, 1 its foreman, 2 another card."""
    return 2 if left(mine) > 1 else int(mine.card.foreman)


def hold(game: Game, card: Card) -> int:
    """A card in the hand, in 1/64 of a point."""
    return 4 * WEIGHTS[HOLD + card.strength + 10 * (card.race == game.kings[game.seat])]


def on_mine(game: Game, card: Card, mine: Mine, attack: bool) -> int:
    """What a card gains on a mine, in 1/64 of a point, without what it would be worth in the hand."""
    now, worth = POLICY + 24 * phase(game), mine.card.worth
    gain = 0
    if not mine.stack or mine.stack[-1].strength < 9:
        gain -= WEIGHTS[STEP] * (card.strength - least(mine))
    after = Mine(mine.card, [*mine.stack, card])
    if attack:
        missing = mine.card.defence - len(mine.stack)
        if missing > 1:
            value = worth * (WEIGHTS[OPEN + missing - 1] - 128)
            # Who may conquer it next: the fewer, the stronger the card.
            return gain + (math.floor(value * (10 - card.strength) / 4) if missing == 2 else value)
        value = worth * rate(now, Mine(mine.card))
        stranger = card.race in game.kings and card.race != game.kings[game.seat]
        return gain - math.floor(value * WEIGHTS[OTHERS] / 64) if stranger else gain + value
    if left(mine) == 1:
        return gain + worth * (64 - rate(now, mine))
    value = rate(now, after) - rate(now, mine)
    near = game.hands[game.seat] + [pile[-1] for pile in game.market.values() if pile]
    if goes_on(after, [other for other in near if other is not card], game.kings[game.seat]):
        value += WEIGHTS[NEXT + kind(after)]
    return gain + worth * value


def gain(game: Game, move: str) -> int:
    """What a legal move gains, in 1/64 of a point."""
    what, *rest = move.split()
    if what == "deck":
        return 4 * WEIGHTS[BLIND]
    if what == "take":
        card = game.market[rest[0]][-1]
        own = card.race == game.kings[game.seat]
        use = [0]
        use += [on_mine(game, card, mine, True) for mine in game.centre if mine and mine.takes(card)]
        for mine in game.areas[game.seat]:
            if mine.takes(card) and own == (len(mine.stack) == mine.card.capacity):
                use.append(on_mine(game, card, mine, False))
        return hold(game, card) + max(use) * WEIGHTS[USE] // 64
    card = next(card for card in game.hands[game.seat] if str(card) == rest[0])
    if what == "drop":
        return -hold(game, card)
    mine = (game.centre if what == "attack" else game.areas[game.seat])[int(rest[1]) - 1]
    assert mine
    return on_mine(game, card, mine, what == "attack") - hold(game, card)


def lead(game: Game, seat: int) -> int:
    """What a seat has, in 1/64 of a point."""
    now = judged_by(game)
    total = 64 * sum(card.worth for card in game.exploited[seat])
    for mine in game.areas[seat]:
        value = rate(now, mine)
        if goes_on(mine, game.hands[seat], game.kings[seat]):
            value += WEIGHTS[now + READY + kind(mine)]
        total += mine.card.worth * value
    return total + (2 * (WEIGHTS[now + TEMPO] - 64) if seat == game.seat else 0)


def games(count: int) -> Iterator[tuple[Game, bytearray, list[int]]]:
    """Decisions of games at 2, 3 and 4 seats in turn, half of the moves by the instant player."""
    rng = Rng(11)
    buf = array("H", [0] * rules.MAX_LEGAL)
    for number in range(count):
        s = bytearray(rules.STATE_BYTES)
        rules.new(s, 2 + number % 3, 0, rng)
        header = notation.header(s)
        game = Game(header["deck"], header["kings"])
        while rules.seat(s) != rules.OVER:
            moves = list(buf[: rules.legal(s, buf)])
            yield game, s, moves
            move = bot.choose(s, buf, len(moves), rng) if rng.below(2) else moves[rng.below(len(moves))]
            game.play(notation.move_text(s, move))
            rules.apply(s, move)


def test_there_are_as_many_weights_as_are_used():
    assert len(WEIGHTS) == MORE + 5 * JUDGE <= 512


def test_the_policy_is_the_best_by_the_plain_model():
    """The gain of every legal move, which of them `choose` plays and which the search looks at."""
    kinds = set()
    buf = array("H", [0] * rules.MAX_LEGAL)
    for game, s, moves in games(9):
        texts = [notation.move_text(s, move) for move in moves]
        gains = [gain(game, text) for text in texts]
        kinds |= {text.split()[0] for text in texts}
        rules.legal(s, buf)
        assert bot.choose(s, buf, len(moves), None) == moves[gains.index(max(gains))], texts
        assert [g - 0x4000 for g in bot._gains[: len(moves)]] == gains, texts
        count = bot.narrow(s, buf, len(moves))
        kept = list(buf[:count])
        wide = LATE if phase(game) < 2 else WIDE
        assert count == min(len(moves), wide)
        assert kept == sorted(kept)
        assert sorted(gains[moves.index(move)] for move in kept) == sorted(gains)[-wide:]
    assert kinds == {"attack", "work", "drop", "take", "deck"}


def test_the_table_is_judged_by_the_plain_model():
    """Each seat's part of a win: the exponential of its lead, divided by the sum of all."""
    shares = array("h", [0] * 5)
    seen = set()
    for game, s, _ in games(9):
        if s[DRAWING]:
            continue
        bot.judge(s, shares)
        values = [lead(game, seat) for seat in range(game.seats)]
        chances = []
        for value in values:
            eighths = min((max(values) - value) * WEIGHTS[judged_by(game) + SLOPE] // 2048, 39)
            chances.append(math.exp(-eighths / 8))
            seen.add(eighths)
        for seat, chance in enumerate(chances):
            assert abs(shares[seat] - WIN * chance / sum(chances)) <= 2
    assert len(seen) > 30


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_playout_is_the_policy_for_some_turns_then_the_judge(seats):
    rng = Rng(seats)
    buf = array("H", [0] * rules.MAX_LEGAL)
    s = bytearray(rules.STATE_BYTES)
    rules.new(s, seats, 0, rng)
    judged = ended = 0
    while rules.seat(s) != rules.OVER:
        mine, theirs = bytearray(s), bytearray(s)
        expected, shares = array("h", [0] * 5), array("h", [0] * 5)
        turns = 4 if seats == 2 else 6 * seats
        plies = 0
        while rules.seat(mine) != rules.OVER and (turns or mine[DRAWING]):
            turns -= not mine[DRAWING]
            rules.apply(mine, bot.choose(mine, buf, rules.legal(mine, buf), rng))
            plies += 1
        if rules.seat(mine) != rules.OVER:
            bot.judge(mine, expected)
            judged += 1
        else:
            ended += 1
        assert bot.rollout(theirs, rng, shares) == plies
        assert (theirs, shares) == (mine, expected)
        rules.apply(s, buf[rng.below(rules.legal(s, buf))])
    assert judged > 20
    assert ended > 2


def test_a_lead_too_long_to_count_stays_one():
    """As many mines under one king, and in the other's area, as there can be."""
    s = bytearray(rules.STATE_BYTES)
    rules.new(s, 2, 0, Rng(1))
    shares = array("h", [0] * 5)
    for mine in range(1, 81):
        s[LINK + mine] = mine - 1
    s[UNDER] = 80
    bot.judge(s, shares)
    assert list(shares[:2]) == [250, 1]
    s[IN_DECK] = 1
    s[MINES + 1] = 59
    for mine in range(1, 60):
        s[AREA + 60 + mine - 1] = mine
        s[LEFT + mine] = 5
    bot.judge(s, shares)
    assert list(shares[:2]) == [250, 1]


def test_no_choice_depends_on_what_the_seat_does_not_know():
    """The policy, its gains and the moves that are kept, in another world that looks the same."""
    rng, other = Rng(3), Rng(4)
    buf = array("H", [0] * rules.MAX_LEGAL)
    changed = 0
    for _, s, moves in games(6):
        t = bytearray(s)
        rules.hide(t, rules.seat(s), other)
        found = []
        for state in (s, t):
            rules.legal(state, buf)
            move = bot.choose(state, buf, len(moves), rng)
            gains = list(bot._gains[: len(moves)])
            found.append((move, gains, list(buf[: bot.narrow(state, buf, len(moves))])))
        assert found[0] == found[1]
        changed += s[HAND:] != t[HAND:]
    assert changed > 500
