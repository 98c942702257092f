"""Sentences of the goats rules page as small tests; they run on every platform (plain asserts, no packages)."""

from array import array

from games.goats import notation, rules
from games.rng import Rng

# Offsets of the state (games/goats/rules.py).
TO_MOVE, ROUND, BONUS, LEFT, SUMMIT, BIG, SEAT = 2, 5, 6, 9, 15, 10, 37
TAKEN, POOL, SETS = 6, 12, 13

HEIGHT = {5: 4, 6: 4, 7: 3, 8: 3, 9: 2, 10: 2}
buf = array("H", [0] * rules.MAX_LEGAL)


def game(seats, big=0):
    """A fresh state."""
    s = bytearray(rules.STATE_BYTES)
    rules.new(s, seats, big, None)
    return s


def roll(s, *dice):
    """The seat to move rolls these dice."""
    rules.apply(s, notation.take_event({"dice": sorted(dice)}, s))


def texts(s):
    """The legal moves as a list of texts, in the order of their codes."""
    return [notation.move_text(s, buf[i]) for i in range(rules.legal(s, buf))]


def turn(s, dice, text):
    """One whole turn: the dice, then a move that must be legal."""
    roll(s, *dice)
    assert text in texts(s), (dice, text, texts(s))
    rules.apply(s, notation.move_code(s, text))
    rules.check(s)


def climbed(s, seat, mountain):
    """Steps that a seat's goat has climbed."""
    return HEIGHT[mountain] - s[SEAT + 16 * seat + mountain - 5]


def tokens(s, seat, mountain):
    """Tokens that a seat has of a mountain."""
    return s[SEAT + 16 * seat + TAKEN + mountain - 5]


def points(s):
    """The scores as a list."""
    out = array("h", [0] * 5)
    rules.scores(s, out)
    return list(out)[: s[0]]


def told():
    """TRACE as a list of steps."""
    return [tuple(rules.TRACE[i : i + 4]) for i in range(1, 1 + 4 * rules.TRACE[0], 4)]


PASS = ((1, 2, 2, 3), "-")


def test_tokens_by_seats():
    """12, 11, 10, 9, 8, 7 tokens; one less with 3 seats, two less with 2."""
    for seats, fewer in ((2, 2), (3, 1), (4, 0)):
        assert list(game(seats)[LEFT : LEFT + 6]) == [n - fewer for n in (12, 11, 10, 9, 8, 7)]
    assert list(game(5, 1)[LEFT : LEFT + 6]) == [12, 11, 10, 9, 8, 7]


def test_dice_may_stay_unused_and_pass_is_legal():
    s = game(2)
    roll(s, 1, 2, 3, 4)
    assert texts(s) == ["-", "5", "5+5", "6", "7", "8", "9", "10"]
    roll(game(2), 1, 1, 1, 1)


def test_ones_are_turned_but_one():
    """Of two 1s one may show any face."""
    s = game(2)
    roll(s, 1, 1, 6, 6)
    legal = texts(s)
    assert "6+6+7" in legal and "6+6+6" in legal and "5+6+6" in legal and "6+6+10" not in legal
    s = game(2)
    roll(s, 1, 2, 6, 6)
    assert "5+6+6" not in texts(s), "a single 1 keeps showing 1"


def test_several_groups_serve_one_mountain():
    s = game(2)
    turn(s, (6, 6, 6, 6), "6+6+6+6")
    assert climbed(s, 0, 6) == 4 and tokens(s, 0, 6) == 1 and s[LEFT + 1] == 8
    assert told() == [(1, 0, 6, 1), (1, 0, 6, 2), (1, 0, 6, 3), (1, 0, 6, 4), (3, 0, 6, 8)]


def test_seats_take_turns():
    s = game(3)
    for seat in (0, 1, 2, 0):
        assert rules.seat(s) == rules.CHANCE
        roll(s, 1, 2, 2, 3)
        assert rules.seat(s) == seat
        rules.apply(s, 0)
    assert s[ROUND] == 1


def test_summit_holds_one_goat():
    """Who arrives sends the other to the foot; who stays takes another token."""
    s = game(2)
    turn(s, (5, 5, 5, 5), "10+10")
    assert climbed(s, 0, 10) == 2 and s[SUMMIT + 5] == SEAT and tokens(s, 0, 10) == 1
    turn(s, (4, 6, 4, 6), "10+10")
    assert climbed(s, 0, 10) == 0 and climbed(s, 1, 10) == 2
    assert (2, 0, 10, 0) in told() and told()[-1] == (3, 1, 10, 3)
    turn(s, *PASS)
    turn(s, (5, 5, 5, 5), "10+10")
    assert tokens(s, 1, 10) == 3 and s[LEFT + 5] == 1


