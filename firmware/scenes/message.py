"""A message that waits to be read."""

from firmware import ui
from firmware.scene import Plain
from firmware.texts import t
from hal.device import A, B


class Scene(Plain):
    def __init__(self, app, key):
        super().__init__(app)
        self._lines = ui.wrap(t(key), 128)

    def key(self, k):
        if k in (A, B):
            self.app.back()

    def draw(self, screen):
        ui.heading(screen, t("message.title"))
        y = 17
        for line in self._lines:
            screen.text(line, 0, y)
            y += ui.LINE
        ui.hints(screen, "", "Ⓐ " + t("message.ok"))
