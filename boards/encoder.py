"""Kit with a rotary encoder that is pushed: turn to choose, push to take."""

from boards.reference import *

NAME = "encoder"
TITLE = "Kit with a rotary encoder"
SOURCE = "https://www.handsontec.com/dataspecs/module/Rotary%20Encoder.pdf"
KEY_LAYOUT = "encoder"
# CLK, DT and SW of a KY-040 module, whose + goes to 3V3.
KEY_PINS = (None, None, 12, 13, 14, None)
ENCODER_EDGES = 4

PARTS = (
    (1, "Raspberry Pi Pico, or Pico 2, with header pins"),
    (1, "OLED module 0.96 inch, 128x64, SSD1306, I2C, 4 pins"),
    (1, "rotary encoder with push (KY-040 or EC11)"),
    (1, "passive piezo buzzer"),
    (1, "breadboard, 400 holes"),
    (12, "jumper wire"),
    (1, "USB cable with data lines"),
)
