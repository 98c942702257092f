"""A panel on I2C whose controller the board file does not name: guesses, takes other guesses, keeps the right one.

What a controller answers to a read is in no data sheet and differs between a cold start and a reset, so it is only where
to begin (the low four bits that were seen: SSD1306 3 or 6, SH1106 8, SH1107 7 or 15). Who sees a whole frame decides
(firmware/scenes/panel.py).
"""

from hal.bus import I2CBus
from hal.sh1106 import SH1106
from hal.sh1107 import SH1107
from hal.ssd1306 import SSD1306
from hal.ssd1309 import SSD1309

NAMES = ("ssd1306", "sh1106", "sh1107", "ssd1309")
_DRIVERS = (SSD1306, SH1106, SH1107, SSD1309)
# First columns of the glass.
_OFFSETS = (0, 2, 0, 0)
_SEEN = {3: 0, 6: 0, 8: 1, 7: 2, 15: 2}
ADDRESSES = (0x3C, 0x3D)
# The save that keeps the answer: the number of the controller.
NAME = "panel"


class Finder:
    """`certain`: whether somebody has said that the frame is whole. OSError if no panel answers on `i2c`; reset: as of
    I2CBus."""

    def __init__(self, board, i2c, store, reset=None):
        self._board = board
        self._store = store
        there = i2c.scan()
        found = [address for address in ADDRESSES if address in there]
        if not found:
            raise OSError("no panel")
        self.address = found[0]
        self._bus = I2CBus(i2c, self.address, reset)
        data = store.load(NAME)
        self.certain = data is not None and len(data) == 1 and data[0] < len(NAMES)
        if self.certain:
            self.which = data[0]
        else:
            try:
                self.which = _SEEN.get(i2c.readfrom(self.address, 1)[0] & 15, 0)
            except OSError:
                self.which = 0

    def name(self):
        """The controller that is tried."""
        return NAMES[self.which]

    def make(self):
        """The panel, as that controller's."""
        board = self._board
        return _DRIVERS[self.which](self._bus, board.WIDTH, board.HEIGHT, _OFFSETS[self.which], board.TURNED)

    def next(self):
        """The panel as the next controller's."""
        self.which = (self.which + 1) % len(NAMES)
        return self.make()

    def keep(self):
        """The frame is whole: this one from now on."""
        self.certain = True
        self._store.save(NAME, bytes((self.which,)))
