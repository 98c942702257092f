"""The first start: which language? Each calls itself what it is called."""

from micropython import const

from firmware import texts, ui
from firmware.scene import Listing

# Lines that go onto the panel.
_MOST = const(5)


class Scene(Listing):
    def __init__(self, app):
        super().__init__(app)
        self._codes = texts.there()
        names = []
        for code in self._codes:
            texts.load(code)
            names.append(texts.t("language.name"))
        texts.load(app.settings.language)
        rows = min(len(names), _MOST)
        self._list = ui.List(names, 24, 32 - ui.LINE * rows // 2, 128, rows)

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
