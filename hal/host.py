"""The host device: a whole handheld in memory, for tests and for the terminal.

Runs on CPython (with the stand-ins for `micropython` and `framebuf` on the path) and on MicroPython for unix.
"""

import time

import framebuf

from hal import spans
from hal.device import BACK, SOON, TICKS_MASK, B
from hal.entropy import entropy
from hal.keys import LAYOUTS, Keys
from hal.store import Store

_ticks_ms = getattr(time, "ticks_ms", None) or (lambda: time.monotonic_ns() // 1_000_000)


class HostClock:
    """The clock of the machine."""

    def ms(self):
        return _ticks_ms() & TICKS_MASK

    def since(self, t):
        return (self.ms() - t) & TICKS_MASK

    def sleep(self, ms):
        time.sleep(ms / 1000)


class ManualClock:
    """A clock that stands still until somebody sleeps: tests and scripts run as fast as they can."""

    def __init__(self, start=0):
        self.now = start & TICKS_MASK

    def ms(self):
        return self.now

    def since(self, t):
        return (self.now - t) & TICKS_MASK

    def sleep(self, ms):
        self.now = (self.now + ms) & TICKS_MASK


class HostDisplay:
    """A panel in memory. `shown` is what the glass shows; `on_show`, if set, is called with it after each show()."""

    def __init__(self, width, height):
        self.width = width
        self.height = height
        self.buffer = bytearray(width * height // 8)
        self.frame = framebuf.FrameBuffer(self.buffer, width, height, framebuf.MONO_VLSB)
        self.shown = bytearray(width * height // 8)
        self._spans = spans.room(width, height)
        self.level = 255
        self.lit = True
        self.turned = False
        self.on_show = None

    def show(self):
        """Puts the buffer onto the glass. Returns the bytes that a real panel would have been sent."""
        if self.buffer == self.shown:
            return 0
        sent = spans.changed(self.buffer, self.shown, self._spans)
        if self.on_show:
            self.on_show(self.shown)
        return sent

    def start(self):
        pass

    def contrast(self, level):
        self.level = level

    def on(self, lit):
        self.lit = lit

    def turn(self, turned):
        self.turned = turned


class HostKeys(Keys):
    """Keys pressed by a program: tap() is a press and release at once, press() and release() hold a key.

    Keys that the layout lacks do nothing; where there is no B, a tap of it is that of its stand-in. A tap of BACK is a hold.
    """

    def __init__(self, clock, layout="six"):
        super().__init__(layout)
        self._clock = clock
        self._there = LAYOUTS[layout]
        self.mask = 0

    def tap(self, bit):
        if bit & (self._there | BACK):
            self.put(bit)
        elif bit == B:
            self.put(SOON)

    def press(self, bit):
        self.mask |= bit

    def release(self, bit):
        self.mask &= ~bit

    def scan(self):
        self.poll(self.mask & self._there, self._clock.ms())


class HostSpeaker:
    """Keeps what was last played; `on_tone`, if set, is called with (hz, ms)."""

    def __init__(self):
        self.hz = 0
        self.ms = 0
        self.count = 0
        self.on_tone = None

    def tone(self, hz, ms):
        self.hz = hz
        self.ms = ms
        self.count += 1
        if self.on_tone:
            self.on_tone(hz, ms)

    def tick(self):
        pass


class MemoryStore:
    """A store that lasts as long as its object."""

    def __init__(self):
        self.saves = {}
        self.message = None

    def load(self, name):
        self.message = None
        return self.saves.get(name)

    def save(self, name, data):
        self.message = None
        self.saves[name] = bytes(data)
        return True

    def remove(self, name):
        self.message = None
        self.saves.pop(name, None)


class HostPower:
    """A battery that reads `mv` millivolts, 0 is unknown; `plugged`: USB gives power; `rested`: milliseconds of rest."""

    def __init__(self, clock):
        self._clock = clock
        self.mv = 0
        self.plugged = True
        self.rested = 0

    def battery_mv(self):
        return self.mv

    def usb(self):
        return self.plugged

    def rest(self, ms):
        self.rested += ms
        self._clock.sleep(ms)


class HostDevice:
    """A device without hardware. `lit`: its LED; `examined`: what examine() finds; `on_say`, if set, gets the lines of
    say(), as the terminal may show the panel.

    board: a module of boards/ (the reference kit if None). folder: where saves are kept; None keeps them in memory.
    clock: a ManualClock, or None for the machine's own. layout: another one than the board's (hal/keys.py LAYOUTS).
    """

    def __init__(self, board=None, folder=None, clock=None, layout=None):
        if board is None:
            from boards import reference as board
        self.board = board
        self.clock = clock or HostClock()
        self.display = HostDisplay(board.WIDTH, board.HEIGHT)
        self.keys = HostKeys(self.clock, layout or board.KEY_LAYOUT)
        self.speaker = HostSpeaker()
        self.store = MemoryStore() if folder is None else Store(folder)
        self.power = HostPower(self.clock)
        self.finder = None
        self.lit = False
        self.on_say = None
        self.examined = ([0x3C], 0, [], 1000)

    def led(self, lit):
        self.lit = bool(lit)

    def say(self, *words):
        if self.on_say:
            self.on_say(" ".join([str(word) for word in words]))

    def examine(self):
        return self.examined

    def entropy(self):
        return entropy()
