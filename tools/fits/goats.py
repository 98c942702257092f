"""The parts of the weights of goats that are fitted: all of them, for two seats and for more. The instant player plays by
the same as the judge of two seats."""

from games.goats import bot
from tools.fits import parts

# Offset of games/goats/rules.py: tokens left on the six mountains.
_LEFT = 9


class Judge(parts.Judge):
    """What a seat has, beside who wins; with two seats."""

    size = 33
    blocks = 1
    games = 16000
    seats = (2, 2)
    tables: "tuple[str, ...]" = ("2", "2+big")
    random_moves = 2
    seen = 4
    origin = (0,) * 33
    ridge = 1.0
    # Who goes up the Big Mountain is ahead already: that a goat is lost there cannot be told from who wins.
    still = (32,)
    # A goat of each seat is somewhere on each mountain: 4, 4, 3, 3, 2, 2 steps.
    lowest = ((0, 1, 2, 3, 4), (5, 6, 7, 8, 9), (10, 11, 12, 13), (15, 16, 17, 18), (20, 21, 22), (25, 26, 27))
    # An eighth of a point is worth the more the fewer tokens are left: slope / 2048 of a logit.
    unit = 2048.0

    def block(self, s):
        return 0

    def values(self, s, alternatives):
        left = 0
        for m in range(6):
            left += s[_LEFT + m]
        slope = 36 - ((left * 22) >> 6)
        return [value * slope for value in super().values(s, alternatives)]


class MoreJudge(Judge):
    """With more seats."""

    first = 33
    seats = (3, 5)
    tables = ("3", "4", "5+big", "4+big")
    games = 24000


PARTS = {"judge": Judge(bot), "judge-more": MoreJudge(bot)}
