"""Sentences of the goblins rules page as small tests; they run on every platform (plain asserts, no packages)."""

from array import array

from games.goblins import bot, notation, rules
from games.rng import Rng

# Offsets of the state (games/goblins/rules.py).
TO_MOVE, PHASE, RACE, STARTER, LANE, SEAT = 2, 3, 4, 5, 8, 63
DUCATS, MC, PRIZES, BOUGHT, FEE = 6, 7, 8, 9, 10
BUYING = 5
ACTIONS, CONTESTED = 1, 2

buf = array("H", [0] * rules.MAX_LEGAL)


def game(seats, options=0):
    """A fresh state."""
    s = bytearray(rules.STATE_BYTES)
    rules.new(s, seats, options, None)
    return s


def kind_of(text):
    """`3*` is 11, `3` is 3."""
    return int(text[0]) + (8 if text.endswith("*") else 0)


def masks(kinds):
    """First plain, second plain, starred."""
    first = twice = star = 0
    for kind in kinds:
        bit = 1 << (kind & 7)
        if kind & 8:
            star |= bit
        elif first & bit:
            twice |= bit
        else:
            first |= bit
    return first, twice, star


def position(hands, lanes, options=0, race=2, to_move=0, ducats=None, mc=None):
    """A state in the middle of a race: hands as `1 2* 5`, lanes as (track, zone), each as `0:5 1:3*` (seat:card),
    oldest first. Two races are over, so that the cards not named may be out of the game."""
    seats = len(hands)
    s = game(seats, options)
    s[TO_MOVE] = to_move
    s[RACE] = race
    lost = [[] for _ in hands]
    for i in range(len(lanes)):
        for part, at in ((0, LANE + 11 * i + 1), (1, LANE + 11 * i + 6)):
            cards = lanes[i][part].split()
            s[at] = len(cards)
            for j in range(len(cards)):
                seat, card = cards[j].split(":")
                kind = kind_of(card)
                s[at + 1 + j] = 16 * (int(seat) + 1) + kind
                if part == 0:
                    s[LANE + 11 * i] ^= 1 << (kind & 7)
                else:
                    lost[int(seat)].append(kind)
    for k in range(seats):
        p = SEAT + 11 * k
        s[p], s[p + 1], s[p + 2] = masks([kind_of(card) for card in hands[k].split()])
        s[p + 3], s[p + 4], s[p + 5] = masks(lost[k])
        want = ducats[k] if ducats else 6
        s[p + DUCATS] = want
        s[p + PRIZES] = (max(want - 6, 0) + 2) // 3
        s[p + BOUGHT] = 6 + 3 * s[p + PRIZES] - want
        s[p + MC] = mc[k] if mc else 0
    rules.check(s)
    return s


def texts(s):
    """The legal moves as a list of texts, in the order of their codes."""
    return [notation.move_text(s, buf[i]) for i in range(rules.legal(s, buf))]


def play(s, *moves):
    """Moves as texts, each of which must be legal; returns whose decision it is then."""
    for text in moves:
        assert text in texts(s), (text, texts(s))
        rules.apply(s, notation.move_code(s, text))
        rules.check(s)
    return rules.seat(s)


def track(s, lane):
    """The cards on a track as text, seat:card."""
    return cards(s, LANE + 11 * lane - 11 + 1)


def zone(s, lane):
    """The cards of a penalty zone as text, seat:card, oldest first."""
    return cards(s, LANE + 11 * lane - 11 + 6)


def cards(s, at):
    """A counted row of cards as text."""
    return " ".join([str((c >> 4) - 1) + ":" + str(c & 7) + ("*" if c & 8 else "") for c in s[at + 1 : at + 1 + s[at]]])


def hand(s, seat):
    """A hand as text, plain cards first."""
    p = SEAT + 11 * seat
    found = []
    for v in range(7):
        found += [str(v)] * ((s[p] >> v & 1) + (s[p + 1] >> v & 1))
    return " ".join(found + [str(v) + "*" for v in range(7) if s[p + 2] >> v & 1])


def ducats(s):
    """Ducats of the seats."""
    return [s[SEAT + 11 * k + DUCATS] for k in range(s[0])]


def mc_cards(s):
    """MC cards of the seats."""
    return [s[SEAT + 11 * k + MC] for k in range(s[0])]


def points(s):
    """The scores as a list."""
    out = array("h", [0] * 4)
    rules.scores(s, out)
    return list(out)[: s[0]]


