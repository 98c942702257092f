"""What every game of the catalogue must do, whichever it is; finds the games by itself and runs on every platform."""

import sys
from array import array

from games import catalogue
from games.rng import Rng
from tests.platforms.traces import CHANCE, OVER, tables

# MicroPython on a PC plays most of the games; strict CPython and the 32-bit one are ten times as slow.
FAST = sys.implementation.name == "micropython" and sys.platform != "webassembly"
GAMES = 3 if FAST else 1
FLIPS = 150 if FAST else 40


class Table:
    """A game being played: module, state, buffers."""

    def __init__(self, game, seats, mask, seed):
        self.name = (game, seats, mask, seed)
        self.rules = catalogue.load(game)
        self.notation = catalogue.load(game, "notation")
        self.bot = catalogue.load(game, "bot")
        self.rng = Rng(seed)
        self.seats = seats
        self.mask = mask
        self.state = bytearray(self.rules.STATE_BYTES)
        self.buf = array("H", [0] * self.rules.MAX_LEGAL)
        self.points = array("h", [0] * 8)
        self.rules.new(self.state, seats, mask, self.rng)

    def over(self):
        return self.rules.seat(self.state) == OVER

    def legal(self):
        """The legal moves as a list."""
        n = self.rules.legal(self.state, self.buf)
        assert n <= self.rules.MAX_LEGAL, self.name
        return list(self.buf)[:n]

    def draw(self):
        """The next event or random move."""
        if self.rules.seat(self.state) == CHANCE:
            return self.rules.sample(self.state, self.rng)
        moves = self.legal()
        return moves[self.rng.below(len(moves))]

    def ply(self):
        """Play one ply at random."""
        self.rules.apply(self.state, self.draw())

    def view(self, state, seat):
        """What a seat knows of a state, as bytes."""
        out = bytearray(self.rules.VIEW_BYTES)
        n = self.rules.view(state, seat, out)
        return bytes(out[:n])

    def finish(self, state):
        """Play a copy of a state to the end one ply at a time; fail if it does not end."""
        kept = self.state
        self.state = bytearray(state)
        plies = 0
        while not self.over():
            self.ply()
            plies += 1
            assert plies <= self.rules.MAX_PLIES, self.name
        self.rules.scores(self.state, self.points)
        winners = self.rules.winners(self.state)
        assert 0 < winners < 1 << self.state[0], self.name
        self.state = kept


def every_table(games):
    """A fresh Table for each game, seat count, option set and seed 0 .. games - 1."""
    for game in catalogue.ids():
        for seats, mask in tables(game):
            for seed in range(games):
                yield Table(game, seats, mask, seed)


def copy(s):
    """Another bytearray with the same bytes."""
    t = bytearray(len(s))
    t[:] = s
    return t


def test_constants_are_those_of_the_catalogue():
    for game in catalogue.ids():
        rules = catalogue.load(game)
        names = catalogue.options(game)
        assert names == rules.OPTIONS
        spans = [catalogue.seats(game, mask) for mask in range(1 << len(names))]
        assert (min([low for low, high in spans]), max([high for low, high in spans])) == rules.SEATS
        assert rules.CHANCE == CHANCE
        assert rules.OVER == OVER


def test_random_games_keep_the_contract_at_every_ply():
    """Legal moves, their number and order; `apply` on a clone; `seat`; `check`; texts; the end within MAX_PLIES."""
    for t in every_table(GAMES):
        rules = t.rules
        plies = 0
        while not t.over():
            who = rules.seat(t.state)
            rules.check(t.state)
            before = copy(t.state)
            moves = t.legal()
            if who == CHANCE:
                assert moves == [], t.name
            else:
                assert moves, t.name
                assert who < t.seats
                assert moves == sorted(set(moves)), t.name
            assert t.state == before, "legal changes nothing"
            m = t.draw()
            twin = copy(t.state)
            assert rules.apply(t.state, m) == rules.seat(t.state), t.name
            told = bytes(rules.TRACE)
            rules.apply(twin, m)
            assert twin == t.state, t.name
            assert bytes(rules.TRACE) == told
            assert 1 + 4 * told[0] <= len(told)
            plies += 1
            assert plies <= rules.MAX_PLIES, t.name
        assert t.legal() == []
        rules.check(t.state)
        rules.scores(t.state, t.points)
        assert 0 < rules.winners(t.state) < 1 << t.seats, t.name


def test_texts_read_back():
    """No two legal moves have one text; moves and events are read back as what they were."""
    for t in every_table(GAMES):
        while not t.over():
            m = t.draw()
            if t.rules.seat(t.state) == CHANCE:
                chance = {}
                t.notation.put_event(chance, t.state, m)
                assert chance, t.name
                assert t.notation.take_event(chance, t.state) == m, t.name
                assert not chance, (t.name, chance)
            else:
                texts = [t.notation.move_text(t.state, move) for move in t.legal()]
                assert len(set(texts)) == len(texts), t.name
                for move, text in zip(t.legal(), texts):
                    assert t.notation.move_code(t.state, text) == move, (t.name, text)
            t.rules.apply(t.state, m)


