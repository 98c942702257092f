"""Classroom kit of two keys and no buzzer, the fewest parts: go on and take."""

from boards.reference import *

NAME = "classroom_two"
TITLE = "Classroom kit, two keys"
KEY_LAYOUT = "two"
KEY_PINS = (None, None, None, 14, 15, None)
BUZZER = None

PARTS = (
    (1, "Raspberry Pi Pico, or Pico 2, with header pins"),
    (1, "OLED module 0.96 inch, 128x64, SSD1306, I2C, 4 pins"),
    (2, "push button, 6x6 mm, for breadboards"),
    (1, "breadboard, 400 holes"),
    (9, "jumper wire"),
    (1, "USB cable with data lines"),
)
