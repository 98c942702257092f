"""Models of the other controllers that hal/ drives, on that of the SSD1306 (panel.py) where they are like it.

Written from the data sheets: Solomon Systech SSD1309 (revision 1.1), Sino Wealth SH1106 (V2.3) and SH1107 (V2.1).
"""

from __future__ import annotations

from typing import Any

from tools.emulator.panel import BY_PAGE, PARAMETERS, Panel


class SSD1309(Panel):
    """An SSD1306 without charge pump, with a command lock (10.1.22)."""

    parameters = {code: count for code, count in PARAMETERS.items() if code != 0x8D} | {0xFD: 1}

    def power_on(self) -> None:
        super().power_on()
        # As if a Pico that was reset had left it so.
        self.locked = True

    def _carry_out(self, code: int, values: list[int]) -> None:
        if code == 0xFD:
            self.locked = values[0] == 0x16
        elif not self.locked:
            if code == 0x8D:
                self.faults.append("charge pump")
            super()._carry_out(code, values)

    @property
    def lit(self) -> bool:
        return self.on


class SH1106(Panel):
    """132 columns of memory, page addressing alone, a pump of its own command (commands 1 to 19)."""

    columns = 132
    parameters = dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)

    def _carry_out(self, code: int, values: list[int]) -> None:
        if code < 0x10:
            self.column = self.column & 0xF0 | code
        elif code < 0x20:
            self.column = self.column & 0x0F | (code & 15) << 4
            if self.column >= self.columns:
                self.faults.append(f"column {self.column}")
        elif code in (0x20, 0x21, 0x22, 0x2E, 0x8D):
            self.faults.append(f"command {code:#04x}")
        elif 0x30 <= code < 0x34:
            pass
        elif code == 0xAD:
            self.pump = values[0] == 0x8B
        else:
            super()._carry_out(code, values)

    def _data(self, byte: int) -> None:
        if self.mode != BY_PAGE or self.column >= self.columns:
            self.faults.append(f"data at column {self.column}")
            return
        self.memory[self.page][self.columns - 1 - self.column if self.reversed_columns else self.column] = byte
        # The counter stops behind the last column.
        self.column += 1


class SH1107(Panel):
    """128 columns by 16 pages of memory; a module of 64x128 pixels that lies on its side shows columns 0 to 63."""

    parameters = dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDB, 0xDC), 1)

    def power_on(self) -> None:
        super().power_on()
        self.memory = [bytearray(self._noise.randbytes(128)) for _ in range(16)]
        self.vertical = False

    def _carry_out(self, code: int, values: list[int]) -> None:
        if code < 0x10:
            self.column = self.column & 0x70 | code
        elif code < 0x18:
            self.column = self.column & 0x0F | (code & 7) << 4
        elif code in (0x20, 0x21):
            self.vertical = code == 0x21
        elif 0xB0 <= code < 0xC0:
            self.page = code & 15
        elif code == 0xDC:
            self.start_line = values[0] & 127
        elif code == 0xD3:
            self.line_offset = values[0] & 127
        elif code == 0xA8:
            self.lines = (values[0] & 127) + 1
        elif code == 0xAD:
            self.pump = values[0] in (0x8A, 0x8B)
        elif code in (0x22, 0x2E, 0x8D, 0xDA) or 0x18 <= code < 0x80:
            self.faults.append(f"command {code:#04x}")
        else:
            super()._carry_out(code, values)

    def _data(self, byte: int) -> None:
        self.memory[self.page][self.column] = byte
        if self.vertical:
            self.page = (self.page + 1) % 16
            if self.page == 0:
                self.column = (self.column + 1) % 128
        else:
            self.column = (self.column + 1) % 128

    def picture(self) -> bytes:
        """The glass as 128 * 64 / 8 bytes in MONO_VLSB order. The module is wired for the scan and the offset that its
        maker's example sets (Waveshare Pico-OLED-1.3): pages run from left to right, columns from below."""
        wired = (self.lines, self.line_offset, self.start_line, self.reversed_columns, self.reversed_rows)
        if not self.lit or self.all_on or self.inverted or wired != (64, 0x60, 0, False, False):
            return bytes(1024)
        out = bytearray(1024)
        for y in range(64):
            for x in range(128):
                if self.memory[x >> 3][63 - y] >> (x & 7) & 1:
                    out[(y >> 3) * 128 + x] |= 1 << (y & 7)
        return bytes(out)


MODELS: dict[str, type[Panel]] = {"ssd1306": Panel, "ssd1309": SSD1309, "sh1106": SH1106, "sh1107": SH1107}


def model(board: Any) -> Panel:
    """The panel of a board; an SSD1306 where the firmware has to find out."""
    return MODELS.get(board.DISPLAY, Panel)(board.WIDTH, board.HEIGHT, board.COLUMN_OFFSET)
