"""The settings: A goes to the next choice of the one pointed at, which holds at once and is kept on leaving."""

from micropython import const

from firmware import settings, texts, ui
from firmware.art import shell
from firmware.scene import Listing
from firmware.screen import text_width
from firmware.texts import t

_ROWS = const(4)
_Y = const(17)
# The rows: the language, the settings in the order of their values, the tests.
_LANGUAGE = const(-1)
_KEYS = (
    "settings.language",
    "settings.brightness",
    "settings.sound",
    "settings.speed",
    "settings.turned",
    "settings.dim",
    "settings.sleep",
    "settings.keys",
    "settings.test",
)
_SPEEDS = ("settings.slow", "settings.normal", "settings.fast", "settings.none")


class Scene(Listing):
    def __init__(self, app):
        super().__init__(app)
        self._kept = self._now()
        self._name()

    def _name(self):
        """Bring in the names of the settings, in the language that is set."""
        self._list = ui.List([t(key) for key in _KEYS], 0, _Y, 128, _ROWS)

    def _now(self):
        """What is set, to compare with."""
        values = self.app.settings
        return values.language, bytes(values.values)

    def leave(self):
        """Keep what was changed."""
        if self._now() != self._kept:
            store = self.app.device.store
            if not self.app.settings.save(store):
                self.app.tell(store.message)

    def take(self, at):
        """To the next choice of a setting."""
        which = at - 1
        if which >= len(settings.CHOICES):
            self.app.open("selftest" if which > len(settings.CHOICES) else "keytest")
            return
        self.dirty = True
        chosen = self.app.settings
        if which == _LANGUAGE:
            chosen.language = texts.load_next(chosen.language)
            self._name()
            return
        chosen.values[which] = (chosen.values[which] + 1) % settings.CHOICES[which]
        self.app.apply()

    def draw(self, screen):
        ui.heading(screen, t("title.settings"))
        rows = self._list
        rows.draw(screen)
        y = _Y
        for i in range(rows.top, min(rows.top + _ROWS, len(_KEYS))):
            self._draw_value(screen, i - 1, y)
            y += ui.LINE

    def _draw_value(self, screen, which, y):
        """What is set, right of its name, with room for the arrows of the list."""
        chosen = self.app.settings
        if which == _LANGUAGE:
            text = t("language.name")
        elif which >= len(settings.CHOICES):
            return
        else:
            value = chosen.values[which]
            if which == settings.BRIGHTNESS:
                for i in range(settings.CHOICES[which]):
                    high = 2 * i + 1 if i <= value else 1
                    screen.frame.fill_rect(97 + 5 * i, y + 10 - high, 3, high, 1)
                return
            if which in (settings.SOUND, settings.TURNED):
                screen.picture(shell.SWITCH_ON if value else shell.SWITCH_OFF, 111, y + 1)
                return
            if which == settings.SPEED:
                text = t(_SPEEDS[value])
            else:
                text = _time((settings.DIM_S if which == settings.DIM else settings.SLEEP_S)[value])
        screen.text(text, 121 - text_width(text), y)


def _time(seconds):
    if not seconds:
        return t("settings.never")
    return t("settings.s").format(seconds) if seconds < 60 else t("settings.min").format(seconds // 60)
