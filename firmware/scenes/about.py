"""Whose games these are, and what this project is."""

from firmware import ui
from firmware.scene import Plain
from firmware.texts import t
from hal.device import A, B

_ROWS = 4


class Scene(Plain):
    def __init__(self, app):
        super().__init__(app)
        self._lines = ui.wrap(t("about.text"), 118)
        self._top = 0

    def key(self, k):
        by = ui.step(k)
        if k in (A, B):
            self.app.back()
        elif by:
            # Past the last line to the first, as some have no key that goes back.
            self._top = (self._top + by) % (len(self._lines) - _ROWS + 1)
            self.dirty = True

    def draw(self, screen):
        ui.heading(screen, t("title.about"))
        y = 18
        last = min(self._top + _ROWS, len(self._lines))
        for i in range(self._top, last):
            screen.text(self._lines[i], 0, y)
            y += ui.LINE
        ui.more(screen, 123, 18, y, self._top > 0, last < len(self._lines))
