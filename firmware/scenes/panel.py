"""Which controller the panel has: shows a frame as one of them would, and asks whether it is whole.

A wrong one may show noise instead; B goes on to the next, blind if need be, and round.
"""

from firmware.frame import draw
from firmware.texts import t
from hal.device import A, B


class Scene:
    def __init__(self, app):
        self.app = app
        self.dirty = True

    def enter(self):
        pass

    def leave(self):
        pass

    def key(self, k):
        device = self.app.device
        if k == A:
            device.finder.keep()
            self.app.back()
        elif k == B:
            device.display = device.finder.next()
            self.app.new_panel()
            self.dirty = True

    def tick(self, ms):
        pass

    def draw(self, screen):
        draw(screen, t("selftest.panel"), self.app.device.finder.name().upper())
