"""The first start: which language? Each calls itself what it is called."""

from firmware import texts, ui
from hal.device import A


class Scene:
    def __init__(self, app):
        self.app = app
        self.dirty = True
        self._codes = texts.there()
        names = [texts.NAMES[texts.LANGUAGES.index(code)] for code in self._codes]
        self._list = ui.List(names, 24, 32 - ui.LINE * len(names) // 2, 128, len(names))

    def enter(self):
        pass

    def leave(self):
        pass

    def key(self, k):
        by = ui.step(k)
        if by:
            self._list.move(by)
            self.dirty = True
        elif k == A:
            settings = self.app.settings
            settings.language = self._codes[self._list.at]
            self.app.set_language()
            store = self.app.device.store
            if not settings.save(store):
                self.app.tell(store.message)
            self.app.back()

    def tick(self, ms):
        pass

    def draw(self, screen):
        self._list.draw(screen)
