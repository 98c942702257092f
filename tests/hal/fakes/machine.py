"""`machine` as hal/pico.py uses it, on a PC: pins that a test drives, a bus that listens.

Interrupts work as on the RP2040: edges are latched while they are off, and the handler runs once for all of them.
"""

pins = {}  # number or name: Pin
buses = {}  # number: I2C
tones = {}  # pin number: (hz, duty)
answering = {0x3C}  # addresses of the devices on every bus
volts_u16 = {}  # pin number: what its ADC reads
status = None  # what a panel answers to a read; None: nothing
joined = []  # pairs of pin numbers whose wires touch

_off = 0


def reset():
    """A board fresh from power-on, nothing pressed."""
    global _off
    _off = 0
    for made in (pins, buses, tones, volts_u16):
        made.clear()
    joined.clear()
    answering.clear()
    answering.add(0x3C)


def disable_irq():
    global _off
    _off += 1
    return _off - 1


def enable_irq(state):
    global _off
    _off = state
    if not _off:
        # Without a list: hal/pico.py runs this with the heap locked.
        for number in pins:
            pins[number].serve()


class Irq:
    def __init__(self):
        self.seen = 0

    def flags(self):
        return self.seen


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __new__(cls, number, *_args, **_named):
        # One object a pin, as on the Pico, so that a test finds it.
        if number not in pins:
            pins[number] = object.__new__(cls)
            pins[number].fresh(number)
        return pins[number]

    def __init__(self, number, mode=None, pull=None, value=None):
        if mode is not None:
            if mode == self.IN and self.mode == self.OUT:
                # Let go: its resistor has it again, that of the chip or one that holds it low.
                self.level = 1 if pull == self.PULL_UP else 0
            elif pull == self.PULL_DOWN and self.mode is None:
                # Nobody has driven it yet.
                self.level = 0
            self.mode = mode
            self.pull = pull
        if value is not None:
            self.value(value)

    def fresh(self, number):
        self.number = number
        self.mode = None
        self.pull = None
        self.level = 1
        self.latched = 0
        self.trigger = 0
        self.handler = None
        self.hard = False
        self.history = []
        self.info = Irq()

    def value(self, level=None):
        if level is None:
            for pair in joined:
                if self.number in pair:
                    other = pins[pair[pair[0] == self.number]]
                    # A driven wire is stronger than a resistor.
                    if other.mode == self.OUT:
                        return other.level
            return self.level
        self.level = level
        self.history.append(level)
        return None

    def irq(self, handler, trigger, hard=False):
        self.handler = handler
        self.trigger = trigger
        self.hard = hard
        return self.info

    def drive(self, *levels):
        """What the wire does: these levels in turn, too fast for a handler in between."""
        for level in levels:
            if level != self.level:
                self.latched |= self.IRQ_RISING if level else self.IRQ_FALLING
                self.level = level
        self.serve()

    def serve(self):
        if not _off and self.handler and self.latched & self.trigger:
            self.info.seen = self.latched & self.trigger
            self.latched = 0
            self.handler(self)


class I2C:
    def __init__(self, number, sda, scl, freq, timeout):
        self.sda = sda.number
        self.scl = scl.number
        self.freq = freq
        self.timeout = timeout
        self.bytes = 0
        buses[number] = self

    def writeto(self, address, data):
        if address not in answering:
            raise OSError(5)
        self.bytes += 1 + len(data)

    def scan(self):
        return sorted(answering)

    def readfrom(self, address, count):
        if address not in answering or status is None:
            raise OSError(5)
        return bytes((status,) * count)


class SPI:
    def __init__(self, number, baudrate, sck, mosi, miso):
        self.sck = sck.number
        self.mosi = mosi.number
        self.baudrate = baudrate
        self.bytes = 0
        buses[number] = self

    def write(self, data):
        self.bytes += len(data)


rests = []


def lightsleep(ms):
    rests.append(ms)


class PWM:
    def __init__(self, pin):
        self.number = pin.number
        tones[self.number] = (0, 0)

    def freq(self, hz):
        tones[self.number] = (hz, tones[self.number][1])

    def duty_u16(self, duty):
        tones[self.number] = (tones[self.number][0], duty)


class ADC:
    def __init__(self, pin):
        self.number = pin.number

    def read_u16(self):
        return volts_u16[self.number]
