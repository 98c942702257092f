"""A rotary encoder on two pins of the Pico."""

import machine

from hal.device import LEFT, RIGHT
from hal.encoder import Encoder


class Wheel:
    """The two lines of a rotary encoder at their pins, which turn into LEFT and RIGHT."""

    def __init__(self, keys, left, right, board):
        self._keys = keys
        self._left = left
        self._right = right
        self._closed = board.KEY_PRESSED
        self._encoder = Encoder(board.ENCODER_EDGES)
        both = machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING
        left.irq(self.interrupt, both, hard=True)
        right.irq(self.interrupt, both, hard=True)

    def interrupt(self, _pin):
        """Runs in the interrupt: nothing here may allocate."""
        closed = self._closed
        way = self._encoder.look(self._left.value() == closed, self._right.value() == closed)
        if way:
            self._keys.put(RIGHT if way > 0 else LEFT)

    def look(self, _now):
        self.interrupt(None)
