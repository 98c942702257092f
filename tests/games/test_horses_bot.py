"""The carrot race's computer players: their arithmetic against plain models, their choices against the exact solution."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest

from games.horses import bot, rules, weights
from games.rng import Rng
from games.search import WIN
from tests.games.portable.horses import AIM, HOME, PHASE, PLAYER, SEAT, TOKENS
from tests.reference.horses import EFFECTS, FINISH, SPACES, SYMBOLS
from tools import games, solve
from tools.exact import horses
from tools.matches import crew
from tools.matches.movers import mover

MACHINE_CODE = pytest.mark.skipif(
    crew.interpreter()[2] == "CPython", reason="the race is solved by a MicroPython that is not here"
)

Place = tuple[int, int]


def ahead(space: int, symbol: str, which: int) -> int:
    """From the page: the first (1) or second (2) space ahead with the symbol, else the finish."""
    found = [n for n in range(space + 1, FINISH) if SPACES[n - 1] == symbol]
    return found[which - 1] if len(found) >= which else FINISH


def ditch(aim: int) -> int:
    """From the page: the nearest ditch behind the space aimed at, else the start."""
    return max((space for space in range(1, aim) if SPACES[space - 1] == "~"), default=0)


def best_gait(mine: Place, other: int, after, asleep) -> tuple[float, float]:
    """The values of trot and gallop, every die face by itself: `after(place)` is the value of the turn's end,
    `asleep[k]` the chance that k staked tokens sleep, `other` how many tokens are not to be had."""
    space, tokens = mine
    trot = gallop = 0.0
    for symbol in SYMBOLS:
        for effect in EFFECTS["trot"]:
            trot += after((ahead(space, symbol, 1), min(tokens + int(effect), 30 - other)))
        aim = ahead(space, symbol, 2)
        for effect in EFFECTS["gallop"]:
            value = after(mine)
            if effect == "jump" and tokens:
                value = max(
                    after((aim, tokens - k)) * (1 - asleep[k]) + after((ditch(aim), tokens - k)) * asleep[k]
                    for k in range(1, tokens + 1)
                )
            elif effect == "free":
                value = after((aim, tokens))
            elif effect[:3] == "pay" and tokens >= int(effect[3]):
                value = after((aim, tokens - int(effect[3])))
            gallop += value
    return trot / 36, gallop / 36


def end(mine: Place, other: Place) -> float:
    """Furthest, then most tokens; a shared win counts half."""
    return 0.5 if mine == other else float(mine > other)


FIXED = [0.4**k for k in range(31)]


def places(pick: random.Random, finish: bool) -> tuple[Place, Place]:
    """Of who moves and of the other, who may be on the finish."""
    mine = pick.randrange(FINISH), pick.randrange(16)
    other = FINISH if finish else pick.randrange(FINISH), pick.randrange(15)
    return mine, other


@MACHINE_CODE
def test_the_solution_satisfies_the_page():
    """Every value is the better gait's mean over the values that follow it, and the last turn's needs no others."""
    race = horses.solution()
    pick = random.Random(1)
    for number in range(300):
        seat = number % 2
        mine, other = places(pick, number % 6 == 1)

        def after(place: Place, seat=seat, other=other) -> float:
            if seat and FINISH in (place[0], other[0]):
                return end(place, other)
            return 1 - race.win(1 - seat, other, place)

        values = best_gait(mine, other[1], after, FIXED)
        assert race.win(seat, mine, other) == pytest.approx(max(values), abs=4e-5), (seat, mine, other)
        for gait in (0, 1):
            assert race.gait(seat, mine, other, gait) == pytest.approx(values[gait], abs=4e-5)


@MACHINE_CODE
def test_the_solution_of_a_state_of_the_full_race():
    race = horses.solution()
    table = games.open_game("horses", 2)
    s = table.start(Rng(3))
    assert race.values(s) == {gait: race.gait(0, (0, 2), (0, 2), gait) for gait in (0, 1)}
    # Seat 1 may jump to space 30 and falls back to 28.
    s[SEAT : SEAT + 2] = bytes((33, 4))
    s[SEAT + 32 : SEAT + 34] = bytes((20, 3))
    s[PLAYER], s[PHASE], s[AIM] = 1, 4, 30
    there, back = ([1 - race.win(0, (33, 4), (space, tokens)) for tokens in (2, 1, 0)] for space in (30, 28))
    wanted = {k + 1: there[k - 1] * (1 - 0.4**k) + back[k - 1] * 0.4**k for k in (1, 2, 3)}
    assert race.values(s) == pytest.approx(wanted)


@MACHINE_CODE
@pytest.mark.parametrize("states", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_experts_choice_costs_less_than_a_hundredth(states):
    table = games.open_game("horses", 2)
    expert = mover(table.rules, bot, "expert")
    costs = list(islice(solve.losses(horses.solution(), table, expert.choose, 1), states))
    assert sum(costs) / states < 0.01
    assert min(costs) >= 0


@MACHINE_CODE
def test_a_bad_choice_costs_more():
    """The measure itself: who always gallops and stakes everything."""
    table = games.open_game("horses", 2)
    costs = list(islice(solve.losses(horses.solution(), table, lambda s, buf, n, rng: buf[n - 1], 1), 300))
    assert sum(costs) / 300 > 0.02


# --- The bot's arithmetic.


def decisions(seats: int, seed: int, wanted) -> Iterator[bytearray]:
    """States of games at random, without end, that are `wanted`."""
    rng = Rng(seed)
    s = bytearray(rules.STATE_BYTES)
    buf = array("H", [0] * rules.MAX_LEGAL)
    while True:
        rules.new(s, seats, 0, rng)
        while rules.seat(s) != rules.OVER:
            if wanted(s):
                yield bytearray(s)
            if rules.seat(s) == rules.CHANCE:
                rules.apply(s, rules.sample(s, rng))
            else:
                rules.apply(s, buf[rng.below(rules.legal(s, buf))])


def at_gait(s: bytearray) -> bool:
    return s[PHASE] == 0


def at_stake(s: bytearray) -> bool:
    return s[PHASE] == 4


def place(s: bytearray, k: int) -> Place:
    return s[SEAT + 32 * k], s[SEAT + 32 * k + TOKENS]


def strength(at: Place, more: bool) -> float:
    """By the weights, as bot.py says."""
    space, tokens = at
    return 11 * space + weights.WEIGHTS[9 * space + min(tokens, 8)] + more * weights.WEIGHTS[463 + (space >> 3)]


def shares(strengths: list[float], lead: int) -> list[float]:
    """Each seat's chance: half as likely to win is who stands back by 2048 / slope."""
    odds = [2 ** ((x - max(strengths)) * weights.WEIGHTS[450 + (lead >> 2)] / 2048) for x in strengths]
    return [x / sum(odds) for x in odds]


