"""Reference kit on a Pico W, whose wireless chip has the line that measures VSYS: no battery level."""

from boards.reference import *

NAME = "pico_w"
TITLE = "Reference kit on a Pico W"
SOURCE = "https://datasheets.raspberrypi.com/picow/pico-w-datasheet.pdf"
PICO = "pico_w"
BATTERY = None

PARTS = (
    (1, "Raspberry Pi Pico W, or Pico 2 W, with header pins"),
    (1, "OLED module 0.96 inch, 128x64, SSD1306, I2C, 4 pins"),
    (6, "push button, 6x6 mm, for breadboards"),
    (1, "passive piezo buzzer"),
    (1, "breadboard, 830 holes"),
    (20, "jumper wire"),
    (1, "USB cable with data lines"),
)