def empty_ten(s):
    """Take the tokens of mountain 10: seat 0 all of them, seat 1 passes; ends after an odd ply of seat 0."""
    turn(s, (5, 5, 5, 5), "10+10")
    while s[LEFT + 5]:
        turn(s, *PASS)
        turn(s, (4, 5, 5, 6), "10+10" if s[LEFT + 5] > 1 else "10")


def test_empty_mountain_still_has_a_summit():
    """A goat is sent back also when no token is left, and no token is taken then."""
    s = game(2)
    empty_ten(s)
    turn(s, (4, 4, 6, 6), "10+10")
    assert climbed(s, 0, 10) == 0 and s[SUMMIT + 5] == SEAT + 16 and tokens(s, 1, 10) == 0 and s[LEFT + 5] == 0
    turn(s, *PASS)
    roll(s, 4, 6, 1, 1)
    assert "10" in texts(s), "useless but legal"
    rules.apply(s, notation.move_code(s, "10"))
    assert tokens(s, 1, 10) == 0 and told() == []


# Two turns that bring one token of each mountain to a goat on no mountain yet.
SET = (
    ((5, 5, 5, 5), "5+5+5+5"),
    ((6, 6, 6, 6), "6+6+6+6"),
    ((1, 6, 1, 6), "7+7"),
    ((1, 2, 4, 6), "7"),
    ((2, 6, 4, 4), "8+8"),
    ((2, 6, 1, 1), "8"),
    ((4, 5, 3, 6), "9+9"),
    ((5, 5, 4, 6), "10+10"),
)


def test_bonus_at_each_new_set():
    """15, then 12, 9, 6, whenever the smallest count grows."""
    s = game(2)
    for dice, text in SET:
        assert s[BONUS] == 4
        turn(s, dice, text)
        before = told()
        turn(s, *PASS)
    assert s[BONUS] == 3 and s[SEAT + SETS] == 1 and before[-1] == (4, 0, 0, 15)
    assert points(s)[0] == 5 + 6 + 7 + 8 + 9 + 10 + 15
    # The goats stand on the summits: each further group takes a token.
    for dice, text in (((5, 6, 4, 3), "5+6+7"), ((2, 6, 4, 5), "8+9")):
        turn(s, dice, text)
        turn(s, *PASS)
        assert s[BONUS] == 3
    turn(s, (4, 6, 1, 2), "10")
    assert s[BONUS] == 2 and points(s)[0] == 2 * 45 + 15 + 12


def test_fourth_bonus_finishes_the_round():
    """When all four bonus tokens are taken the round is completed, then the game is over."""
    s = game(2)
    for dice, text in SET:
        turn(s, dice, text)
        turn(s, *PASS)
    for _ in range(3):
        for dice, text in (((5, 6, 4, 3), "5+6+7"), ((2, 6, 4, 5), "8+9"), ((4, 6, 1, 2), "10")):
            assert rules.seat(s) == rules.CHANCE
            turn(s, dice, text)
            if s[BONUS]:
                turn(s, *PASS)
    assert s[BONUS] == 0 and rules.seat(s) == rules.CHANCE
    turn(s, *PASS)
    assert rules.seat(s) == rules.OVER and rules.winners(s) == 1
    assert points(s) == [4 * 45 + 42, 0]
    assert rules.legal(s, buf) == 0


def test_three_empty_mountains_end_the_game():
    s = game(2)
    wants = (((4, 5, 3, 6), "9+9"), ((5, 5, 4, 6), "10+10"), ((2, 6, 4, 4), "8+8"))
    emptied = 0
    for dice, text in wants:
        one = text.split("+")[0]
        mountain = int(one) - 5
        while s[LEFT + mountain]:
            assert rules.seat(s) == rules.CHANCE
            turn(s, dice, text if s[LEFT + mountain] != 1 or climbed(s, 0, mountain + 5) == 0 else one)
            if emptied < 2 or s[LEFT + mountain]:
                turn(s, *PASS)
        emptied += 1
    assert rules.seat(s) == rules.CHANCE, "seat 1 still has its turn"
    turn(s, *PASS)
    assert rules.seat(s) == rules.OVER


def test_sixty_rounds_end_the_game():
    s = game(2)
    for _ in range(119):
        turn(s, *PASS)
    assert rules.seat(s) == rules.CHANCE
    turn(s, *PASS)
    assert rules.seat(s) == rules.OVER and rules.winners(s) == 3, "nobody has anything: the win is shared"


