"""No player uses what its seat does not know: worlds that differ only in that get the same move. Portable."""

from array import array

from games import catalogue, levels
from games.rng import Rng
from games.search import Search
from tests.platforms.traces import CHANCE, OVER, tables

POSITIONS = 60
# For each level of the players, whose thoughts are long.
FEW = 16
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


def other_faces(s, seat, rng):
    """Horses: a copy in which a galloping and a sleeping token of one generation have changed places; None without."""
    t = bytearray(s)
    # Of the state: the stock's galloping and sleeping tokens, the newest generation, hands as galloping + 19 * sleeping.
    stock, newest, held = 9, 13, 17
    for _ in range(40):
        slot = rng.below(s[newest] + 1)
        places = [held + 32 * k + slot for k in range(s[0])] + ([stock] if slot == s[newest] else [])
        one, two = places[rng.below(len(places))], places[rng.below(len(places))]
        galloping = s[one] if one == stock else s[one] % 19
        sleeping = s[two + 1] if two == stock else s[two] // 19
        if one != two and galloping and sleeping:
            for place, way in ((one, 1), (two, -1)):
                if place == stock:
                    t[stock] -= way
                    t[stock + 1] += way
                else:
                    t[place] += 18 * way
            return t
    return None


def other_cards(s, seat, rng):
    """Kings: a copy in which a card of the deck and one in another's hand, drawn unseen, have changed places."""
    t = bytearray(s)
    # Of the state: cards in the deck, hands (6 cards, every 7 bytes), links (255: taken from the market), deck.
    in_deck, hand, link, deck, seen = 20, 30, 56, 297, 255
    hidden = [
        (k, i)
        for k in range(s[0])
        for i in range(6)
        if k != seat and s[hand + 7 * k + i] and s[link + s[hand + 7 * k + i]] != seen
    ]
    if not hidden or not s[in_deck]:
        return None
    k, i = hidden[rng.below(len(hidden))]
    place = deck + rng.below(s[in_deck])
    t[place], t[hand + 7 * k + i] = s[hand + 7 * k + i], s[place]
    first = hand + 7 * k
    cards = sorted([card for card in t[first : first + 6] if card])
    for n in range(6):
        t[first + n] = cards[n] if n < len(cards) else 0
    return t


# Made without `hide`, which the search uses itself.
CHANGED = {"horses": other_faces, "kings": other_cards}


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


def test_every_level_gives_the_same_move_where_only_hidden_things_changed_places():
    for game in HIDING:
        rules, bot = catalogue.load(game), catalogue.load(game, "bot")
        players = [levels.Player(rules, bot, level) for level in range(len(levels.NAMES))]
        views = [bytearray(rules.VIEW_BYTES) for _ in range(2)]
        rng = Rng(77)
        compared = seed = 0
        for s, _, _ in worlds(game, FEW):
            seat = rules.seat(s)
            t = CHANGED[game](s, seat, rng)
            seed += 1
            if t is None:
                continue
            rules.check(t)
            for state, view in ((s, views[0]), (t, views[1])):
                rules.view(state, seat, view)
            assert s != t and views[0] == views[1], game
            for player in players:
                moves = []
                for state in (s, t):
                    player.start(state, seed)
                    while not player.step(1000):
                        pass
                    moves.append(player.best())
                assert moves[0] == moves[1], (game, player.budget, seed)
            compared += 1
        assert compared > FEW // 2, game


def test_the_instant_player_does_not_peep_either():
    for game in catalogue.ids():
        rules, bot = catalogue.load(game), catalogue.load(game, "bot")
        buf = array("H", [0] * rules.MAX_LEGAL)
        for s, t, _ in worlds(game, 4 * POSITIONS):
            moves = [bot.choose(state, buf, rules.legal(state, buf), Rng(3)) for state in (s, t)]
            assert moves[0] == moves[1], game


def test_a_cheat_would_be_seen():
    """In either kind of worlds."""
    for game in HIDING:
        rules, bot = catalogue.load(game), catalogue.load(game, "bot")
        cheat = Peeping(rules)
        rng = Rng(78)
        seed = 0
        caught = [0, 0]
        for s, t, _ in worlds(game, POSITIONS):
            for kind, other in enumerate((t, CHANGED[game](s, rules.seat(s), rng))):
                if other is not None:
                    a, b = answers(cheat, bot, (s, other), seed)
                    caught[kind] += a != b
            seed += 1
        assert caught[0] and caught[1], (game, caught)


def test_thinking_leaves_the_games_generator_alone():
    """The dice that fall are those of a game without a thought, at every table and level."""
    for game in catalogue.ids():
        rules, bot = catalogue.load(game), catalogue.load(game, "bot")
        players = [levels.Player(rules, bot, level) for level in range(len(levels.NAMES))]
        buf = array("H", [0] * rules.MAX_LEGAL)
        for seats, mask in tables(game):
            ends = []
            for thinking in (False, True):
                rng, moves = Rng(9), Rng(10)
                s = bytearray(rules.STATE_BYTES)
                rules.new(s, seats, mask, rng)
                for ply in range(60):
                    who = rules.seat(s)
                    if who == OVER:
                        break
                    if who == CHANCE:
                        rules.apply(s, rules.sample(s, rng))
                        continue
                    if thinking:
                        before = bytes(s)
                        player = players[ply % len(players)]
                        player.start(s, 1)
                        player.best()
                        player.step(1)
                        player.step(100)
                        player.best()
                        assert bytes(s) == before
                    n = rules.legal(s, buf)
                    rules.apply(s, buf[moves.below(n)])
                ends.append((bytes(s), rng.state[0]))
            assert ends[0] == ends[1], (game, seats, mask)
