"""`time` as hal/pico.py uses it, which stands still until somebody sleeps."""


class Time:
    """`now`: milliseconds since a board's start."""

    def __init__(self):
        self.now = 1000

    def ticks_ms(self):
        return self.now

    def sleep_ms(self, ms):
        self.now += ms
