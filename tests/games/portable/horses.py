"""Sentences of the horses rules page as small tests; they run on every platform (plain asserts, no packages)."""

import micropython
from array import array

from games.horses import bot, notation, rules
from games.horses.tables import TABLE, TRACK
from games.rng import Rng

# Offsets of the state (games/horses/rules.py).
TO_MOVE, PLAYER, PHASE, ROUND, COUNT, AIM, AWAKE, STOCK, DISCARD, NEWEST, HOME, SEAT = (
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    11,
    13,
    14,
    15,
)
TOKENS, HELD = 1, 2

DITCHES = (7, 14, 21, 28, 35, 42)
SPACES = "BMHBHM~MBHHMB~HMBMHB~BHMMBH~MHBHMB~HBMBHM~MHBBHM"

buf = array("H", [0] * rules.MAX_LEGAL)


def game(seats, tokens):
    """A fresh state with these faces drawn at the set-up."""
    s = bytearray(rules.STATE_BYTES)
    notation.set_up(s, seats, 0, {"tokens": tokens})
    rules.check(s)
    return s


def position(spaces, hands, stock=(0, 0), round=5, player=0):
    """A state in play: for each seat its space and its (galloping, sleeping) tokens by generation; what is neither in
    a hand nor in the stock lies in the discard."""
    s = bytearray(rules.STATE_BYTES)
    s[0] = len(spaces)
    s[TO_MOVE] = s[PLAYER] = player
    s[ROUND] = round
    s[STOCK], s[STOCK + 1] = stock
    left = [18 - stock[0], 12 - stock[1]]
    for k in range(len(spaces)):
        p = SEAT + 32 * k
        s[p] = spaces[k]
        for slot in range(len(hands[k])):
            galloping, sleeping = hands[k][slot]
            s[p + TOKENS] += galloping + sleeping
            s[p + HELD + slot] = galloping + 19 * sleeping
            left[0] -= galloping
            left[1] -= sleeping
            if galloping + sleeping and slot > s[NEWEST]:
                s[NEWEST] = slot
        if spaces[k] == 49:
            s[HOME] = 1
    s[DISCARD], s[DISCARD + 1] = left
    rules.check(s)
    return s


def play(s, move, move_die=None, effect=None, tokens=None):
    """Play a move, then the dice and tokens as a record gives them; all must be used."""
    chance = {}
    if move_die:
        chance["move"] = move_die
        chance["effect"] = effect
    if tokens:
        chance["tokens"] = tokens
    assert move in texts(s), (move, texts(s))
    rules.apply(s, notation.move_code(s, move))
    while rules.seat(s) == rules.CHANCE:
        rules.check(s)
        rules.apply(s, notation.take_event(chance, s))
    rules.check(s)
    assert not chance, chance


def texts(s):
    """The legal moves as a list of texts, in the order of their codes."""
    return [notation.move_text(s, buf[i]) for i in range(rules.legal(s, buf))]


def space(s, k):
    return s[SEAT + 32 * k]


def tokens(s, k):
    return s[SEAT + 32 * k + TOKENS]


def pair(s, offset):
    """(galloping, sleeping) of stock or discard."""
    return s[offset], s[offset + 1]


def told():
    """TRACE as a list of steps."""
    return [tuple(rules.TRACE[i : i + 4]) for i in range(1, 1 + 4 * rules.TRACE[0], 4)]


def ahead(start, symbol, which):
    """The first (1) or second (2) space ahead with the symbol, else the finish, straight from the page."""
    n = start
    while n < 48:
        n += 1
        if SPACES[n - 1] == symbol:
            which -= 1
            if which == 0:
                return n
    return 49


def test_track_and_ditches():
    """48 spaces; the page names the last ditch, 42."""
    assert bytes(TRACK) == SPACES.encode() and len(SPACES) == 48
    assert tuple([n for n in range(1, 49) if SPACES[n - 1] == "~"]) == DITCHES


