"""The key test: each key as it is seen."""

from firmware import ui
from firmware.keyboxes import Boxes
from firmware.scene import Plain
from firmware.texts import t
from hal.device import B
from hal.keys import LAYOUTS


class Scene(Plain):
    def __init__(self, app):
        super().__init__(app)
        keys = app.device.keys
        self._back = "Ⓑ" if LAYOUTS[keys.layout] & B else "Ⓐ"
        self._boxes = Boxes(keys)

    def key(self, k):
        self._boxes.count(k)
        self.dirty = True

    def tick(self, ms):
        if self._boxes.look():
            self.dirty = True

    def draw(self, screen):
        ui.heading(screen, t("keytest.title"))
        self._boxes.draw(screen)
        ui.foot(screen, t("keytest.back").format(self._back))
