"""The tree search: finds what is to be found, whatever its steps, and leaves nothing behind. Portable."""

from array import array

from games import catalogue, levels
from games.rng import Rng
from games.search import WIN, Search, share
from tests.platforms.traces import CHANCE, OVER, tables


# In kings and horses what ends the game is a draw after the move.
WINS_IN_ONE = ("goats", "goblins")


class Nim:
    """A game that is solved: take one to three stones, who takes the last one wins. It has the functions of a rules
    module; s[3] counts the stones, a move is how many are taken."""

    STATE_BYTES = 4
    MAX_LEGAL = 3

    def new(self, s, seats, options, rng):
        s[0] = seats
        s[1] = options
        s[2] = 0
        s[3] = options

    def seat(self, s):
        return s[2]

    def legal(self, s, buf):
        n = min(3, s[3])
        for i in range(n):
            buf[i] = i + 1
        return n

    def apply(self, s, m):
        s[3] -= m
        if s[3]:
            s[2] = (s[2] + 1) % s[0]
        else:
            s[1] = s[2]
            s[2] = OVER
        return s[2]

    def winners(self, s):
        return 1 << s[1]

    def hide(self, s, seat, rng):
        pass

    def playout(self, s, rng):
        plies = 0
        while s[2] != OVER:
            self.apply(s, 1 + rng.below(min(3, s[3])))
            plies += 1
        return plies


def nim(stones, seats=2):
    s = bytearray(Nim.STATE_BYTES)
    Nim().new(s, seats, stones, None)
    return s


def thought(search, s, budget, seed, plies=1000):
    """The move that a search finds in steps of so many plies."""
    search.start(s, budget, seed)
    while not search.step(plies):
        pass
    assert search.done == budget or search.done == 0
    return search.best()


def positions(game, seats, mask, seed, every, wanted=lambda s, n: n > 1):
    """States of a game at random in which a seat has a choice: every so many plies one."""
    rules = catalogue.load(game)
    rng = Rng(seed)
    s = bytearray(rules.STATE_BYTES)
    buf = array("H", [0] * rules.MAX_LEGAL)
    rules.new(s, seats, mask, rng)
    ply = 0
    while rules.seat(s) != OVER:
        if rules.seat(s) == CHANCE:
            rules.apply(s, rules.sample(s, rng))
            continue
        n = rules.legal(s, buf)
        if ply >= every and wanted(s, n):
            yield bytearray(s)
            ply = 0
        rules.apply(s, buf[rng.below(n)])
        ply += 1


def some(game):
    """A state in which there is a choice, for each way to play a game."""
    for seats, mask in tables(game):
        for s in positions(game, seats, mask, 5, 9):
            yield s
            break


def parts(game):
    """The modules that a search takes."""
    return catalogue.load(game), catalogue.load(game, "bot")


def test_the_winning_move_of_a_solved_game():
    search = Search(Nim(), None, 200, True)
    for stones in (5, 6, 7, 9):
        for seed in range(3):
            assert thought(search, nim(stones), 800, seed) == stones % 4, (stones, seed)


def test_each_seat_wants_its_own():
    """Three seats, six stones. With 2 the third seat wins, with 3 the second. With 1 nothing that the second does is of
    use to it, so that the first may win: only who thinks that the others play against it sees no difference."""
    search = Search(Nim(), None, 200, True)
    for seed in range(5):
        assert thought(search, nim(6, 3), 600, seed) == 1, seed


def outcome(rules, s, m):
    """1 if the move wins the game outright, 0 if it ends it otherwise, -1 if the game goes on."""
    last = bytearray(s)
    rules.apply(last, m)
    return int(rules.winners(last) == 1 << rules.seat(s)) if rules.seat(last) == OVER else -1


def decisive(rules, s, n):
    """Whether all moves end the game, and some win it."""
    buf = array("H", [0] * rules.MAX_LEGAL)
    rules.legal(s, buf)
    ends = [outcome(rules, s, buf[i]) for i in range(n)]
    return 0 in ends and 1 in ends and -1 not in ends


