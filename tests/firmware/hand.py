"""A hand that presses keys: the firmware on the host device with a clock that stands still; portable."""

import binascii
from array import array

from firmware.app import TICK_MS, App
from hal import device as keys
from hal.host import HostDevice, ManualClock
from hal.keys import LAYOUTS

LETTERS = {"U": keys.UP, "D": keys.DOWN, "L": keys.LEFT, "R": keys.RIGHT, "A": keys.A, "B": keys.B}


# What a game waits for.
PHASES = ("next", "roll", "moving", "choice", "thinking", "look", "sheet", "pass", "advising", "told")


class LastMove:
    """A computer player whose moves stay the same however much the real ones learn."""

    def __init__(self, rules):
        self._rules = rules
        self._legal = array("H", [0] * rules.MAX_LEGAL)
        self._n = 0
        self.budget = 0

    def start(self, state, _seed):
        self._n = self._rules.legal(state, self._legal)

    def step(self, _plies):
        return True

    def best(self):
        return self._legal[self._n - 1]


class Hand:
    """`app` on `device`. `digest` is the CRC-32 of all frames that were shown so far, `frames` their number,
    `sent` the bytes sent to the panel by the last press or wait."""

    def __init__(self, seed=1, store=None, language="en", layout=None):
        self.device = HostDevice(clock=ManualClock(), layout=layout)
        if store:
            self.device.store = store
        self.digest = 0
        self.frames = 0
        self.sent = 0
        self.device.display.on_show = self._shown
        self.app = App(self.device, language, seed)
        self.wait(0)

    def _shown(self, frame):
        self.digest = binascii.crc32(frame, self.digest)
        self.frames += 1

    def wait(self, ms):
        """Turns of the loop for that long, one at least."""
        self.sent = 0
        while True:
            self.sent += self.app.step()
            self.device.clock.sleep(TICK_MS)
            ms -= TICK_MS
            if ms <= 0:
                return

    def press(self, letters):
        """Press keys one after the other, a turn of the loop for each: U D L R A B, `.` is a turn without one,
        `b` is B held for more than a second."""
        total = 0
        for letter in letters:
            if letter == "b":
                # B, or what stands in for it.
                back = keys.B if LAYOUTS[self.device.keys.layout] & keys.B else keys.A
                self.device.keys.press(back)
                self.wait(1200)
                self.device.keys.release(back)
                self.wait(0)
            elif letter != ".":
                self.device.keys.tap(LETTERS[letter])
            self.wait(0)
            total += self.sent
        self.sent = total

    def menu(self, key):
        """Open the pause and choose what has this key there."""
        self.press("B")
        entries = self.app.top()._keys
        self.press("D" * entries.index(key) + "A")

    def scene(self):
        """Name of the scene on top."""
        return self.app.where()[-1]

    def until(self, phase, ms=20000):
        """Wait until the game's scene waits for something, one of the names below; AssertionError after `ms`."""
        while ms > 0:
            if phase == self.waits_for():
                return
            self.wait(0)
            ms -= TICK_MS
        raise AssertionError("no " + phase + ", but " + str(self.waits_for()))

    def waits_for(self):
        """What the scene on top waits for: the name of a scene, or in a game one of PHASES."""
        if self.scene() != "game":
            return self.scene()
        return PHASES[self.app.top()._phase]

    def start(self, kinds, options=0, game="goats"):
        """Start a game as the set-up would."""
        self.app.home("game", None, game, options, bytes(kinds))

    def keep_to_last_moves(self):
        """Computer players of the game on top make the last of their legal moves, for pictures that are kept."""
        game = self.app.top()
        game._player = LastMove(game._rules)

    def play_on(self, plies):
        """Play by pressing A until so many plies have been made or the game is over."""
        while self.scene() == "game" and self.app.top().plies < plies:
            if self.waits_for() in ("roll", "choice"):
                self.press("A")
            else:
                self.wait(300)


def pbm(frame):
    """A frame as a binary PBM file (lit is 1)."""
    data = bytearray(1024)
    for y in range(64):
        for x in range(128):
            if frame[(y >> 3) * 128 + x] >> (y & 7) & 1:
                data[y * 16 + (x >> 3)] |= 128 >> (x & 7)
    return b"P4\n128 64\n" + data