def to_the_end(s):
    """Pass until the 60 rounds are over."""
    while rules.seat(s) != rules.OVER:
        turn(s, *PASS)
    return rules.winners(s)


def test_tie_more_summits():
    """Equal scores: two low summits beat a high one."""
    s = game(2)
    turn(s, (6, 6, 6, 6), "6+6+6+6")
    turn(s, (4, 6, 5, 5), "10+10")
    turn(s, (1, 2, 4, 6), "6")
    turn(s, (4, 6, 1, 2), "10")
    turn(s, (2, 6, 4, 4), "8+8")
    turn(s, *PASS)
    turn(s, (2, 6, 4, 4), "8")
    turn(s, *PASS)
    assert points(s) == [20, 20] and to_the_end(s) == 1


def test_tie_highest_summit():
    """Equal scores and one summit each: 10 is higher than 5."""
    s = game(2)
    turn(s, (5, 5, 5, 5), "5+5+5+5")
    turn(s, (5, 5, 5, 5), "10+10")
    turn(s, (5, 5, 1, 2), "5")
    turn(s, *PASS)
    assert points(s) == [10, 10] and to_the_end(s) == 2


def test_tie_a_goat_sent_down_is_on_no_summit():
    s = game(3)
    turn(s, (5, 5, 5, 5), "5+5+5+5")
    turn(s, (4, 6, 5, 5), "10+10")
    turn(s, *PASS)
    turn(s, (5, 5, 1, 2), "5")
    turn(s, *PASS)
    turn(s, (4, 6, 5, 5), "10+10")
    assert points(s) == [10, 10, 10] and to_the_end(s) == 4


def test_tie_shared():
    """Nothing tells seats 0 and 1 apart when both goats were sent down: they share the win."""
    s = game(3)
    turn(s, (5, 5, 5, 5), "5+5+5+5")
    turn(s, (6, 6, 6, 6), "6+6+6+6")
    turn(s, *PASS)
    for _ in range(2):
        turn(s, (5, 5, 1, 2), "5+5")
        turn(s, (6, 6, 1, 2), "6+6")
        turn(s, *PASS)
    turn(s, (5, 5, 1, 2), "5")
    turn(s, *PASS)
    turn(s, (5, 5, 5, 5), "5+5+5+5")
    turn(s, *PASS)
    turn(s, *PASS)
    turn(s, (6, 6, 6, 6), "6+6+6+6")
    assert points(s) == [30, 30, 11] and to_the_end(s) == 3


def test_big_needs_its_option():
    s = game(2)
    roll(s, 6, 6, 6, 6)
    assert all(int(v) <= 10 for text in texts(s) if text != "-" for v in text.split("+"))
    s = game(2, 1)
    roll(s, 6, 6, 6, 6)
    assert "24" in texts(s) and "12+12" not in texts(s), "a step holds one goat"


def test_big_step_holds_one_goat_for_good():
    s = game(2, 1)
    turn(s, (6, 6, 6, 6), "24")
    assert s[BIG + 24] == SEAT and s[SEAT + POOL] == 5 and told() == [(5, 0, 24, 0)]
    roll(s, 6, 6, 6, 6)
    assert "24" not in texts(s)
    assert points(s) == [12, 0]


def test_big_takes_goats_from_the_pool():
    """Six goats on the Big Mountain leave none for the foot of any mountain."""
    s = game(2, 1)
    for dice, text in (
        ((6, 6, 6, 6), "24"),
        ((5, 6, 6, 6), "23"),
        ((5, 5, 6, 6), "22"),
        ((5, 5, 5, 6), "21"),
        ((5, 5, 5, 5), "20"),
    ):
        turn(s, dice, text)
        turn(s, *PASS)
    roll(s, 5, 6, 4, 6)
    assert "5" in texts(s) and "6" in texts(s) and "5+6" not in texts(s), "one goat is left"
    assert "5+16" not in texts(s)
    rules.apply(s, 0)
    turn(s, *PASS)
    roll(s, 5, 5, 1, 2)
    assert "5+5" in texts(s), "two groups, one goat"
    rules.apply(s, 0)
    turn(s, *PASS)
    roll(s, 5, 6, 4, 6)
    rules.apply(s, notation.move_code(s, "15"))
    rules.apply(s, rules.sample(s, Rng(1)))
    rules.apply(s, 0)
    roll(s, 5, 6, 4, 6)
    assert texts(s) == ["-"]


def test_order_inside_a_turn():
    """From the smallest sum to the largest: the goat for 5 leaves the pool before the one for 13."""
    s = game(2, 1)
    turn(s, (2, 3, 6, 6), "5+12")
    assert told() == [(1, 0, 5, 1), (5, 0, 12, 0)]


