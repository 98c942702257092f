"""The set-up of a game: who sits where, the options, who begins, and the word that it is drawn from.

What was begun with last is kept for each game: version, options, first (below), a kind of player for each place.
"""

from micropython import const

from firmware import saves, ui
from firmware.art import shell
from firmware.scene import Plain, Rest
from firmware.sound import ERROR
from firmware.texts import t
from games import catalogue
from games.rng import Rng, seed_of
from hal.device import DOWN, UP, A, B

# What each kind of player is called, by its number in firmware/saves.py.
_KIND_KEYS = ("setup.nobody", "setup.person", "setup.easy", "setup.normal", "setup.hard", "setup.expert")

_NAME = "setup-"
_VERSION = const(1)

_SEAT_PITCH = const(25)
_LIST_Y = const(31)
# Lines of the list that are seen at once.
_LINES = const(2)
# `_first`: drawn by lot, or 1 + the place of who begins.
_LOT = const(0)


class Scene(Plain):
    """The places stand side by side, below them two lines of a list: first, word, each option, start. The cursor goes
    through all of them with one key, and from row to row with UP and DOWN."""

    def __init__(self, app, game):
        super().__init__(app)
        self.game = game
        self._names = catalogue.options(game)
        self._most = catalogue.seats(game, (1 << len(self._names)) - 1)[1]
        self._options = 0
        self._first = 1
        self._kinds = bytearray(self._most)
        self._kinds[0] = saves.PERSON
        self._kinds[1] = saves.EASY
        # The word that was typed; without one each game has another.
        self.word = ""
        self._kept = app.device.store.load(_NAME + game)
        if self._kept is not None:
            self._take(self._kept)
        # The cursor: on a place, or, from `_most` on, on a row of the list.
        self._at = self._most + len(self._names) + 2
        self._top = 0
        self._turn()
        self._rest = Rest(self._at)

    def _take(self, data):
        """Set up what was kept; nothing of it if it cannot be."""
        if len(data) != 3 + self._most or data[0] != _VERSION:
            return
        if data[1] >> len(self._names) or data[2] > self._most or max(data[3:]) >= saves.KINDS:
            return
        self._options = data[1]
        self._first = data[2]
        self._kinds[:] = data[3:]
        self._empty()

    def _seats(self):
        """(occupied, fewest, most) seats."""
        fewest, most = catalogue.seats(self.game, self._options)
        return sum([kind != saves.NOBODY for kind in self._kinds]), fewest, most

    # --- Keys

    def key(self, k):
        self.dirty = True
        by = ui.step(k)
        if k == B:
            self.app.back()
        elif k == A:
            # What has changed is told at once.
            self._rest.at = self._at
            self._change()
        elif by:
            places = self._seats()[2]
            rows = len(self._names) + 3
            row = self._at - self._most
            if row < 0 and k in (UP, DOWN):
                # Off the places.
                self._at = self._most + (0 if by > 0 else rows - 1)
            elif row < 0 or k not in (UP, DOWN):
                # Through everything; places that the options do not allow are left out.
                at = (self._at if row < 0 else places + row) + by
                at %= places + rows
                self._at = at if at < places else self._most + at - places
            else:
                # Through the rows; the places are one.
                self._at = self._most + row + by if 0 <= row + by < rows else 0
            self._turn()

    def _turn(self):
        """Turn to the lines that the cursor is among."""
        row = self._at - self._most
        if row >= 0:
            self._top = ui.turned(self._top, row, _LINES, len(self._names) + 3)

    def tick(self, ms):
        if self._rest.look(self._at, ms):
            self.dirty = True

    def _change(self):
        row = self._at - self._most
        if row < 0:
            self._kinds[self._at] = (self._kinds[self._at] + 1) % saves.KINDS
            self._empty()
        elif row == 0:
            self._first = (self._first + 1) % (self._most + 1)
            self._empty()
        elif row == 1:
            self.app.open("word", self)
        elif row < len(self._names) + 2:
            self._options ^= 1 << (row - 2)
            self._empty()
        else:
            self._start()

    def _empty(self):
        """Empty the places that the options do not allow; and who begins must be somebody."""
        for i in range(self._seats()[2], self._most):
            self._kinds[i] = saves.NOBODY
        while self._first and self._kinds[self._first - 1] == saves.NOBODY:
            self._first = (self._first + 1) % (self._most + 1)

    def _start(self):
        seated, fewest, most = self._seats()
        app = self.app
        if not fewest <= seated <= most:
            app.sound.play(ERROR)
        elif app.device.store.load(saves.NAME) is not None:
            app.open("confirm", "setup.start", "setup.over", self._begin)
        else:
            self._begin()

    def _begin(self):
        """Keep the set-up and play; a saved game is gone by that."""
        app = self.app
        seated = self._seats()[0]
        data = bytes((_VERSION, self._options, self._first)) + self._kinds
        store = app.device.store
        if data != self._kept and not store.save(_NAME + self.game, data):
            app.tell(store.message)
        word = self.word or saves.new_word(app.rng)
        # A generator of its own, so that the same word deals the same whoever begins.
        first = self._first - 1 if self._first else self._occupied(Rng(seed_of(word + "?")).below(seated))
        kinds = self._kinds[first:] + self._kinds[:first]
        kinds = bytes([kind for kind in kinds if kind != saves.NOBODY])
        app.home("game", None, self.game, self._options, kinds, word)

    def _occupied(self, n):
        """The place of the n-th that plays."""
        place = 0
        while True:
            if self._kinds[place] != saves.NOBODY:
                if not n:
                    return place
                n -= 1
            place += 1

    # --- Drawing

    def draw(self, screen):
        ui.heading(screen, t("game." + self.game))
        seated, fewest, most = self._seats()
        self._draw_places(screen, most)
        rows = len(self._names) + 3
        row = self._at - self._most
        for i in range(_LINES):
            y = _LIST_Y + i * ui.LINE
            self._draw_row(screen, self._top + i, y)
            if self._top + i == row:
                screen.picture(shell.POINTER, 0, y + 2)
        if self._top == rows - _LINES and not fewest <= seated <= most:
            screen.shade(8, _LIST_Y + ui.LINE, 115, ui.LINE)
        ui.more(screen, 123, _LIST_Y, _LIST_Y + _LINES * ui.LINE, self._top > 0, self._top < rows - _LINES)
        ui.foot(screen, self._explanation(seated, fewest, most))

    def _draw_places(self, screen, most):
        # Marks go round from who begins.
        mark = 0
        if self._first:
            mark = -sum([kind != saves.NOBODY for kind in self._kinds[: self._first - 1]])
            mark %= self._seats()[0]
        for i in range(most):
            x = 2 + _SEAT_PITCH * i
            kind = self._kinds[i]
            if kind == saves.NOBODY:
                screen.picture(shell.NOBODY, x + 7, 15)
            else:
                ui.player(screen, kind, x + 7, 15)
                if self._first:
                    screen.picture(ui.MARKS_5[mark], x, 19)
                    mark = (mark + 1) % self._seats()[0]
                else:
                    screen.frame.fill_rect(x + 2, 21, 2, 2, 1)
            if i == self._at:
                screen.picture(shell.POINTER_UP, x + 8, 27)

    def _draw_row(self, screen, row, y):
        if row == 0:
            x = screen.text(t("setup.first"), 8, y) + 6
            if self._first:
                screen.picture(shell.MARK5_0, x, y + 4)
            else:
                screen.text(t("setup.lot"), x, y)
        elif row == 1:
            x = screen.text(t("setup.word"), 8, y) + 6
            screen.text(self.word or t("setup.random"), x, y)
        elif row < len(self._names) + 2:
            on = self._options >> (row - 2) & 1
            screen.picture(shell.SWITCH_ON if on else shell.SWITCH_OFF, 8, y + 1)
            screen.text(t("option." + self.game + "." + self._names[row - 2]), 20, y)
        else:
            screen.text(t("setup.start"), 8, y)

    def _explanation(self, seated, fewest, most):
        """What the line at the bottom says about what the cursor has come to rest at."""
        at = self._rest.at
        row = at - self._most
        if row < 0:
            return t(_KIND_KEYS[self._kinds[at]])
        if row == 0:
            return t("setup.first.help" if self._first else "setup.lot.help")
        if row == 1:
            return t("setup.word.help")
        if row < len(self._names) + 2:
            return t("option." + self.game + "." + self._names[row - 2] + ".help")
        if fewest <= seated <= most:
            return t("setup.go")
        return t("setup.seats").format(fewest, most)
