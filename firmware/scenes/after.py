"""After a game: another one, or this one again to be looked at."""

from firmware import ui
from firmware.scene import Listing
from firmware.texts import t

_AGAIN = "after.again"
_REPLAY = "after.replay"
_TITLE = "after.title"
_KEYS = (_AGAIN, _REPLAY, _TITLE)


class Scene(Listing):
    """saved: the game that ended, a saves.Saved."""

    def __init__(self, app, saved):
        super().__init__(app)
        self._saved = saved
        self._list = ui.List([t(key) for key in _KEYS], 0, 18, 128, 4)

    def take(self, at):
        saved = self._saved
        chosen = _KEYS[at]
        if chosen == _AGAIN:
            self.app.home("game", None, saved.game, saved.options, bytes(saved.kinds))
        elif chosen == _REPLAY:
            self.app.open("replay", saved)
        else:
            self.app.home()

    def draw(self, screen):
        ui.heading(screen, t("game." + self._saved.game))
        self._list.draw(screen)
