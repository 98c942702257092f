"""SSD1306 panels: sends only what changed, and makes no garbage doing so. Other controllers build on it.

Sections cited are those of the SSD1306 data sheet (Solomon Systech, revision 1.1) and of its application note. Spans
go in page addressing mode, whose three commands the SH1106 knows too; a whole frame goes in horizontal mode, which
needs one write instead of sixteen.
"""

import framebuf
import micropython
from micropython import const

from hal import spans

# Control bytes (8.1.5.2): only commands follow; only data follow.
_COMMANDS = const(0x00)
_DATA = const(0x40)

# Commands (table 9-1).
_COLUMN_LOW = const(0x00)
_COLUMN_HIGH = const(0x10)
_ADDRESSING = const(0x20)
_HORIZONTAL = const(0x00)
_PAGES = const(0x02)
_COLUMNS = const(0x21)
_PAGE_RANGE = const(0x22)
_SCROLL_OFF = const(0x2E)
_START_LINE = const(0x40)
_CONTRAST = const(0x81)
_CHARGE_PUMP = const(0x8D)
_SEGMENTS = const(0xA0)
_FROM_MEMORY = const(0xA4)
_NOT_INVERTED = const(0xA6)
_LINES = const(0xA8)
_OFF = const(0xAE)
_PAGE = const(0xB0)
_ROWS = const(0xC0)
_OFFSET = const(0xD3)
_CLOCK = const(0xD5)
_PRECHARGE = const(0xD9)
_COM_PINS = const(0xDA)
_VCOMH = const(0xDB)

# The page that ends a list of spans.
_END = const(255)

# Below this contrast some modules look dead, so level 0 is this.
_DIMMEST = const(16)