def test_all_goats_on_the_big_mountain_end_the_game():
    s = game(2, 1)
    rolls = (
        (6, 6, 6, 6),
        (5, 6, 6, 6),
        (5, 5, 6, 6),
        (5, 5, 5, 6),
        (5, 5, 5, 5),
        (4, 5, 5, 5),
        (4, 4, 5, 5),
        (4, 4, 4, 5),
        (4, 4, 4, 4),
        (3, 4, 4, 4),
        (3, 3, 4, 4),
        (3, 3, 3, 4),
    )
    for dice in rolls:
        assert rules.seat(s) == rules.CHANCE
        turn(s, dice, str(sum(dice)))
    assert rules.seat(s) == rules.OVER
    assert points(s) == [12 + 4, 8] and rules.winners(s) == 1


def test_big_mountain_worked_example():
    """5 seats: red holds ranks 2, 3 and 5, white rank 1 and yellow rank 4: 24, 15 and 6."""
    s = game(5, 1)
    red, white, yellow = (6, 6, 6, 5), (6, 6, 6, 6), (5, 5, 5, 6)
    turn(s, red, "23")
    turn(s, white, "24")
    turn(s, yellow, "21")
    turn(s, *PASS)
    turn(s, *PASS)
    turn(s, (5, 5, 6, 6), "22")
    for _ in range(4):
        turn(s, *PASS)
    turn(s, (5, 5, 5, 5), "20")
    for _ in range(3):
        turn(s, *PASS)
    turn(s, (4, 5, 5, 5), "19")  # rank 6 scores nothing
    assert points(s) == [24, 15, 6, 0, 0]


def test_big_mountain_ranks_by_seats():
    """12 8 4 with two seats, 16 12 8 4 with three, 15 12 9 6 3 with four."""
    rolls = ((6, 6, 6, 6), (5, 6, 6, 6), (5, 5, 6, 6), (5, 5, 5, 6), (5, 5, 5, 5), (4, 5, 5, 5))
    for seats, expected in ((2, (12, 8, 4, 0, 0, 0)), (3, (16, 12, 8, 4, 0, 0)), (4, (15, 12, 9, 6, 3, 0))):
        s = game(seats, 1)
        total = [0] * seats
        for i in range(6):
            turn(s, rolls[i], str(sum(rolls[i])))
            total[i % seats] += expected[i]
            assert points(s) == total, (seats, i)


def test_moves_read_back():
    """Every move's text is read back, and what is no move is refused."""
    for move in range(rules.MOVES):
        assert notation.move_code(None, notation.move_text(None, move)) == move
    for text in ("", "4", "5+4", "7+5", "25", "+", "5 + 7"):
        try:
            notation.move_code(None, text)
        except ValueError:
            continue
        assert False, text


def test_dice_read_back():
    for event in range(126):
        chance = {}
        notation.put_event(chance, None, event)
        assert chance["dice"] == sorted(chance["dice"]) and notation.take_event(chance, None) == event
        assert not chance
    for bad in (None, [1, 2, 3], [2, 1, 3, 4], [0, 1, 2, 3], [1, 2, 3, 7], [1, 2, 3, True], [1, 2, 3, "4"], "1234"):
        try:
            notation.take_event({} if bad is None else {"dice": bad}, None)
        except ValueError:
            continue
        assert False, bad


def test_check_refuses_what_cannot_be():
    """One byte changed on purpose for each clause of `check`."""
    s = game(3, 1)
    turn(s, (5, 5, 5, 5), "5+5+5+5")
    rules.check(s)
    for at, value in (
        (0, 1),
        (0, 6),
        (1, 2),
        (2, 3),
        (3, 3),
        (4, 7),
        (5, 61),
        (6, 3),
        (7, 1),
        (8, 1),
        (LEFT, 3),
        (SUMMIT, 0),
        (SUMMIT, SEAT + 16),
        (SUMMIT, 1),
        (BIG + 12, SEAT),
        (BIG + 12, 9),
        (SEAT, 5),
        (SEAT + 1, 5),
        (SEAT + TAKEN, 9),
        (SEAT + POOL, 6),
        (SEAT + SETS, 1),
        (SEAT + 14, 8),
        (SEAT + 15, 1),
        (35, 1),
        (36, 64),
        (SEAT + 48, 1),
        (2, rules.OVER),
    ):
        bad = bytearray(s)
        bad[at] = value
        try:
            rules.check(bad)
        except ValueError:
            continue
        assert False, (at, value)
    for bad in (s[:-1], bytearray(rules.STATE_BYTES)):
        try:
            rules.check(bad)
        except ValueError:
            continue
        assert False, "length or zeros"
