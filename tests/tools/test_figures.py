"""The figures of a match: every seating, and intervals that hold what they promise."""

import random
from collections import Counter

import pytest

from tools.matches import figures

SIMULATED = 600


@pytest.mark.parametrize(
    ("names", "count"),
    [("ab", 2), ("aa", 2), ("abc", 6), ("aab", 3), ("abbb", 4), ("aabb", 6), ("aaaa", 4), ("abcd", 24), ("abbbb", 5)],
)
def test_every_seating_once_and_every_place_equally_often(names, count):
    ways = figures.seatings(list(names))
    assert len(ways) == len(set(ways)) == count
    places = Counter()
    for seated in ways:
        assert sorted(seated) == list(range(len(names)))
        places.update((names[player], seat) for seat, player in enumerate(seated))
    for name in set(names):
        assert len({places[name, seat] for seat in range(len(names))}) == 1, name


def test_a_deal_is_the_same_in_every_seating_and_thoughts_are_not():
    tasks = figures.tasks([(0, 1), (1, 0)], 50, 3)
    assert [task["id"] for task in tasks] == list(range(100))
    for first, second in zip(tasks[::2], tasks[1::2]):
        assert first["chance"] == second["chance"]
        assert first["seated"] == second["seated"][::-1]
    assert len({task["chance"] for task in tasks}) == 50
    assert len({task["thought"] for task in tasks}) == 100
    assert figures.tasks([(0, 1), (1, 0)], 20, 3) == tasks[:40]
    assert figures.tasks([(0, 1), (1, 0)], 20, 4) != tasks[:40]


def test_quantiles_are_those_of_the_tables():
    # NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
    for freedom, right in ((1, 12.706), (10, 2.228), (11, 2.201), (20, 2.086), (60, 2.000), (100, 1.984)):
        assert figures.t95(freedom) == pytest.approx(right, abs=0.0025)


def deal(chance, strength, luck, games):
    """Mean score of a player in the games of a deal: it wins by its strength, but `luck` of the deals go to one side
    whatever is done, once for it and once against it as the seats change."""
    if chance.random() < luck:
        return 0.5
    return sum(chance.random() < strength for _ in range(games)) / games


@pytest.mark.parametrize("deals", [8, 50, 250])
@pytest.mark.parametrize(("strength", "luck"), [(0.5, 0.0), (0.7, 0.0), (0.7, 0.6), (0.9, 0.2)])
def test_intervals_hold_the_truth_as_often_as_they_say(deals, strength, luck):
    chance = random.Random(f"{deals} {strength} {luck}")
    truth = luck * 0.5 + (1 - luck) * strength
    inside = width = 0
    for _ in range(SIMULATED):
        mean, low, high = figures.interval([deal(chance, strength, luck, 2) for _ in range(deals)], 2)
        assert 0 <= low <= mean <= high <= 1
        inside += low <= truth <= high
        width += high - low
    # Three standard errors of the simulation below 95 %; with few deals they may hold more than they promise.
    assert inside / SIMULATED >= 0.95 - 3 * (0.95 * 0.05 / SIMULATED) ** 0.5
    assert inside / SIMULATED <= (0.985 if deals >= 50 else 1)
    spread = (1 - luck) * (strength * (1 - strength) / 2 + luck * (strength - 0.5) ** 2)
    assert width / SIMULATED < 2 * 1.96 * (spread / deals) ** 0.5 * (1.1 if deals >= 50 else 1.6)


def test_games_of_one_deal_are_not_taken_for_more_than_they_are():
    """Where one deal decides all of its games, as many games say less."""
    chance = random.Random(5)
    scores = [float(chance.random() < 0.6) for _ in range(400)]
    mean, low, high = figures.interval(scores, 6)
    assert high - low == pytest.approx(2 * 1.97 * (mean * (1 - mean) / 400) ** 0.5, rel=0.03)


def test_few_deals_say_little():
    assert figures.interval([], 2) == (0.0, 0.0, 1.0)
    assert figures.interval([1.0], 2) == (1.0, 0.0, 1.0)
    mean, low, high = figures.interval([0.5, 0.5, 0.5], 2)
    assert mean == 0.5
    assert low < 0.2
    assert high > 0.8
    assert figures.interval([1.0] * 10, 2)[1] < 0.9


def result(winners, moves=(2, 4), us=(3000, 1000), playouts=(20, 0)):
    return {"winners": winners, "moves": list(moves), "us": list(us), "playouts": list(playouts)}


def test_shared_wins_are_divided_and_unfinished_deals_left_out():
    tally = figures.Tally(["a", "b"], 2)
    tasks = figures.tasks(figures.seatings(["a", "b"]), 3, 1)
    for task, winners in zip(tasks, (0b01, 0b01, 0b11, 0b10, 0b01)):
        tally.add(task, result(winners))
    assert len(tally.whole()) == 2
    a, b = tally.figures()
    # a sits on seat 0 first, then on seat 1: it won, lost, shared and lost or won by where it sat.
    first = tasks[0]["seated"].index(0)
    own = [first, 1 - first, first, 1 - first]
    won = [w >> seat & 1 and 1 / w.bit_count() for w, seat in zip((1, 1, 3, 2), own)]
    assert a["score"] == sum(won) / 4
    assert a["score"] + b["score"] == 1
    assert (a["shared"], b["shared"]) == (1, 1)
    assert a["wins"] + b["wins"] == 3
    assert (a["ms_per_move"], a["playouts_per_move"]) == (1.5, 10)
    assert (b["ms_per_move"], b["playouts_per_move"]) == (0.25, 0)
