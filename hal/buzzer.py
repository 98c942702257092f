"""A passive buzzer on a PWM channel: tones that end by themselves, without waiting for them."""

from micropython import const

_HALF = const(32768)


class Buzzer:
    """pwm: a machine.PWM or None where a kit has no buzzer; clock: as in hal/device.py."""

    def __init__(self, pwm, clock):
        self._pwm = pwm
        self._clock = clock
        self._since = 0
        self._left = 0

    def tone(self, hz, ms):
        """Start a square wave of `hz` (20 and up; 0 is silence) for `ms`, in the place of any other, and return."""
        if self._pwm is None:
            return
        if hz:
            self._pwm.freq(hz)
            self._pwm.duty_u16(_HALF)
        else:
            self._pwm.duty_u16(0)
        self._since = self._clock.ms()
        self._left = ms if hz else 0

    def tick(self):
        """Once per tick: ends the tone when its time is over."""
        if self._left and self._clock.since(self._since) >= self._left:
            self._left = 0
            self._pwm.duty_u16(0)
