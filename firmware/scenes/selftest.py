"""The self-test of a board that was just built: panel, keys, sound, LED, wires, battery, memory.

Each step asks a person or looks for itself. The result is a code of two hexadecimal digits to read out, 00 if all is
well; docs/trouble.md says what each of its bits means, and the serial console gets the whole in words.
"""

import gc

from micropython import const

from firmware import ui
from firmware.frame import draw as draw_frame
from firmware.keyboxes import Boxes
from firmware.scene import Plain
from firmware.texts import t
from hal.device import KEY_NAMES, A, B

# Steps.
_PANEL = const(0)
_KEYS = const(1)
_SOUND = const(2)
_LED = const(3)
_LET_GO = const(4)
_RESULT = const(5)

# Bits of the code.
BAD_PANEL = const(1)
BAD_KEYS = const(2)
BAD_SOUND = const(4)
BAD_LED = const(8)
BAD_BATTERY = const(16)
BAD_MEMORY = const(32)
BAD_FLASH = const(64)
BAD_WIRES = const(128)

# So long without a press ends the step of the keys.
_PATIENCE_MS = const(10000)
# And so long is waited for the key to be let go that answered last.
_LET_GO_MS = const(3000)
_BEAT_MS = const(400)
_TONE_HZ = const(880)
# What a Pico with this firmware has at least.
_LEAST_MEMORY_KB = const(100)
_LEAST_FLASH_KB = const(64)
# Below this no battery that the docs name has anything left; 0 is a board that cannot measure it.
_LEAST_BATTERY_MV = const(2000)


class Scene(Plain):
    def __init__(self, app):
        super().__init__(app)
        self.code = 0
        self._step = _PANEL
        self._clock = 0
        self._boxes = Boxes(app.device.keys)
        self._lines = [""]

    def leave(self):
        self.app.device.led(False)

    # --- Steps

    def _next(self):
        """To the next step that this board has."""
        self._step += 1
        self._clock = 0
        self.dirty = True
        device = self.app.device
        device.led(False)
        if self._step == _SOUND and device.board.BUZZER is None:
            self._step += 1

    def _look(self):
        """What needs nobody to look: wires, battery, memory. Makes the result."""
        device = self.app.device
        addresses, low, shorts, flash_kb = device.examine()
        gc.collect()
        # CPython does not know.
        memory_kb = gc.mem_free() // 1024 if hasattr(gc, "mem_free") else 0
        battery = device.power.battery_mv()
        if memory_kb and memory_kb < _LEAST_MEMORY_KB:
            self.code |= BAD_MEMORY
        if flash_kb < _LEAST_FLASH_KB:
            self.code |= BAD_FLASH
        if battery and battery < _LEAST_BATTERY_MV:
            self.code |= BAD_BATTERY
        if low or shorts or addresses == []:
            self.code |= BAD_WIRES
        pairs = ["GP{}-GP{}".format(a, b) for a, b in shorts]
        bus = "-" if addresses is None else " ".join(["0x{:02x}".format(a) for a in addresses])
        stuck = [KEY_NAMES[i] for i in range(6) if low >> i & 1]
        if shorts:
            wires = t("selftest.touch").format(*shorts[0])
        elif stuck:
            wires = t("selftest.down").format(stuck[0])
        else:
            # More than two do not fit, and are none of the kit's.
            wires = "I2C " + (bus[:9] or "-")
        missing = self._boxes.missing()
        unseen = [KEY_NAMES[i] for i in range(6) if missing >> i & 1]
        self._lines = [
            t("selftest.code").format("{:02X}".format(self.code)),
            t("selftest.memory").format(memory_kb, flash_kb),
            wires,
            "{}.{} V".format(battery // 1000, battery % 1000 // 100) if battery else "",
        ]
        say = device.say
        say("Cairn self-test:", device.board.NAME)
        say("code {:02X}, 00 is good (docs/trouble.md)".format(self.code))
        say("keys not seen:", " ".join(unseen) or "none")
        say("keys that are down by themselves:", " ".join(stuck) or "none")
        say("pins that touch their neighbour:", " ".join(pairs) or "none")
        say("I2C addresses that answer:", bus or "none")
        say("battery {} mV, memory {} KB, flash {} KB".format(battery, memory_kb, flash_kb))

    # --- The scene

    def key(self, k):
        self.dirty = True
        if self._step == _KEYS:
            self._boxes.count(k)
            self._clock = 0
            if not self._boxes.missing():
                self._next()
        elif self._step == _RESULT:
            if k in (A, B):
                self.app.back()
        elif k in (A, B) and self._step < _LET_GO:
            if k == B:
                self.code |= (BAD_PANEL, 0, BAD_SOUND, BAD_LED)[self._step]
                if self._step == _PANEL and self.app.device.finder:
                    # A board that has to find out what panel it has.
                    self.app.replace("panel")
                    return
            self._next()

    def tick(self, ms):
        before = self._clock // _BEAT_MS
        self._clock += ms
        beat = self._clock // _BEAT_MS
        device = self.app.device
        if self._step == _KEYS:
            if self._boxes.look():
                self.dirty = True
                self._clock = 0
            elif self._clock > _PATIENCE_MS:
                self.code |= BAD_KEYS
                self._next()
        elif self._step == _LET_GO:
            # What is down here would be taken for a key that is always down.
            if not device.keys.held() or self._clock > _LET_GO_MS:
                self._look()
                self._next()
        elif beat != before:
            if self._step == _SOUND and beat & 1:
                device.speaker.tone(_TONE_HZ, _BEAT_MS)
            elif self._step == _LED:
                device.led(beat & 1)

    def draw(self, screen):
        step = self._step
        if step == _PANEL:
            draw_frame(screen, t("selftest.panel"))
        elif step == _KEYS:
            ui.heading(screen, t("selftest.keys"))
            self._boxes.draw(screen)
        else:
            ui.heading(screen, self._lines[0] if step == _RESULT else t("settings.test"))
            if step == _RESULT:
                y = 17
                for line in self._lines[1:]:
                    screen.text(line, 0, y)
                    y += ui.LINE
                ui.hints(screen, "", "Ⓐ " + t("message.ok"))
                return
            screen.text(t("selftest.sound") if step == _SOUND else t("selftest.led"), 0, 20)
        if step in (_SOUND, _LED):
            ui.hints(screen, "Ⓐ " + t("confirm.yes"), ui.b(t("confirm.no")))
