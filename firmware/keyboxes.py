"""The keys as they lie on the board: each a box, lit while its key is down, with a count of its presses."""

from hal.device import DOWN, LEFT, RIGHT, UP, A, B
from hal.keys import LAYOUTS

# Bit, letter, where its box stands. A board without B has its stand-in there, with room for one digit.
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


class Boxes:
    """`there`: the keys of the layout, B or its stand-in among them; `held`: which were down at the last look."""

    def __init__(self, keys):
        self._keys = keys
        self.there = LAYOUTS[keys.layout] | B
        self._held_a = not LAYOUTS[keys.layout] & B
        self.held = 0
        # Presses of each box, 0..99.
        self._counts = bytearray(len(_BOXES))

    def count(self, k):
        """A press of a key."""
        for i in range(len(_BOXES)):
            if _BOXES[i][0] == k:
                self._counts[i] = (self._counts[i] + 1) % 100

    def missing(self):
        """Mask of the keys that were not pressed yet."""
        mask = 0
        for i in range(len(_BOXES)):
            bit = _BOXES[i][0]
            if bit & self.there and not self._counts[i]:
                mask |= bit
        return mask

    def look(self):
        """Whether other keys are down than at the last look."""
        held = self._keys.held()
        changed = held != self.held
        self.held = held
        return changed

    def draw(self, screen):
        frame = screen.frame
        for i in range(len(_BOXES)):
            bit, letter, x, y = _BOXES[i]
            if not bit & self.there:
                continue
            down = self.held & bit
            frame.fill_rect(x, y, _WIDE, _HIGH, 1)
            if not down:
                frame.fill_rect(x + 1, y + 1, _WIDE - 2, _HIGH - 2, 0)
            ink = 0 if down else 1
            count = self._counts[i]
            at = x + (14 if count < 10 else 11)
            if bit == B and self._held_a:
                letter = "Ⓐ…"
                count = min(count, 9)
                at = x + 17
            screen.text(letter, x + 2, y, ink)
            if count:
                screen.number(count, at, y + 2, ink)
