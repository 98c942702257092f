"""A model of an SSD1306 panel at its bus: takes the bytes of I2C writes, gives the picture that the glass shows.

Written from the data sheet (Solomon Systech SSD1306, revision 1.1); sections are cited. It knows nothing of our
driver, and what a driver must not rely on is hostile here: the memory starts as noise, the panel dark.
"""

from __future__ import annotations

import random

COLUMNS = 128
PAGES = 8

# Parameters that follow each command byte (table 9-1 and the charge pump of the application note).
PARAMETERS = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1, 0xA3: 2, 0xA8: 1, 0xD3: 1,
    0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip

HORIZONTAL, VERTICAL, BY_PAGE = 0, 1, 2

_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class Panel:
    """A module of `width` * `height` pixels whose glass begins at column `offset` of the controller.

    `written` counts all bytes after the address, `faults` lists what the controller does not understand.
    """

    columns = COLUMNS
    parameters = PARAMETERS

    def __init__(self, width: int = 128, height: int = 64, offset: int = 0, seed: int = 1306) -> None:
        self.width = width
        self.height = height
        self.offset = offset
        self.faults: list[str] = []
        self.written = 0
        self.transfers = 0
        self._noise = random.Random(seed)
        self.power_on()

    def power_on(self) -> None:
        """The state after reset (8.5), with memory as it happens to be."""
        # Kept by segment, not by address: the re-map acts on writing (10.1.8).
        self.memory = [bytearray(self._noise.randbytes(self.columns)) for _ in range(PAGES)]
        self.mode = BY_PAGE
        self.first_column, self.last_column = 0, self.columns - 1
        self.first_page, self.last_page = 0, PAGES - 1
        self.column = self.page = 0
        self.reversed_columns = self.reversed_rows = False
        self.on = self.inverted = self.all_on = self.pump = self.scrolling = False
        self.contrast = 0x7F
        self.start_line = self.line_offset = 0
        self.lines = 64
        self.com_pins = 0x12
        self._command: list[int] = []
        self._control: int | None = None

    # --- the bus

    def begin(self) -> None:
        """Our address was called for writing."""
        self._control = None
        self.transfers += 1

    def write(self, byte: int) -> None:
        """A byte after the address: control bytes, commands and data as in 8.1.5.2."""
        self.written += 1
        if self._control is None:
            if byte & 0x3F:
                self.faults.append(f"control byte {byte:#04x}")
            self._control = byte
            return
        if self._control & 0x40:
            self._data(byte)
        else:
            self._take(byte)
        if self._control & 0x80:
            self._control = None

    def _data(self, byte: int) -> None:
        self.memory[self.page][self.columns - 1 - self.column if self.reversed_columns else self.column] = byte
        if self.mode == BY_PAGE:
            self.column = (self.column + 1) % COLUMNS
        elif self.mode == HORIZONTAL:
            if self.column != self.last_column:
                self.column = (self.column + 1) % COLUMNS
                return
            self.column = self.first_column
            self.page = self.first_page if self.page == self.last_page else (self.page + 1) % PAGES
        else:
            if self.page != self.last_page:
                self.page = (self.page + 1) % PAGES
                return
            self.page = self.first_page
            self.column = self.first_column if self.column == self.last_column else (self.column + 1) % COLUMNS

    def _take(self, byte: int) -> None:
        self._command.append(byte)
        if len(self._command) > self.parameters.get(self._command[0], 0):
            command, self._command = self._command, []
            self._carry_out(command[0], command[1:])

    def _carry_out(self, code: int, values: list[int]) -> None:
        if code < 0x20:
            if self.mode != BY_PAGE:
                self.faults.append(f"column command {code:#04x} outside page mode")
            elif code < 0x10:
                self.column = self.column & 0x70 | code
            else:
                self.column = self.column & 0x0F | code << 4 & 0x70
        elif code == 0x20:
            self.mode = values[0] & 3
        elif code == 0x21:
            if not values[0] <= values[1] < COLUMNS:
                self.faults.append(f"columns {values}")
            self.first_column, self.last_column = values[0] % COLUMNS, values[1] % COLUMNS
            self.column = self.first_column
        elif code == 0x22:
            if not values[0] <= values[1] < PAGES:
                self.faults.append(f"pages {values}")
            self.first_page, self.last_page = values[0] % PAGES, values[1] % PAGES
            self.page = self.first_page
        elif code in (0x2E, 0x2F):
            self.scrolling = code == 0x2F
        elif 0x40 <= code < 0x80:
            self.start_line = code & 63
        elif code == 0x81:
            self.contrast = values[0]
        elif code == 0x8D:
            self.pump = bool(values[0] & 4)
        elif code in (0xA0, 0xA1):
            self.reversed_columns = code == 0xA1
        elif code in (0xA4, 0xA5):
            self.all_on = code == 0xA5
        elif code in (0xA6, 0xA7):
            self.inverted = code == 0xA7
        elif code == 0xA8:
            if values[0] < 15:
                self.faults.append(f"multiplex ratio {values[0]}")
            self.lines = (values[0] & 63) + 1
        elif code in (0xAE, 0xAF):
            self.on = code == 0xAF
        elif 0xB0 <= code < 0xB8:
            if self.mode != BY_PAGE:
                self.faults.append(f"page command {code:#04x} outside page mode")
            else:
                self.page = code & 7
        elif 0xC0 <= code < 0xD0:
            self.reversed_rows = bool(code & 8)
        elif code == 0xD3:
            self.line_offset = values[0] & 63
        elif code == 0xDA:
            self.com_pins = values[0]
        elif code not in (0xD5, 0xD9, 0xDB, 0xE3):
            self.faults.append(f"command {code:#04x}")

    # --- the glass

    @property
    def lit(self) -> bool:
        """Whether any pixel can light: display on, and the charge pump, which such a module lives by."""
        return self.on and self.pump

    def picture(self) -> bytes:
        """The glass as width * height / 8 bytes in MONO_VLSB order, dark where nothing lights.

        The module is wired so that both directions reversed (A1, C8) is upright."""
        if not self.lit:
            return bytes(self.width * self.height // 8)
        wired = 0x02 if self.width > 2 * self.height else 0x12
        # Wrong wiring of the rows: every second one is not driven.
        driven = 0xFF if self.com_pins & 0x12 == wired & 0x12 else 0x55
        turn = (self.start_line + self.line_offset) & 63
        pages = self.height // 8
        columns = []
        for x in range(self.width):
            # Upright, the leftmost pixel is the address `offset`, which the re-map puts at the other end.
            segment = self.columns - 1 - self.offset - x
            rows = int.from_bytes(bytes(page[segment] for page in self.memory), "little")
            rows = (rows >> turn | rows << (64 - turn)) & (1 << 64) - 1
            rows &= (1 << self.lines) - 1
            if self.all_on:
                rows = (1 << self.lines) - 1
            elif self.inverted:
                rows ^= (1 << self.lines) - 1
            column = rows.to_bytes(8, "little")[:pages]
            if not self.reversed_rows:
                column = bytes(_REVERSED[byte] for byte in reversed(column))
            columns.append(bytes(byte & driven for byte in column))
        return bytes(columns[x][page] for page in range(pages) for x in range(self.width))
