"""The title: a cairn, and where to go from here. With a saved game, one press of A takes it up again."""

from firmware import modules, reading, saves, ui
from firmware.scene import Listing
from firmware.texts import t

_RESUME = "title.resume"
_PLAY = "title.play"
_KEPT = "title.kept"
_STATISTICS = "title.statistics"
_SETTINGS = "title.settings"
_ABOUT = "title.about"

_SCENES = {_PLAY: "games", _KEPT: "kept", _STATISTICS: "statistics", _SETTINGS: "settings", _ABOUT: "about"}


class Scene(Listing):
    def __init__(self, app):
        super().__init__(app)
        self._told = None

    def enter(self):
        """Look for a saved game each time, as one may have ended or begun meanwhile."""
        self._keys = [_PLAY, _STATISTICS, _SETTINGS, _KEPT, _ABOUT]
        store = self.app.device.store
        data = store.load(saves.NAME)
        message = store.message
        if data is not None:
            try:
                reading.read(data)
                self._keys.insert(0, _RESUME)
            except ValueError:
                message = self._put_aside(data)
        if message == "save_lost":
            store.remove(saves.NAME)
        self._list = ui.List([t(key) for key in self._keys], 66, 25, 128, 3)
        # Once: a damaged slot stays on the flash until the next save.
        if message and message != self._told:
            self._told = message
            self.app.open("message", message)

    def take(self, at):
        chosen = self._keys[at]
        if chosen == _RESUME:
            self._resume()
        else:
            self.app.open(_SCENES[chosen])

    def _resume(self):
        store = self.app.device.store
        data = store.load(saves.NAME)
        try:
            self.app.open("game", reading.read(data))
        except ValueError:
            # The moves are no moves of this game.
            message = self._put_aside(data)
            self.enter()
            self.dirty = True
            self.app.open("message", message)

    def _put_aside(self, data):
        """Put a save aside that cannot be used; the key of the text that says so. It stays where there is no room."""
        store = self.app.device.store
        if not store.save(saves.ASIDE, data):
            return "save.stays"
        store.remove(saves.NAME)
        return "save.bad"

    def draw(self, screen):
        art = modules.art("emblems")
        screen.picture(art.CAIRN, 0, 0)
        screen.picture(art.LOGO, 68, 6)
        self._list.draw(screen)
