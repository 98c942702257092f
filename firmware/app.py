"""The main loop and the stack of scenes.

A scene is the class `Scene` of a file in firmware/scenes: Scene(app, ...), enter() when it comes to the
top, leave() when it goes off the stack, key(k) for each press, tick(ms) once per turn of the loop,
draw(screen) when its `dirty` is true.
"""

import gc

from micropython import const

from firmware import modules, texts
from firmware.screen import Screen
from games.rng import Rng
from hal.device import TICKS_MASK, B

TICK_MS = const(33)
# Holding B this long goes back one level, from wherever it is.
HOLD_MS = const(1000)
# A panel that does not answer is asked again after pauses that double up to this.
_PAUSE_MS = const(1000)


class App:
    """The firmware on a device.

    language: one of texts.LANGUAGES. seed: what the first new game is drawn from, None for a new one each
    time.
    """

    def __init__(self, device, language="en", seed=None):
        self.device = device
        self.screen = Screen(device.display)
        self.rng = Rng(device.entropy() if seed is None else seed)
        texts.load(language)
        self._stack = []
        self._names = []
        self._last = self._turn = device.clock.ms()
        self._b_down = False
        self._b_since = 0
        # While the panel does not answer: the pause before it is asked again, and how much of that is left.
        self._pause = self._left = 0
        self.open("title")

    def open(self, name, *given):
        """Put a scene on top."""
        scene = modules.scene(name).Scene(self, *given)
        self._stack.append(scene)
        self._names.append(name)
        self._show(scene)

    def replace(self, name, *given):
        """Put a scene in the place of the one on top, whose code goes first."""
        self._drop()
        self.open(name, *given)

    def back(self):
        """One level back; from the lowest there is none."""
        if len(self._stack) > 1:
            self._drop()
            self._show(self._stack[-1])

    def home(self, *then):
        """Back to the title, and on to a scene (its name and what it is given) from there."""
        while len(self._stack) > 1:
            self._drop()
        if then:
            self.open(*then)
        else:
            self._show(self._stack[0])

    def where(self):
        """The names of the scenes from the lowest to the one on top."""
        return self._names

    def top(self):
        """The scene on top."""
        return self._stack[-1]

    def _drop(self):
        self._stack.pop().leave()
        name = self._names.pop()
        if name not in self._names:
            modules.forget_scene(name)
        gc.collect()

    def _show(self, scene):
        scene.dirty = True
        scene.enter()

    def step(self):
        """One turn of the loop. Returns the bytes sent to the panel."""
        device = self.device
        device.keys.scan()
        self._press()
        elapsed = device.clock.since(self._last)
        self._last = device.clock.ms()
        scene = self._stack[-1]
        scene.tick(elapsed)
        device.speaker.tick()
        scene = self._stack[-1]
        if scene.dirty:
            scene.dirty = False
            self.screen.clear()
            scene.draw(self.screen)
        elif not self._pause:
            return 0
        return self._send(elapsed)

    def _send(self, elapsed):
        """Send the frame. Returns the bytes sent. A panel that does not answer, as at a loose wire, does not end
        the game: it is set up anew and gets the frame when it is back."""
        display = self.device.display
        try:
            if self._pause:
                self._left -= elapsed
                if self._left > 0:
                    return 0
                display.start()
            sent = display.show()
            self._pause = 0
            return sent
        except OSError:
            self._pause = self._left = min(2 * self._pause + TICK_MS, _PAUSE_MS)
            return 0

    def _press(self):
        """Hand out the presses. B acts when it is let go, as it may still become a long one."""
        keys = self.device.keys
        while True:
            k = keys.next()
            if not k:
                break
            if k != B:
                self._stack[-1].key(k)
            elif keys.held() & B:
                self._b_down = True
                self._b_since = self.device.clock.ms()
            else:
                self._stack[-1].key(B)
        if self._b_down:
            if not keys.held() & B:
                self._b_down = False
                self._stack[-1].key(B)
            elif self.device.clock.since(self._b_since) >= HOLD_MS:
                self._b_down = False
                self.back()

    def turn(self):
        """A step, and the pause up to the next one. Returns the bytes sent to the panel."""
        sent = self.step()
        clock = self.device.clock
        left = TICK_MS - clock.since(self._turn)
        if left > 0:
            clock.sleep(left)
            # From when it was due, so that the milliseconds lost in rounding do not add up.
            self._turn = (self._turn + TICK_MS) & TICKS_MASK
        else:
            self._turn = clock.ms()
        return sent

    def run(self):
        """Loop for ever, a turn every TICK_MS."""
        while True:
            self.turn()
