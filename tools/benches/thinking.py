"""What a computer player's thought takes: iterations a second, time a move, the longest step, heap. Runs on the Pico.

Prints a line for each figure: `name value`. The positions are decisions of games between instant players, every so many
one, in which there is a choice. At each some iterations are timed, one step at a time; a level's time for a move is
theirs times its budget. All numbers stay small ints on the Pico.
"""

import gc
import time
from array import array

OVER = 255
CHANCE = 254
EVERY = 7
# One move in so many is random, so that the games differ.
LOOSE = 5

try:
    _us = time.ticks_us
    _taken = gc.mem_alloc
except AttributeError:

    def _us():
        return time.perf_counter_ns() // 1000 & 0x3FFFFFFF

    def _taken():
        return 0


def since(t):
    """Microseconds since an earlier _us()."""
    return (_us() - t) & 0x3FFFFFFF


class Thinking:
    """The players of a game and what their thoughts took."""

    def __init__(self, game, seats, mask):
        from games import catalogue
        from games.rng import Rng

        self.rules = catalogue.load(game)
        self.seats = seats
        self.mask = mask
        self.rng = Rng(2026)
        self.s = bytearray(self.rules.STATE_BYTES)
        self.buf = array("H", [0] * self.rules.MAX_LEGAL)
        gc.collect()
        before = _taken()
        from games import levels

        self.bot = catalogue.load(game, "bot")
        self.names = levels.NAMES
        self.player = levels.Player(self.rules, self.bot, len(levels.NAMES) - 1)
        self.budgets = [levels.budget(self.bot, level, seats) for level in range(len(levels.NAMES))]
        gc.collect()
        self.heap = _taken() - before
        """Bytes of the search, the bot with its weights, and a player of the highest level."""
        self.easy = levels.Player(self.rules, self.bot, 0)
        self.means = []
        """Microseconds an iteration, for each position."""
        self.instant = []
        """Microseconds of the instant choice there."""
        self.longest = 0
        """Microseconds of the longest step."""
        self.count = 0
        self.spent = 0

    def look(self, iterations):
        """Think about the state."""
        player, easy = self.player, self.easy
        t = _us()
        easy.start(self.s, 1)
        easy.step(1)
        easy.best()
        self.instant.append(since(t))
        player.start(self.s, len(self.means))
        total = done = 0
        # Half a minute of microseconds is what a small int holds with room.
        while done < iterations and total < 30000000:
            t = _us()
            ended = player.step(1)
            t = since(t)
            total += t
            done += 1
            if t > self.longest:
                self.longest = t
            if ended:
                break
        self.means.append(total // done)
        self.count += done
        self.spent += total // 10

    def play(self, positions, iterations):
        """Games of instant players, until so many positions were looked at."""
        rules, s, buf, rng = self.rules, self.s, self.buf, self.rng
        ply = 0
        while True:
            rules.new(s, self.seats, self.mask, rng)
            while rules.seat(s) != OVER:
                if rules.seat(s) == CHANCE:
                    rules.apply(s, rules.sample(s, rng))
                    continue
                n = rules.legal(s, buf)
                if n > 1:
                    ply += 1
                    if ply % EVERY == 0:
                        self.look(iterations)
                        if len(self.means) == positions:
                            return
                move = self.bot.choose(s, buf, n, rng) if rng.below(LOOSE) else buf[rng.below(n)]
                rules.apply(s, move)


def measure(game, seats, mask, positions, iterations):
    """Print the figures of a game's players: so many positions, so many iterations at each (at most the budget)."""
    thinking = Thinking(game, seats, mask)
    if hasattr(gc, "mem_free"):
        print("heap_bytes", thinking.heap)
    # The first thought makes what later ones use again.
    thinking.play(1, 1)
    thinking.means.clear()
    thinking.instant.clear()
    thinking.longest = thinking.count = thinking.spent = 0
    gc.collect()
    thinking.play(positions, iterations)
    print("iterations_per_s", thinking.count * 100000 // max(thinking.spent, 1))
    print("longest_step_us", thinking.longest)
    for times in (thinking.means, thinking.instant):
        times.sort()
    for level, name in enumerate(thinking.names):
        times = thinking.means if level else thinking.instant
        budget = thinking.budgets[level] if level else 1
        for what, us in (("median", times[len(times) // 2]), ("worst", times[-1])):
            print(name + "_" + what + "_us", us * budget)
