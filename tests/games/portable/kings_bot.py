"""The instant player of kings and its playouts: what they see and where they end (that they leave no garbage is tested
in thinking.py for all games). Portable."""

from array import array

from games.kings import bot, notation, rules
from games.rng import Rng
from tests.games.portable.kings import DRAWING, far, mine, table

buf = array("H", [0] * rules.MAX_LEGAL)
shares = array("h", [0] * 5)


def chosen(s):
    """The text of the instant player's move."""
    return notation.move_text(s, bot.choose(s, buf, rules.legal(s, buf), None))


def test_a_nine_is_laid_where_the_market_has_the_foreman():
    """Only a 0 of the own race may follow. With none in sight a smaller card leaves room for others."""
    hand = "G7a G9b D1a D2a D3a D4a"
    work = [[mine(9) + ": D4b G5a G6a"]]
    s = table("OI", hand, far(), work, market="O0b")
    assert chosen(s) == "work G9b 1"
    s = table("OI", hand, far(), work, market="O8b")
    assert chosen(s) == "work G7a 1"


def test_the_card_that_exploits_is_drawn():
    work = [[mine(9) + ": D4b G5a G6a G9b"]]
    s = table("OI", "G7a D1a D2a D3a D4a", far(), work, market="O1b O0b G0a", drawing=1)
    assert chosen(s) == "take O"


def each():
    """States from games at all tables: (state, legal moves)."""
    for seats in (2, 3, 4):
        rng = Rng(seats)
        s = bytearray(rules.STATE_BYTES)
        rules.new(s, seats, 0, rng)
        while rules.seat(s) != rules.OVER:
            n = rules.legal(s, buf)
            yield s, n
            rules.apply(s, buf[rng.below(rules.legal(s, buf))])


def test_the_moves_that_are_kept_hold_the_best_in_their_order():
    for s, n in each():
        move = bot.choose(s, buf, n, None)
        moves = [buf[i] for i in range(n)]
        kept = [buf[i] for i in range(bot.narrow(s, buf, n))]
        assert 0 < len(kept) <= n
        assert move in kept
        assert kept == [m for m in moves if m in kept]


def test_playouts_end_between_two_turns():
    for s, _ in each():
        t = bytearray(s)
        plies = bot.rollout(t, None, shares)
        rules.check(t)
        # Two a turn, and one before that if a card was to be drawn.
        assert 0 < plies <= 1 + (8 if s[0] == 2 else 12 * s[0])
        if rules.seat(t) != rules.OVER:
            assert not t[DRAWING]
            assert 0 <= min(shares) and max(shares) < 252
