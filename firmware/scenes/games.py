"""The list of games, and their rules: a picture tells what game the cursor has come to rest at."""

from firmware import modules, ui
from firmware.art import shell
from firmware.scene import Listing, Rest
from firmware.texts import t
from games import catalogue


class Scene(Listing):
    def __init__(self, app):
        super().__init__(app)
        self._ids = modules.GAMES
        self._list = ui.List([t("game." + game) for game in self._ids] + [t("help.title")], 0, 4, 94, len(self._ids) + 1)
        self._rest = Rest(0)

    def take(self, at):
        if at < len(self._ids):
            self.app.open("setup", self._ids[at])
        else:
            self.app.open("help")

    def tick(self, ms):
        if self._rest.look(self._list.at, ms):
            self.dirty = True

    def draw(self, screen):
        self._list.draw(screen)
        at = self._rest.at
        if at == len(self._ids):
            return
        game = self._ids[at]
        screen.picture(getattr(modules.art("emblems"), "ICON_" + game.upper(), shell.COMPUTER), 95, 13)
        options = len(catalogue.options(game))
        fewest, most = catalogue.seats(game, (1 << options) - 1)
        text = t("games.seats").format(fewest, most)
        x = screen.text(text, 98, ui.FOOT)
        screen.picture(shell.PERSON_SMALL, x + 2, ui.FOOT + 2)
