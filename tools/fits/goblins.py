"""The parts of the weights of goblins that are fitted."""

from array import array
from math import log

from games.goblins import bot
from tools.fits import parts

# Offsets of games/goblins/rules.py.
_PHASE = 3
_RACE = 4

# Of games/goblins/bot.py.
_ZERO = 4096
_FEW_CARDS = 119

# What a play on an empty lane loses if another empty one stands for it.
_SECOND = 2000

_still = array("I", [0])


class Judge(parts.Judge):
    """What a seat has at the beginning of a race, beside who wins."""

    size = 18
    first = 92
    blocks = 3
    games = 8000
    tables = ("2", "2+actions", "2+actions", "2+contested")
    player = "search:100"
    random_moves = 1
    origin = (0,) * 18
    slope = 17
    slope_unit = 1024 / log(2)
    ridge = 1.0

    def block(self, s):
        return s[_RACE] - 1 if bot.starts(s) else -1


class Policy(parts.Part):
    """What a play gains, beside the play that a search chose."""

    size = 23
    first = 0
    blocks = 4
    games = 700
    tables = ("2", "2+contested")
    player = "wide:400"
    random_moves = 1
    origin = (0,) * 23
    still = (22,)
    # The chance that a playout adds, at most 31 of these units, then moves as many plays as the search is in doubt of.
    unit = 12.0
    lowest = ((0, 1, 2, 3, 4, 5, 6),)
    ridge = 3.0

    def block(self, s):
        return -1 if s[_PHASE] else s[_RACE]

    def alternatives(self, s, buf, n):
        # A starred card gains what a plain one does.
        found = []
        for gain, code in self._gains(s, buf, n):
            if gain > -_SECOND // 2:
                found.append(code)
        return found

    def values(self, s, alternatives):
        bot.policy(s, _still)
        return [bot._gains[code] - _ZERO for code in alternatives]

    def chosen(self, move, alternatives):
        code = move & _FEW_CARDS
        if code in alternatives:
            return alternatives.index(code)
        # Another empty lane stands for it.
        for i in range(len(alternatives)):
            if alternatives[i] & 7 == code & 7 and bot._gains[alternatives[i]] == bot._gains[code] + _SECOND:
                return i
        return -1

    def _gains(self, s, buf, n):
        bot.policy(s, _still)
        codes = []
        for i in range(n):
            code = buf[i] & _FEW_CARDS
            if code not in codes:
                codes.append(code)
        return [(bot._gains[code] - _ZERO, code) for code in codes]


PARTS = {"judge": Judge(bot), "policy": Policy()}