def sleeping(s: bytearray, player: int) -> list[float]:
    """[k]: the chance that the first k tokens of a seat all sleep, from its view: oldest generation first."""
    out = bytearray(rules.VIEW_BYTES)
    seen = list(out[: rules.view(s, player, out)])
    chance = Fraction(1)
    found = [1.0]
    seats = s[0]
    for p in range(12 + 2 * seats, len(seen), 2 + seats):
        galloping, asleep = seen[p], seen[p + 1]
        for k in range(seen[p + 2 + player]):
            chance *= Fraction(max(asleep - k, 0), galloping + asleep - k)
            found.append(float(chance))
    return found


def test_there_is_a_weight_for_everything():
    assert len(weights.WEIGHTS) == 9 * 50 + 13 + 7
    assert bot.ITERATIONS[0] < bot.ITERATIONS[1] < bot.ITERATIONS[2]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_position_is_judged_by_the_weights(seats):
    out = array("h", [0] * 5)
    for s in islice(decisions(seats, seats, lambda s: at_gait(s) and not s[HOME]), 400):
        bot._judge(s, out)
        player = s[PLAYER]
        at = [place(s, k) for k in range(seats)]
        # Who has still to move in a round that others have begun has a turn more.
        wanted = shares([strength(at[k], 0 < player <= k) for k in range(seats)], max(at)[0])
        assert WIN - seats < sum(out[:seats]) <= WIN
        for k in range(seats):
            assert abs(out[k] - WIN * wanted[k]) < 4


