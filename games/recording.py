"""The record of a game (rules pages, Game records), line by line as its plies are told."""

from array import array

from micropython import const

VERSION = const(1)

_CHANCE = const(254)
_OVER = const(255)


class Recording:
    """A game and its record. rules, notation: modules of the game; options: a bit mask; s: the state right after
    `rules.new`, which is played on.

    A line is a list of pairs (key, value) in the order that they are written."""

    def __init__(self, name, rules, notation, seats, options, s):
        self.s = s
        self._rules = rules
        self._notation = notation
        self._seats = seats
        self._legal = array("H", [0] * rules.MAX_LEGAL)
        setup = notation.header(s)
        # What was drawn and belongs to no line yet; where chance follows its decision, the first is the set-up's.
        self._drawn = {} if notation.CHANCE_BEFORE else setup
        names = rules.OPTIONS
        on = [(names[i], options >> i & 1) for i in range(len(names))]
        self._lines = []
        self._waiting = [("record", VERSION), ("game", name), ("seats", seats), ("options", on), ("chance", setup)]

    def legal(self):
        """The texts of all legal moves, as a line has them."""
        n = self._rules.legal(self.s, self._legal)
        return sorted({self._notation.move_text(self.s, move) for move in self._legal[:n]})

    def ply(self, code):
        """Carry out an event of chance or a move."""
        rules = self._rules
        notation = self._notation
        s = self.s
        seat = rules.seat(s)
        if seat == _CHANCE:
            notation.put_event(self._drawn, s, code)
            rules.apply(s, code)
            return
        self._complete()
        if not notation.CHANCE_BEFORE:
            self._drawn = {}
        text = notation.move_text(s, code)
        self._waiting = [("seat", seat), ("legal", self.legal()), ("move", text), ("chance", self._drawn)]
        if notation.CHANCE_BEFORE:
            self._drawn = {}
        rules.apply(s, code)

    def ready(self):
        """The lines that were not asked for before and are complete: a seat is to move, or the game is over and the
        last line is among them."""
        seat = self._rules.seat(self.s)
        if seat != _CHANCE:
            over = seat == _OVER and self._waiting is not None
            self._complete()
            if over:
                points = array("h", [0] * self._seats)
                self._rules.scores(self.s, points)
                mask = self._rules.winners(self.s)
                winners = [seat for seat in range(self._seats) if mask >> seat & 1]
                self._lines.append([("scores", list(points)), ("winners", winners)])
        found = self._lines
        self._lines = []
        return found

    def _complete(self):
        if self._waiting is not None:
            self._lines.append(self._waiting)
            self._waiting = None