def test_a_win_in_one_is_found():
    for game in WINS_IN_ONE:
        rules, bot = parts(game)
        search = Search(rules, bot, 100)
        found = seed = 0
        while found < 3:
            for s in positions(game, 2, 0, seed, 1, lambda s, n, rules=rules: decisive(rules, s, n)):
                assert outcome(rules, s, thought(search, s, 60, seed)) == 1, (game, seed)
                found += 1
            seed += 1
            assert seed < 100, game


class Picky:
    """A bot of Nim that looks at no move but the one of most stones, wherever there are several."""

    def choose(self, s, buf, n, rng):
        return buf[0]

    def rollout(self, s, rng, shares):
        return Nim().playout(s, rng)

    def narrow(self, s, buf, n):
        buf[0] = buf[n - 1]
        return 1


def test_the_search_looks_at_the_moves_that_the_bot_keeps():
    """A plain search knows nothing of it."""
    for stones in (5, 6):
        assert thought(Search(Nim(), Picky(), 60), nim(stones), 200, 1) == 3
        assert thought(Search(Nim(), Picky(), 200, True), nim(stones), 800, 1) == stones % 4


class Patient:
    """A bot of Nim that knows nothing and asks for a few visits before a node has children."""

    RIPE = 3

    def choose(self, s, buf, n, rng):
        return buf[0]

    def rollout(self, s, rng, shares):
        return Nim().playout(s, rng)


def visits_of_parents(search):
    """How often each node was visited that has children, besides the root."""
    nodes = search._nodes
    return [nodes[5 * node + 1] for node in range(1, search._used) if nodes[5 * node + 3]]


def test_a_node_is_ripe_for_children_after_some_visits():
    """One more for each time that the budget holds the tree. Without a wish the first visit is enough."""
    for size, least in ((400, 3), (100, 6)):
        search = Search(Nim(), Patient(), size)
        assert thought(search, nim(9), 390, 1) == 1
        assert min(visits_of_parents(search)) == least + 1, size
    search = Search(Nim(), None, 400, True)
    thought(search, nim(9), 390, 1)
    assert min(visits_of_parents(search)) == 2


def test_steps_of_any_size_find_the_same():
    for game in catalogue.ids():
        rules, bot = parts(game)
        search = Search(rules, bot, 60)
        for s in some(game):
            seen = set()
            for plies in (1, 7, 100000):
                move = thought(search, s, 12, 3, plies)
                seen.add((move, bytes(search._nodes), bytes(search._sums), search._rng.state[0]))
            assert len(seen) == 1, game


def test_a_small_step_is_one_iteration():
    for game in catalogue.ids():
        rules, bot = parts(game)
        search = Search(rules, bot, 60)
        for s in some(game):
            search.start(s, 3, 1)
            for done in (1, 2, 3):
                assert search.step(1) == (done == 3)
                assert search.done == done
            assert search.step(1)
            assert search.done == 3


def test_one_search_thinks_about_one_position_after_the_other():
    """What it thought before leaves no trace."""
    for game in catalogue.ids():
        rules, bot = parts(game)
        used, fresh = Search(rules, bot, 60), Search(rules, bot, 60)
        states = list(some(game))
        for s in states:
            thought(used, s, 9, 8)
        assert thought(used, states[0], 9, 4) == thought(fresh, states[0], 9, 4)
        assert [used._nodes[i] for i in range(5)] == [fresh._nodes[i] for i in range(5)]
        assert used._rng.state == fresh._rng.state


def test_the_state_may_change_while_it_thinks():
    """It thinks about a copy, and changes nothing in the state that it was given."""
    for game in catalogue.ids():
        rules, bot = parts(game)
        search = Search(rules, bot, 60)
        for s in some(game):
            right = thought(search, s, 9, 2)
            given = bytearray(s)
            search.start(given, 9, 2)
            assert given == s
            search.step(1)
            assert given == s
            for i in range(len(given)):
                given[i] = 0
            while not search.step(1):
                pass
            assert search.best() == right
            assert not any(given)


def test_a_forced_move_needs_no_thought():
    search = Search(Nim(), None, 50, True)
    search.start(nim(1), 500, 1)
    assert search.step(1)
    assert search.done == 0
    assert search.best() == 1