def test_dice():
    """B B M M H H on all dice; blue 1 1 2 2 2 3; red pay 1, pay 1, pay 2, jump, jump, free."""
    for half, effects in ((0, "1 1 2 2 2 3"), (18, "pay1 pay1 pay2 jump jump free")):
        s = game(2, "gggg")
        rules.apply(s, half // 18)
        found = []
        for event in TABLE[200 + half : 218 + half]:
            chance = {}
            notation.put_event(chance, s, event)
            found.append((chance["move"], chance["effect"]))
        expected = [(die, effect) for die in "BMH" for effect in effects.split()]
        assert sorted(found) == sorted(expected)


def test_set_up():
    """30 tokens, 18 galloping and 12 sleeping; two for each seat; all horses at the start; seat 0 begins."""
    for seats in (2, 3, 4):
        s = game(seats, "gs" * (seats - 1) + "ss")
        assert pair(s, STOCK) == (18 - (seats - 1), 12 - (seats + 1)) and pair(s, DISCARD) == (0, 0)
        for k in range(seats):
            assert space(s, k) == 0 and tokens(s, k) == 2
        assert rules.seat(s) == 0 and texts(s) == ["trot", "gallop"]
        rng = Rng(seats)
        rules.new(s, seats, 0, rng)
        rules.check(s)
        assert s[STOCK] + s[STOCK + 1] == 30 - 2 * seats


def test_trot_goes_to_the_next_symbol_from_everywhere():
    for start in range(49):
        for symbol in "BMH":
            s = position([start, 3], [[(1, 0)], []], (9, 9))
            play(s, "trot", symbol, "1", "g")
            assert space(s, 0) == ahead(start, symbol, 1), (start, symbol)
            assert tokens(s, 0) == 2 and pair(s, STOCK) == (8, 9) and rules.seat(s) == 1


def test_trot_takes_the_rolled_number():
    for n in (1, 2, 3):
        s = game(2, "gggg")
        play(s, "trot", "M", str(n), "sgs"[:n])
        assert space(s, 0) == 2 and tokens(s, 0) == 2 + n
        assert pair(s, STOCK) == ((14, 11), (13, 11), (13, 10))[n - 1]


def test_trot_onto_the_finish_takes_its_tokens():
    s = position([48, 3], [[], []], (9, 9))
    play(s, "trot", "B", "3", "gss")
    assert space(s, 0) == 49 and tokens(s, 0) == 3 and rules.seat(s) == 1


def test_gallop_goes_to_the_second_symbol_from_everywhere():
    """Also where only one is left ahead: the finish."""
    for start in range(49):
        for symbol in "BMH":
            s = position([start, 3], [[], []], (9, 9))
            play(s, "gallop", symbol, "free")
            assert space(s, 0) == ahead(start, symbol, 2), (start, symbol)
            assert rules.seat(s) == 1


def test_pay():
    """Discard that many, face up, and move; with fewer tokens stay and discard nothing."""
    for price in (1, 2):
        for have in (0, 1, 2, 3):
            s = position([5, 3], [[(have, 0)], []], (9, 9))
            before = pair(s, DISCARD)
            if have < price:
                play(s, "gallop", "M", "pay" + str(price))
                assert (space(s, 0), tokens(s, 0), pair(s, DISCARD)) == (5, have, before)
                assert told() == [(rules.RED, 0, 8 + price, have)]
            else:
                play(s, "gallop", "M", "pay" + str(price), "gg"[:price])
                assert (space(s, 0), tokens(s, 0)) == (8, have - price)
                assert pair(s, DISCARD) == (before[0] + price, before[1])
            assert rules.seat(s) == 1


def test_jump_stakes_one_to_all():
    for have in range(1, 31):
        s = position([5, 3], [[(min(have, 18), max(have - 18, 0))], []])
        play(s, "gallop", "M", "jump")
        assert rules.seat(s) == 0 and space(s, 0) == 5 and s[AIM] == 8
        assert texts(s) == ["stake " + str(k) for k in range(1, have + 1)]
        if have > 1:
            play(s, "stake " + str(have - 1), None, None, ("g" * 18 + "s" * 12)[: have - 1])
            assert tokens(s, 0) == 1 and space(s, 0) == 8


def test_the_most_legal_moves_are_those_of_the_constant():
    s = position([5, 3], [[(18, 12)], []])
    play(s, "gallop", "M", "jump")
    assert rules.legal(s, buf) == rules.MAX_LEGAL == 30


def test_jump_without_a_token_stays():
    s = position([5, 3], [[], [(1, 1)]], (9, 9))
    play(s, "gallop", "M", "jump")
    assert space(s, 0) == 5 and rules.seat(s) == 1 and s[AIM] == 0


def test_one_galloping_horse_is_enough():
    """All staked tokens are turned over and discarded all the same."""
    for faces in ("gss", "sgs", "ssg", "ggs"):
        s = position([5, 3], [[(2, 3)], []], (9, 9))
        before = pair(s, DISCARD)
        play(s, "gallop", "B", "jump")
        play(s, "stake 3", None, None, faces)
        galloping = len(faces.replace("s", ""))
        assert space(s, 0) == 13 and tokens(s, 0) == 2
        assert pair(s, DISCARD) == (before[0] + galloping, before[1] + 3 - galloping)


def test_all_asleep_from_everywhere():
    """The nearest ditch behind the space aimed at, or the start; that may be ahead; from the finish it is ditch 42."""
    forward = 0
    for start in range(49):
        for symbol in "BMH":
            s = position([start, 3], [[(0, 2)], []], (9, 9))
            play(s, "gallop", symbol, "jump")
            play(s, "stake 2", None, None, "ss")
            aim = ahead(start, symbol, 2)
            ditch = max([0] + [n for n in DITCHES if n < aim])
            assert space(s, 0) == ditch, (start, symbol)
            assert ditch == 42 or aim < 49
            assert rules.seat(s) == 1 and s[HOME] == 0
            forward += ditch > start
    assert forward > 20


def test_horses_share_a_space():
    s = position([5, 8], [[], []], (9, 9))
    play(s, "gallop", "M", "free")
    assert space(s, 0) == space(s, 1) == 8


def test_the_discard_is_shuffled_when_a_token_must_be_taken():
    """Not before: an empty stock stays empty until then; the whole discard becomes the stock, a new generation."""
    s = position([5, 3], [[(3, 2)], [(2, 1)]], (1, 0))
    play(s, "trot", "M", "1", "g")
    assert pair(s, STOCK) == (0, 0) and pair(s, DISCARD) == (12, 9) and s[NEWEST] == 0
    play(s, "gallop", "B", "pay1", "s")
    assert pair(s, STOCK) == (0, 0) and pair(s, DISCARD) == (12, 10)
    rules.apply(s, 0)
    rules.apply(s, notation.take_event({"move": "M", "effect": "2"}, s))
    assert told()[-1] == (rules.SHUFFLE, 0, 0, 22)
    assert pair(s, STOCK) == (12, 10) and pair(s, DISCARD) == (0, 0) and s[NEWEST] == 1
    chance = {"tokens": "gs"}
    rules.apply(s, notation.take_event(chance, s))
    rules.apply(s, notation.take_event(chance, s))
    assert pair(s, STOCK) == (11, 9) and not chance
    assert s[SEAT + HELD] == 4 + 19 * 2 and s[SEAT + HELD + 1] == 1 + 19


def test_a_stock_that_runs_out_between_two_tokens():
    s = position([5, 3], [[(3, 2)], [(2, 1)]], (1, 0))
    play(s, "trot", "M", "3", "ggs")
    assert pair(s, STOCK) == (11, 8) and pair(s, DISCARD) == (0, 0)
    assert s[SEAT + HELD] == 4 + 19 * 2 and s[SEAT + HELD + 1] == 1 + 19


def test_no_stock_and_no_discard_gives_no_token():
    s = position([5, 3], [[(10, 6)], [(8, 6)]])
    play(s, "trot", "M", "3")
    assert space(s, 0) == 6 and tokens(s, 0) == 16 and rules.seat(s) == 1
    s = position([5, 3], [[(10, 6)], [(8, 5)]])
    play(s, "trot", "M", "3", "s")
    assert tokens(s, 0) == 17 and rules.seat(s) == 1
    s = position([5, 3], [[(10, 6)], [(8, 5)]], (0, 1))
    play(s, "trot", "M", "2", "s")
    assert tokens(s, 0) == 17 and rules.seat(s) == 1


def test_the_oldest_generation_goes_first():
    s = position([5, 3], [[(1, 1), (2, 0), (0, 1)], [(3, 0), (0, 2), (1, 0)]], (1, 1))
    play(s, "gallop", "M", "jump")
    rules.apply(s, notation.move_code(s, "stake 4"))
    for faces, left in (((1, 1), "sgg"), ((1, 0), "gg"), ((2, 0), "g"), ((1, 0), "")):
        assert rules.bag(s) == faces
        chance = {"tokens": "g" if faces == (1, 0) or faces == (2, 0) else "s"}
        rules.apply(s, notation.take_event(chance, s))
        assert s[COUNT] == len(left)
    assert list(s[SEAT + HELD : SEAT + HELD + 4]) == [0, 0, 19, 0]
    assert list(s[SEAT + 32 + HELD : SEAT + 32 + HELD + 4]) == [3, 38, 1, 0]


def test_a_generation_without_unseen_tokens_loses_its_slot():
    s = position([5, 3], [[(1, 0), (1, 0), (0, 1)], [(0, 0), (0, 0), (1, 1)]], (2, 2))
    play(s, "gallop", "M", "pay2", "gg")
    assert s[NEWEST] == 0
    assert list(s[SEAT + HELD : SEAT + HELD + 3]) == [19, 0, 0]
    assert list(s[SEAT + 32 + HELD : SEAT + 32 + HELD + 3]) == [20, 0, 0]
    assert pair(s, STOCK) == (2, 2)


def test_view_tells_what_is_unseen_of_each_generation():
    s = position([5, 3], [[(1, 1), (2, 0)], [(3, 0), (0, 2)]], (4, 3))
    out = bytearray(rules.VIEW_BYTES)
    expected = [2, 0, 0, 0, 0, 5, 0, 0, 0, 8, 6, 7, 5, 4, 3, 5, 4, 1, 2, 3, 6, 5, 2, 2]
    for seat in (0, 1):
        assert list(out[: rules.view(s, seat, out)]) == expected
    s = position([5, 3], [[], []])
    assert list(out[: rules.view(s, 0, out)]) == [2, 0, 0, 0, 0, 5, 0, 0, 0, 18, 12, 0, 5, 0, 3, 0]


def test_the_longest_view_is_that_of_the_constant():
    hands = [[(1, 0)] * 18 + [(0, 1)] * 12, [], [], []]
    s = position([5, 3, 2, 1], hands)
    assert rules.view(s, 0, bytearray(rules.VIEW_BYTES)) == rules.VIEW_BYTES


def test_faces_drawn_are_in_no_view():
    """Two worlds that differ in faces which nobody has seen look the same."""
    seen = []
    for faces in ("sg", "gs"):
        s = game(2, "ggss")
        play(s, "trot", "M", "1", faces[0])
        play(s, "trot", "M", "1", faces[1])
        out = bytearray(rules.VIEW_BYTES)
        seen.append(list(out[: rules.view(s, 0, out)]))
    assert seen[0] == seen[1]


def points(s):
    """Scores as a list and winners as a list."""
    out = array("h", [0] * 4)
    rules.scores(s, out)
    return list(out)[: s[0]], [k for k in range(s[0]) if rules.winners(s) >> k & 1]


def test_the_round_is_completed():
    """Seats after the horse on the finish play once more, those before it do not."""
    s = position([40, 48, 40], [[], [], []], (9, 9), player=1)
    play(s, "gallop", "M", "free")
    assert space(s, 1) == 49 and rules.seat(s) == 2
    play(s, "gallop", "B", "free")
    assert rules.seat(s) == rules.OVER and texts(s) == []
    assert points(s) == ([40, 49, 46], [1])


def test_furthest_then_tokens_then_shared():
    for hands, winners in (((2, 3), [1]), ((3, 2), [0]), ((2, 2), [0, 1])):
        s = position([49, 48], [[(hands[0], 0)], [(hands[1], 0)]], (9, 9), player=1)
        play(s, "gallop", "M", "free")
        assert points(s) == ([49, 49], winners)
    s = position([10, 48], [[(9, 0)], []], (9, 9), player=1)
    play(s, "gallop", "M", "free")
    assert points(s) == ([10, 49], [1])


def test_a_failed_jump_at_the_finish_does_not_end_the_race():
    s = position([10, 48], [[], [(0, 1)]], (9, 9), player=1)
    play(s, "gallop", "M", "jump")
    play(s, "stake 1", None, None, "s")
    assert space(s, 1) == 42 and rules.seat(s) == 0


def test_sixty_rounds():
    s = position([5, 3], [[], []], (9, 9), round=59)
    play(s, "gallop", "M", "pay1")
    assert rules.seat(s) == 1
    play(s, "gallop", "M", "pay1")
    assert rules.seat(s) == rules.OVER and points(s) == ([5, 3], [0]) and s[ROUND] == 60


def test_trace():
    """What a view animates: the roll, the move, tokens with their faces once they are seen, the shuffle."""
    s = position([5, 3], [[(1, 1)], []], (9, 9))
    rules.apply(s, 1)
    assert told() == [(rules.GAIT, 0, 1, 2)]
    rules.apply(s, notation.take_event({"move": "M", "effect": "pay1"}, s))
    assert told() == [(rules.RED, 0, 9, 2), (rules.MOVE, 0, 5, 8)]
    rules.apply(s, 1)
    assert told() == [(rules.PAY, 0, 1, 1)]
    s[TO_MOVE] = s[PLAYER] = 0
    rules.apply(s, 0)
    rules.apply(s, notation.take_event({"move": "H", "effect": "1"}, s))
    assert told() == [(rules.BLUE, 0, 21, 1), (rules.MOVE, 0, 8, 10)]
    rules.apply(s, 1)
    assert told() == [(rules.TAKE, 0, 0, 2)], "nobody has seen that it sleeps"
    s[TO_MOVE] = s[PLAYER] = 0
    play(s, "gallop", "H", "jump")
    rules.apply(s, notation.move_code(s, "stake 2"))
    assert told() == [(rules.STAKE, 0, 3, 2)]
    rules.apply(s, 1)
    assert told() == [(rules.TURN, 0, 1, 1)]
    rules.apply(s, 0)
    assert told() == [(rules.TURN, 0, 0, 0), (rules.MOVE, 0, 10, 15)]


def refused(function, *arguments):
    """Whether a call raises ValueError with a message."""
    try:
        function(*arguments)
    except ValueError as fault:
        return bool(str(fault))
    return False


def test_moves_as_text():
    s = game(2, "gggg")
    for text in ("Trot", "trot ", "stake", "stake 0", "stake 01", "stake 31", "stake -1", "stake 1 ", ""):
        assert refused(notation.move_code, s, text), text
    assert notation.move_code(s, "stake 30") == 31


def test_chance_as_text():
    """Dice and tokens that cannot be are refused, and so is what is missing."""
    s = game(2, "gggg")
    rules.apply(s, 0)
    wrong = ({}, {"move": "B"}, {"effect": "1"}, {"move": "B", "effect": "4"}, {"move": "~", "effect": "1"})
    for chance in wrong + ({"move": "B", "effect": "pay1"}, {"move": "", "effect": "1"}, {"move": "B", "effect": 1}):
        assert refused(notation.take_event, dict(chance), s), chance
    chance = {"move": "H", "effect": "3", "tokens": "gsg"}
    events = []
    while rules.seat(s) == rules.CHANCE:
        again = {}
        events.append(notation.take_event(chance, s))
        notation.put_event(again, s, events[-1])
        rules.apply(s, events[-1])
    assert not chance and events == [23, 0, 1, 0]
    assert refused(notation.take_event, {"move": "BM", "effect": "1"}, s)
    s = game(2, "gggg")
    rules.apply(s, 1)
    assert refused(notation.take_event, {"move": "B", "effect": "1"}, s)
    rules.apply(s, notation.take_event({"move": "B", "effect": "pay2"}, s))
    for chance in ({}, {"tokens": "s"}, {"tokens": "x"}, {"tokens": ""}, {"tokens": ["g"]}):
        assert refused(notation.take_event, dict(chance), s), chance
    chance = {"tokens": "gg"}
    assert notation.take_event(chance, s) == 0 and chance == {"tokens": "g"}
    chance = {"move": "B", "effect": "pay2"}
    notation.put_event(chance, s, 0)
    assert chance == {"move": "B", "effect": "pay2", "tokens": "g"}


def test_set_up_as_text():
    for tokens in (None, "", "gg", "ggggg", "ggxg", 4, ["g", "g", "g", "g"]):
        chance = {} if tokens is None else {"tokens": tokens}
        assert refused(notation.set_up, bytearray(rules.STATE_BYTES), 2, 0, chance), tokens
    s = game(2, "sggg")
    assert notation.header(s) == {"tokens": "gsgg"}
    assert s == game(2, "gsgg")


def test_packed_counts():
    """The hot path divides a lot by 19 with a multiplication: right for every lot that can be."""
    for sleeping in range(13):
        for galloping in range(19):
            assert (galloping + 19 * sleeping) * 27 >> 9 == sleeping


def unfair(n):
    """A state of the generator whose next draw below n is refused, 0 if there is none."""
    for low in range(1, 16384):
        if (low * n & 65535) < 65536 % n:
            return low << 16
    return 0


def seeded(n, i):
    """Two generators in one state: some seeds, then the one with a refused draw."""
    one, two = Rng(i), Rng(i)
    if i == 0 and unfair(n):
        one.state[0] = two.state[0] = unfair(n)
    return one, two


def test_every_draw_is_that_of_below():
    """What the hot functions repeat of games/rng.py, refused draws included: set-up, dice, tokens, hiding."""
    s = bytearray(rules.STATE_BYTES)
    for i in range(20):
        one, two = seeded(30, i)
        rules.new(s, 4, 0, one)
        galloping, n, drawn = 18, 30, []
        while n > 22:
            drawn.append(two.below(n) >= galloping)
            galloping -= not drawn[-1]
            n -= 1
        expected = ["gs" * (drawn[k] != drawn[k + 1]) or "gs"[drawn[k]] * 2 for k in (0, 2, 4, 6)]
        assert notation.header(s)["tokens"] == "".join(expected) and one.state == two.state
        for gait in (0, 1):
            s = position([5, 3], [[], []], (9, 9))
            rules.apply(s, gait)
            one, two = seeded(36, i)
            event = rules.sample(s, one)
            assert event == TABLE[200 + 18 * gait + two.below(36) % 18] and one.state == two.state
    for galloping in range(10):
        for sleeping in range(1 - (galloping > 0), 8):
            n = galloping + sleeping
            taken = position([5, 3], [[], []], (galloping, sleeping))
            rules.apply(taken, 0)
            rules.apply(taken, notation.take_event({"move": "M", "effect": "1"}, taken))
            paid = position([5, 3], [[(galloping, sleeping)], []], (9 - galloping, 0))
            rules.apply(paid, 1)
            rules.apply(paid, notation.take_event({"move": "M", "effect": "pay1"}, paid))
            for s in (taken, paid):
                for i in range(5 if n > 1 else 0):
                    one, two = seeded(n, i)
                    event = rules.sample(s, one)
                    assert event == (two.below(n) >= galloping) and one.state == two.state
            hidden = position([5, 3], [[], [(galloping, 0)]], (0, sleeping))
            one, two = seeded(n, 0)
            rules.hide(hidden, 0, one)
            left = galloping
            for k in range(galloping):
                left -= two.below(n - k) < left
            assert hidden[SEAT + 32 + HELD] % 19 == galloping - left and one.state == two.state


def test_a_refused_draw_of_a_stake_is_drawn_again():
    """A playout from a choice of nine stakes goes on as if the refused draw had not been."""
    s = position([5, 3], [[(5, 4)], [(3, 2)]], (4, 4))
    play(s, "gallop", "M", "jump")
    rng = Rng(1)
    rng.state[0] = unfair(9)
    one = bytearray(s)
    rules.playout(one, rng)
    rng.state[0] = unfair(9) >> 16
    rules.playout(s, rng)
    assert one == s


def test_plies_of_a_playout_from_each_kind_of_ply():
    """The last turn of a race in which no token is left to take: a gait and a roll; then a stake of one token."""
    rng = Rng(4)
    for move, plies in ((None, 2), ("trot", 1), ("gallop", 1)):
        s = position([5, 3], [[(18, 12)], []], round=59, player=1)
        if move:
            rules.apply(s, notation.move_code(s, move))
        for _ in range(10):
            t = bytearray(s)
            assert rules.playout(t, rng) == plies, move
    s = position([5, 3], [[(18, 11)], [(0, 1)]], round=59, player=1)
    play(s, "gallop", "M", "jump")
    assert rules.playout(bytearray(s), rng) == 2
    rules.apply(s, notation.move_code(s, "stake 1"))
    assert rules.playout(bytearray(s), rng) == 1
    s = position([5, 3], [[(18, 8)], []], (0, 4), round=59, player=1)
    rules.apply(s, 0)
    rules.apply(s, notation.take_event({"move": "M", "effect": "3"}, s))
    assert rules.playout(bytearray(s), rng) == 3


def whole_games(s, t, rng, out, scores, games):
    """Everything that the device calls, over whole games, without a list or a call that allocates."""
    while games:
        rules.new(s, 2 + games % 3, 0, rng)
        while True:
            who = rules.seat(s)
            if who == rules.OVER:
                break
            if who == rules.CHANCE:
                m = rules.sample(s, rng)
            else:
                n = rules.legal(s, buf)
                m = bot.choose(s, buf, n, rng)
                if games & 1:
                    m = buf[rng.below(n)]
            rules.apply(s, m)
            rules.view(s, 0, out)
            rules.hide(s, 0, rng)
        rules.scores(s, scores)
        rules.winners(s)
        rules.new(t, 3, 0, rng)
        rules.playout(t, rng)
        games -= 1


def test_no_garbage():
    """Under a locked heap any allocation is a MemoryError (on MicroPython)."""
    s = bytearray(rules.STATE_BYTES)
    t = bytearray(rules.STATE_BYTES)
    out = bytearray(rules.VIEW_BYTES)
    scores = array("h", [0] * 4)
    rng = Rng(8)
    micropython.heap_lock()
    try:
        whole_games(s, t, rng, out, scores, 12)
    finally:
        micropython.heap_unlock()


def test_check_passes_every_state_and_few_others():
    """Plausible nonsense: fields within their ranges, tokens moved about. What passes plays on (where memory is strict,
    that is the proof that no index leaves its place)."""
    rng = Rng(21)
    passed = 0
    for seats in (2, 3, 4):
        s = bytearray(rules.STATE_BYTES)
        rules.new(s, seats, 0, rng)
        while rules.seat(s) != rules.OVER:
            rules.check(s)
            t = bytearray(s)
            for _ in range(1 + rng.below(3)):
                scramble(t, rng)
            try:
                rules.check(t)
            except ValueError:
                pass
            else:
                passed += 1
                plies = 0
                while rules.seat(t) != rules.OVER:
                    if plies % 16 == 0:
                        rules.check(t)
                        rules.hide(t, 0, rng)
                    rules.apply(t, random_ply(t, rng))
                    plies += 1
                    assert plies <= rules.MAX_PLIES
            rules.apply(s, random_ply(s, rng))
    assert passed > 20, passed


def random_ply(s, rng):
    """An event or a legal move at random."""
    if rules.seat(s) == rules.CHANCE:
        return rules.sample(s, rng)
    return buf[rng.below(rules.legal(s, buf))]


def scramble(s, rng):
    """Change one thing of a state into another that looks possible."""
    what = rng.below(6)
    if what == 0:
        s[SEAT + 32 * rng.below(s[0])] = rng.below(50)
    elif what == 1:
        s[ROUND] = rng.below(61)
    elif what == 2:
        s[PHASE] = rng.below(7)
        s[TO_MOVE] = (s[PLAYER], rules.CHANCE)[rng.below(2)]
        s[COUNT] = rng.below(4)
    elif what == 3:
        s[AIM] = rng.below(50)
        s[AWAKE] = rng.below(2)
    else:
        # A token of one face from one place to another.
        face = rng.below(2)
        places = [STOCK + face, DISCARD + face]
        for k in range(s[0]):
            places.append(SEAT + 32 * k + HELD + rng.below(s[NEWEST] + 1))
        give, take = rng.below(len(places)), rng.below(len(places))
        if s[places[give]] >= (1, 19 * face + (not face))[give > 1]:
            for place, sign in ((give, -1), (take, 1)):
                s[places[place]] += sign * (1 if place < 2 else 1 + 18 * face)
                if place > 1:
                    s[SEAT + 32 * (place - 2) + TOKENS] += sign
