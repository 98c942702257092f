"""The word that a game is drawn from: the same word, the same dice and cards. Letters are pointed at."""

from micropython import const

from firmware import saves, ui
from firmware.art import shell
from firmware.scene import Plain
from firmware.texts import t
from hal.device import DOWN, UP, A, B

_COLUMNS = const(13)
_PITCH = const(9)
_GRID_X = const(6)
_GRID_Y = const(28)
# Below the letters: another word each time.
_ANY = const(26)


class Scene(Plain):
    """setup: the scene that has the `word`."""

    def __init__(self, app, setup):
        super().__init__(app)
        self._setup = setup
        self._word = ""
        self._at = 0

    def key(self, k):
        self.dirty = True
        by = ui.step(k)
        if k == B:
            if not self._word:
                self.app.back()
            self._word = self._word[:-1]
        elif k == A:
            if self._at == _ANY:
                self._choose("")
                return
            self._word += chr(65 + self._at)
            if len(self._word) == saves.LETTERS:
                self._choose(self._word)
        elif k in (UP, DOWN):
            row = (min(self._at // _COLUMNS, 2) + by) % 3
            self._at = min(row * _COLUMNS + self._at % _COLUMNS, _ANY)
        elif by:
            self._at = (self._at + by) % (_ANY + 1)

    def _choose(self, word):
        self._setup.word = word
        self.app.back()

    def draw(self, screen):
        ui.heading(screen, t("setup.word"))
        frame = screen.frame
        for i in range(saves.LETTERS):
            x = 70 + 15 * i
            frame.hline(x, 16, 11, 1)
            if i < len(self._word):
                screen.centred(self._word[i], 4, left=x, right=x + 11)
        for i in range(_ANY):
            x = _GRID_X + _PITCH * (i % _COLUMNS)
            y = _GRID_Y + 13 * (i // _COLUMNS) - 8
            ink = 1
            if i == self._at:
                frame.fill_rect(x - 1, y, _PITCH + 1, 13, 1)
                ink = 0
            screen.centred(chr(65 + i), y, ink, left=x, right=x + _PITCH)
        if self._at == _ANY:
            screen.picture(shell.POINTER, 0, ui.FOOT + 2)
        screen.text(t("setup.random.long"), 8, ui.FOOT)
