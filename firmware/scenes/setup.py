"""The set-up of a game: who sits where, and the options."""

from micropython import const

from firmware import saves, ui
from firmware.art import shell
from firmware.texts import t
from games import catalogue
from hal.device import DOWN, RIGHT, UP, A, B

# What each kind of player is called and looks like, by its number in firmware/saves.py.
_KIND_KEYS = ("setup.nobody", "setup.person", "setup.easy")
_KIND_PICTURES = (shell.NOBODY, shell.PERSON, shell.COMPUTER)

_SEAT_PITCH = const(26)
_OPTION_Y = const(31)
_START_Y = const(42)


class Scene:
    """Three rows: the seats, the options (one is seen at a time) and the start, on which it begins."""

    def __init__(self, app, game):
        self.app = app
        self.dirty = True
        self._game = game
        self._names = catalogue.options(game)
        self._options = 0
        most = catalogue.seats(game, (1 << len(self._names)) - 1)[1]
        self._kinds = bytearray(most)
        self._kinds[0] = saves.PERSON
        self._kinds[1] = saves.EASY
        self._at_seat = 0
        self._row = len(self._names) + 1

    def enter(self):
        pass

    def leave(self):
        pass

    def tick(self, ms):
        pass

    def _seats(self):
        """(occupied, fewest, most) seats."""
        fewest, most = catalogue.seats(self._game, self._options)
        return sum([kind != saves.NOBODY for kind in self._kinds]), fewest, most

    def key(self, k):
        self.dirty = True
        if k == B:
            self.app.back()
        elif k in (UP, DOWN):
            self._row = (self._row + (1 if k == DOWN else -1)) % (len(self._names) + 2)
        elif self._row == 0:
            if k == A:
                self._kinds[self._at_seat] = (self._kinds[self._at_seat] + 1) % saves.KINDS
            else:
                most = self._seats()[2]
                self._at_seat = (self._at_seat + (1 if k == RIGHT else -1)) % most
        elif self._row <= len(self._names):
            self._options ^= 1 << (self._row - 1)
            self._fewer()
        elif k == A:
            self._start()

    def _fewer(self):
        """Empty the seats that the options no longer allow."""
        most = self._seats()[2]
        for i in range(most, len(self._kinds)):
            self._kinds[i] = saves.NOBODY
        self._at_seat = min(self._at_seat, most - 1)

    def _start(self):
        seated, fewest, most = self._seats()
        if fewest <= seated <= most:
            kinds = bytes([kind for kind in self._kinds if kind != saves.NOBODY])
            self.app.home("game", None, self._game, self._options, kinds)

    def draw(self, screen):
        ui.heading(screen, t("game." + self._game))
        seated, fewest, most = self._seats()
        mark = 0
        for i in range(most):
            x = 2 + _SEAT_PITCH * i
            kind = self._kinds[i]
            screen.picture(_KIND_PICTURES[kind], x + 7, 15)
            if kind != saves.NOBODY:
                screen.picture(ui.MARKS_5[mark], x, 19)
                mark += 1
            if self._row == 0 and i == self._at_seat:
                screen.picture(shell.POINTER_UP, x + 8, 27)
        start = len(self._names) + 1
        if self._names:
            self._draw_option(screen, max(min(self._row, start - 1), 1))
        if self._row == start:
            screen.picture(shell.POINTER, 0, _START_Y + 2)
        screen.text(t("setup.start"), 8, _START_Y)
        if not fewest <= seated <= most:
            screen.shade(8, _START_Y, 120, ui.LINE)
        ui.foot(screen, self._explanation(seated, fewest, most))

    def _draw_option(self, screen, row):
        if self._row == row:
            screen.picture(shell.POINTER, 0, _OPTION_Y + 2)
        on = self._options >> (row - 1) & 1
        screen.picture(shell.SWITCH_ON if on else shell.SWITCH_OFF, 8, _OPTION_Y + 1)
        screen.text(t("option." + self._game + "." + self._names[row - 1]), 20, _OPTION_Y)
        ui.more(screen, 123, _OPTION_Y, _OPTION_Y + ui.LINE, row > 1, row < len(self._names))

    def _explanation(self, seated, fewest, most):
        """What the line at the bottom says about the row that is pointed at."""
        if self._row == 0:
            return t(_KIND_KEYS[self._kinds[self._at_seat]])
        if self._row <= len(self._names):
            return t("option." + self._game + "." + self._names[self._row - 1] + ".help")
        if fewest <= seated <= most:
            return t("setup.go")
        return t("setup.seats").format(fewest, most)
