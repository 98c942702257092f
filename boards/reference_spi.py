"""Reference kit with an OLED over SPI, of seven pins: a frame takes a tenth of the time that it takes over I2C."""

from boards.reference import *

NAME = "reference_spi"
TITLE = "Reference kit with an OLED over SPI"
SOURCE = "https://cdn-shop.adafruit.com/datasheets/SSD1306.pdf"
BUS = "spi"
SPI_BUS = 0
SPI_SCK = 2  # D0 or CLK on the module
SPI_MOSI = 3  # D1 or DIN
SPI_CS = 5
SPI_DC = 6
SPI_HZ = 8_000_000
RESET = 7

PARTS = (
    (1, "Raspberry Pi Pico, or Pico 2, with header pins"),
    (1, "OLED module 0.96 inch, 128x64, SSD1306, SPI, 7 pins"),
    (6, "push button, 6x6 mm, for breadboards"),
    (1, "passive piezo buzzer"),
    (1, "breadboard, 830 holes"),
    (22, "jumper wire"),
    (1, "USB cable with data lines"),
)