def stake_values(s: bytearray) -> list[float]:
    """Of the stakes 1.. by the weights: against the other that stands best, or for the win in the race's last turns."""
    seats, player = s[0], s[PLAYER]
    others = [place(s, k) for k in range(seats) if k != player]
    rival = max(strength(place(s, k), k > player) for k in range(seats) if k != player)
    asleep = sleeping(s, player)

    def after(at: Place) -> float:
        if s[HOME] or s[5] == 59 or (at[0] == FINISH and player == seats - 1):
            return end(at, max(others))
        return shares([strength(at, False), rival], max(at[0], max(others)[0]))[0]

    tokens = place(s, player)[1]
    aim, fall = s[AIM], ditch(s[AIM])
    return [
        after((aim, tokens - k)) * (1 - asleep[k]) + after((fall, tokens - k)) * asleep[k] for k in range(1, tokens + 1)
    ]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_stake_of_a_playout_is_the_best_by_the_weights(seats):
    for s in islice(decisions(seats, 10 + seats, at_stake), 300):
        bot._reckon(s)
        found = bot._stake(s, s[AIM])
        values = stake_values(s)
        assert values[(found & 31) - 1] > max(values) - 0.012
        assert abs((found >> 5) / 4096 - max(values)) < 0.012


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_last_turn_is_played_for_the_win(seats):
    """Its chance and its gait, against every face of the dice."""
    for s in islice(decisions(seats, 20 + seats, lambda s: at_gait(s) and s[HOME]), 60):
        player = s[PLAYER]
        target = max(place(s, k) for k in range(seats) if k != player)
        held = sum(place(s, k)[1] for k in range(seats) if k != player)
        bot._reckon(s)
        found = bot._pace(s)
        values = best_gait(place(s, player), held, lambda at, target=target: end(at, target), sleeping(s, player))
        assert abs((found >> 1) / 73728 - max(values)) < 0.003
        assert values[found & 1] > max(values) - 0.003


def test_a_playout_is_one_turn():
    """Then the position is judged, unless a horse is past the last ditch: that race goes on."""
    rng = Rng(5)
    out = array("h", [0] * 5)
    judged = array("h", [0] * 5)
    further = edge = 0
    for s in islice(decisions(3, 6, lambda s: at_gait(s) and not s[HOME]), 300):
        player, rounds = s[PLAYER], s[5]
        rules.apply(s, rng.below(2))
        assert bot.rollout(s, rng, out) > 0
        rules.check(s)
        if s[HOME]:
            continue
        assert at_gait(s)
        first = max(place(s, k) for k in range(3))[0]
        assert first < 43
        edge += first > 39
        bot._judge(s, judged)
        assert out == judged
        if (s[PLAYER], s[5]) != ((player + 1) % 3, rounds + (player == 2)):
            further += 1
    # Only a jump that failed gets back to where positions are judged.
    assert further < 15
    # The ditch itself, 42, is no nearer: there too it is judged.
    assert edge


def test_a_playout_ends_a_race_that_nears_its_end():
    """Once a horse is on the finish all turns but the last are played, and that one's chance is told."""
    rng = Rng(7)
    out = array("h", [0] * 5)
    told = 0
    for s in islice(decisions(4, 8, lambda s: at_gait(s) and s[HOME]), 60):
        last = bytearray(s)
        bot.rollout(last, rng, out)
        assert last[PLAYER] == 3 and at_gait(last)
        assert sum(out[:4]) == WIN and sorted(out[:4])[:2] == [0, 0]
        bot._reckon(last)
        assert out[3] == WIN * (bot._pace(last) >> 1) // 73728
        told += 1
    assert told == 60