def told():
    """TRACE as a list of steps."""
    return [tuple(rules.TRACE[i : i + 4]) for i in range(1, 1 + 4 * rules.TRACE[0], 4)]


# --- Components


def test_set_up():
    """12 cards and 6 ducats for every seat, seats + 1 lanes, seat 0 begins."""
    for seats in (2, 3, 4):
        s = game(seats)
        rules.check(s)
        assert [hand(s, k) for k in range(seats)] == ["0 1 1 2 2 3 3 4 4 5 5 6"] * seats
        assert ducats(s) == [6] * seats
        assert points(s) == [6] * seats
        expected = ["play " + str(lane + 1) + " " + str(v) for lane in range(seats + 1) for v in range(7)]
        assert texts(s) == expected, "two equal cards are one move"
        assert rules.seat(s) == 0


def test_set_up_with_actions():
    """One copy of each of 1, 2, 3, 4 is starred."""
    s = game(3, ACTIONS)
    assert hand(s, 2) == "0 1 2 3 4 5 5 6 1* 2* 3* 4*"
    assert texts(s)[:12] == ["play 1 " + c for c in "0 1 2 3 4 5 6 1* 2* 3* 4*".split()] + ["play 2 0"]


# --- A race


def test_seats_take_turns():
    s = game(3)
    assert [play(s, text) for text in ("play 1 0", "play 1 1", "play 1 2", "play 2 1")] == [1, 2, 0, 1]


def test_a_value_lies_once_on_a_track():
    """But the penalty zone does not matter."""
    s = game(2)
    play(s, "play 1 5")
    assert "play 1 5" not in texts(s)
    assert "play 2 5" in texts(s)
    s = position(["5", "6"], [("", "0:5"), ("", ""), ("", "")], race=3)
    assert texts(s) == ["play 1 5", "play 2 5", "play 3 5"]
    s = position(["3*", "6"], [("1:3", ""), ("", ""), ("", "")], ACTIONS, race=3)
    assert texts(s) == ["play 2 3*", "play 3 3*"], "starred or not, it is a 3"


def test_a_seat_that_cannot_play_is_skipped():
    s = position(["1 2", "5", "3"], [("1:5", ""), ("2:5", ""), ("0:5", ""), ("0:5", "")], race=3)
    assert play(s, "play 1 1") == 2
    assert told() == [(rules.PUT, 0, 0, 17), (rules.SKIPPED, 1, 0, 0)]
    assert play(s, "play 1 3") == 0


def test_nobody_can_play():
    """The race ends at once, nobody takes an MC card, and who would have moved starts the next."""
    s = position(["1", "5", ""], [("1:5", "0:6"), ("2:5", ""), ("0:5", "1:4"), ("0:5", "2:3 2:0")], ducats=[6, 1, 6])
    assert play(s, "play 1 1") == 1
    assert s[RACE] == 3
    assert s[PHASE] == BUYING
    assert mc_cards(s) == [0, 0, 0]
    assert s[STARTER] == 1
    assert [step[:3] for step in told()[1:5]] == [
        (rules.SKIPPED, 1, 0),
        (rules.SKIPPED, 2, 0),
        (rules.SKIPPED, 0, 0),
        (rules.RACE, 3, 255),
    ]


def test_a_race_that_nobody_can_start():
    """It counts as a race and pays its prizes."""
    s = position(["", "3"], [("0:6 0:5", ""), ("", ""), ("1:5", "")], to_move=1)
    assert play(s, "play 2 3") == rules.OVER
    assert [step for step in told() if step[0] in (rules.RACE, rules.PRIZE)] == [
        (rules.RACE, 3, 255, 0),
        (rules.PRIZE, 0, 0, 3),
        (rules.PRIZE, 1, 1, 3),
        (rules.PRIZE, 1, 2, 3),
        (rules.RACE, 4, 255, 0),
        (rules.PRIZE, 0, 0, 3),
        (rules.PRIZE, 1, 1, 3),
        (rules.PRIZE, 1, 2, 3),
    ]
    assert points(s) == [12, 18]


def test_the_fourth_card_throws_out_the_leftmost():
    s = game(2)
    play(s, "play 1 5", "play 1 3", "play 1 1")
    assert track(s, 1) == "0:5 1:3 0:1"
    play(s, "play 1 6")
    assert told() == [(rules.PUT, 1, 0, 38), (rules.THROWN, 0, 0, 21)]
    assert track(s, 1) == "1:3 0:1 1:6"
    assert zone(s, 1) == "0:5"
    assert "play 1 5" in texts(s), "its value may come again"


