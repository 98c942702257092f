"""Which controller the panel has: shows a frame as one of them would, and asks whether it is whole.

A wrong one may show noise instead; B goes on to the next, blind if need be, and round.
"""

from firmware.frame import draw
from firmware.scene import Plain
from firmware.texts import t
from hal.device import A, B


class Scene(Plain):
    def __init__(self, app):
        super().__init__(app)

    def key(self, k):
        device = self.app.device
        if k == A:
            device.finder.keep()
            self.app.back()
        elif k == B:
            device.display = device.finder.next()
            self.app.new_panel()
            self.dirty = True

    def draw(self, screen):
        draw(screen, t("selftest.panel"), self.app.device.finder.name().upper())