def test_stopped_early_it_plays_the_best_so_far():
    for game in catalogue.ids():
        rules, bot = parts(game)
        search = Search(rules, bot, 60)
        buf = array("H", [0] * rules.MAX_LEGAL)
        for s in some(game):
            n = rules.legal(s, buf)
            moves = [buf[i] for i in range(n)]
            search.start(s, 50, 7)
            # Asked before it began: the instant choice, and asking changes nothing.
            assert search.best() == bot.choose(s, buf, n, Rng(7))
            for _ in range(6):
                search.step(1)
                assert search.best() in moves
                assert search.best() == search.best()
            asked = search.best()
            search.start(s, 50, 7)
            while search.done < 6:
                search.step(1)
            assert search.best() == asked


def test_a_full_tree_goes_on_without_growing():
    search = Search(Nim(), None, 8, True)
    for stones in (6, 7, 9, 10):
        assert thought(search, nim(stones), 1000, 1) == stones % 4
        assert search._used == 8
        # Every iteration still counts somewhere below the root.
        child = search._nodes[3]
        visits = 0
        while child:
            visits += search._nodes[5 * child + 1]
            child = search._nodes[5 * child + 4]
        assert visits == 1000
    for game in catalogue.ids():
        rules, bot = parts(game)
        for s in some(game):
            tiny = Search(rules, bot, 3)
            thought(tiny, s, 12, 1)
            assert tiny._used <= 3


def test_the_most_iterations_overflow_nothing():
    """Every visit won, as often as 16 bits count."""
    search = Search(Nim(), None, 60, True)
    thought(search, nim(5), 300, 1)
    for node in range(1, search._used):
        search._nodes[5 * node + 1] = search._nodes[5 * node + 2] = 65000
        search._sums[node] = 65000 * WIN
    search._budget = 500
    search.done = 0
    while not search.step(100):
        pass
    assert search.best() in (1, 2, 3)
    for node in range(1, search._used):
        assert search._sums[node] <= WIN * search._nodes[5 * node + 1]


def test_shares_of_a_win():
    shares = array("h", [9] * 5)
    for winners, right in ((1, [WIN, 0, 0, 0, 0]), (16, [0, 0, 0, 0, WIN]), (5, [126, 0, 126, 0, 0]), (31, [50] * 5)):
        share(winners, shares)
        assert list(shares) == right


def test_a_full_table_has_budgets_of_its_own():
    """A seat beside two others waits for two: it may have fewer iterations, never more, and takes them by the state."""
    for game in catalogue.ids():
        rules, bot = parts(game)
        player = levels.Player(rules, bot, 3)
        for seats in (2, 3, rules.SEATS[1]):
            s = bytearray(rules.STATE_BYTES)
            rules.new(s, seats, 0, Rng(seats))
            player.start(s, 1)
            assert player.budget == levels.budget(bot, 3, seats) <= levels.budget(bot, 3, 2)
    bot = catalogue.load("goblins", "bot")
    assert tuple(levels.budget(bot, level, 3) for level in (1, 2, 3)) == bot.ITERATIONS_OF_MORE


def test_levels_are_budgets():
    for game in catalogue.ids():
        rules, bot = parts(game)
        budgets = [levels.budget(bot, level, 2) for level in range(len(levels.NAMES))]
        assert budgets[0] == 0
        assert budgets == sorted(set(budgets))
        assert budgets[3] <= 65535
        s = next(some(game))
        buf = array("H", [0] * rules.MAX_LEGAL)
        easy = levels.Player(rules, bot, 0)
        easy.start(s, 5)
        assert easy.step(1)
        assert easy.best() == bot.choose(s, buf, rules.legal(s, buf), Rng(5))
        normal = levels.Player(rules, bot, 1)
        normal.start(s, 5)
        steps = 0
        while not normal.step(1):
            steps += 1
        assert normal.done() == normal.budget == steps + 1 == budgets[1]
        assert normal.best() == thought(Search(rules, bot, levels._NODES), s, budgets[1], 5)
