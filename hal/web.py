"""The browser: a device whose parts are functions of the page, made for MicroPython in WebAssembly.

The page is an object with these functions; tools/webpage/firmware.ts makes the one in a browser:

take(n)          decode the first n bytes of `bus.room`, what the panel's driver has sent
tone(hz, ms)     play a tone, without waiting for its end; hz 0 is silence
keep(name, text) keep a file of the saves, in hexadecimal: 0 kept, 1 no room, 2 it cannot be kept
drop(name)       remove one
random()         an unpredictable integer in 1..2**30-1

The panel's driver is the Pico's, and so are keys and store; only what they stand on is another.
"""

import binascii
import sys
import time

from micropython import const

from hal import store
from hal.device import SOON, TICKS_MASK, B
from hal.keys import LAYOUTS, Keys
from hal.ssd1306 import SSD1306

SAVES = "/saves"

# Room for what a turn of the loop sends: a whole frame, and a panel that is set up.
_ROOM = const(4096)
_FULL = const(1)
# Told by the self-test: what browsers keep for a page, less than half of it.
_FREE_KB = const(2000)


class _WasiErrno:
    """The file system of the WebAssembly counts errors as WASI does, other than MicroPython's own errno."""

    ENOENT = 44


if sys.platform == "webassembly":
    store.errno = _WasiErrno


class WebClock:
    """Milliseconds since the start, without those in which the page stood still."""

    def __init__(self):
        self._stood = 0

    def ms(self):
        return self.since(0)

    def since(self, t):
        return (time.ticks_ms() - t - self._stood) & TICKS_MASK

    def sleep(self, ms):
        """Nobody may sleep in a page: the page itself waits from turn to turn."""

    def skip(self, ms):
        """Leave out `ms` up to now: the page was hidden, or the computer asleep."""
        self._stood = (self._stood + ms) & TICKS_MASK


class WebBus:
    """A bus of hal/bus.py that ends at the page's model of a panel.

    room: the writes that the model has not seen, one after the other: its length in two bytes, little-endian, then its
    bytes, without the address."""

    reset = None

    def __init__(self, take):
        self.room = bytearray(_ROOM)
        self._take = take
        self._used = 0

    def ready(self, buffer):
        return buffer

    def command(self, ready):
        n = len(ready)
        at = self._used
        if at + 2 + n > _ROOM:
            self.flush()
            at = 0
        room = self.room
        room[at] = n & 255
        room[at + 1] = n >> 8
        room[at + 2 : at + 2 + n] = ready
        self._used = at + 2 + n

    data = command

    def flush(self):
        """Hand over what was written."""
        if self._used:
            self._take(self._used)
            self._used = 0


class WebKeys(Keys):
    """The keys of a layout, told by the page as they go down and up."""

    def __init__(self, clock, layout):
        super().__init__(layout)
        self._clock = clock

    def change(self, bit, down):
        """A key of the page went down or up. One that the layout lacks does nothing, but B what holding its stand-in does."""
        if bit & LAYOUTS[self.layout]:
            self.edge(bit, down, self._clock.ms())
        elif bit == B and down:
            self.put(SOON)

    def scan(self):
        self.tick(self._clock.ms())

    def use(self, layout):
        """Change to another layout, with all keys up. KeyError for one that hal/keys.py does not have."""
        LAYOUTS[layout]
        WebKeys.__init__(self, self._clock, layout)


class WebSpeaker:
    def __init__(self, tone):
        self.tone = tone

    def tick(self):
        """The page ends its tones itself."""


class WebStore(store.Store):
    """The store on files in memory, each kept by the page as soon as it is written. The page makes the folder from
    what it kept before it starts the firmware."""

    def __init__(self, page, folder=SAVES):
        super().__init__(folder)
        self._keep = page.keep
        self._drop = page.drop

    def save(self, name, data):
        if not super().save(name, data):
            return False
        for slot in "01":
            text = self._text(name, slot)
            failed = self._keep(name + "." + slot, text) if text else 0
            if failed:
                self.message = "save_full" if failed == _FULL else "save_failed"
                return False
        return True

    def remove(self, name):
        super().remove(name)
        for slot in "01":
            if self._text(name, slot) is None:
                self._drop(name + "." + slot)

    def _text(self, name, slot):
        """The file of a slot in hexadecimal, None if there is none. In base64 it would be shorter, but this MicroPython
        makes garbage by the square of its length for that: 7 MB for the kept games."""
        try:
            with open(self._path(name, slot), "rb") as f:
                return binascii.hexlify(f.read()).decode()
        except OSError:
            return None


class WebPower:
    """A page knows nothing of a battery."""

    def battery_mv(self):
        return 0

    def usb(self):
        return True

    def rest(self, ms):
        """As WebClock.sleep()."""


class WebDevice:
    """page: see above. board: a module of boards/, the one that was built in if None. layout: another one than the
    board's. clock: as WebClock; that is the one if None. folder: where the files of the saves are."""

    def __init__(self, page, board=None, layout=None, clock=None, folder=SAVES):
        if board is None:
            from boards import built as board
        self.board = board
        self.clock = clock or WebClock()
        self.bus = WebBus(page.take)
        self.display = SSD1306(self.bus, board.WIDTH, board.HEIGHT, board.COLUMN_OFFSET, board.TURNED)
        self.keys = WebKeys(self.clock, layout or board.KEY_LAYOUT)
        self.speaker = WebSpeaker(page.tone)
        self.store = WebStore(page, folder)
        self.power = WebPower()
        self.finder = None
        self.entropy = page.random
        self.say = print

    def led(self, lit):
        """The page has none."""

    def examine(self):
        return [self.board.I2C_ADDRESS], self.keys.held(), [], _FREE_KB
