"""Reference kit with the 1.3-inch OLED, whose controller SH1106 has 132 columns for the 128 of the glass."""

from boards.reference import *

NAME = "reference_sh1106"
TITLE = "Reference kit with a 1.3-inch OLED (SH1106)"
SOURCE = "https://www.pololu.com/file/0J1813/SH1106.pdf"
DISPLAY = "sh1106"
COLUMN_OFFSET = 2

PARTS = (
    (1, "Raspberry Pi Pico, or Pico 2, with header pins"),
    (1, "OLED module 1.3 inch, 128x64, SH1106, I2C, 4 pins"),
    (6, "push button, 6x6 mm, for breadboards"),
    (1, "passive piezo buzzer"),
    (1, "breadboard, 830 holes"),
    (20, "jumper wire"),
    (1, "USB cable with data lines"),
)