def test_the_fourth_card_in_a_zone_ends_the_race():
    """The seat that caused it takes an MC card; the seat after it starts the next race, here with buying."""
    s = game(3)
    for text in ("5", "3", "1", "6", "5", "3", "1"):
        assert s[RACE] == 0
        play(s, "play 1 " + text)
    assert zone(s, 1) == "0:5 1:3 2:1 0:6"
    assert s[RACE] == 1
    assert mc_cards(s) == [1, 0, 0]
    assert rules.seat(s) == 1
    assert s[STARTER] == 1
    assert texts(s) == ["done", "buy 3"]


# --- Prizes


def prizes(lanes, options=0):
    """Who is paid for each lane (None: nobody) when the race ends with these tracks."""
    lanes = [(track, "") for track in lanes]
    lanes.append(("0:1 0:2 0:3", "0:4 0:5 0:6"))
    s = position(["0", "", ""], lanes, options, race=3)
    assert play(s, "play 4 0") == rules.OVER
    paid = [None] * 3
    for kind, seat, lane, amount in told():
        if kind == rules.PRIZE and lane < 3:
            assert amount == 3
            paid[lane] = seat
    return paid


def test_prizes():
    """The highest sum; then more cards; then nobody; an empty track pays nobody."""
    assert prizes(["0:1 1:5 2:4", "0:2 0:3 1:6", "2:0"]) == [1, 1, 2]
    assert prizes(["0:2 0:3 1:5", "1:1 1:4 2:5", "1:2 2:6"]) == [0, 1, 2]
    assert prizes(["0:5 1:0", "", "1:2 2:0"]) == [0, None, 1]
    assert prizes(["1:3 2:1 2:2", "0:4 1:1 1:3", ""]) == [2, 1, None]


def test_equal_sums():
    """More cards win. Equal numbers too cannot be, since values differ on a track (tests/games/test_goblins.py)."""
    assert prizes(["0:1 0:4 2:5", "0:5 2:1 2:4", "1:5 0:2 0:3"]) == [0, 2, 0]


def test_contested():
    """A lane with cards of one seat only pays nobody."""
    lanes = ["0:1 0:5", "1:4", "1:3 2:0"]
    assert prizes(lanes) == [0, 1, 1]
    assert prizes(lanes, CONTESTED) == [None, None, 1]


# --- Between races


def bought_state():
    """Race 3 has just been ended by seat 2 of 3, so seat 0 starts buying and the next race."""
    s = position(
        ["6", "0", "6 0"],
        [("1:1 2:2 0:3", "0:4 0:4 1:5"), ("1:6", "0:2"), ("", "1:1 1:3"), ("", "")],
        to_move=2,
        ducats=[2, 3, 0],
    )
    play(s, "play 1 0")
    return s


def test_buying():
    """Once round from the next starter; 1 ducat each; asked again while it can; back to hand."""
    s = bought_state()
    assert rules.seat(s) == 0
    assert mc_cards(s) == [0, 0, 1]
    assert ducats(s) == [5, 6, 0]
    assert texts(s) == ["done", "buy 2", "buy 4"]
    assert play(s, "buy 4", "buy 4") == 0
    assert zone(s, 1) == "1:5 1:1"
    assert told() == [(rules.BACK, 0, 0, 20)]
    assert texts(s) == ["done", "buy 2"]
    assert play(s, "buy 2") == 1, "nothing is left to buy: no `done`"
    assert ducats(s)[0] == 2
    assert hand(s, 0) == "2 4 4 6"
    assert texts(s) == ["done", "buy 1", "buy 3", "buy 5"]
    assert play(s, "buy 1") == 1
    assert zone(s, 1) == "1:5", "the lowest lane"
    assert zone(s, 3) == "1:1 1:3"
    assert play(s, "done") == 0, "seat 2 has nothing to buy"
    assert s[PHASE] == 0
    assert s[RACE] == 3
    assert [zone(s, lane) for lane in (1, 2, 3, 4)] == ["", "", "", ""], "out of the game"
    assert track(s, 1) == "2:2 0:3 2:0", "the tracks stay"


