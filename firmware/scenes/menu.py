"""The pause in a game: on with it, the last moves, the score sheet, or leave it for later."""

from firmware import ui
from firmware.scene import Listing
from firmware.screen import text_width
from firmware.texts import t

_CONTINUE = "menu.continue"
_HINT = "menu.hint"
_UNDO = "menu.undo"
_LAST = "menu.last"
_SHEET = "menu.sheet"
_HELP = "menu.help"
_LEAVE = "menu.leave"


class Scene(Listing):
    """game: the scene below."""

    def __init__(self, app, game):
        super().__init__(app)
        self._below = game
        self._keys = [_CONTINUE]
        if game.can_advise():
            self._keys.append(_HINT)
        if game.can_undo():
            self._keys.append(_UNDO)
        if game.can_again():
            self._keys.append(_LAST)
        self._keys += [_SHEET, _HELP, _LEAVE]
        self._list = ui.List([t(key) for key in self._keys], 0, 18, 128, 4)

    def take(self, at):
        chosen = self._keys[at]
        if chosen == _LEAVE:
            self.app.home()
            return
        self.app.back()
        if chosen == _HINT:
            self._below.advise()
        elif chosen == _UNDO:
            self._below.undo()
        elif chosen == _LAST:
            self._below.again()
        elif chosen == _SHEET:
            self._below.sheet()
        elif chosen == _HELP:
            self.app.open("help", self._below.saved.game)

    def draw(self, screen):
        saved = self._below.saved
        ui.heading(screen, t("menu.practice" if saved.practice else "menu.title"))
        # What the game was drawn from, for others to play the same.
        screen.text(saved.word, 128 - text_width(saved.word), 2)
        self._list.draw(screen)
