"""The first start: which language? Each calls itself what it is called."""

from firmware import texts, ui
from firmware.scene import Listing


class Scene(Listing):
    def __init__(self, app):
        super().__init__(app)
        self._codes = texts.there()
        names = [texts.NAMES[texts.LANGUAGES.index(code)] for code in self._codes]
        self._list = ui.List(names, 24, 32 - ui.LINE * len(names) // 2, 128, len(names))

    def take(self, at):
        settings = self.app.settings
        settings.language = self._codes[at]
        self.app.set_language()
        store = self.app.device.store
        if not settings.save(store):
            self.app.tell(store.message)
        self.app.back()

    def draw(self, screen):
        self._list.draw(screen)
