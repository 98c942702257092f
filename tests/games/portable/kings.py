"""Sentences of the kings rules page as small tests; they run on every platform (plain asserts, no packages)."""

from array import array

from games.kings import bot, notation, rules
from games.rng import Rng

# Offsets of the state (games/kings/rules.py), held equal by tests/games/test_kings.py.
TO_MOVE, DRAWING, KINGS, OWNER, MINES, PILE, IN_DECK, CENTRE, UNDER, HAND = 2, 3, 4, 8, 12, 16, 20, 21, 25, 30
LINK, TAKES, LEFT, DECK, AREA = 56, 136, 216, 297, 357
SEEN, ONLY_ZERO, FOREMAN = 255, 17, 32

RACES = "ODGI"
# defence, capacity, worth, foreman
PROFILES = ((2, 2, 2, 0), (2, 2, 1, 1), (2, 3, 3, 0), (2, 3, 2, 1), (2, 4, 4, 0), (3, 2, 3, 0), (3, 3, 4, 0), (3, 3, 3, 1),
            (3, 4, 5, 0), (3, 4, 6, 1), (3, 2, 2, 1), (4, 3, 5, 0), (4, 3, 4, 1), (4, 4, 6, 0), (4, 4, 7, 1), (4, 5, 8, 0),
            (5, 4, 7, 0), (5, 4, 6, 1), (5, 5, 9, 1), (5, 5, 8, 0))
NAMES = [race + str(strength) + copy for race in RACES for strength in range(10) for copy in "ab"]

buf = array("H", [0] * rules.MAX_LEGAL)


def number(name):
    """The card 1..80 of a name."""
    return NAMES.index(name) + 1