def test_set_up_reads_back():
    """The header's chance makes the state that `new` made."""
    for t in every_table(GAMES):
        chance = t.notation.header(t.state)
        again = bytearray(t.rules.STATE_BYTES)
        t.notation.set_up(again, t.seats, t.mask, chance)
        assert again == t.state, t.name


def test_nonsense_is_no_move():
    for t in every_table(1):
        for text in ("", " ", "nonsense", "play", "0", "\n"):
            try:
                t.notation.move_code(t.state, text)
            except ValueError:
                continue
            raise AssertionError((t.name, text))


def test_save_and_restore_at_every_ply():
    """State and generator are all there is: from each ply on, a restored game goes on as the saved one did."""
    for t in every_table(1):
        saves = []
        while not t.over():
            saves.append((bytes(t.state), t.rng.state[0]))
            t.ply()
        saves.append((bytes(t.state), t.rng.state[0]))
        for i in range(len(saves) - 1):
            t.state = bytearray(saves[i][0])
            t.rng.state[0] = saves[i][1]
            t.rules.check(t.state)
            t.ply()
            assert (bytes(t.state), t.rng.state[0]) == saves[i + 1], (t.name, i)


def test_hide_changes_only_what_the_seat_does_not_know():
    """The view stays as it was, the result is a state that could be, and equal views give equal samples."""
    for t in every_table(GAMES):
        ply = 0
        while not t.over():
            if ply % 5 == 0:
                for seat in range(t.seats):
                    seen = t.view(t.state, seat)
                    one = copy(t.state)
                    t.rules.hide(one, seat, t.rng)
                    t.rules.check(one)
                    assert t.view(one, seat) == seen, t.name
                    # Two worlds that this seat cannot tell apart, hidden again with one seed.
                    two = copy(t.state)
                    t.rules.hide(one, seat, Rng(ply))
                    t.rules.hide(two, seat, Rng(ply))
                    assert one == two, t.name
                    t.finish(one)
            t.ply()
            ply += 1


def test_the_instant_player_is_honest():
    """It chooses a legal move, leaves the state alone, and chooses the same in a world it cannot tell apart."""
    for t in every_table(GAMES):
        while not t.over():
            who = t.rules.seat(t.state)
            if who != CHANCE:
                before = copy(t.state)
                n = t.rules.legal(t.state, t.buf)
                m = t.bot.choose(t.state, t.buf, n, Rng(5))
                assert m in list(t.buf)[:n], t.name
                assert t.state == before, t.name
                t.rules.hide(before, who, t.rng)
                n = t.rules.legal(before, t.buf)
                assert t.bot.choose(before, t.buf, n, Rng(5)) == m, t.name
            t.ply()


def test_playout_ends_the_game():
    for t in every_table(GAMES):
        plies = 0
        while not t.over() and plies < 40:
            rest = copy(t.state)
            n = t.rules.playout(rest, t.rng)
            assert t.rules.seat(rest) == OVER, t.name
            assert 0 < n <= t.rules.MAX_PLIES
            t.rules.check(rest)
            t.ply()
            plies += 1


def test_check_rejects_flipped_bits_or_the_state_plays_on():
    """One to three bits of a state in play; a bad index that got through would corrupt the memory of the Pico."""
    passed = 0
    for t in every_table(1):
        dice = Rng(77)
        states = [bytes(t.state)]
        while not t.over():
            t.ply()
            states.append(bytes(t.state))
        for _ in range(FLIPS):
            bad = bytearray(states[dice.below(len(states))])
            for _ in range(1 + dice.below(3)):
                bad[dice.below(len(bad))] ^= 1 << dice.below(8)
            try:
                t.rules.check(bad)
            except ValueError:
                continue
            passed += 1
            t.finish(bad)
            for seat in range(t.seats):
                t.view(bad, seat)
            if t.rules.seat(bad) != OVER:
                t.rules.hide(bad, 0, t.rng)
                t.rules.playout(bad, t.rng)
    assert passed < 100 * len(catalogue.ids()), "check lets too much through"


def test_check_rejects_noise_and_wrong_lengths():
    for t in every_table(1):
        dice = Rng(3)
        noise = [bytearray(n) for n in (0, 1, len(t.state) - 1, len(t.state), len(t.state) + 1)]
        for _ in range(40):
            noise.append(bytearray([dice.below(256) for _ in range(len(t.state))]))
            # Noise behind a true beginning.
            noise.append(bytearray(t.state[:3]) + bytearray([dice.below(16) for _ in range(len(t.state) - 3)]))
        for bad in noise:
            try:
                t.rules.check(bad)
            except ValueError:
                continue
            raise AssertionError((t.name, bytes(bad)))


def test_ids_keep_their_order():
    """MicroPython's dictionaries do not, and the menu and the statistics count on it."""
    assert catalogue.ids()[:4] == ("goats", "goblins", "kings", "horses")
