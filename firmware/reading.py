"""A game out of its bytes (firmware/saves.py), of any version so far."""

from firmware import modules, saves
from games import catalogue


class _Reader:
    """Numbers and pieces of bytes, one after the other; ValueError at their end."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    def piece(self, count):
        at = self._at
        self._at = at + count
        if self._at > len(self._data):
            raise ValueError("too short")
        return bytearray(self._data[at : self._at])

    def rest(self):
        return bytearray(self._data[self._at :])

    def one(self):
        return self.piece(1)[0]

    def two(self):
        low, high = self.piece(2)
        return low | high << 8

    def text(self):
        return "".join([chr(b) for b in self.piece(self.one())])


def read(data):
    """The Saved of the bytes of a game, of any version so far; ValueError unless it can be one. Its state and moves are
    not looked at yet: that takes the rules (firmware/course.py)."""
    from_ = _Reader(data)
    version = from_.one()
    if not 1 <= version <= saves.VERSION:
        raise ValueError("version")
    game = from_.text()
    if game not in modules.GAMES:
        raise ValueError("game")
    options = from_.one()
    if options >> len(catalogue.options(game)):
        raise ValueError("options")
    seats = from_.one()
    fewest, most = catalogue.seats(game, options)
    if not fewest <= seats <= most:
        raise ValueError("seats")
    kinds = from_.piece(seats)
    for kind in kinds:
        if not saves.PERSON <= kind < saves.KINDS:
            raise ValueError("kinds")
    saved = saves.Saved(game, options, kinds, "", 0)
    flags = saves.BASE
    if version > 1:
        flags = from_.one()
        if flags > 3:
            raise ValueError("flags")
        saved.winners = from_.one()
        if saved.winners >> seats:
            raise ValueError("winners")
    low = from_.two()
    saved.generator = low | from_.two() << 16
    if not 1 <= saved.generator <= 1073479678:
        raise ValueError("generator")
    saved.before = saved.plies = from_.two()
    if version == 1:
        saved.base = from_.rest()
        saved.check = saves.check(saved.base)
        return saved
    saved.plies = from_.two()
    if saved.plies < saved.before:
        raise ValueError("plies")
    saved.check = from_.two()
    saved.word = from_.text()
    for letter in saved.word:
        if not "A" <= letter <= "Z":
            raise ValueError("word")
    saved.practice = bool(flags & saves.PRACTICE)
    if flags & saves.BASE:
        saved.base = from_.piece(from_.two())
    saved.moves = from_.rest()
    return saved
