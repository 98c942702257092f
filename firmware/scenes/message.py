"""A message that waits to be read."""

from firmware import ui
from firmware.texts import t
from hal.device import A, B


class Scene:
    def __init__(self, app, key):
        self.app = app
        self.dirty = True
        self._lines = ui.wrap(t(key), 128)

    def enter(self):
        pass

    def leave(self):
        pass

    def key(self, k):
        if k in (A, B):
            self.app.back()

    def tick(self, ms):
        pass

    def draw(self, screen):
        ui.heading(screen, t("message.title"))
        y = 17
        for line in self._lines:
            screen.text(line, 0, y)
            y += ui.LINE
        ui.hints(screen, "", "Ⓐ " + t("message.ok"))
