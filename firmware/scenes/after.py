"""After a game: another one, or this one again to be looked at."""

from firmware import ui
from firmware.texts import t
from hal.device import A, B

_AGAIN = "after.again"
_REPLAY = "after.replay"
_TITLE = "after.title"
_KEYS = (_AGAIN, _REPLAY, _TITLE)


class Scene:
    """saved: the game that ended, a saves.Saved."""

    def __init__(self, app, saved):
        self.app = app
        self.dirty = True
        self._saved = saved
        self._list = ui.List([t(key) for key in _KEYS], 0, 18, 128, 4)

    def enter(self):
        pass

    def leave(self):
        pass

    def key(self, k):
        by = ui.step(k)
        if by:
            self._list.move(by)
            self.dirty = True
        elif k == B:
            self.app.back()
        elif k == A:
            saved = self._saved
            chosen = _KEYS[self._list.at]
            if chosen == _AGAIN:
                self.app.home("game", None, saved.game, saved.options, bytes(saved.kinds))
            elif chosen == _REPLAY:
                self.app.open("replay", saved)
            else:
                self.app.home()

    def tick(self, ms):
        pass

    def draw(self, screen):
        ui.heading(screen, t("game." + self._saved.game))
        self._list.draw(screen)
