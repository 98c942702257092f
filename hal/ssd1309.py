"""SSD1309 panels: an SSD1306 without charge pump, whose modules bring their own VCC (SSD1309 data sheet, revision 1.1)."""

from micropython import const

from hal.ssd1306 import SSD1306

_COMMANDS = const(0x00)


class SSD1309(SSD1306):
    """As hal/ssd1306.py."""

    def _set_up(self):
        return bytes(
            (
                _COMMANDS,
                0xFD,  # unlock, as it may be locked after a reset of the Pico alone (10.1.22)
                0x12,
                0xAE,  # off
                0xD5,  # clock as after reset
                0xA0,
                0xA8,  # lines
                self.height - 1,
                0xD3,  # no offset
                0,
                0x40,  # start line
                0x20,  # page addressing
                0x02,
                0xDA,  # rows wired in turns
                0x12,
                0xD9,  # precharge of the data sheet's example
                0x25,
                0xDB,  # 0.78 VCC
                0x34,
                0x2E,  # no scrolling
                0xA4,  # from memory
                0xA6,  # not inverted
            )
        )
