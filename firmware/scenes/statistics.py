"""The statistics, page by page: the games, the dice, and the way to begin anew.

The line at a bar of a die's face is where its share should be.
"""

from micropython import const

from firmware import modules, ui
from firmware.scene import Plain
from firmware.screen import text_width
from firmware.statistics import DICE, GAMES
from firmware.texts import t
from hal.device import A, B

_LEVELS = ("statistics.easy", "statistics.normal", "statistics.hard", "statistics.expert")
# The columns of the games and where each ends.
_COLUMNS = (("statistics.played", 65), ("statistics.won", 94), ("statistics.shared", 128))

# The pages of dice: game, name, the dice of firmware/statistics.py on it, their faces: pictures of firmware/art, or
# letters.
_DICE = (
    ("goats", "statistics.goats", (0,), "123456"),
    ("horses", "statistics.trot", (1, 2), ("BOOT", "MEDAL", "HELMET", "GAIN_1", "GAIN_2", "GAIN_3")),
    ("horses", "statistics.gallop", (3,), ("BOOT", "MEDAL", "HELMET")),
    ("horses", "statistics.effects", (4, 5), ("PAY_1", "PAY_2", "JUMP", "FREE", "AWAKE_SMALL", "ASLEEP_SMALL")),
)
# Columns of a bar.
_BAR = const(14)
_BAR_WIDE = const(50)


class Scene(Plain):
    def __init__(self, app):
        super().__init__(app)
        self._games = [game for game in modules.GAMES if game in GAMES]
        self._dice = [page for page in _DICE if page[0] in self._games]
        self._page = 0
        # While it is asked whether to begin anew: the answers.
        self._ask = None

    def leave(self):
        for page in self._dice:
            modules.forget_art(page[0])

    def _last(self):
        return len(self._games) + len(self._dice)

    def key(self, k):
        by = ui.step(k)
        self.dirty = True
        if self._ask:
            if by:
                self._ask.move(by)
            else:
                if k == A and self._ask.at == 1:
                    self.app.statistics.reset()
                    if not self.app.statistics.save():
                        self.app.tell(self.app.device.store.message)
                    self._page = 0
                self._ask = None
        elif by:
            self._page = (self._page + by) % (self._last() + 1)
        elif k == B:
            self.app.back()
        elif self._page == self._last():
            self._ask = ui.List([t("confirm.no"), t("statistics.yes")], 0, 29, 128, 2)

    def draw(self, screen):
        page = self._page
        if self._ask:
            ui.heading(screen, t("title.statistics"))
            screen.text(t("statistics.sure"), 0, 16)
            self._ask.draw(screen)
        elif page < len(self._games):
            self._draw_games(screen, self._games[page])
        elif page < self._last():
            self._draw_dice(screen, self._dice[page - len(self._games)])
        else:
            ui.heading(screen, t("title.statistics"))
            screen.text("Ⓐ " + t("statistics.reset"), 0, 18)
        self._draw_page(screen, 0 if page < self._last() and not self._ask else 1)

    def _draw_page(self, screen, ink):
        """Which page of how many, in the upper right corner."""
        text = "{}/{}".format(self._page + 1, self._last() + 1)
        screen.text(text, 127 - text_width(text), 0, ink)

    def _bar(self, screen, text):
        screen.frame.fill_rect(0, 0, 128, 12, 1)
        screen.text(text, 2, 0, 0)

    def _draw_games(self, screen, game):
        self._bar(screen, t("game." + game))
        for key, right in _COLUMNS:
            text = t(key)
            screen.text(text, right - text_width(text), 12)
        y = 23
        for level in range(len(_LEVELS)):
            screen.text(t(_LEVELS[level]), 0, y)
            counts = self.app.statistics.games(game, level)
            for i in range(len(_COLUMNS)):
                text = str(counts[i])
                screen.text(text, _COLUMNS[i][1] - text_width(text), y)
            y += 10

    def _draw_dice(self, screen, page):
        game, name, dice, faces = page
        self._bar(screen, t("statistics.dice").format(t("game." + game), t(name)))
        pictures = modules.art(game)
        pitch = min(52 // len(faces), 11)
        y = 13
        at = 0
        for die in dice:
            counts = self.app.statistics.faces(die)
            for i in range(len(counts)):
                face = faces[at]
                if len(face) > 1:
                    picture = getattr(pictures, face)
                    screen.picture(picture, 0, y + (pitch - picture[1]) // 2)
                else:
                    screen.text(face, 2, y - 2)
                _draw_face(screen, y, pitch - 1, counts, DICE[die], i)
                y += pitch
                at += 1


def _draw_face(screen, y, high, counts, weights, i):
    """A face of a die: a bar for its share with a line where that should be, the count, the share in per cent."""
    frame = screen.frame
    thrown = sum(counts)
    whole = sum(weights)
    # Bars end at a half, or at the whole where one should be longer.
    wide = _BAR_WIDE * (1 if 2 * max(weights) > whole else 2)
    if thrown:
        frame.fill_rect(_BAR, y, min(wide * counts[i] // thrown, _BAR_WIDE), high, 1)
    x = _BAR + wide * weights[i] // whole
    frame.fill_rect(x - 1, y - 1, 3, high + 2, 0)
    frame.vline(x, y - 1, high + 2, 1)
    text = str(counts[i])
    y += (high - 7) // 2 - 2
    screen.text(text, 98 - text_width(text), y)
    if thrown:
        text = "{}%".format((200 * counts[i] + thrown) // (2 * thrown))
        screen.text(text, 127 - text_width(text), y)
