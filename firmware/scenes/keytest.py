"""The key test: each key as it is seen, lit while it is down, with a count of its presses."""

from firmware import ui
from firmware.texts import t
from hal.device import DOWN, LEFT, RIGHT, UP, A, B
from hal.keys import LAYOUTS

# Bit, letter, where its box stands. A board without B has its stand-in there.
_BOXES = (
    (UP, "↑", 25, 15),
    (LEFT, "←", 0, 27),
    (RIGHT, "→", 50, 27),
    (DOWN, "↓", 25, 39),
    (A, "Ⓐ", 79, 27),
    (B, "Ⓑ", 104, 27),
)
_WIDE = 24
_HIGH = 12


class Scene:
    def __init__(self, app):
        self.app = app
        self.dirty = True
        self._keys = app.device.keys
        self._held = 0
        there = LAYOUTS[self._keys.layout]
        self._back = "Ⓑ" if there & B else "Ⓐ"
        self._there = there | B
        # Presses of each box, 0..99.
        self._counts = bytearray(len(_BOXES))

    def enter(self):
        pass

    def leave(self):
        pass

    def key(self, k):
        for i in range(len(_BOXES)):
            if _BOXES[i][0] == k:
                self._counts[i] = (self._counts[i] + 1) % 100
        self.dirty = True

    def tick(self, ms):
        held = self._keys.held()
        if held != self._held:
            self._held = held
            self.dirty = True

    def draw(self, screen):
        ui.heading(screen, t("keytest.title"))
        frame = screen.frame
        for i in range(len(_BOXES)):
            bit, letter, x, y = _BOXES[i]
            if not bit & self._there:
                continue
            down = self._held & bit
            frame.fill_rect(x, y, _WIDE, _HIGH, 1)
            if not down:
                frame.fill_rect(x + 1, y + 1, _WIDE - 2, _HIGH - 2, 0)
            ink = 0 if down else 1
            screen.text(letter, x + 2, y, ink)
            count = self._counts[i]
            if count:
                screen.number(count, x + (14 if count < 10 else 11), y + 2, ink)
        ui.foot(screen, t("keytest.back").format(self._back))
