"""What went wrong, short; the whole of it goes to the serial console."""

from firmware import ui
from firmware.screen import text_width
from firmware.texts import t

_ROWS = 3


class Scene:
    """told: the exception in a line. Any key leads back to the title."""

    def __init__(self, app, told):
        self.app = app
        self.dirty = True
        self._lines = ui.wrap(told, 128)[:_ROWS]
        # A word may be wider than the panel, as no text of ours is.
        for i in range(len(self._lines)):
            while text_width(self._lines[i]) > 128:
                self._lines[i] = self._lines[i][:-1]

    def enter(self):
        pass

    def leave(self):
        pass

    def key(self, k):
        self.app.home()

    def tick(self, ms):
        pass

    def draw(self, screen):
        ui.heading(screen, t("crash.title"))
        y = 18
        for line in self._lines:
            screen.text(line, 0, y)
            y += ui.LINE
        ui.hints(screen, "", "Ⓐ " + t("crash.restart"))
