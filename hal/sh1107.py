"""SH1107 panels of 64x128 pixels that lie on their side, so that they are 128 wide.

Sections are those of the SH1107 data sheet (Sino Wealth, V2.1). What the picture has as columns are rows of the memory:
a byte of it holds eight pixels side by side, in pages 0 to 15 from left to right, and its columns run down the
picture's rows. So blocks of 8x8 pixels are turned as they are sent. The picture upside down is turned here as well: how
the glass is wired to the other direction of the scan differs between modules.
"""

import micropython
from micropython import const

from hal import spans
from hal.ssd1306 import SSD1306

_COMMANDS = const(0x00)
_PAGE = const(0xB0)
_COLUMN_HIGH = const(0x10)
_BLOCK = const(8)
# Address, control byte, page, two of the column; address, control byte, eight of data.
_BLOCK_BYTES = const(15)


class SH1107(SSD1306):
    """As hal/ssd1306.py; width 128, height 64."""

    def _set_up(self):
        return bytes(
            (
                _COMMANDS,
                0xAE,  # off
                0xDC,  # start line (command 14)
                0,
                0x20,  # page addressing (command 4)
                0xA0,  # neither direction reversed
                0xC0,
                0xA8,  # 64 of 128 lines, in the middle of the scan (commands 11 and 15): the wiring of these modules
                0x3F,
                0xD3,
                0x60,
                0xD5,  # clock
                0x41,
                0xD9,  # precharge as after reset
                0x22,
                0xDB,  # VCOM as after reset
                0x35,
                0xAD,  # DC-DC converter on while lit (command 12)
                0x8A,
                0xA4,  # from memory
                0xA6,  # not inverted
            )
        )

    def _make_window(self):
        """None: blocks are sent one by one."""

    def turn(self, turned):
        self._turned = turned
        self._down = bool(turned) != bool(self._mounted)
        self._offset = self._wired
        self._stale = True

    def _send_span(self, page, column, columns):
        at = self._at
        block = self._runs[_BLOCK // spans.STEP]
        down = self._down
        top = self.height - _BLOCK - _BLOCK * page
        if down:
            top = _BLOCK * page
        at[2] = (top + self._offset) & 15
        at[3] = _COLUMN_HIGH | (top + self._offset) >> 4
        cost = 0
        for x in range(column & ~7, column + columns, _BLOCK):
            at[1] = _PAGE | (15 - x // _BLOCK if down else x // _BLOCK)
            self._bus.command(self._at_ready)
            lay(self._run, self.buffer, page * self.width + x, int(down))
            self._bus.data(block)
            cost += _BLOCK_BYTES
        return cost

    def _send_frame(self):
        cost = 0
        for page in range(self.height // _BLOCK):
            cost += self._send_span(page, 0, self.width)
        return cost


@micropython.viper
def lay(run: ptr8, frame: ptr8, at: int, down: int):
    """Turn a block of 8x8 pixels by a quarter, from eight columns of the frame at `at` to eight bytes behind the control
    byte of `run`: the lowest row first, or, upside down, the uppermost with its pixels in the other order."""
    row = 0
    while row < 8:
        byte = 0
        x = 0
        while x < 8:
            bit = frame[at + x] >> row & 1
            if down:
                byte |= bit << (7 - x)
            else:
                byte |= bit << x
            x += 1
        if down:
            run[1 + row] = byte
        else:
            run[8 - row] = byte
        row += 1
