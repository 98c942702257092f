"""What went wrong, short; the whole of it goes to the serial console."""

from firmware import ui
from firmware.scene import Plain
from firmware.screen import text_width
from firmware.texts import t

_ROWS = 3


class Scene(Plain):
    """told: the exception in a line. Any key leads back to the title."""

    def __init__(self, app, told):
        super().__init__(app)
        self._lines = ui.wrap(told, 128)[:_ROWS]
        # A word may be wider than the panel, as no text of ours is.
        for i in range(len(self._lines)):
            while text_width(self._lines[i]) > 128:
                self._lines[i] = self._lines[i][:-1]

    def key(self, k):
        self.app.home()

    def draw(self, screen):
        ui.heading(screen, t("crash.title"))
        y = 18
        for line in self._lines:
            screen.text(line, 0, y)
            y += ui.LINE
        ui.hints(screen, "", "Ⓐ " + t("crash.restart"))
