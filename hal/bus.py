"""The two buses of a panel, alike for its driver: a write is a buffer whose first byte says what follows.

The byte is the control byte of I2C, 0x00 for commands and 0x40 for data; over SPI the line D/C says it instead. A driver
makes its buffers once, has them prepared once by ready(), and sends what that gave, so that no write makes garbage.
"""

# For machine.I2C: its time-out covers a whole write, and 1,026 bytes of 9 bits take 93 ms at 100 kHz.
TIMEOUT_US = 250_000


class I2CBus:
    """bus: a machine.I2C (writeto is all that is used of it); address: the panel's, of 7 bits; reset: a function that
    pulses the panel's reset line, None where it has none."""

    def __init__(self, bus, address, reset=None):
        self.reset = reset
        self._bus = bus
        self._address = address

    def ready(self, buffer):
        """What command() and data() take for this buffer, whose bytes may change."""
        return buffer

    def command(self, ready):
        self._bus.writeto(self._address, ready)

    data = command


class SPIBus:
    """spi: a machine.SPI (write is all that is used of it); cs: the pin that selects the panel when low; dc: low for
    commands, high for data; reset: as above."""

    def __init__(self, spi, cs, dc, reset=None):
        self.reset = reset
        self._spi = spi
        self._cs = cs
        self._dc = dc
        cs.value(1)

    def ready(self, buffer):
        """What command() and data() take for this buffer, whose bytes may change."""
        return memoryview(buffer)[1:]

    def command(self, ready):
        self._dc.value(0)
        self._write(ready)

    def data(self, ready):
        self._dc.value(1)
        self._write(ready)

    def _write(self, ready):
        self._cs.value(0)
        self._spi.write(ready)
        self._cs.value(1)
