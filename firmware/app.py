"""The main loop and the stack of scenes.

A scene is the class `Scene` of a file in firmware/scenes: Scene(app, ...), enter() when it comes to the
top, leave() when it goes off the stack, key(k) for each press, tick(ms) once per turn of the loop,
draw(screen) when its `dirty` is true. One with a true NEEDS_ROOM takes the place in memory of the lowest one.
"""

import gc

from micropython import const

from firmware import modules, texts, ui
from firmware.screen import Screen, slide
from firmware.settings import DIM, DIM_S, DIMMED, SLEEP, SLEEP_S, SOUND, TURNED, Settings
from firmware.sound import CONFIRM, CURSOR, Sound
from firmware.statistics import Statistics
from games.rng import Rng
from hal.device import BACK, SOON, TICKS_MASK, A, B

TICK_MS = const(33)
# A panel that does not answer is asked again after pauses that double up to this.
_PAUSE_MS = const(1000)

# A dim picture moves by a column every so often, so that none of it burns in.
_DRIFT_MS = const(20000)
_DRIFTS = const(4)
# The battery is asked so often.
_BATTERY_MS = const(10000)

# A collection of garbage takes 18 ms, which would make a turn late that draws or thinks: one comes every so many turns when
# that many milliseconds are left.
_COLLECT_TURNS = const(250)
_COLLECT_MS = const(22)

# Nobody holds a key for so long: it is stuck.
_STUCK_MS = const(30000)

# What the panel is.
_LIT = const(2)
_DIM = const(1)
_DARK = const(0)


