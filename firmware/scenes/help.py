"""The rules of a game in short pages, each read from the flash when it is shown.

firmware/text/help_LANGUAGE.txt holds them all: `=game` begins a game, `#title` a page, and what follows is its text,
broken into lines here. `#title@picture` has a picture of firmware/text/help_pictures.txt. There `@ name width height`
begins one, and each line draws: `module.NAME x y` a picture of firmware/art, `number x y` digits, `fill x y w h` and
`box x y w h` a rectangle, `card x y number` a card, `pile x y n` so many steps upwards. On lit ground a picture or number
is dark.
"""

from micropython import const

from firmware import modules, texts, ui
from firmware.scene import Plain
from firmware.screen import FLIP, text_width
from firmware.texts import t
from hal.device import A, B

_Y = const(13)
# Rows from line to line: as many as there is room for, so that marks and tails keep apart.
_PITCH = const(12)
_LETTERS = const(11)
_PICTURES = "help_pictures.txt"


class Scene(Plain):
    """game: whose rules; None asks first."""

    def __init__(self, app, game=None):
        super().__init__(app)
        self._file = "help_" + app.settings.language + ".txt"
        self._asks = game is None
        self._arts = set()
        names = [t("game." + game) for game in modules.GAMES] if self._asks else ()
        self._list = ui.List(names, 0, 17, 128, 4)
        self._choose(game)

    def leave(self):
        # During play the view of the game has its pictures anyway.
        if self._asks:
            for name in self._arts:
                modules.forget_art(name)

    def _choose(self, game):
        """Find the pages of a game: where each begins in the file."""
        self.dirty = True
        self._game = game
        self._page = 0
        self._pages = []
        if game is None:
            return
        ours = False
        at = 0
        with open(texts.path(self._file), "rb") as f:
            for line in f:
                if line[:1] == b"=":
                    ours = line[1:].strip() == game.encode()
                elif ours and line[:1] == b"#":
                    self._pages.append(at)
                at += len(line)

    def key(self, k):
        by = ui.step(k)
        if self._game is None:
            if by:
                self._list.move(by)
                self.dirty = True
            elif k == A:
                self._choose(modules.GAMES[self._list.at])
            elif k == B:
                self.app.back()
        elif by:
            self._page = (self._page + by) % len(self._pages)
            self.dirty = True
        elif k in (A, B):
            if self._asks:
                self._choose(None)
            else:
                self.app.back()

    def draw(self, screen):
        if self._game is None:
            ui.heading(screen, t("help.title"))
            self._list.draw(screen)
            return
        with open(texts.path(self._file), "rb") as f:
            f.seek(self._pages[self._page])
            title, _, picture = f.readline().decode()[1:].partition("@")
            text = ""
            for line in f:
                if line[:1] in (b"#", b"="):
                    break
                text += line.decode()
        screen.frame.fill_rect(0, 0, 128, 12, 1)
        screen.text(title.strip(), 2, 0, 0)
        number = "{}/{}".format(self._page + 1, len(self._pages))
        screen.text(number, 127 - text_width(number), 0, 0)
        right = 128
        bottom = 64
        if picture:
            right, bottom = self._draw_picture(screen, picture.strip())
        lines = ui.wrap(text.strip(), right)
        pitch = min(_PITCH, (bottom - _Y - _LETTERS) // max(len(lines) - 1, 1))
        y = _Y
        for line in lines:
            screen.text(line, 0, y)
            y += pitch

    def _draw_picture(self, screen, name):
        """Draw a picture, a narrow one at the right edge, a wide one at the bottom. Returns the columns and the rows that
        it leaves for the text."""
        x = y = 0
        wide = 128
        ours = False
        with open(texts.path(_PICTURES), "rb") as f:
            for line in f:
                words = line.decode().split()
                if not words or words[0] == "@":
                    ours = len(words) > 1 and words[1] == name
                    if ours:
                        wide = int(words[2])
                        high = int(words[3])
                        x = 128 - wide
                        y = 64 - high if wide > 64 else (76 - high) // 2
                elif ours:
                    self._draw_part(screen, words, x, y)
        return (128, y) if wide > 64 else (125 - wide, 64)

    def _draw_part(self, screen, words, x, y):
        """Draw what a line says, its place counted from (x, y)."""
        what = words[0]
        x += int(words[1])
        y += int(words[2])
        if what.isdigit():
            screen.number(int(what), x, y, FLIP)
        elif "." in what:
            module, _, name = what.partition(".")
            self._arts.add(module)
            screen.picture(getattr(modules.art(module), name), x, y, FLIP)
        elif what == "card":
            _box(screen, x, y, 9, 11)
            screen.number(int(words[3]), x + 2, y + 2)
        elif what == "pile":
            for i in range(int(words[3])):
                _box(screen, x, y - 5 * i, 16, 6)
        elif what == "box":
            _box(screen, x, y, int(words[3]), int(words[4]))
        else:
            screen.frame.fill_rect(x, y, int(words[3]), int(words[4]), 1)


def _box(screen, x, y, wide, high):
    screen.frame.fill_rect(x, y, wide, high, 1)
    screen.frame.fill_rect(x + 1, y + 1, wide - 2, high - 2, 0)
