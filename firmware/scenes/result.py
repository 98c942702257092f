"""The end of a game: the ranking, with what decided between equal scores."""

from array import array

from micropython import const

from firmware import modules, records, saves, ui
from firmware.art import shell
from firmware.scene import Plain
from firmware.screen import number_width, text_width
from firmware.texts import t
from games import catalogue
from hal.device import A, B

# Who hurries through the last moves must not miss how it ended.
_DEAF_MS = const(500)


class Scene(Plain):
    """kinds: a kind of player for each seat. state: how the game ended. saved: the game, a saves.Saved."""

    def __init__(self, app, game, kinds, state, saved=None):
        super().__init__(app)
        self._kinds = kinds
        self._saved = saved
        if saved and not records.keep(app.device.store, saved):
            app.tell("records.failed")
        self._icon = getattr(modules.art("emblems"), "ICON_" + game.upper(), shell.COMPUTER)
        rules = catalogue.load(game)
        views = modules.view(game)
        seats = len(kinds)
        scores = array("h", [0] * seats)
        rules.scores(state, scores)
        self._winners = rules.winners(state)
        # A row per seat: (score, tie-breaks, seat), best first; lower seats first where nothing decides.
        rows = [(scores[k], views.tie_breaks(state, k), -k) for k in range(seats)]
        rows.sort(reverse=True)
        self._rows = rows
        # Whether a tie of the best was broken: not each of them has won.
        best = sum([row[0] == rows[0][0] for row in rows])
        self._broken = best > sum([self._winners >> k & 1 for k in range(seats)])
        self._pictures = views.TIE_PICTURES
        self._tie = views.TIE_TEXT
        self._seen_ms = 0
        modules.forget_view(game)
        catalogue.unload(game)

    def enter(self):
        """The game is over: nothing is left to resume."""
        self.app.device.store.remove(saves.NAME)

    def tick(self, ms):
        self._seen_ms = min(self._seen_ms + ms, _DEAF_MS)

    def key(self, k):
        if self._seen_ms < _DEAF_MS:
            # Meant for the game.
            return
        if k == A and self._saved:
            self.app.open("after", self._saved)
        elif k in (A, B):
            self.app.back()

    def draw(self, screen):
        shared = self._winners & (self._winners - 1)
        saved = self._saved
        key = "result.shared" if shared else "result.won"
        ui.heading(screen, t("menu.practice" if saved and saved.practice else key))
        rows = self._rows
        y = 16
        place = 0
        tie = False
        for i in range(len(rows)):
            score, breaks, seat = rows[i]
            seat = -seat
            same = i > 0 and score == rows[i - 1][0]
            if not same or breaks != rows[i - 1][1]:
                place = i + 1
            if self._winners >> seat & 1:
                screen.picture(shell.CROWN, 0, y)
            else:
                screen.number(place, 2, y)
            screen.picture(ui.MARKS_5[seat], 15, y + 1)
            ui.small_player(screen, self._kinds[seat], 25, y)
            screen.number(score, 55 - number_width(score), y)
            # Only where scores are equal, and as far as it takes to tell.
            if same or (i + 1 < len(rows) and score == rows[i + 1][0]):
                tie = True
                x = 66
                for k in range(len(breaks)):
                    screen.picture(self._pictures[k], x, y)
                    x = screen.number(breaks[k], x + 11, y) + 4
            y += 10
        if not tie:
            screen.picture(self._icon, 82, 24)
        # A win that is shared all the same has no room for it.
        text = t(self._tie) if tie and self._broken and not shared else saved.word if saved else ""
        screen.text(text, 128 - text_width(text), 2)
