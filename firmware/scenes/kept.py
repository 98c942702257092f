"""The last games, to be gone through again."""

from firmware import reading, records, ui
from firmware.scene import Listing, Rest
from firmware.screen import text_width
from firmware.texts import t

_ROWS = 3
_Y = 17


class Scene(Listing):
    def __init__(self, app):
        super().__init__(app)
        self._games = []
        games, message = records.load(app.device.store)
        for data in games:
            try:
                self._games.append(reading.read(data))
            except ValueError:
                message = "records.one"
        if message:
            app.tell(message)
        self._list = ui.List([t("game." + saved.game) for saved in self._games] or [""], 0, _Y, 128, _ROWS)
        self._rest = Rest(0)

    def take(self, at):
        if not self._games:
            self.app.back()
            return
        try:
            self.app.open("replay", self._games[at])
        except ValueError:
            self.app.tell("records.one")

    def tick(self, ms):
        if self._rest.look(self._list.at, ms):
            self.dirty = True

    def draw(self, screen):
        ui.heading(screen, t("title.kept"))
        if not self._games:
            y = _Y
            for line in ui.wrap(t("kept.none"), 128):
                screen.text(line, 0, y)
                y += ui.LINE
            return
        rows = self._list
        rows.draw(screen)
        y = _Y
        for i in range(rows.top, min(rows.top + _ROWS, len(self._games))):
            word = self._games[i].word
            screen.text(word, 121 - text_width(word), y)
            y += ui.LINE
        # Who played and who won, of the game that the cursor has come to rest at.
        saved = self._games[self._rest.at]
        if saved.practice:
            ui.practice(screen, 52)
        for seat in range(len(saved.kinds)):
            x = 26 * seat
            screen.picture(ui.MARKS_5[seat], x, ui.FOOT + 3)
            ui.small_player(screen, saved.kinds[seat], x + 7, ui.FOOT + 2)
            if saved.winners >> seat & 1:
                screen.frame.hline(x, 63, 17, 1)
