"""The course of a game: its plies from its base on, made, added to and made again."""

from array import array

from micropython import const

from firmware import saves
from games.rng import Rng

_CHANCE = const(254)
_OVER = const(255)
# The first byte of a move whose number takes two.
_MORE = const(255)


class Course:
    """The game `saved` as it goes: `state`, and `plies` that led there. `legal` is room for the legal moves.

    Nothing here trusts the moves: one that cannot be is a ValueError before the rules' fast code meets it."""

    def __init__(self, rules, saved):
        self.saved = saved
        self.state = bytearray(rules.STATE_BYTES)
        self.rng = Rng(0)
        self.legal = array("H", [0] * rules.MAX_LEGAL)
        self._rules = rules
        if saved.base is not None:
            rules.check(saved.base)
            if saved.base[0] != len(saved.kinds) or saved.base[1] != saved.options:
                raise ValueError("seats or options")
        self.start()

    def start(self):
        """Go to the base."""
        saved = self.saved
        self.plies = saved.before
        self._at = 0
        self.rng.state[0] = saved.generator
        if saved.base is None:
            self._rules.new(self.state, len(saved.kinds), saved.options, self.rng)
        else:
            self.state[:] = saved.base

    def follow(self, plies):
        """Make the plies again up to that one."""
        while self.plies < plies:
            self.ply()

    def ply(self):
        """Make the next ply again; the seat that made it, or CHANCE."""
        seat = self._rules.seat(self.state)
        if seat == _CHANCE:
            self.chance()
        else:
            self._apply(self.coming())
            self._at += 2 if self.saved.moves[self._at] == _MORE else 1
        return seat

    def coming(self):
        """The move that comes next."""
        if self._rules.seat(self.state) >= _CHANCE:
            raise ValueError("no seat is to move")
        moves = self.saved.moves
        at = self._at
        i = moves[at] if at < len(moves) else _MORE
        if i == _MORE:
            if at + 1 >= len(moves):
                raise ValueError("moves")
            i += moves[at + 1]
        if i >= self._rules.legal(self.state, self.legal):
            raise ValueError("moves")
        return self.legal[i]

    def at_end(self):
        """Whether this is where the saved game stands, by its plies, moves and state."""
        saved = self.saved
        return self.plies == saved.plies and self._at == len(saved.moves) and saves.check(self.state) == saved.check

    def chance(self):
        """Let chance have its ply."""
        self._apply(self._rules.sample(self.state, self.rng))

    def make(self, move):
        """Add a legal move and make it. What came later so far is gone."""
        n = self._rules.legal(self.state, self.legal)
        i = 0
        while self.legal[i] != move and i < n:
            i += 1
        moves = self.saved.moves[: self._at]
        if i >= _MORE:
            moves.append(_MORE)
            i -= _MORE
        moves.append(i)
        self.saved.moves = moves
        self._at = len(moves)
        self._apply(move)

    def _apply(self, move):
        self._rules.apply(self.state, move)
        self.plies += 1

    def kept(self):
        """The saved game as far as it has come, nothing later."""
        saved = self.saved
        saved.plies = self.plies
        saved.moves = saved.moves[: self._at]
        saved.check = saves.check(self.state)
        return saved
