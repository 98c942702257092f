"""Classroom kit of three keys on half a breadboard: go on, A and B."""

from boards.reference import *

NAME = "classroom_three"
TITLE = "Classroom kit, three keys"
KEY_LAYOUT = "three"
KEY_PINS = (None, None, None, 13, 14, 15)

PARTS = (
    (1, "Raspberry Pi Pico, or Pico 2, with header pins"),
    (1, "OLED module 0.96 inch, 128x64, SSD1306, I2C, 4 pins"),
    (3, "push button, 6x6 mm, for breadboards"),
    (1, "passive piezo buzzer"),
    (1, "breadboard, 400 holes"),
    (13, "jumper wire"),
    (1, "USB cable with data lines"),
)
