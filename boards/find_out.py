"""Reference kit with any panel of four pins: the firmware finds out what it is, and asks once whether the frame is whole."""

from boards.reference import *

NAME = "find_out"
TITLE = "Reference kit with an unknown I2C panel"
DISPLAY = "find out"

PARTS = (
    (1, "Raspberry Pi Pico, or Pico 2, with header pins"),
    (1, "OLED module, 128x64, I2C, 4 pins"),
    (6, "push button, 6x6 mm, for breadboards"),
    (1, "passive piezo buzzer"),
    (1, "breadboard, 830 holes"),
    (20, "jumper wire"),
    (1, "USB cable with data lines"),
)
