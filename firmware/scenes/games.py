"""The list of games, and their rules."""

from firmware import modules, ui
from firmware.art import shell
from firmware.texts import t
from games import catalogue
from hal.device import A, B


class Scene:
    def __init__(self, app):
        self.app = app
        self.dirty = True
        self._ids = modules.GAMES
        self._list = ui.List([t("game." + game) for game in self._ids] + [t("help.title")], 0, 17, 94, 4)

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
            if self._list.at < len(self._ids):
                self.app.open("setup", self._ids[self._list.at])
            else:
                self.app.open("help")
        elif k == B:
            self.app.back()

    def tick(self, ms):
        pass

    def draw(self, screen):
        ui.heading(screen, t("games.title"))
        self._list.draw(screen)
        if self._list.at == len(self._ids):
            return
        game = self._ids[self._list.at]
        screen.picture(getattr(shell, "ICON_" + game.upper(), shell.COMPUTER), 95, 13)
        options = len(catalogue.options(game))
        fewest, most = catalogue.seats(game, (1 << options) - 1)
        text = t("games.seats").format(fewest, most)
        x = screen.text(text, 98, ui.FOOT)
        screen.picture(shell.PERSON_SMALL, x + 2, ui.FOOT + 2)
