"""A question: A says yes, B no."""

from firmware import ui
from firmware.texts import t
from hal.device import A, B


class Scene:
    """title, text: keys of what is asked. yes: called after an A, when the scene is gone."""

    def __init__(self, app, title, text, yes):
        self.app = app
        self.dirty = True
        self._title = title
        self._yes = yes
        self._lines = ui.wrap(t(text), 128)

    def enter(self):
        pass

    def leave(self):
        pass

    def key(self, k):
        if k in (A, B):
            self.app.back()
            if k == A:
                self._yes()

    def tick(self, ms):
        pass

    def draw(self, screen):
        ui.heading(screen, t(self._title))
        y = 17
        for line in self._lines:
            screen.text(line, 0, y)
            y += ui.LINE
        ui.hints(screen, "Ⓑ " + t("confirm.no"), "Ⓐ " + t("confirm.yes"))