def test_no_credit():
    """With the last ducat the round goes on; without one a seat is not asked."""
    s = position(["6", "6 0"], [("1:1 1:2 1:3", "0:4 0:5 0:5"), ("1:3", ""), ("1:5", "")], to_move=1, ducats=[1, 0])
    assert play(s, "play 1 0") == 0
    assert play(s, "buy 5") == 1, "not asked again; seat 1 is"
    assert ducats(s) == [0, 9]
    assert texts(s) == ["done", "buy 1"]
    s = position(["6", "6 0"], [("1:1 1:2 1:3", "0:4 0:5 0:5"), ("", ""), ("", "")], to_move=1, ducats=[0, 0])
    assert play(s, "play 1 0") == 1


def test_no_buying_after_the_last_race():
    s = position(["6", "6 0"], [("1:1 1:2 1:3", "0:4 0:5 0:5"), ("", ""), ("", "")], race=3, to_move=1)
    assert play(s, "play 1 0") == rules.OVER
    assert zone(s, 1) == "0:4 0:5 0:5 1:1"
    assert rules.legal(s, buf) == 0


# --- The end


def last_move(purse, mc, hands=("6", "6 0")):
    """The end of race 4, caused by seat 1 with one more MC card; lane 1 pays seat 1."""
    s = position(hands, [("1:1 1:2 1:3", "0:4 0:5 0:5"), ("", ""), ("", "")], race=3, to_move=1, ducats=purse, mc=mc)
    assert play(s, "play 1 0") == rules.OVER
    return s


def test_mc_cards_are_paid_for():
    """1, 3, 6, 10 ducats, but never more than there are."""
    for n, cost in ((0, 1), (1, 3), (2, 6), (3, 10)):
        s = last_move([9, 20], [0, n])
        assert points(s) == [9, 23 - cost]
        assert told()[-1] == (rules.PAID, 1, cost, n + 1)
    assert points(last_move([9, 2], [0, 3])) == [9, 0]
    assert points(last_move([4, 2], [3, 0])) == [0, 4]
    assert rules.winners(last_move([9, 2], [0, 3])) == 1


def test_ties():
    """The higher sum of the cards in hand, then the win is shared."""
    assert rules.winners(last_move([8, 6], [0, 0])) == 3
    assert rules.winners(last_move([8, 6], [0, 0], ("6 1", "6 0"))) == 1
    assert rules.winners(last_move([8, 6], [0, 0], ("6", "6 0 1"))) == 2
    assert rules.winners(last_move([8, 6], [0, 0], ("3 3", "6 0"))) == 3
    assert rules.winners(last_move([9, 6], [0, 0], ("", "6 0"))) == 1


# --- Action cards


def test_trip():
    """The leftmost card of any other lane whose track is not empty; or declined."""
    lanes = [("0:5 1:6", ""), ("0:6", "1:5"), ("", "")]
    s = position(["1* 3", "3"], lanes, ACTIONS)
    assert play(s, "play 2 1*") == 0
    assert texts(s) == ["no", "trip 1"]
    assert play(s, "trip 1") == 1
    assert told() == [(rules.THROWN, 0, 0, 21)]
    assert (track(s, 1), zone(s, 1)) == ("1:6", "0:5")
    s = position(["1* 3", "3"], lanes, ACTIONS)
    assert play(s, "play 3 1*") == 0
    assert texts(s) == ["no", "trip 1", "trip 2"]
    assert play(s, "no") == 1
    assert track(s, 1) == "0:5 1:6"
    assert told() == []


def test_trip_without_a_target_is_not_offered():
    s = position(["1* 3", "3"], [("0:5 1:6", ""), ("", ""), ("", "")], ACTIONS)
    assert play(s, "play 1 1*") == 1


def test_trip_ends_the_race():
    s = position(["1* 3", "3"], [("0:5 1:6", "0:2 0:4 1:4"), ("", ""), ("", "")], ACTIONS, ducats=[6, 0])
    assert play(s, "play 3 1*", "trip 1") == 1, "seat 1 starts"
    assert (s[RACE], mc_cards(s), ducats(s)) == (3, [1, 0], [9, 3])


def test_switch():
    """Another card of this track, any seat's, to another lane without its value; not the card just played."""
    s = position(["2* 3", "3"], [("0:5 1:6", ""), ("0:6", ""), ("", "")], ACTIONS)
    assert play(s, "play 1 2*") == 0
    assert texts(s) == ["no", "switch 5 2", "switch 5 3", "switch 6 3"]
    assert play(s, "switch 5 2") == 1
    assert told() == [(rules.MOVED, 0, 1, 21)]
    assert (track(s, 1), track(s, 2)) == ("1:6 0:2*", "0:6 0:5")
    assert "play 1 5" not in texts(s)


