"""The parts of the weights of kings that are fitted: what the table is judged by. The policy is trained."""

from games.kings import bot
from tools.fits import parts

# Offset of games/kings/rules.py.
_DRAWING = 3


class Judge(parts.Judge):
    """What a seat has before a card is played, beside who wins; with two seats."""

    size = 29
    blocks = 6
    games = 16000
    seats = (2, 2)
    tables: "tuple[str, ...]" = ("2",)
    random_moves = 4
    # Among players who are all alike who has many mines is ahead for other reasons.
    spread = 35
    seen = 4
    # Classes of mines, a card that goes on, the next turn, the slope.
    origin = (128,) * 24 + (0,) * 3 + (64, 0)
    slope = 28
    slope_unit = 64 * 256
    ridge = 30.0

    def block(self, s):
        return -1 if s[_DRAWING] else bot.phase(s)


class MoreJudge(Judge):
    """With more seats."""

    first = 350
    blocks = 5
    seats = (3, 4)
    tables = ("3", "4", "4")
    games = 20000
    # Here a playout is long, and who is judged did play by the policy.
    spread = 0

    def block(self, s):
        return min(super().block(s), 4)


PARTS = {"judge": Judge(bot), "judge-more": MoreJudge(bot)}
