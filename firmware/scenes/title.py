"""The title: a cairn, and where to go from here. With a saved game, one press of A takes it up again."""

from firmware import saves, ui
from firmware.art import shell
from firmware.texts import t
from hal.device import A

_RESUME = "title.resume"
_PLAY = "title.play"
_STATISTICS = "title.statistics"
_SETTINGS = "title.settings"
_ABOUT = "title.about"

_SCENES = {_PLAY: "games", _STATISTICS: "statistics", _SETTINGS: "settings", _ABOUT: "about"}


class Scene:
    def __init__(self, app):
        self.app = app
        self.dirty = True
        self._told = None

    def enter(self):
        """Look for a saved game each time, as one may have ended or begun meanwhile."""
        self._keys = [_PLAY, _STATISTICS, _SETTINGS, _ABOUT]
        store = self.app.device.store
        data = store.load(saves.NAME)
        message = store.message
        if data is not None:
            try:
                saves.read(data)
                self._keys.insert(0, _RESUME)
            except ValueError:
                store.save(saves.ASIDE, data)
                message = "save.bad"
        if message == "save.bad" or message == "save_lost":
            store.remove(saves.NAME)
        self._list = ui.List([t(key) for key in self._keys], 66, 25, 128, 3)
        # Once: a damaged slot stays on the flash until the next save.
        if message and message != self._told:
            self._told = message
            self.app.open("message", message)

    def leave(self):
        pass

    def key(self, k):
        by = ui.step(k)
        if by:
            self._list.move(by)
            self.dirty = True
        elif k == A:
            chosen = self._keys[self._list.at]
            if chosen == _RESUME:
                self._resume()
            else:
                self.app.open(_SCENES[chosen])

    def _resume(self):
        store = self.app.device.store
        data = store.load(saves.NAME)
        try:
            self.app.open("game", saves.read(data))
        except ValueError:
            # The state is no state of this game: put it aside, and say so.
            store.save(saves.ASIDE, data)
            store.remove(saves.NAME)
            self.enter()
            self.dirty = True
            self.app.open("message", "save.bad")

    def tick(self, ms):
        pass

    def draw(self, screen):
        screen.picture(shell.CAIRN, 0, 0)
        screen.picture(shell.LOGO, 68, 6)
        self._list.draw(screen)