def test_switch_throws_out_as_always():
    """First by the played card, then by the moved one, which may end the race."""
    lanes = [("0:5 1:6 0:0", ""), ("0:6 0:1 1:4", "1:2 1:1 1:3"), ("", "")]
    s = position(["2* 3", "5"], lanes, ACTIONS, ducats=[6, 0])
    assert play(s, "play 1 2*") == 0
    assert zone(s, 1) == "0:5"
    assert texts(s) == ["no", "switch 0 2", "switch 0 3", "switch 6 3"], "5 is gone; 6 lies in lane 2"
    play(s, "switch 0 2")
    assert (s[RACE], mc_cards(s), zone(s, 2)) == (3, [1, 0], "1:2 1:1 1:3 0:6")
    assert track(s, 2) == "0:1 1:4 0:0"


def test_switch_without_a_target_is_not_offered():
    s = position(["2* 3", "3"], [("", ""), ("0:5", ""), ("", "")], ACTIONS)
    assert play(s, "play 1 2*") == 1, "alone on its track"
    s = position(["2* 3", "6"], [("0:5", ""), ("1:5", ""), ("1:3 0:5", "")], ACTIONS)
    assert play(s, "play 1 2*") == 1, "5 lies everywhere"


def test_a_moved_card_offers_no_action():
    s = position(["2* 3", "3 4"], [("1:1*", ""), ("0:5", ""), ("", "")], ACTIONS)
    assert play(s, "play 1 2*") == 0
    assert texts(s) == ["no", "switch 1 2", "switch 1 3"], "never starred in the notation"
    assert play(s, "switch 1 2") == 1
    assert track(s, 2) == "0:5 1:1*"


def test_rescue():
    """An own card from any zone to hand; of equal ones that in the lowest lane, there the oldest."""
    lanes = [("", "1:5"), ("0:1 1:2 1:4", "0:5 1:6"), ("", "0:5 0:4*")]
    s = position(["3* 3", "3"], lanes, ACTIONS)
    assert play(s, "play 2 3*") == 0
    assert zone(s, 2) == "0:5 1:6 0:1"
    assert texts(s) == ["no", "rescue 1", "rescue 5", "rescue 4*"], "also the card just thrown out"
    assert play(s, "rescue 5") == 1
    assert told() == [(rules.BACK, 0, 1, 21)]
    assert zone(s, 2) == "1:6 0:1"
    assert zone(s, 3) == "0:5 0:4*"
    assert hand(s, 0) == "3 5"
    s = position(["3* 3", "3"], lanes, ACTIONS)
    assert play(s, "play 1 3*", "rescue 4*") == 1
    assert hand(s, 0) == "3 4*"
    s = position(["3* 3", "3"], [("", "1:5"), ("", ""), ("", "")], ACTIONS)
    assert play(s, "play 1 3*") == 1, "no own card: not offered"


def test_again():
    """Another card at once, not optional; its own star counts."""
    s = position(["4* 1*", "3"], [("0:5", ""), ("", ""), ("", "")], ACTIONS)
    assert play(s, "play 2 4*") == 0
    assert texts(s) == ["play 1 1*", "play 2 1*", "play 3 1*"]
    assert play(s, "play 3 1*") == 0
    assert texts(s) == ["no", "trip 1", "trip 2"]
    assert play(s, "no") == 1


def test_again_without_a_playable_card():
    """The turn is over; the seat is not skipped, and the next one is asked."""
    s = position(["4*", "3 4"], [("0:5", ""), ("", ""), ("", "")], ACTIONS)
    assert play(s, "play 2 4*") == 1
    assert told() == [(rules.PUT, 0, 1, 28)]
    s = position(["4*", ""], [("0:5", "1:4"), ("", "0:6"), ("", "")], ACTIONS, ducats=[1, 1])
    assert play(s, "play 2 4*") == 1, "nobody can play; it would have been the turn of seat 1"
    assert s[STARTER] == 1


def test_no_action_when_the_race_is_over():
    for card in ("1*", "2*", "3*", "4*"):
        s = position([card + " 6", "3"], [("0:0 1:5 1:6", "0:5 1:0 1:4"), ("0:3", ""), ("", "")], ACTIONS)
        play(s, "play 1 " + card)
        assert (s[RACE], s[PHASE], mc_cards(s)) == (3, BUYING, [1, 0]), card


