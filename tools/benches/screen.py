"""What the screen costs: bytes and time of a step of the firmware's loop. Runs on the host device and on the Pico.

Prints a line for each figure: `name value`. The app must show a game in which a person is to roll or to choose.
"""

import gc
import time

from hal.device import LEFT, RIGHT, A

TURN_MS = 33
QUIET = 8

try:
    _us = time.ticks_us
except AttributeError:

    def _us():
        return time.perf_counter_ns() // 1000 & 0x3FFFFFFF


def since(t):
    """Microseconds since an earlier _us()."""
    return (_us() - t) & 0x3FFFFFFF


class Steps:
    """Turns of an app's loop as its run() makes them, with their figures."""

    def __init__(self, app):
        self.app = app
        self.clock = app.device.clock
        self.us = 0  # the last step

    def step(self):
        """One turn with its pause; the bytes that went to the panel."""
        t = _us()
        sent = self.app.step()
        self.us = since(t)
        left = TURN_MS - self.us // 1000
        if left > 0:
            self.clock.sleep(left)
        return sent

    def settle(self):
        """Until nothing was sent for some turns, a minute at most."""
        quiet = 0
        for _ in range(1800):
            quiet = 0 if self.step() else quiet + 1
            if quiet == QUIET:
                # Else a collection in the turn that is timed would count as its own.
                gc.collect()
                return
        raise ValueError("the screen never came to rest")

    def press(self, key):
        """A key is pressed: (bytes, microseconds) of the turn that answers."""
        self.app.device.keys.put(key)
        sent = self.step()
        return sent, self.us


def measure(app):
    """Print the figures of a game at its start."""
    steps = Steps(app)
    steps.settle()
    most = slowest = moves = 0
    if not steps.press(RIGHT)[0]:
        # To be rolled first. Where there was a choice already, A would leave it, and what moves then is no cursor.
        steps.press(A)
    steps.settle()
    for key in (RIGHT, RIGHT, RIGHT, LEFT, LEFT, RIGHT):
        sent, took = steps.press(key)
        moves += sent > 0
        most = max(most, sent)
        slowest = max(slowest, took)
        steps.settle()
    print("cursor_moves", moves)
    print("cursor_bytes", most)
    print("cursor_us", slowest)
    most = slowest = 0
    for _ in range(10):
        most = max(most, steps.step())
        slowest = max(slowest, steps.us)
    print("idle_bytes", most)
    print("idle_us", slowest)
    display = app.device.display
    app.screen.clear()
    t = _us()
    app.top().draw(app.screen)
    print("draw_us", since(t))
    for i in range(len(display.buffer)):
        display.buffer[i] ^= 255
    t = _us()
    print("frame_bytes", display.show())
    print("frame_us", since(t))


def turns(app, ms):
    """Print how many turns a second the app's own loop makes while keys are pressed."""
    steps = Steps(app)
    # What was measured before may have left the whole frame to be sent.
    steps.press(RIGHT)
    steps.settle()
    app.turn()
    clock = steps.clock
    started = clock.ms()
    n = 0
    while clock.since(started) < ms:
        if n % 3 == 0:
            app.device.keys.put(LEFT if n % 2 else RIGHT)
        app.turn()
        n += 1
    print("turns_per_s", n * 1000 // clock.since(started))


def thinking(app, ms):
    """Print how many turns a second the app's own loop makes in a game of computer players that think, and the longest
    step."""
    steps = Steps(app)
    clock = steps.clock
    for _ in range(QUIET):
        app.turn()
    started = clock.ms()
    n = 0
    while clock.since(started) < ms:
        app.turn()
        n += 1
    print("thinking_turns_per_s", n * 1000 // clock.since(started))
    slowest = 0
    for _ in range(n):
        steps.step()
        slowest = max(slowest, steps.us)
    print("thinking_longest_us", slowest)