def profile(name):
    """The profile of the mine side of a card."""
    c = NAMES.index(name)
    return (7 * (c % 20) + 5 * (c // 20)) % 20


def mine(kind, race="I"):
    """The card of this race whose mine side has this profile."""
    return next(name for name in NAMES if name[0] == race and profile(name) == kind)


def stack(s, at, names):
    """Link cards, the last of them on top, below `at`."""
    for name in names:
        card = number(name)
        s[LINK + card] = s[at]
        s[at] = card


def put_mine(s, text, king):
    """A mine `I1a: O1a O2a` with the creatures on it; returns its card. `king` is None in the centre."""
    name, _, creatures = text.partition(":")
    card = number(name)
    names = creatures.split()
    stack(s, LINK + card, names)
    defence, capacity, _, foreman = PROFILES[profile(name)]
    s[LEFT + card] = (defence if king is None else capacity + foreman) - len(names)
    if names:
        strength = int(names[-1][1])
        s[TAKES + card] = ONLY_ZERO if strength == 9 else strength + 1
    if king and foreman and s[LEFT + card] == 1:
        s[TAKES + card] += FOREMAN
    return card


def table(kings, hand, centre, areas=(), ruled=(), market="", deck="", other="", drawing=0):
    """A state in the middle of a game, seat 0 to move: kings' races by seat, its hand, four mines in the centre, mines in
    the areas and under the kings by seat, the market from below, the deck from the top, what lies in the other hands.
    Cards with a * came from the market. A short hand of another and a missing deck are filled; what is left is out of
    the game."""
    s = bytearray(rules.STATE_BYTES)
    seats = len(kings)
    s[0] = seats
    s[DRAWING] = drawing
    text = " ".join([hand, market, deck, other] + list(centre) + [" ".join(m) for m in areas] + [" ".join(m) for m in ruled])
    free = [name for name in NAMES if name not in text]
    for k in range(seats):
        s[KINGS + k] = RACES.find(kings[k])
        s[OWNER + s[KINGS + k]] = k + 1
        cards = hand.split() if k == 0 else other.split()[6 * k - 6 : 6 * k]
        while len(cards) < (6 if k else 6 - drawing):
            cards.append(free.pop())
        cards.sort()
        held = sorted([number(name.strip("*")) for name in cards])
        for i in range(len(held)):
            s[HAND + 7 * k + i] = held[i]
        for name in cards:
            if name[-1] == "*":
                s[LINK + number(name.strip("*"))] = SEEN
    for i in range(4):
        s[CENTRE + i] = put_mine(s, centre[i], None)
    for k in range(len(areas)):
        s[MINES + k] = len(areas[k])
        for i in range(len(areas[k])):
            s[AREA + (72 - 6 * seats) * k + i] = put_mine(s, areas[k][i], kings[k])
    for k in range(len(ruled)):
        stack(s, UNDER + k, ruled[k])
    for name in market.split():
        stack(s, PILE + RACES.find(name[0]), [name])
    cards = deck.split() or [free.pop(), free.pop()]
    s[IN_DECK] = len(cards)
    for i in range(len(cards)):
        s[DECK + len(cards) - 1 - i] = number(cards[i])
    rules.check(s)
    return s


def texts(s):
    """The legal moves as a list of texts, in the order of their codes."""
    return [notation.move_text(s, buf[i]) for i in range(rules.legal(s, buf))]


def play(s, *moves):
    """Play moves that must be legal."""
    for text in moves:
        assert text in texts(s), (text, texts(s))
        rules.apply(s, notation.move_code(s, text))
        rules.check(s)


def cards(s, at, n):
    """The names of the cards in n bytes."""
    return [NAMES[s[at + i] - 1] for i in range(n) if s[at + i]]


def hand(s, seat):
    return cards(s, HAND + 7 * seat, 6)


def centre(s):
    return cards(s, CENTRE, 4)


def area(s, seat):
    """The mines in an area, in order."""
    return cards(s, AREA + (72 - 6 * s[0]) * seat, s[MINES + seat])


def chain(s, at):
    """The names of a linked pile, the top first."""
    names = []
    card = s[at]
    while card:
        names.append(NAMES[card - 1])
        card = s[LINK + card]
    return names


def pile(s, race):
    return chain(s, PILE + RACES.find(race))


def points(s):
    out = array("h", [0] * 4)
    rules.scores(s, out)
    return list(out)[: s[0]]


def told():
    """TRACE as a list of steps."""
    return [tuple(rules.TRACE[i : i + 4]) for i in range(1, 1 + 4 * rules.TRACE[0], 4)]


# Mines of defence 5 in the centre, where nothing is conquered by chance.
FAR = [mine(16, "I"), mine(17, "I"), mine(18, "I"), mine(19, "I")]


def far(*first):
    """Four mines in the centre, the first of them given."""
    return list(first) + FAR[len(first) :]


# --- Components and set-up


def test_numbers_of_cards():
    """Race c div 20 in the order O, D, G, I; strength (c mod 20) div 2; copy c mod 2."""
    for c, name in ((0, "O0a"), (1, "O0b"), (15, "O7b"), (20, "D0a"), (47, "G3b"), (79, "I9b")):
        assert NAMES[c] == name
        assert notation.card_text(c) == name
        assert notation.card_code(name) == c


def test_every_profile_is_on_four_cards_one_of_each_race():
    for kind in range(20):
        assert sorted([name[0] for name in NAMES if profile(name) == kind]) == sorted(RACES)


def test_defence_capacity_worth_and_foreman_of_all_mines():
    """As a mine in the centre, in an area and under a king."""
    for name in NAMES:
        defence, capacity, worth, foreman = PROFILES[profile(name)]
        others = [mine(kind, "O" if name[0] != "O" else "D") for kind in range(20)]
        spare = " ".join(others[6:12])
        s = table("DG", spare, [name] + others[:3])
        assert s[LEFT + number(name)] == defence
        assert points(table("DG", spare, others[:4], [[name]])) == [-worth, 0]
        assert points(table("DG", spare, others[:4], [], [[], [name]])) == [0, worth]
        assert table("DG", spare, others[:4], [[name]])[LEFT + number(name)] == capacity + foreman


def dealt(seats, kings="DOGI"):
    """A fresh game with the deck in the order of the numbers, backwards."""
    s = bytearray(rules.STATE_BYTES)
    notation.set_up(s, seats, 0, {"deck": NAMES[::-1], "kings": list(kings)[:seats]})
    return s


def test_set_up():
    """Six cards to each seat, all six to seat 0 first; four mines, four slaves on the piles of their races; the deck."""
    back = NAMES[::-1]
    for seats in (2, 3, 4):
        s = dealt(seats)
        for k in range(seats):
            assert hand(s, k) == sorted(back[6 * k : 6 * k + 6], key=NAMES.index)
        n = 6 * seats
        assert centre(s) == back[n : n + 4]
        # Backwards they are all giants or goblins: later cards lie on top.
        slaves = back[n + 4 : n + 8]
        assert pile(s, slaves[0][0]) + pile(s, slaves[-1][0]) in (slaves[::-1] * 2, slaves[::-1])
        assert s[IN_DECK] == 72 - n
        assert cards(s, DECK, s[IN_DECK])[::-1] == back[n + 8 :]
        assert rules.seat(s) == 0
        assert [area(s, k) for k in range(seats)] == [[]] * seats


def test_piles_by_race_with_later_cards_on_top():
    deck = NAMES[::-1]
    for name in ("O1a", "G5b", "O7a", "O3b"):
        deck.remove(name)
    deck[16:16] = ["O1a", "G5b", "O7a", "O3b"]
    s = bytearray(rules.STATE_BYTES)
    notation.set_up(s, 2, 0, {"deck": deck, "kings": ["O", "G"]})
    assert pile(s, "O") == ["O3b", "O7a", "O1a"]
    assert pile(s, "G") == ["G5b"]
    assert pile(s, "D") == pile(s, "I") == []


def test_new_deals_every_card_and_king():
    """All 80 cards, kings of different races; each card comes to each place of the deck, and all king orders occur."""
    rng = Rng(1)
    s = bytearray(rules.STATE_BYTES)
    tops = []
    orders = []
    for _ in range(300):
        rules.new(s, 3, 0, rng)
        chance = notation.header(s)
        assert sorted(chance["deck"]) == sorted(NAMES)
        tops.append(chance["deck"][-1])
        orders.append("".join(chance["kings"]))
    assert len(set(tops)) > 70
    assert len(set(orders)) == 24


# --- Step 1


def test_exactly_one_card_then_one_draw():
    s = dealt(2)
    assert all([text[:6] == "attack" for text in texts(s)])
    play(s, texts(s)[0])
    assert rules.seat(s) == 0
    assert len(hand(s, 0)) == 5
    assert texts(s)[-1] == "deck"
    play(s, "deck")
    assert rules.seat(s) == 1
    assert len(hand(s, 0)) == 6


def test_any_card_may_be_the_first():
    s = table("DO", "O0a O9a D0a G5a I4a I9b", far())
    assert len([t for t in texts(s) if t[-1] == "1"]) == 6


def test_stronger_than_the_top_card():
    s = table("DO", "O0a O3a O4a D5a G9a I6b", far(FAR[0] + ": G1a G4a"))
    assert [t for t in texts(s) if t[-1] == "1"] == ["attack D5a 1", "attack G9a 1", "attack I6b 1"]


def test_equal_strength_is_not_stronger():
    s = table("DO", "O4a O4b D4a G4b I3b I2a", far(FAR[0] + ": G4a"))
    assert not [t for t in texts(s) if t[-1] == "1"]


def test_zero_on_a_nine_and_on_from_there():
    s = table("DO", "O0a O9a D0a G8a I1a I9a", far(FAR[0] + ": G9a"))
    assert [t for t in texts(s) if t[-1] == "1"] == ["attack O0a 1", "attack D0a 1"]
    play(s, "attack O0a 1", "deck")
    s[TO_MOVE] = 0
    assert "attack I1a 1" in texts(s)
    assert "attack D0a 1" not in texts(s)
    play(s, "attack I1a 1")


def test_zero_on_nothing_else():
    for top in range(9):
        s = table("DO", "O0a O0b D0a D0b I0a I0b", far(FAR[0] + ": G" + str(top) + "a"))
        assert not [t for t in texts(s) if t[-1] == "1"]


def test_attack_with_any_race_the_own_too():
    s = table("DO", "O5a D5a G5a I5a O5b G5b", far())
    for name in ("O5a", "D5a", "G5a", "I5a"):
        assert "attack " + name + " 4" in texts(s)


def test_conquest_goes_to_the_king_of_the_last_cards_race():
    weak = mine(0)
    for last, owner in (("D5a", 0), ("O5a", 1), ("I5a", 2)):
        s = table("DOI", last + " G1b G2b G3b G4b G7b", far(weak + ": G1a"))
        play(s, "attack " + last + " 1")
        for k in range(3):
            assert area(s, k) == ([weak] if k == owner else []), (last, k)
        assert told()[1] == (rules.CONQUERED, owner, 0, 4)


def test_conquest_with_a_race_without_king_goes_to_who_played():
    weak = mine(0)
    s = table("DOI", "G5a O1b O2b O3b O4b O7b", far(weak + ": O1a"))
    play(s, "attack G5a 1")
    assert area(s, 0) == [weak]


def test_conquered_at_the_defence_and_not_before():
    for kind in (0, 5, 11, 16):
        name = mine(kind)
        defence = PROFILES[kind][0]
        for laid in range(defence):
            creatures = " ".join(["G" + str(strength) + "a" for strength in range(laid)])
            s = table("DO", "D9a O5b O6b O7b O8b O9b", [name + ": " + creatures, mine(17), mine(18), mine(19)])
            play(s, "attack D9a 1")
            assert area(s, 0) == ([name] if laid + 1 == defence else []), (kind, laid)


def test_creatures_go_to_the_market_first_played_on_top():
    weak = mine(6)
    s = table("DO", "G7a O1b O2b O3b O4b O5b", far(weak + ": G2a I4a"), market="G9b I8b")
    play(s, "attack G7a 1")
    assert pile(s, "G") == ["G2a", "G7a", "G9b"]
    assert pile(s, "I") == ["I4a", "I8b"]


def test_conquered_mine_lies_empty_in_the_area_and_its_place_is_refilled():
    weak = mine(1)
    s = table("DO", "D7a O1b O2b O3b O4b O5b", far(weak + ": G2a"), deck="G6b G8b I0a")
    play(s, "attack D7a 1")
    assert centre(s)[0] == "G6b"
    assert s[LEFT + number("G6b")] == PROFILES[profile("G6b")][0]
    assert s[LINK + number(weak)] == 0
    assert s[LEFT + number(weak)] == 3
    assert s[IN_DECK] == 2
    assert told()[2] == (rules.REFILLED, 0, 0, profile("G6b"))
    play(s, "deck")
    assert "G8b" in hand(s, 0)


def test_work_with_foreign_slaves_on_own_mines_only():
    s = table("DO", "O5a D5a G5a I5a D6a G6a", far(), [[mine(4)], [mine(8)]])
    assert [t for t in texts(s) if t[:4] == "work"] == ["work O5a 1", "work G5a 1", "work G6a 1", "work I5a 1"]


def test_exploited_at_the_capacity():
    """The cards leave the game, the mine goes under the king; worth changes sides."""
    name = mine(4)
    s = table("DO", "O5a D5a G5a I5a D6a G6a", far(), [[name + ": O1a G2a I4a"]])
    assert points(s) == [-4, 0]
    play(s, "work I5a 1")
    assert told()[1] == (rules.EXPLOITED, 0, 4, 4)
    assert area(s, 0) == []
    assert chain(s, UNDER) == [name]
    assert points(s) == [4, 0]
    for gone in ("O1a", "G2a", "I4a", "I5a"):
        assert s[LINK + number(gone)] == 0


def test_foreman_is_of_the_own_race_and_comes_last():
    name = mine(3)
    s = table("DO", "O7a D7a D2a G8a I9a D4a", far(), [[name + ": O1a G2a I4a"]])
    assert [t for t in texts(s) if t[:4] == "work"] == ["work D7a 1"]
    play(s, "work D7a 1")
    assert chain(s, UNDER) == [name]
    assert points(s) == [2, 0]


def test_foreman_before_the_capacity_is_not_wanted():
    name = mine(3)
    s = table("DO", "O7a D7a D2a G8a I9a D4a", far(), [[name + ": O1a G2a"]])
    assert [t for t in texts(s) if t[:4] == "work"] == ["work O7a 1", "work G8a 1", "work I9a 1"]
    play(s, "work O7a 1")
    assert area(s, 0) == [name]
    assert chain(s, UNDER) == []


def test_foreman_zero_on_a_nine():
    name = mine(3)
    s = table("DO", "O0a D0a D2a D9b G8a D4a", far(), [[name + ": O1a G2a I9a"]])
    assert [t for t in texts(s) if t[:4] == "work"] == ["work D0a 1"]
    play(s, "work D0a 1")
    assert points(s) == [2, 0]


def test_places_count_from_one_among_the_unfinished():
    first, second, third = mine(0), mine(4), mine(8)
    s = table("DO", "O5a O6a G5a I5a D6a G6a", far(), [[first + ": O1a", second, third + ": G2a"]])
    play(s, "work O5a 1", "deck")
    assert area(s, 0) == [second, third]
    s[TO_MOVE] = 0
    play(s, "work G6a 2")
    assert chain(s, LINK + number(third)) == ["G6a", "G2a"]


# Nothing goes on these: a 9 on top of each.
FULL = [FAR[0] + ": O1a G9a", FAR[1] + ": O2a G9b", FAR[2] + ": O3a I9a", FAR[3] + ": O4a D9a"]


def test_drop_only_if_nothing_can_be_played():
    s = table("DO", "O5a D5a G5a I5a D6a G6a", FULL)
    assert texts(s) == ["drop O5a", "drop D5a", "drop D6a", "drop G5a", "drop G6a", "drop I5a"]
    play(s, "drop D6a")
    assert told() == [(rules.DROPPED, 0, 0, number("D6a"))]
    assert hand(s, 0) == ["O5a", "D5a", "G5a", "G6a", "I5a"]
    play(s, "deck")
    s = table("DO", "O5a D5a G5a I5a D6a G0a", FULL)
    assert texts(s) == ["attack G0a 1", "attack G0a 2", "attack G0a 3", "attack G0a 4"]


# --- Step 2 and the end


def test_draw_the_top_of_a_pile_or_of_the_deck():
    s = table("DO", "O5a D5a G5a I5a D6a", far(), market="G1a G7b I4a", deck="O8a O8b", drawing=1)
    assert texts(s) == ["take G", "take I", "deck"]
    taken = bytearray(s)
    play(taken, "take G")
    assert hand(taken, 0) == ["O5a", "D5a", "D6a", "G5a", "G7b", "I5a"]
    assert pile(taken, "G") == ["G1a"]
    assert told() == [(rules.TAKEN, 0, 2, number("G7b"))]
    play(s, "deck")
    assert "O8a" in hand(s, 0)
    assert s[IN_DECK] == 1
    assert told() == [(rules.DRAWN, 0, 4, number("O8a"))]


def test_the_game_ends_with_the_turn_in_which_the_deck_became_empty():
    s = table("DO", "O5a D5a G5a I5a D6a", far(), market="G1a", deck="O8a", drawing=1)
    on = bytearray(s)
    play(on, "take G")
    assert rules.seat(on) == 1
    play(s, "deck")
    assert rules.seat(s) == rules.OVER
    assert texts(s) == []


def test_a_refill_that_takes_the_last_card_leaves_a_draw_from_the_market():
    weak = mine(1)
    s = table("DO", "D7a O1b O2b O3b O4b O5b", far(weak + ": G2a"), deck="G6b")
    play(s, "attack D7a 1")
    assert rules.seat(s) == 0
    assert texts(s) == ["take D", "take G"]
    play(s, "take G")
    assert rules.seat(s) == rules.OVER
    assert hand(s, 0) == ["O1b", "O2b", "O3b", "O4b", "O5b", "G2a"]
    assert centre(s)[0] == "G6b"


def test_seats_take_turns():
    s = dealt(3)
    for who in (0, 1, 2, 0, 1):
        assert rules.seat(s) == who
        play(s, texts(s)[0])
        assert rules.seat(s) == who
        play(s, "deck")


def test_score_is_exploited_less_unfinished():
    s = table("DO", "O5a D5a G5a I5a D6a G6a", far(), [[mine(0), mine(4)], [mine(8)]], [[mine(9), mine(13)], [mine(2)]])
    assert points(s) == [6 + 6 - 2 - 4, 3 - 5]
    assert rules.winners(s) == 1


def test_negative_scores_compare():
    s = table("DO", "O5a D5a G5a I5a D6a G6a", far(), [[mine(4)], [mine(15), mine(14)]])
    assert points(s) == [-4, -15]
    assert rules.winners(s) == 1


def test_tie_more_exploited_mines():
    s = table("DOG", "O5a D5a G5a I5a D6a G6a", far(), [], [[mine(4)], [mine(0, "D"), mine(0, "O")], [mine(4, "G")]])
    assert points(s) == [4, 4, 4]
    assert rules.winners(s) == 2


def test_tie_shared():
    s = table("DOG", "O5a D5a G5a I5a D6a G6a", far(), [[mine(0)]], [[mine(9)], [mine(4)], [mine(4, "G")]])
    assert points(s) == [4, 4, 4]
    assert rules.winners(s) == 7


# --- Hidden information


def seen_by(s, seat):
    out = bytearray(rules.VIEW_BYTES)
    return bytes(out[: rules.view(s, seat, out)])


def samples(s, seat, n, look):
    """What `look` finds in n samples of what this seat may be facing."""
    rng = Rng(11)
    found = []
    for _ in range(n):
        t = bytearray(s)
        rules.hide(t, seat, rng)
        rules.check(t)
        assert seen_by(t, seat) == seen_by(s, seat)
        found.append(look(t))
    return found


def test_own_hand_is_known_and_others_are_not():
    s = dealt(3)
    assert set([tuple(h) for h in samples(s, 1, 30, lambda t: hand(t, 1))]) == set([tuple(hand(s, 1))])
    assert len(set([tuple(h) for h in samples(s, 1, 30, lambda t: hand(t, 0))])) > 25
    assert len(set([tuple(cards(t, DECK, 10)) for t in samples(s, 1, 30, lambda t: t)])) > 25


def test_a_card_from_the_market_stays_known_until_it_is_played():
    s = table("DO", "O5a D5a G5a I5a D6a", far(), market="G7b", deck="O8a O8b", drawing=1)
    play(s, "take G")
    assert all(samples(s, 1, 40, lambda t: "G7b" in hand(t, 0)))
    play(s, texts(s)[0], "deck")
    assert all(samples(s, 1, 40, lambda t: "G7b" in hand(t, 0)))
    play(s, "attack G7b 2")
    assert not any(samples(s, 1, 40, lambda t: "G7b" in hand(t, 0)))
    assert all(samples(s, 1, 40, lambda t: "G7b" in chain(t, LINK + t[CENTRE + 1])))


def test_a_card_from_the_deck_is_not_known():
    """It may be in the hand or not, for all that the others saw."""
    s = table("DO", "O5a D5a G5a I5a D6a", far(), market="G7b", deck="O8a O8b G1b", drawing=1)
    play(s, "deck")
    assert not rules.known(s, number("O8a"))
    inside = samples(s, 1, 200, lambda t: "O8a" in hand(t, 0))
    assert any(inside)
    assert not all(inside)


def test_dropped_and_worked_cards_are_gone():
    s = table("DO", "O5a D5a G5a I5a D6a G6a", FULL)
    play(s, "drop D6a", "deck")
    name = mine(2)
    gone = "D6a"
    for t in samples(s, 1, 60, lambda t: t):
        assert gone not in hand(t, 0) + hand(t, 1) + cards(t, DECK, t[IN_DECK]) + centre(t)
    s = table("DO", "O5a D5a G5a I5a D6a G6a", far(), [[name + ": O1a G2a"]])
    play(s, "work I5a 1", "deck")
    for t in samples(s, 1, 60, lambda t: t):
        rest = hand(t, 0) + hand(t, 1) + cards(t, DECK, t[IN_DECK]) + centre(t) + chain(t, UNDER)
        for gone in ("O1a", "G2a", "I5a"):
            assert gone not in rest


def test_mines_keep_their_profile_and_hide_their_race_also_under_a_king():
    s = table("DO", "O5a D5a G2b O5b D6a G6a", far(), [[mine(4)], [mine(6)]], [[mine(12)], [mine(0), mine(1)]],
              deck=" ".join([mine(kind, "G") for kind in (0, 1, 4, 6, 12, 16)]))
    places = (lambda t: centre(t)[0], lambda t: area(t, 0)[0], lambda t: area(t, 1)[0], lambda t: chain(t, UNDER)[0],
              lambda t: chain(t, UNDER + 1)[0], lambda t: chain(t, UNDER + 1)[1])
    for look in places:
        found = set(samples(s, 0, 60, look))
        assert set([profile(name) for name in found]) == set([profile(look(s))])
        assert sorted([name[0] for name in found]) == ["G", "I"], found


def test_equal_views_give_equal_samples():
    """Also when hands, deck and mines are arranged in another way."""
    s = table("DO", "O5a D5a* G2b O5b D6a G6a", far(), [[mine(4)], [mine(6)]], [[mine(12)], [mine(0), mine(1)]],
              deck=" ".join([mine(kind, "G") for kind in (0, 1, 4, 6, 12, 16)]), other="O0a* O0b O1b* O1a O2a G0a")
    for seat in range(2):
        base = bytearray(s)
        rules.hide(base, seat, Rng(4))
        for other in samples(s, seat, 20, lambda t: t):
            rules.hide(other, seat, Rng(4))
            assert other == base


def test_views_differ_in_whatever_the_seat_knows():
    """What both saw, and for each what is its own."""
    s = table("DO", "O5a D5a* G5a I5a D6a G6a", far(FAR[0] + ": G1a"), [[mine(4)]], [[mine(12)]], market="I2a", deck="O8a O8b",
              other="O0a* O0b O1b* O1a O2a G0a")
    one = seen_by(s, 0)
    assert one != seen_by(s, 1)
    swapped = table("DO", "O5a D5a* G5a I5a D6a G6a", far(FAR[0] + ": G1a"), [[mine(4)]], [[mine(12)]], market="I2a",
                    deck="O8a O0b", other="O0a* O8b O1b* O1a O2a G0a")
    assert seen_by(swapped, 0) == one, "hand against deck: not to be seen"
    assert seen_by(swapped, 1) != seen_by(s, 1)
    gone = table("DO", "O5a D5a* G5a I5a D6a G6a", far(FAR[0] + ": G1a"), [[mine(4)]], [[mine(12)]], market="I2a", deck="O8a O9b",
                 other="O0a* O0b O1b* O1a O2a G0a")
    assert seen_by(gone, 0) != one, "a card that left the game is in no hand and not in the deck"
    unknown = table("DO", "O5a D5a G5a I5a D6a G6a", far(FAR[0] + ": G1a"), [[mine(4)]], [[mine(12)]], market="I2a",
                    deck="O8a O8b", other="O0a* O0b O1b* O1a O2a G0a")
    assert seen_by(unknown, 0) != one, "the seat knows what the others know of its hand"


# --- Notation


def test_moves_read_back():
    for c in range(80):
        name = NAMES[c]
        assert notation.move_text(None, c * 64) == "attack " + name + " 1"
        assert notation.move_text(None, c * 64 + 4) == "work " + name + " 1"
        for text in ("attack " + name + " 4", "work " + name + " 1", "work " + name + " 60", "drop " + name):
            assert notation.move_text(None, notation.move_code(None, text)) == text
    for text in ("take O", "take D", "take G", "take I", "deck"):
        assert notation.move_text(None, notation.move_code(None, text)) == text
    for text in ("", "attack", "attack O7a", "attack O7a 0", "attack O7a 5", "attack O7a 01", "work O7a 0", "work O7a 61",
                 "work O7a -1", "attack O7c 1", "attack X7a 1", "drop O10a", "drop O7", "take X", "take", "take OD", "deck 1",
                 "Deck", "drop O7a ", "attack  O7a 1", "drop O7a 1", "work O7a 1 1"):
        try:
            notation.move_code(None, text)
        except ValueError:
            continue
        assert False, text


def test_set_up_refuses_what_is_no_deal():
    good = {"deck": NAMES, "kings": ["D", "O"]}
    for key, value in (("deck", None), ("deck", NAMES[:79]), ("deck", NAMES[:79] + ["O0a"]), ("deck", NAMES[:79] + ["X0a"]),
                       ("deck", NAMES[:79] + [5]), ("deck", "O0a"), ("kings", None), ("kings", ["D"]), ("kings", ["D", "D"]),
                       ("kings", ["D", "O", "G"]), ("kings", ["D", "X"]), ("kings", ["D", ""]), ("kings", ["D", 3])):
        chance = dict(good)
        if value is None:
            del chance[key]
        else:
            chance[key] = value
        try:
            notation.set_up(bytearray(rules.STATE_BYTES), 2, 0, chance)
        except ValueError:
            continue
        assert False, (key, value)


def test_trace_of_attack_and_work():
    s = table("DO", "O5a D5a G5a I5a D6a G6a", far(), [[mine(4)]])
    t = bytearray(s)
    play(t, "attack O5a 3")
    assert told() == [(rules.ATTACKED, 0, 2, number("O5a"))]
    play(s, "work G5a 1")
    assert told() == [(rules.WORKED, 0, 4, number("G5a"))]


# --- check


def test_check_refuses_what_cannot_be():
    """Bytes changed on purpose for each clause of `check`."""
    def fresh():
        return table("DO", "O5a D5a G5a I5a D6a G6a", far(FAR[0] + ": G1a G2a"),
                     [[mine(3) + ": O1a G2b"], [mine(7) + ": I2b G3b I4a"]], [[mine(12)]], market="I0b I7a", deck="O8a O8b")

    wait, full = number(mine(3)), number(mine(7))
    assert fresh()[TAKES + full] == 5 + FOREMAN
    faults = (
        (0, 1), (0, 5), (1, 1), (TO_MOVE, 2), (TO_MOVE, 254), (TO_MOVE, 255), (DRAWING, 1), (DRAWING, 2),
        (KINGS, 0), (KINGS, 4), (KINGS + 2, 1), (OWNER, 0), (OWNER + 2, 1), (MINES, 0), (MINES, 2), (MINES, 200), (MINES + 2, 1),
        (PILE, number("I7a")), (PILE, 81), (PILE + 3, number("I0b")), (IN_DECK, 0), (IN_DECK, 1), (IN_DECK, 3), (IN_DECK, 61),
        (CENTRE, 0), (CENTRE, 81), (CENTRE, number(FAR[1])), (UNDER, 81), (UNDER, number("O5a")), (UNDER + 2, number("O9a")),
        (HAND, 0), (HAND, 81), (HAND, number("D6a")), (HAND + 5, 0), (HAND + 6, 1), (HAND - 1, 1), (HAND + 14, 1),
        (LINK + number("O5a"), 1), (LINK + number("O8a"), SEEN), (LINK + number("O9a"), SEEN),
        (LINK + number("G2a"), number("G2a")), (LINK + number("G1a"), number("G2a")), (LINK + number("G1a"), number("G5b")),
        (LINK + number("I0b"), number("I7a")),
        (TAKES + wait, 0), (TAKES + wait, 3 + FOREMAN), (TAKES + full, 5), (TAKES + number("O9a"), 1), (LEFT + wait, 1),
        (LEFT + full, 0), (LEFT + full, 2), (LEFT + number("O9a"), 1), (DECK, 0), (DECK, 81), (DECK, number("O8a")),
        (DECK + 2, 9), (AREA, number("O9a")), (AREA + 1, number("O9a")), (AREA + 60, number(mine(3))), (AREA + 191, 1),
    )
    rules.check(fresh())
    for at, value in faults:
        bad = fresh()
        assert bad[at] != value, (at, value)
        bad[at] = value
        try:
            rules.check(bad)
        except ValueError:
            continue
        assert False, (at, value)
    # Two cards of a hand out of order.
    order = fresh()
    order[HAND], order[HAND + 1] = order[HAND + 1], order[HAND]
    # A weaker creature on a stronger one: the two on the mine in the centre change places.
    one, two, first = number("G1a"), number("G2a"), number(FAR[0])
    weaker = fresh()
    weaker[LINK + first], weaker[LINK + one], weaker[LINK + two] = one, two, 0
    weaker[TAKES + first] = 2
    # A slave of the own race: D2a for G2b; a card in the pile of another race: D1b on the giants.
    slave = fresh()
    slave[LINK + wait] = number("D2a")
    slave[LINK + number("D2a")] = number("O1a")
    slave[LINK + number("G2b")] = 0
    strange = fresh()
    strange[LINK + number("D1b")] = strange[PILE + 3]
    strange[PILE + 3] = number("D1b")
    # A mine in an area while nothing was drawn from the deck.
    early = dealt(2)
    early[AREA] = early[PILE + 3]
    early[PILE + 3] = early[LINK + early[AREA]]
    early[LINK + early[AREA]] = 0
    early[LEFT + early[AREA]] = PROFILES[profile(NAMES[early[AREA] - 1])][1] + PROFILES[profile(NAMES[early[AREA] - 1])][3]
    early[MINES] = 1
    # An exploited mine, but nobody who worked it is out of the game.
    unworked = dealt(2)
    unworked[IN_DECK] = 59
    unworked[UNDER] = unworked[DECK + 59]
    unworked[DECK + 59] = 0
    for bad in (order, weaker, slave, strange, early, unworked, fresh()[:-1], bytearray(rules.STATE_BYTES), fresh() + b"\0"):
        try:
            rules.check(bad)
        except ValueError:
            continue
        assert False, bytes(bad)


# --- The instant player


def test_the_instant_player_works_its_mines():
    """The last card of a mine rather than any attack."""
    s = table("DO", "O5a D5a G5a I5a D6a G6a", far(), [[mine(4) + ": O1a G2a I4a"]])
    n = rules.legal(s, buf)
    assert notation.move_text(s, bot.choose(s, buf, n, Rng(1)))[:4] == "work"