def test_starred_cards_need_the_option():
    s = position(["1 2 3 4", "3"], [("0:5", "0:6"), ("1:5", ""), ("", "")])
    for text in ("play 2 1", "play 1 3", "play 2 2"):
        who = rules.seat(s)
        assert play(s, text) == 1 - who or who == 0


def test_starred_cards_are_bought_by_name():
    s = position(["6 0", "3"], [("0:1 0:2 0:3", "0:3* 1:5 0:4"), ("", ""), ("", "")], ACTIONS, ducats=[6, 0])
    assert play(s, "play 1 0") == 0, "seat 1 has no ducat"
    assert texts(s) == ["done", "buy 1", "buy 4", "buy 3*"]
    play(s, "buy 3*")
    assert hand(s, 0) == "6 3*"


# --- Notation, bounds, bytes


def test_moves_read_back():
    for text in ("play 1 0", "play 5 4*", "no", "done", "trip 3", "switch 6 5", "rescue 1*", "buy 6"):
        assert notation.move_text(None, notation.move_code(None, text)) == text
    for text in ("", "play", "play 6 1", "play 0 1", "play 1 7", "play 1 5*", "play  1 1", "switch 1* 2", "buy", "No"):
        try:
            notation.move_code(None, text)
        except ValueError:
            continue
        raise AssertionError(text)


def test_there_is_no_chance():
    for call in (
        lambda: rules.sample(game(2), Rng(1)),
        lambda: notation.put_event({}, None, 0),
        lambda: notation.take_event({}, None),
    ):
        try:
            call()
        except ValueError:
            continue
        raise AssertionError(call)


def test_most_legal_moves():
    """4 seats with `actions` in the first ply reach MAX_LEGAL."""
    assert rules.legal(game(4, ACTIONS), buf) == rules.MAX_LEGAL == 55


def test_view_is_everything():
    s = game(3)
    out = bytearray(rules.VIEW_BYTES)
    assert rules.view(s, 1, out) == rules.VIEW_BYTES
    assert out == s


def test_the_instant_player_sees_a_prize():
    """Of two lanes it takes the one that it then leads, whatever else it holds."""
    for hands in (["5", "0"], ["5", "0 1 2 3"], ["5 3 2", "0 1 2"], ["2 3 4 5 6", "1 2 3 0"]):
        s = position(hands, [("1:4", ""), ("1:6", ""), ("0:1", "")])
        n = rules.legal(s, buf)
        assert notation.move_text(s, bot.choose(s, buf, n, Rng(1))) == "play 1 5", hands


def test_check_refuses_what_cannot_be():
    """One byte changed on purpose for each clause of `check`."""
    s = game(3, ACTIONS)
    play(s, "play 1 5", "play 1 3", "play 1 1")
    for at, value in (
        (0, 1), (0, 5), (1, 4), (TO_MOVE, 3), (TO_MOVE, rules.OVER), (PHASE, 1), (PHASE, 2), (PHASE, 3), (PHASE, 4),
        (PHASE, 5), (PHASE, 6), (PHASE, 7), (RACE, 4), (STARTER, 1), (6, 1), (7, 126), (LANE, 127), (LANE + 1, 2),
        (LANE + 1, 4), (LANE + 2, 0), (LANE + 2, 70), (LANE + 2, 19), (LANE + 5, 18), (LANE + 6, 1), (LANE + 6, 5),
        (LANE + 7, 18), (LANE + 44, 127), (SEAT, 126), (SEAT + 1, 1), (SEAT + 2, 0x3E), (SEAT + 3, 1), (SEAT + 4, 1),
        (SEAT + 5, 2), (SEAT + DUCATS, 7), (SEAT + MC, 1), (SEAT + PRIZES, 1), (SEAT + BOUGHT, 1), (SEAT + FEE, 1),
        (SEAT + 33, 1), (rules.STATE_BYTES - 1, 1),
    ):  # fmt: skip
        bad = bytearray(s)
        bad[at] = value
        try:
            rules.check(bad)
        except ValueError:
            continue
        raise AssertionError((at, value))
    s = position(["3", "0"], [("1:4", ""), ("1:6", ""), ("0:1", "")])
    s[SEAT] = 0
    try:
        rules.check(s)
    except ValueError:
        return
    raise AssertionError("seat 0 has nothing to play")
