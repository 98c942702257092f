"""Random playouts of a game: how many a second, and what they leave behind. Runs on CPython, MicroPython and the Pico.

Prints a line for each figure: `name value`. All numbers stay small ints on the Pico.
"""

import gc
import sys
import time
from array import array

import micropython

OVER = 255
CHANCE = 254
CALIBRATION_US = 20000

# On a PC the processor time of this process, whatever else the machine does; of MicroPython in milliseconds.
if hasattr(time, "clock"):  # MicroPython for unix

    def _us():
        return int(time.clock() * 1000000) & 0x3FFFFFFF

elif hasattr(time, "ticks_us"):
    _us = time.ticks_us
else:

    def _us():
        return time.process_time_ns() // 1000 & 0x3FFFFFFF


try:
    _taken = gc.mem_alloc
except AttributeError:

    def _taken():
        return 0


def since(t):
    """Microseconds since an earlier _us()."""
    return (_us() - t) & 0x3FFFFFFF


def calibrate():
    """The loop that times are compared to: microseconds of 100,000 rounds."""
    n = 10000
    while True:
        t = _us()
        i = 0
        while i < n:
            i += 1
        took = since(t)
        if took >= CALIBRATION_US:
            return took * 100 // (n // 1000)
        n *= 4


class Table:
    """What a game is played with. One object, as a call with many arguments may need the heap."""

    def __init__(self, rules, seats, options):
        from games.rng import Rng

        self.rules = rules
        self.seats = seats
        self.options = options
        self.s = bytearray(rules.STATE_BYTES)
        self.rng = Rng(2026)
        # A bound method is an object: make it before the heap is locked.
        self.below = self.rng.below
        self.buf = array("H", [0] * rules.MAX_LEGAL)
        self.counting = False
        """Whether the games are to be counted in bytes, or timed: each would count towards the other."""
        self.garbage = 0
        """Bytes that the last games left behind."""
        self.us = 0
        """Microseconds that they took."""

    def begin(self):
        if self.counting:
            self.garbage = _taken()
        else:
            self.us = _us()
        micropython.heap_lock()

    def end(self):
        micropython.heap_unlock()
        if self.counting:
            self.garbage = _taken() - self.garbage
        else:
            self.us = since(self.us)


def whole(table, n):
    """n games by `playout`, with the heap locked (from the inside: a call with so many locals needs the heap itself)."""
    # Look-ups cost as much as the calls: all names are locals here and in `by_plies`.
    s, rng, seats, options = table.s, table.rng, table.seats, table.options
    new, playout, winners = table.rules.new, table.rules.playout, table.rules.winners
    table.begin()
    while n:
        new(s, seats, options, rng)
        playout(s, rng)
        winners(s)
        n -= 1
    table.end()


def by_plies(table, n):
    """n games, each ply by calls from Python, with the heap locked."""
    s, rng, seats, options = table.s, table.rng, table.seats, table.options
    rules, buf, below = table.rules, table.buf, table.below
    new, seat, legal, apply, sample, winners = (
        rules.new,
        rules.seat,
        rules.legal,
        rules.apply,
        rules.sample,
        rules.winners,
    )
    chance, over = CHANCE, OVER
    table.begin()
    while n:
        new(s, seats, options, rng)
        who = seat(s)
        while who != over:
            while who < chance:
                who = apply(s, buf[below(legal(s, buf))])
            if who == chance:
                who = apply(s, sample(s, rng))
        winners(s)
        n -= 1
    table.end()


def plies(table):
    """How many decisions and events a game has, played at random."""
    table.rules.new(table.s, table.seats, table.options, table.rng)
    return table.rules.playout(table.s, table.rng)


def timed(name, ms, play, table):
    """Print how often a second `play` plays a game: ever more games until they take about `ms`."""
    n = 1
    play(table, n)
    while table.us < ms * 500:
        n = max(2 * n, n * ms // (table.us // 1000 + 1))
        play(table, n)
    print(name, n * 100000 // (table.us // 10))


def measure(game, seats, options, ms):
    """Print the figures of a game; each speed takes about `ms`."""
    gc.collect()
    on_micropython = hasattr(gc, "mem_free")
    free = gc.mem_free() if on_micropython else 0
    t = _us()
    module = "games." + game + ".rules"
    __import__(module)
    rules = sys.modules[module]
    print("import_ms", since(t) // 1000)
    if on_micropython:
        gc.collect()
        print("code_bytes", free - gc.mem_free())
    table = Table(rules, seats, options)
    print("calibration_us", calibrate())
    timed("playouts_per_s", ms, whole, table)
    timed("stepped_per_s", ms, by_plies, table)
    # The same games whatever the speed.
    table.rng.seed(2026)
    table.counting = True
    whole(table, 1)
    garbage = table.garbage
    by_plies(table, 1)
    if on_micropython:
        print("garbage_bytes", garbage + table.garbage)
    print("plies", plies(table))


if __name__ == "__main__":
    import builtins

    # What only viper's compiler knows; as bytecode the same lines call it.
    for name in sys.argv[5:]:
        if not hasattr(builtins, name):
            setattr(builtins, name, lambda value: value)
    measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
