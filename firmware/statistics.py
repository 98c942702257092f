"""How games ended and dice fell, kept in the store.

    0    version
    1    for each game of GAMES, each level: games played, won, shared, 2 bytes each, little-endian
    97   for each die of DICE, each face: how often it fell, 3 bytes, little-endian

Games count that one person played against computers only.
"""

from micropython import const

from firmware import saves

NAME = "statistics"
VERSION = const(1)

# The games that are counted; not those of the catalogue, where one may be added, and the bytes count on their order.
GAMES = ("goats", "goblins", "kings", "horses")

# The dice, each with the weights of its faces.
DICE = (
    b"\x01\x01\x01\x01\x01\x01",  # goats: 1 to 6
    b"\x02\x02\x02",  # horses, trot: boot, medal, helmet
    b"\x02\x03\x01",  # and 1 to 3 tokens gained
    b"\x02\x02\x02",  # gallop: boot, medal, helmet
    b"\x02\x01\x02\x01",  # and pay 1, pay 2, jump, free
    b"\x12\x0c",  # tokens turned over: galloping, sleeping
)

# Where games/goats/rules.py has its roll, repeated since a const stays in its file; a test holds them equal.
_ROLL = const(4)

_LEVELS = const(4)
_GAMES = const(1)
_DICE = const(97)
_BYTES = const(160)

# Counts that have come so far, which is as far as there is room to show them, are halved; that leaves their shares.
_MOST_GAMES = const(9999)
_MOST_FACES = const(99999)

# Rolls that a power cut may lose: a save takes as long as it wears the flash.
_UNSAVED = const(50)


class Statistics:
    """The statistics in `store`, or none. `message`: the key of a text that says what went wrong when they were read,
    or None."""

    def __init__(self, store):
        self._store = store
        self._unsaved = 0
        self._four = bytearray(4)
        self.reset()
        data = store.load(NAME)
        self.message = store.message
        if data is not None and len(data) == _BYTES and data[0] == VERSION:
            self._data[:] = data
        elif data is not None or self.message:
            self.message = "statistics.bad"
        if self.message:
            # Good ones in the place of the bad, so that it is told once.
            self.save()

    def reset(self):
        """Begin anew; save() makes it last."""
        self._data = bytearray(_BYTES)
        self._data[0] = VERSION

    def keep(self):
        """Save what is not saved yet. Whether that worked, or nothing was to be done."""
        return not self._unsaved or self.save()

    def save(self):
        if self._store.save(NAME, self._data):
            self._unsaved = 0
            return True
        return False

    # --- Games

    def ended(self, game, kinds, winners):
        """Count a game that is over, once for each level that played in it. kinds: bytes, a kind of player for each
        seat (firmware/saves.py); winners: bit mask of seats."""
        if game not in GAMES:
            # One of somebody's own.
            return
        people = [seat for seat in range(len(kinds)) if kinds[seat] == saves.PERSON]
        if len(people) != 1:
            return
        won = winners >> people[0] & 1
        shared = won and winners & (winners - 1)
        for level in range(_LEVELS):
            # Not by `in`, which MicroPython's bytearray lacks.
            if any([kind == level + saves.EASY for kind in kinds]):
                at = _game(game, level)
                if self._read(at, 2) == _MOST_GAMES:
                    self._halve(at, 3, 2)
                self._add(at, 2)
                if shared:
                    self._add(at + 4, 2)
                elif won:
                    self._add(at + 2, 2)
        self.keep()

    def games(self, game, level):
        """(played, won, shared) against a level 0..3."""
        at = _game(game, level)
        return self._read(at, 2), self._read(at + 2, 2), self._read(at + 4, 2)

    # --- Dice

    def rolled(self, game, rules, state, counts=True):
        """Count what a chance event showed to all, unless it is practice; `state` is the one right after it, by
        rules.apply(). Whether dice fell."""
        dice = False
        if game == "goats":
            dice = True
            rules.dice(state[_ROLL], self._four)
            if counts:
                for face in self._four:
                    self._count(0, face - 1)
        elif game == "horses":
            trace = rules.TRACE
            for i in range(1, 1 + 4 * trace[0], 4):
                kind = trace[i]
                what = trace[i + 2]
                dice = dice or kind in (rules.BLUE, rules.RED)
                if counts:
                    self._count_horses(rules, kind, what)
        if self._unsaved >= _UNSAVED:
            self.keep()
        return dice

    def _count_horses(self, rules, kind, what):
        """Count a step of the trace."""
        if kind == rules.BLUE:
            self._count(1, what >> 3)
            # 5, 6, 7: the tokens gained.
            self._count(2, (what & 7) - 5)
        elif kind == rules.RED:
            self._count(3, what >> 3)
            # 1, 2: the tokens paid; 3 the jump; 0 free.
            self._count(4, (what & 7) - 1 & 3)
        elif kind in (rules.PAY, rules.TURN):
            self._count(5, what)

    def faces(self, die):
        """How often each face of a die of DICE fell."""
        at = _die(die)
        return [self._read(at + 3 * i, 3) for i in range(len(DICE[die]))]

    def _count(self, die, face):
        at = _die(die)
        if self._read(at + 3 * face, 3) == _MOST_FACES:
            self._halve(at, len(DICE[die]), 3)
        self._add(at + 3 * face, 3)

    # --- Numbers of some bytes

    def _read(self, at, size):
        value = 0
        for i in range(size):
            value |= self._data[at + i] << 8 * i
        return value

    def _write(self, at, size, value):
        for i in range(size):
            self._data[at + i] = value >> 8 * i & 255

    def _add(self, at, size):
        self._write(at, size, self._read(at, size) + 1)
        self._unsaved += 1

    def _halve(self, at, numbers, size):
        for _ in range(numbers):
            self._write(at, size, self._read(at, size) >> 1)
            at += size


def _game(game, level):
    """Where the numbers of a game and level begin."""
    return _GAMES + 6 * (_LEVELS * GAMES.index(game) + level)


def _die(die):
    """Where the faces of a die begin."""
    at = _DICE
    for i in range(die):
        at += 3 * len(DICE[i])
    return at
