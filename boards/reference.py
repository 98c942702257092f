"""Reference kit: Raspberry Pi Pico, SSD1306 OLED over I2C, six push buttons, a piezo buzzer."""

NAME = "reference"
TITLE = "Reference kit: Pico with a 0.96-inch OLED"
SOURCE = "https://datasheets.raspberrypi.com/pico/pico-datasheet.pdf"
PICO = "pico"  # pico, pico_w, pico2 or pico2_w

# Panel. Pins are GPIO numbers.
DISPLAY = "ssd1306"
BUS = "i2c"  # or "spi"
WIDTH = 128
HEIGHT = 64
COLUMN_OFFSET = 0  # first column of the controller's memory that the glass shows
TURNED = False  # True where the panel is mounted upside down
RESET = None  # reset line, None where the module has none
I2C_BUS = 0
I2C_SDA = 4
I2C_SCL = 5
I2C_HZ = 400_000
I2C_ADDRESS = 0x3C

# How many keys there are and what they do: six, four, three, two or encoder (docs/keys.md). A key that a layout lacks has
# no pin (None); with an encoder LEFT and RIGHT are its two lines, and ENCODER_EDGES = 4 or 2 edges make a click.
KEY_LAYOUT = "six"

# Keys: UP, DOWN, LEFT, RIGHT, A, B. Each connects its pin to ground; the pull-up inside the RP2040 holds it high.
# Where keys lead to 3V3, KEY_PRESSED is 1 and KEY_PULL_UP is False: then the RP2040 holds them low.
# These are the last six GPIOs of the left edge, with a ground pin (18) in the middle of them.
KEY_PINS = (10, 11, 12, 13, 14, 15)
KEY_PRESSED = 0
KEY_PULL_UP = True

# Passive piezo buzzer between this pin and ground; None where there is none.
BUZZER = 16

# Battery: the Pico's own divider puts a third of VSYS on GPIO 29 (Pico data sheet, section 4.3).
BATTERY = 29
BATTERY_DIVIDER = 3
# Below this it is low: three cells of 1.1 V, or one of lithium at its end.
BATTERY_LOW_MV = 3300

# Shopping list: how many, what.
PARTS = (
    (1, "Raspberry Pi Pico, or Pico 2, with header pins"),
    (1, "OLED module 0.96 inch, 128x64, SSD1306, I2C, 4 pins"),
    (6, "push button, 6x6 mm, for breadboards"),
    (1, "passive piezo buzzer"),
    (1, "breadboard, 830 holes"),
    (20, "jumper wire"),
    (1, "USB cable with data lines"),
)
