"""No player uses what its seat does not know: worlds that differ only in that get the same move. Portable."""

from array import array

from games import catalogue
from games.rng import Rng
from games.search import Search
from tests.platforms.traces import CHANCE, OVER, tables

POSITIONS = 60
# The games in which something is hidden.
HIDING = ("kings", "horses")
ITERATIONS = 24
# Elsewhere the same searches are equal move for move (test_search.py).
PLATFORMS = ("viper",)


class Peeping:
    """The rules of a game for a cheat: it deals nothing anew."""

    def __init__(self, rules):
        for name in ("STATE_BYTES", "MAX_LEGAL", "seat", "legal", "apply", "sample", "winners", "playout"):
            setattr(self, name, getattr(rules, name))

    def hide(self, s, seat, rng):
        pass


def worlds(game, count):
    """Pairs of states of a game that are equal for the seat to move, over all tables: (state, other, differs)."""
    rules = catalogue.load(game)
    views = [bytearray(rules.VIEW_BYTES) for _ in range(2)]
    ways = tables(game)
    buf = array("H", [0] * rules.MAX_LEGAL)
    for seats, mask in ways:
        rng, other = Rng(seats * 8 + mask), Rng(seats * 8 + mask + 100)
        s = bytearray(rules.STATE_BYTES)
        rules.new(s, seats, mask, rng)
        found = ply = 0
        while found * len(ways) < count:
            who = rules.seat(s)
            if who == OVER:
                rules.new(s, seats, mask, rng)
            elif who == CHANCE:
                rules.apply(s, rules.sample(s, rng))
            else:
                n = rules.legal(s, buf)
                ply += 1
                if n > 1 and ply % 5 == 0:
                    t = bytearray(s)
                    rules.hide(t, who, other)
                    for state, view in ((s, views[0]), (t, views[1])):
                        rules.view(state, who, view)
                    assert views[0] == views[1]
                    yield s, t, s != t
                    found += 1
                rules.apply(s, buf[rng.below(n)])


def answers(rules, bot, states, seed):
    """The move that a search finds in each of these states."""
    search = Search(rules, bot, 200)
    found = []
    for s in states:
        search.start(s, ITERATIONS, seed)
        while not search.step(100):
            pass
        found.append(search.best())
    return found


def test_worlds_that_look_the_same_get_the_same_move():
    for game in catalogue.ids():
        rules, bot = catalogue.load(game), catalogue.load(game, "bot")
        differ = seed = 0
        for s, t, unlike in worlds(game, POSITIONS):
            a, b = answers(rules, bot, (s, t), seed)
            assert a == b, (game, seed)
            differ += unlike
            seed += 1
        if game in HIDING:
            assert differ > POSITIONS // 2, (game, differ)


def test_the_instant_player_does_not_peep_either():
    for game in catalogue.ids():
        rules, bot = catalogue.load(game), catalogue.load(game, "bot")
        buf = array("H", [0] * rules.MAX_LEGAL)
        for s, t, _ in worlds(game, 4 * POSITIONS):
            moves = [bot.choose(state, buf, rules.legal(state, buf), Rng(3)) for state in (s, t)]
            assert moves[0] == moves[1], game


def test_a_cheat_would_be_seen():
    for game in HIDING:
        rules, bot = catalogue.load(game), catalogue.load(game, "bot")
        cheat = Peeping(rules)
        seed = caught = 0
        for s, t, _ in worlds(game, POSITIONS):
            a, b = answers(cheat, bot, (s, t), seed)
            caught += a != b
            seed += 1
        assert caught, game


def test_thinking_leaves_the_games_generator_alone():
    """The dice that fall are those of a game without a thought."""
    for game in catalogue.ids():
        rules, bot = catalogue.load(game), catalogue.load(game, "bot")
        search = Search(rules, bot, 100)
        buf = array("H", [0] * rules.MAX_LEGAL)
        ends = []
        for thinking in (False, True):
            rng, moves = Rng(9), Rng(10)
            s = bytearray(rules.STATE_BYTES)
            rules.new(s, 2, 0, rng)
            for _ in range(60):
                who = rules.seat(s)
                if who == OVER:
                    break
                if who == CHANCE:
                    rules.apply(s, rules.sample(s, rng))
                    continue
                n = rules.legal(s, buf)
                if thinking:
                    before = bytes(s)
                    search.start(s, 4, 1)
                    search.step(1000)
                    search.best()
                    assert bytes(s) == before
                n = rules.legal(s, buf)
                rules.apply(s, buf[moves.below(n)])
            ends.append((bytes(s), rng.state[0]))
        assert ends[0] == ends[1], game