class App:
    """The firmware on a device.

    language: two letters, as of a file of firmware/text; None for the one that was set. seed: what the first new game is
    drawn from, None for a new one each time.
    """

    def __init__(self, device, language=None, seed=None):
        self.device = device
        ui.know(device.keys.layout)
        self.screen = Screen(device.display)
        self.rng = Rng(device.entropy() if seed is None else seed)
        self.sound = Sound(device.speaker)
        self._stack = []
        self._names = []
        self._last = self._turn = device.clock.ms()
        # Turns since garbage was collected.
        self._uncollected = 0
        # While the panel does not answer: the pause before it is asked again, and how much of that is left.
        self._pause = self._left = 0
        # Milliseconds without a key, and what the panel is for it: not known yet, as a fault may have ended another one.
        self._idle = 0
        self._light = _DARK
        self._turned = None
        # By how many columns the dim picture has moved.
        self._drift = 0
        # Since the battery was asked, and whether a low one was told.
        self._since_battery = _BATTERY_MS
        self._low = False
        # For how long keys have been down, and which are stuck: those count for nothing.
        self._long = self._stuck = 0
        # Whether the press that woke the panel is still down.
        self._waking = False
        # How many scenes there were before the last press of B, if a hold of it may go on.
        self._level = 0
        # Keys of messages that wait for their turn.
        self._untold = []
        self.settings = Settings(device.store)
        self.statistics = Statistics(device.store)
        if language:
            self.settings.language = language
        self.set_language()
        self.apply()
        self.open("title")
        for message in (self.settings.message, self.statistics.message):
            if message:
                self.tell(message)

    # --- Settings

    def set_language(self):
        """Bring in the texts of the language that is set, or of another where this device lacks it."""
        settings = self.settings
        try:
            texts.load(settings.language)
        except ValueError:
            settings.language = texts.load_next(settings.language)

    def apply(self):
        """Do what the settings say."""
        values = self.settings.values
        self.sound.on = bool(values[SOUND])
        if values[TURNED] != self._turned:
            self._turned = values[TURNED]
            self._tell(self.device.display.turn, bool(self._turned))
            # It needs the whole frame.
            if self._stack:
                self._stack[-1].dirty = True
        self._lighten(_LIT)

    def new_panel(self):
        """The device has another display."""
        self.screen = Screen(self.device.display)
        self._turned = 0
        self.apply()

    def _tell(self, call, value):
        """Call a method of the panel. A panel that does not answer is told when it is back, as its driver keeps it."""
        try:
            call(value)
        except OSError:
            self._pause = self._pause or TICK_MS

    def _lighten(self, light):
        """Make the panel lit, dim or dark."""
        before = self._light
        self._light = light
        display = self.device.display
        if light != _DARK:
            self._tell(display.contrast, self.settings.contrast() if light == _LIT else DIMMED)
        if _DARK in (light, before):
            self._tell(display.on, light != _DARK)

    def _rest(self, elapsed):
        """Dim the panel and put it to sleep when no key was pressed for as long as the settings say."""
        # No more than a small int holds.
        self._idle = min(self._idle + elapsed, 1 << 28)
        values = self.settings.values
        dim = DIM_S[values[DIM]] * 1000
        sleep = SLEEP_S[values[SLEEP]] * 1000
        light = _LIT
        if sleep and self._idle >= sleep:
            light = _DARK
        elif dim and self._idle >= dim:
            light = _DIM
        if light != self._light:
            self._lighten(light)
        drift = self._idle // _DRIFT_MS % _DRIFTS if light == _DIM else 0
        if drift != self._drift:
            self._drift = drift
            self._stack[-1].dirty = True

    def _look_after_battery(self, elapsed):
        """Tell once when the battery is low, and keep what is only in memory. Games are saved at each move."""
        self._since_battery += elapsed
        if self._since_battery < _BATTERY_MS:
            return
        self._since_battery = 0
        power = self.device.power
        low = 0 < power.battery_mv() < self.device.board.BATTERY_LOW_MV and not power.usb()
        if low and not self._low:
            self.statistics.keep()
            self.tell("battery.low")
        self._low = low or (self._low and not power.usb())

    # --- Scenes

    def open(self, name, *given):
        """Put a scene on top."""
        scene = modules.scene(name).Scene(self, *given)
        self._stack.append(scene)
        self._names.append(name)
        if getattr(scene, "NEEDS_ROOM", False):
            # The lowest is made anew when it is seen again.
            self._stack[0] = None
            modules.forget_scene(self._names[0])
            gc.collect()
        self._show(scene)

    def replace(self, name, *given):
        """Put a scene in the place of the one on top, whose code goes first."""
        self._drop()
        self.open(name, *given)

    def back(self):
        """One level back; from the lowest there is none."""
        if len(self._stack) > 1:
            self._drop()
            self._show_top()

    def home(self, *then):
        """Back to the title, and on to a scene (its name and what it is given) from there."""
        while len(self._stack) > 1:
            self._drop()
        if then:
            self.open(*then)
        else:
            self._show_top()

    def tell(self, key):
        """Put a message on top with the next turn, when nothing is on its way off the stack."""
        self._untold.append(key)

    def where(self):
        """The names of the scenes from the lowest to the one on top."""
        return self._names

    def top(self):
        """The scene on top."""
        return self._stack[-1]

    def _drop(self):
        self._stack.pop().leave()
        self.statistics.keep()
        name = self._names.pop()
        if name not in self._names:
            modules.forget_scene(name)
        gc.collect()

    def _show_top(self):
        """Show what is on top now."""
        if self._stack[-1] is None:
            self._stack[-1] = modules.scene(self._names[-1]).Scene(self)
        self._show(self._stack[-1])

    def _show(self, scene):
        scene.dirty = True
        scene.enter()

    def step(self):
        """One turn of the loop. Returns the bytes sent to the panel."""
        device = self.device
        device.keys.scan()
        elapsed = device.clock.since(self._last)
        self._last = device.clock.ms()
        self._press(elapsed)
        self._rest(elapsed)
        self._look_after_battery(elapsed)
        if self._untold:
            self.open("message", self._untold.pop())
        scene = self._stack[-1]
        scene.tick(elapsed)
        self.sound.tick(elapsed)
        if self._light == _DARK:
            return 0
        scene = self._stack[-1]
        if scene.dirty:
            scene.dirty = False
            self.screen.clear()
            scene.draw(self.screen)
            if self._drift:
                slide(self.screen.buffer, self._drift)
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

    def _press(self, elapsed):
        """Hand out the presses."""
        keys = self.device.keys
        held = keys.held()
        self._stuck &= held
        held ^= self._stuck
        self._long = self._long + elapsed if held else 0
        if self._long > _STUCK_MS:
            self._stuck |= held
            held = 0
        while True:
            k = keys.next()
            if k & self._stuck:
                continue
            if k or held:
                self._idle = 0
            if self._light != _LIT and (k or held):
                self._waking = True
                self._lighten(_LIT)
            if not k:
                break
            if not self._waking:
                self._key(k)
        if not held:
            self._waking = False

    def _key(self, k):
        """Give a press to the scene on top, with a click where it did something."""
        if k == BACK:
            # One level back from where the hold began, whatever the middle of it did.
            level = self._level or len(self._stack)
            self._level = 0
            while len(self._stack) >= max(level, 2):
                self.back()
            self.sound.play(CONFIRM)
            return
        scene = self._stack[-1]
        self._level = 0
        if k == SOON:
            self._level = len(self._stack)
            k = B
        scene.key(k)
        if scene.dirty or scene != self._stack[-1]:
            self.sound.play(CURSOR if k < A else CONFIRM)

    def turn(self):
        """A step, and the pause up to the next one. Returns the bytes sent to the panel."""
        sent = self.step()
        clock = self.device.clock
        left = TICK_MS - clock.since(self._turn)
        self._uncollected += 1
        if left >= _COLLECT_MS and self._uncollected >= _COLLECT_TURNS:
            self._uncollected = 0
            gc.collect()
            left = TICK_MS - clock.since(self._turn)
        if left > 0:
            power = self.device.power
            if self._light == _DARK and not power.usb():
                # Only in the dark, where a press has nothing to do but to be there when the keys are looked at again.
                power.rest(left)
            else:
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