class SSD1306:
    """A panel at a bus of hal/bus.py.

    width: 128 or fewer columns, a multiple of 4; height: 16, 32, 48 or 64 rows. offset: the first column of the
    controller's memory that the glass shows. turned: the panel is mounted upside down.
    OSError: the panel does not answer.

    buffer: width * height / 8 bytes, MONO_VLSB; frame: a FrameBuffer over it.
    """

    memory_columns = 128

    def __init__(self, bus, width, height, offset=0, turned=False):
        self.width = width
        self.height = height
        self._bus = bus
        self._wired = offset
        self._mounted = turned
        size = width * height // 8
        # The control byte stands before the frame, so that one write sends both without making a buffer.
        self._whole = bytearray(1 + size)
        self._whole[0] = _DATA
        self.buffer = memoryview(self._whole)[1:]
        self.frame = framebuf.FrameBuffer(self.buffer, width, height, framebuf.MONO_VLSB)
        self._shown = bytearray(size)
        self._spans = spans.room(width, height)
        # A span is copied behind a control byte of its own. _runs[n] is the write of n * STEP columns.
        run = bytearray(1 + width)
        run[0] = _DATA
        self._run = run
        self._runs = tuple(bus.ready(memoryview(run)[: 1 + n]) for n in range(0, width + 1, spans.STEP))
        self._at = bytearray(4)
        self._one = bytearray(2)
        self._two = bytearray(3)
        # The same, as the bus takes them.
        self._at_ready = bus.ready(self._at)
        self._one_ready = bus.ready(self._one)
        self._two_ready = bus.ready(self._two)
        self._whole_ready = bus.ready(self._whole)
        self._make_window()
        self._lit = True
        self._level = 255
        self._turned = False
        self.start()

    def start(self):
        """Set the panel up, also after it was away: everything, then the whole frame with the next show()."""
        self._stale = True
        # What lost its power for a moment may show noise and take no command before.
        if self._bus.reset:
            self._bus.reset()
        self._bus.command(self._bus.ready(self._set_up()))
        self.contrast(self._level)
        self.turn(self._turned)
        # What the memory holds after power-on is noise: never light it.
        self.show()
        self.on(self._lit)

    def _set_up(self):
        """The commands that set a panel up, dark, behind the byte that says so."""
        # Wide panels of half height have their rows wired in sequence, the others in turns (10.1.18).
        com_pins = 0x02 if self.width > 2 * self.height else 0x12
        return bytes(
            (
                _COMMANDS,
                _OFF,
                _CLOCK,
                0x80,  # as after reset: 370 kHz, not divided (8.3)
                _LINES,
                self.height - 1,
                _OFFSET,
                0,
                _START_LINE,
                _CHARGE_PUMP,
                0x14,  # on: modules have no other source of VCC (application note, charge pump)
                _ADDRESSING,
                _PAGES,
                _COM_PINS,
                com_pins,
                _PRECHARGE,
                0xF1,  # the phases of the application note's example
                _VCOMH,
                0x30,  # 0.83 VCC, the highest (10.1.19)
                _SCROLL_OFF,
                _FROM_MEMORY,
                _NOT_INVERTED,
            )
        )

    def _make_window(self):
        """The window of a whole frame (10.1.3 to 10.1.5); turn() fills in its columns."""
        self._window = bytearray(
            (_COMMANDS, _ADDRESSING, _HORIZONTAL, _COLUMNS, 0, 0, _PAGE_RANGE, 0, self.height // 8 - 1)
        )
        self._window_ready = self._bus.ready(self._window)
        self._paged_ready = self._bus.ready(bytes((_COMMANDS, _ADDRESSING, _PAGES)))

    def _command(self, command):
        self._one[1] = command
        self._bus.command(self._one_ready)

    def contrast(self, level):
        """0 (dim, but not dark) to 255."""
        self._level = level
        self._two[1] = _CONTRAST
        self._two[2] = _DIMMEST + level * (255 - _DIMMEST) // 255
        self._bus.command(self._two_ready)

    def on(self, lit):
        """Light the panel, or put it to sleep; it keeps its picture."""
        self._lit = lit
        self._command(_OFF | 1 if lit else _OFF)

    def turn(self, turned):
        """Turn the picture by 180 degrees against how the panel is mounted; complete after the next show()."""
        self._turned = turned
        down = bool(turned) != bool(self._mounted)
        # Modules are wired so that both reversed is upright. The column order counts when data are written
        # (10.1.8), so the frame must be sent again.
        self._two[1] = _SEGMENTS if down else _SEGMENTS | 1
        self._two[2] = _ROWS if down else _ROWS | 8
        self._bus.command(self._two_ready)
        self._offset = self.memory_columns - self.width - self._wired if down else self._wired
        self._stale = True

    def show(self):
        """Send what changed since the last call. Returns the bytes on the bus; over SPI those that I2C would take.
        OSError: the panel does not answer; the next call then sends the whole frame."""
        # Compares in C: in most of the ticks nothing changed.
        if not self._stale and self.buffer == self._shown:
            return 0
        table = self._spans
        spans.changed(self.buffer, self._shown, table)
        whole = self._stale or table[2] == _END
        # Until all of it has arrived, what the glass shows is unknown.
        self._stale = True
        cost = 0
        if whole:
            cost = self._send_frame()
        else:
            at = 2
            while table[at] != _END:
                cost += self._send_span(table[at], table[at + 1], table[at + 2])
                at += 3
        self._stale = False
        return cost

    def _send_span(self, page, column, columns):
        """Send a run of columns of a page. Returns the bytes."""
        at = self._at
        at[1] = _PAGE | page
        at[2] = _COLUMN_LOW | (column + self._offset) & 15
        at[3] = _COLUMN_HIGH | (column + self._offset) >> 4
        self._bus.command(self._at_ready)
        lift(self._run, self.buffer, page * self.width + column, columns)
        self._bus.data(self._runs[columns // spans.STEP])
        return columns + spans.SPAN_BYTES

    def _send_frame(self):
        """Send all of it. Returns the bytes."""
        self._window[4] = self._offset
        self._window[5] = self._offset + self.width - 1
        self._bus.command(self._window_ready)
        self._bus.data(self._whole_ready)
        self._bus.command(self._paged_ready)
        return len(self._whole) - 1 + spans.FRAME_BYTES


@micropython.viper
def lift(run: ptr8, frame: ptr8, at: int, n: int):
    """Copy n bytes of the frame from `at` behind the control byte of `run`."""
    i = 0
    while i < n:
        run[i + 1] = frame[at + i]
        i += 1
