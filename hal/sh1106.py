"""SH1106 panels: 132 columns of memory, of which the glass shows 128, and page addressing only.

Sections are those of the SH1106 data sheet (Sino Wealth, V2.3).
"""

from micropython import const

from hal.ssd1306 import SSD1306

_COMMANDS = const(0x00)


class SH1106(SSD1306):
    """As hal/ssd1306.py; offset: 2 on all modules of 1.3 inch that are known."""

    memory_columns = 132

    def _set_up(self):
        return bytes(
            (
                _COMMANDS,
                0xAE,  # off
                0xD5,  # clock as after reset
                0x50,
                0xA8,  # lines
                self.height - 1,
                0xD3,  # no offset
                0,
                0x40,  # start line
                0xAD,  # DC-DC converter on: modules have no other source of VPP (command 9)
                0x8B,
                0x32,  # pump of 8 V, as after reset (command 3)
                0xDA,  # rows wired in turns
                0x12,
                0xD9,  # precharge as after reset
                0x22,
                0xDB,  # VCOM as after reset
                0x35,
                0xA4,  # from memory
                0xA6,  # not inverted
            )
        )

    def _make_window(self):
        """None: it has no horizontal mode."""

    def _send_frame(self):
        cost = 0
        for page in range(self.height // 8):
            cost += self._send_span(page, 0, self.width)
        return cost
