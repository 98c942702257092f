"""Waveshare Pico-OLED-1.3: a panel of 64x128 that lies on its side, and two keys, plugged onto the Pico's pins."""

NAME = "waveshare_oled_1in3"
TITLE = "Waveshare Pico-OLED-1.3 (two keys)"
SOURCE = "https://www.waveshare.com/wiki/Pico-OLED-1.3"
PICO = "pico"

DISPLAY = "sh1107"
BUS = "spi"
WIDTH = 128
HEIGHT = 64
COLUMN_OFFSET = 0
TURNED = False
RESET = 12
SPI_BUS = 1
SPI_SCK = 10
SPI_MOSI = 11
SPI_CS = 9
SPI_DC = 8
SPI_HZ = 8_000_000

# KEY1 goes on, KEY0 takes.
KEY_LAYOUT = "two"
KEY_PINS = (None, None, None, 17, 15, None)
KEY_PRESSED = 0
KEY_PULL_UP = True

BUZZER = None
BATTERY = 29
BATTERY_DIVIDER = 3
BATTERY_LOW_MV = 3300

PARTS = (
    (1, "Raspberry Pi Pico, or Pico 2, with header pins"),
    (1, "Waveshare Pico-OLED-1.3"),
    (1, "USB cable with data lines"),
)
