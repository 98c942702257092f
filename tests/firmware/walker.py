"""Keys at random on any layout, with power cuts and damaged saves: which scenes and ways between them are seen; portable."""

import gc
import sys

from firmware import modules, records, saves
from games import levels
from games.rng import Rng
from hal import device as keys
from hal.host import MemoryStore
from hal.keys import LAYOUTS
from tests.firmware.hand import Hand

# Every way there is from a scene to the next one on top. `on` is power coming on; a message comes where a save failed or
# was damaged.
_NEXT = {
    "about": "title",
    "after": "game message replay result title",
    "confirm": "game message setup",
    "crash": "title",
    "game": "menu message result title",
    "games": "help setup title",
    "help": "game games message",
    "kept": "message replay title",
    "keytest": "settings",
    "menu": "confirm game help message result title",
    "message": "after game kept result statistics title",
    "language": "crash message title",
    "on": "message title",
    "replay": "after kept",
    "result": "after message title",
    "selftest": "settings",
    "settings": "keytest message selftest title",
    "setup": "confirm game games message word",
    "statistics": "message title",
    "title": "about crash game games kept language message result settings statistics",
    "word": "setup",
}
WAYS = [(before, after) for before in _NEXT for after in _NEXT[before].split()]
# Two mishaps in a row: such a way may be, but need not come up.
MISHAPS = [("message", "crash"), ("crash", "message"), ("crash", "language"), ("message", "language")]


class Quick:
    """Levels that hardly think, in the place of games/levels.py: thinking is not what is tried here."""

    NAMES = levels.NAMES

    class Player(levels.Player):
        """Two iterations a move."""

        def start(self, s, seed):
            self.budget = 2 if self.level else 0
            self._search.start(s, self.budget, seed)


class Flaky(MemoryStore):
    """A store that is `full` at times."""

    def __init__(self):
        super().__init__()
        self.full = False

    def save(self, name, data):
        if self.full:
            self.message = "save_full"
            return False
        return super().save(name, data)


class Walker:
    """`scenes` and `ways` are what was seen so far. It knows no scene: it presses what the layout has."""

    def __init__(self, layout, seed):
        self.layout = layout
        self.rng = Rng(seed)
        self.scenes = set()
        self.ways = set()
        self.presses = 0
        self.deepest = 0
        self.hand = None
        there = LAYOUTS[layout]
        self._bits = [bit for bit in (keys.UP, keys.DOWN, keys.LEFT, keys.RIGHT, keys.A, keys.B) if bit & there]
        self._back = keys.B if there & keys.B else keys.A
        self.power_on(None)

    def power_on(self, store):
        """Start anew with these saves. As it was cut off, no scene has left; nor is any code in memory."""
        for name in list(sys.modules):
            package, _, leaf = name.rpartition(".")
            if package in ("firmware.scenes", "firmware.views") or package[:6] == "games.":
                modules._forget(package, leaf)
        store = store or Flaky()
        store.full = self.rng.below(8) == 0
        self.hand = Hand(self.rng.below(10000) + 1, store, None, self.layout)
        self._last = "on"
        self._see()
        if self.hand.app.settings.fresh:
            # As firmware/main.py does.
            self.hand.app.open("language")
            self._see()

    def _see(self):
        names = self.hand.app.where()
        self.deepest = max(self.deepest, len(names))
        top = names[-1]
        if top != self._last:
            self.ways.add((self._last, top))
            self._last = top
        self.scenes.add(top)

    def wait(self, ms):
        while ms > 0:
            self.hand.wait(0)
            self._see()
            ms -= 33

    def hold(self, bit, ms):
        self.hand.device.keys.press(bit)
        self.wait(ms)
        self.hand.device.keys.release(bit)
        self.wait(66)

    def press(self):
        """One press, or what else may happen."""
        chance = self.rng.below(1000)
        self.presses += 1
        if chance < 940:
            # A is wanted most.
            i = self.rng.below(len(self._bits) + 2)
            self.hand.device.keys.tap(self._bits[i] if i < len(self._bits) else keys.A)
            self.wait(33)
        elif chance < 960:
            self.wait(33 * self.rng.below(40))
        elif chance < 975:
            self.hold(self._back, 600)
        elif chance < 982:
            self.hold(self._back, 1100)
        elif chance < 984:
            self.hand.app._idle = 1 << 27
            self.wait(66)
        elif chance < 986:
            self.power_on(self.hand.device.store if self.rng.below(4) else None)
        elif chance < 987:
            # Whatever it was: firmware/main.py starts anew and tells it.
            self.power_on(self.hand.device.store)
            self.hand.app.open("crash", "ValueError: no such step")
            self._see()
        elif chance < 988:
            self._damage()
        elif chance < 991:
            self.hand.device.store.full = True
        else:
            self.leave()

    def _damage(self):
        """Power goes, and something is wrong with the saves."""
        store = self.hand.device.store
        names = sorted(store.saves)
        name = names[self.rng.below(len(names))] if names else saves.NAME
        data = bytearray(store.saves.get(name) or b"")
        if data and self.rng.below(2):
            data[self.rng.below(len(data))] = self.rng.below(256)
        else:
            data = bytes([self.rng.below(256) for _ in range(self.rng.below(60))])
        store.save(name, data)
        self.power_on(store)

    def leave(self):
        """From wherever it is, holding back leads to the title."""
        for _ in range(10):
            if self.hand.app.where() == ["title"]:
                break
            self.hold(self._back, 1100)
        assert self.hand.app.where() == ["title"], self.hand.app.where()


def stroll(layout, seed, presses):
    """So many presses (all given as texts); prints `@way` and the two scenes for each way taken."""
    modules.levels = Quick
    walker = Walker(layout, int(seed))
    for _ in range(int(presses)):
        walker.press()
    # From deeper than this ten holds might not lead to the title.
    assert walker.deepest <= 6, walker.deepest
    for before, after in sorted(walker.ways):
        print("@way", before, after)


def rare(layout):
    """The way that keys at random hardly find, as `stroll` prints it: a kept game is chosen whose bytes are wrong."""
    walker = Walker(layout, 1)
    spoilt = saves.Saved("goats", 0, bytes((saves.EASY, saves.EASY)), "ABCD", 1)
    spoilt.check ^= 1
    store = Flaky()
    assert records.keep(store, spoilt)
    walker.power_on(store)
    walker.hand.app.home()
    walker.hand.app.open("kept")
    walker._see()
    walker.hand.device.keys.tap(keys.A)
    walker.wait(99)
    for before, after in sorted(walker.ways):
        print("@way", before, after)


def flat(layout, presses):
    """What is in use at the title of a console without saves stays what it is, however many keys were pressed."""
    modules.levels = Quick
    walker = Walker(layout, 3)
    walker.leave()
    first = set(sys.modules)
    used = []
    for i in range(4):
        # Until everything was seen once, names are still being added to MicroPython's table of them.
        for _ in range(int(presses) * (1 if i else 4)):
            walker.press()
        walker.leave()
        walker.power_on(None)
        # Small modules that stay once they were wanted: not each round wants the same.
        for name in set(sys.modules) - first:
            package, _, leaf = name.rpartition(".")
            modules._forget(package, leaf)
        gc.collect()
        used.append(gc.mem_alloc())
    assert used[3] - used[0] < 2048, used
