"""What a person has set: kept in the store, a byte for each setting.

    0     version
    1, 2  language, the two letters of its file (ASCII)
    3 ..  the settings below in their order, each the number of its choice

Other bytes are refused as a whole.
"""

from micropython import const

from firmware import texts

NAME = "settings"
VERSION = const(1)

# Indices of `values`.
BRIGHTNESS = const(0)
SOUND = const(1)
SPEED = const(2)
TURNED = const(3)
DIM = const(4)
SLEEP = const(5)

# How many choices each has, and which one it is at first.
CHOICES = b"\x05\x02\x04\x02\x05\x05"
_FIRST = b"\x04\x01\x01\x00\x02\x02"

# Contrasts; the driver makes of 0 what can still be seen (hal/ssd1306.py).
_CONTRASTS = b"\x00\x20\x50\x90\xff"
DIMMED = const(0)
# Times of the animations in quarters: slow, normal, fast, and over before they are seen.
_PACES = b"\x02\x04\x08\xff"
# Seconds without a key; 0 is never.
DIM_S = (0, 15, 30, 60, 120)
SLEEP_S = (0, 60, 120, 300, 900)


class Settings:
    """The settings in `store`, or as they are at first. `message`: the key of a text that says what went wrong when
    they were read, or None."""

    def __init__(self, store):
        self.language = texts.FIRST
        self.values = bytearray(_FIRST)
        self.message = None
        data = store.load(NAME)
        # Whether this is the first start: nothing was ever set.
        self.fresh = data is None and store.message is None
        if self.fresh:
            return
        self.message = store.message
        if data is None or not self._take(data):
            self.message = "settings.bad"
        if self.message:
            # Good ones in the place of the bad, so that it is told once.
            self.save(store)

    def _take(self, data):
        """Whether these bytes are settings."""
        if len(data) != 3 + len(CHOICES) or data[0] != VERSION:
            return False
        for letter in data[1:3]:
            if not 97 <= letter <= 122:
                return False
        for i in range(len(CHOICES)):
            if data[3 + i] >= CHOICES[i]:
                return False
        self.language = chr(data[1]) + chr(data[2])
        self.values[:] = data[3:]
        return True

    def save(self, store):
        """Keep them. Whether that worked; if not, store.message says why."""
        return store.save(NAME, bytes((VERSION,)) + self.language.encode() + self.values)

    def contrast(self):
        return _CONTRASTS[self.values[BRIGHTNESS]]

    def pace(self, ms):
        """How many milliseconds of an animation go by in `ms`."""
        return ms * _PACES[self.values[SPEED]] >> 2
