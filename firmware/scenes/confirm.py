"""A question: A says yes, B no."""

from firmware import ui
from firmware.scene import Plain
from firmware.texts import t
from hal.device import A, B


class Scene(Plain):
    """title, text: keys of what is asked. yes: called after an A, when the scene is gone."""

    def __init__(self, app, title, text, yes):
        super().__init__(app)
        self._title = title
        self._yes = yes
        self._lines = ui.wrap(t(text), 128)

    def key(self, k):
        if k in (A, B):
            self.app.back()
            if k == A:
                self._yes()

    def draw(self, screen):
        ui.heading(screen, t(self._title))
        y = 17
        for line in self._lines:
            screen.text(line, 0, y)
            y += ui.LINE
        ui.hints(screen, ui.b(t("confirm.no")), "Ⓐ " + t("confirm.yes"))
