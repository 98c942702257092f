"""The Pico: a device out of `machine` and the board file that was built in."""

import sys
import time

import machine

from hal.buzzer import Buzzer
from hal.device import LEFT, RIGHT, TICKS_MASK
from hal.entropy import entropy
from hal.keys import Keys
from hal.store import Store

SAVES = "/saves"
# How long a save waits for thumbs and contacts to come to rest (hal/keys.py, at_rest).
_REST_MS = 15
_BLINK_MS = 200
_USB_SENSE = 24


class PicoClock:
    """Milliseconds since reset, wrapping as hal/device.py says."""

    def ms(self):
        return time.ticks_ms()

    def since(self, t):
        return (time.ticks_ms() - t) & TICKS_MASK

    def sleep(self, ms):
        time.sleep_ms(ms)


class _Contact:
    """One key at its pin. A hard interrupt latches its edges, within 100 us even while a frame is sent."""

    def __init__(self, keys, bit, pin, closed):
        self._keys = keys
        self._bit = bit
        self._pin = pin
        self._closed = closed  # the pin's value when the key is down
        self._both = machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING
        self._irq = pin.irq(self.interrupt, self._both, hard=True)

    def interrupt(self, _pin):
        """Runs in the interrupt: nothing here may allocate."""
        closed = self._pin.value() == self._closed
        now = time.ticks_ms()
        if self._irq.flags() == self._both:
            # Both kinds of edge since the last time: there was a moment of the other level.
            self._keys.edge(self._bit, not closed, now)
        self._keys.edge(self._bit, closed, now)

    def look(self, now):
        """Bring in the level as it is; for what was so before there were interrupts."""
        self._keys.edge(self._bit, self._pin.value() == self._closed, now)


class PicoKeys(Keys):
    """The keys of a board, each on a pin with an interrupt."""

    def __init__(self, board, clock):
        super().__init__(board.KEY_LAYOUT)
        self._clock = clock
        # Away from the level of a pressed key, where no resistor of the board's does it.
        pull = None
        if board.KEY_PULL_UP:
            pull = machine.Pin.PULL_UP
        elif board.KEY_PRESSED:
            pull = machine.Pin.PULL_DOWN
        self.pull = pull
        self._contacts = []
        self._wheel = []
        lines = []
        bit = 1
        for number in board.KEY_PINS:
            if number is not None:
                pin = machine.Pin(number, machine.Pin.IN, pull)
                if board.KEY_LAYOUT == "encoder" and bit in (LEFT, RIGHT):
                    lines.append(pin)
                else:
                    self._contacts.append(_Contact(self, bit, pin, board.KEY_PRESSED))
            bit <<= 1
        if lines:
            # Few boards have one.
            from hal.wheel import Wheel

            self._wheel.append(Wheel(self, lines[0], lines[1], board))
        self.scan()
        # A key held through the start shows in held(); it is no press of the game that was not there yet.
        self.forget()

    def scan(self):
        """Once per tick."""
        # A Ctrl-C in here must not leave a REPL without interrupts.
        state = machine.disable_irq()
        try:
            now = self._clock.ms()
            for contact in self._contacts:
                contact.look(now)
            for wheel in self._wheel:
                wheel.look(now)
            self.tick(now)
        finally:
            machine.enable_irq(state)

    def rest(self, ms):
        """Wait until no contact bounces, at most `ms`."""
        since = self._clock.ms()
        while self._clock.since(since) < ms:
            state = machine.disable_irq()
            try:
                quiet = self.at_rest(self._clock.ms())
            finally:
                machine.enable_irq(state)
            if quiet:
                return
            self._clock.sleep(1)

    def writing(self, on):
        """Flash is being written, or no longer: interrupts wait up to 64 ms meanwhile."""
        state = machine.disable_irq()
        try:
            if on:
                self.begin_write(self._clock.ms())
            else:
                self.end_write(self._clock.ms())
        finally:
            machine.enable_irq(state)


class PicoStore(Store):
    """Saves in the flash. While it is written no key is lost."""

    def __init__(self, keys):
        super().__init__(SAVES)
        self._keys = keys

    def save(self, name, data):
        return self._quietly(super().save, name, data)

    def remove(self, name):
        self._quietly(super().remove, name)

    def _quietly(self, write, *given):
        self._keys.rest(_REST_MS)
        self._keys.writing(True)
        try:
            return write(*given)
        finally:
            self._keys.writing(False)


class PicoPower:
    """The battery behind the divider that the board file names."""

    def __init__(self, board):
        # The Pico's sense of USB power (Pico data sheet, section 4.4); on those with wireless, its chip has it.
        self._usb = machine.Pin("WL_GPIO2" if board.PICO.endswith("_w") else _USB_SENSE, machine.Pin.IN)
        self._adc = None
        if board.BATTERY is not None:
            self._adc = machine.ADC(machine.Pin(board.BATTERY))
            self._divider = board.BATTERY_DIVIDER

    def battery_mv(self):
        """Millivolts, 0 where the board cannot measure it."""
        if self._adc is None:
            return 0
        return self._adc.read_u16() * 3300 // 65535 * self._divider

    def usb(self):
        return bool(self._usb.value())

    def rest(self, ms):
        machine.lightsleep(ms)


def blink(times):
    """Blink the LED so often, then leave it dark for a second."""
    led = machine.Pin("LED", machine.Pin.OUT)
    for _ in range(times):
        led.value(1)
        time.sleep_ms(_BLINK_MS)
        led.value(0)
        time.sleep_ms(_BLINK_MS)
    time.sleep_ms(1000)


def keys_down():
    """Mask of the keys of the built-in board that are down, also where its panel keeps the device from being made."""
    from boards import built
    from hal import probe

    return probe.closed(built)


class PicoDevice:
    """What hal/device.py says a device is. board: a module of boards/, the built-in one if None.

    OSError, in words, if the panel does not answer.
    """

    def __init__(self, board=None):
        if board is None:
            from boards import built as board
        self.board = board
        self.clock = PicoClock()
        self.keys = PicoKeys(board, self.clock)
        self.store = PicoStore(self.keys)
        self.power = PicoPower(board)
        pwm = None
        if board.BUZZER is not None:
            pwm = machine.PWM(machine.Pin(board.BUZZER))
            pwm.duty_u16(0)
        self.speaker = Buzzer(pwm, self.clock)
        self._led = machine.Pin("LED", machine.Pin.OUT)
        self.say = print
        from hal import panels

        self.display, self._bus, self.finder = panels.panel(board, self.clock, self.store)
        # Only the start needs it; a package keeps its modules as attributes too.
        del sys.modules["hal.panels"]
        if hasattr(sys.modules.get("hal"), "panels"):
            delattr(sys.modules["hal"], "panels")

    def led(self, lit):
        self._led.value(lit)

    def examine(self):
        from hal import probe

        low = probe.closed(self.board)
        shorts = probe.shorts(self.board, self.keys.pull)
        # Driving their pins looked like presses.
        self.keys.scan()
        self.keys.forget()
        return (self._bus.scan() if self._bus else None), low, shorts, probe.flash_kb()

    def entropy(self):
        return entropy()
