"""The computer players of goblins on tables that a child understands; that no platform plays otherwise is seen on the
way (that they leave no garbage is tested in thinking.py for all games). Portable."""

from array import array

from games.goblins import bot, notation, rules
from games.rng import Rng
from tests.games.portable.goblins import game, position

buf = array("H", [0] * rules.MAX_LEGAL)
shares = array("h", [0] * 5)


def sure(s):
    """The text of what the policy plays without any chance."""
    return notation.move_text(s, bot.policy(s, array("I", [0])))


def judged(s):
    """The shares of a WIN, as a list."""
    bot.judge(s, shares)
    return list(shares)[: s[0]]


def test_a_lane_is_taken_and_not_strengthened():
    lanes = [("0:6 0:5 0:4", ""), ("1:3", ""), ("", "")]
    s = position(["0 4", "1 5"], lanes)
    assert sure(s) == "play 2 4"


def test_the_race_is_ended_by_who_leads():
    """The same table with the seats changed: who is behind keeps it going."""
    lanes = [("0:6 0:5 0:4", ""), ("0:5 0:4 0:3", ""), ("0:2 0:3 1:0", "1:1 1:2 1:3")]
    assert sure(position(["0 1 1", "5 6"], lanes, to_move=0))[:6] == "play 3"
    assert sure(position(["0 1 1", "5 6"], lanes, to_move=1))[:6] != "play 3"


def test_more_ducats_and_more_cards_are_better():
    lanes = [("0:6", ""), ("1:6", ""), ("", "")]
    even = judged(position(["2 3", "2 3"], lanes))
    assert abs(even[0] - even[1]) < 60, even
    assert judged(position(["2 3", "2 3"], lanes, ducats=[9, 6]))[0] > even[0] + 20
    assert judged(position(["2 3 4", "2 3"], lanes))[0] > even[0] + 20
    assert judged(position(["2 3", "2 3"], lanes, mc=[0, 2]))[0] > even[0] + 20


def test_shares_are_parts_of_one_win():
    for seats in (2, 3, 4):
        lanes = [("0:6", "")] + [("", "")] * seats
        found = judged(position(["0 1 2 3 4 5"] * seats, lanes))
        assert 252 - seats < sum(found) <= 252
        assert min(found) > 0


def test_of_empty_lanes_the_search_sees_one():
    for seats in (2, 3, 4):
        s = game(seats)
        n = bot.narrow(s, buf, rules.legal(s, buf))
        assert 1 < n <= 7
        assert max([buf[i] for i in range(n)]) < 16


def test_chance_changes_what_is_played_and_a_seed_does_not():
    s = game(2)
    found = []
    for seed in (1, 1, 2, 3, 4, 5, 6):
        rng = Rng(seed)
        found.append(bot.choose(s, buf, rules.legal(s, buf), rng))
    assert found[0] == found[1]
    assert len(set(found)) > 1


def test_a_playout_is_the_same_everywhere():
    """How many there are in a game, and a checksum of their plies, their shares and the generator."""
    found = []
    for seats, options in ((2, 0), (3, 3), (4, 1)):
        s = game(seats, options)
        rng = Rng(seats)
        count = total = 0
        while rules.seat(s) != rules.OVER:
            count += 1
            total = (31 * total + bot.rollout(s, rng, shares)) % 1000003
            for share in list(shares)[:seats]:
                total = (31 * total + share) % 1000003
            # Into the race that was judged.
            plies = 4
            while plies and rules.seat(s) != rules.OVER:
                rules.apply(s, bot.policy(s, rng.state))
                plies -= 1
        found.append((count, (31 * total + rng.state[0]) % 1000003))
    assert found == [(2, 878611), (4, 462461), (4, 341248)], found
