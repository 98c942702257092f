"""The pins of a Raspberry Pi Pico, and what they can be connected to inside the chip.

Sources: Raspberry Pi Pico data sheet, figure 4 (the 40 pins; those of Pico W, Pico 2 and Pico 2 W are the same);
RP2040 data sheet, section 1.4.3, table 2, and RP2350 data sheet, section 1.2.3 (GPIO functions; those of I2C, SPI and
ADC are the same on GPIO 0 to 29).
"""

from __future__ import annotations

GND = "GND"
POWER = "3V3"

PINS: tuple[int | str, ...] = (
    # 1 to 20: the left edge, USB at the top, from the top.
    *(0, 1, GND, 2, 3, 4, 5, GND, 6, 7, 8, 9, GND, 10, 11, 12, 13, GND, 14, 15),
    # 21 to 40: the right edge, from the bottom.
    *(16, 17, GND, 18, 19, 20, 21, GND, 22, "RUN", 26, 27, GND, 28, "VREF", POWER, "3V3_EN", GND, "VSYS", "VBUS"),
)
"""What is on pin 1, 2, ... 40: the number of a GPIO, or a name."""

LEFT = 20
"""Pins on the left edge."""

INSIDE = {
    "pico": {23: "the power supply", 24: "the sense of USB power", 25: "the LED", 29: "the measure of VSYS"},
    "pico2": {23: "the power supply", 24: "the sense of USB power", 25: "the LED", 29: "the measure of VSYS"},
    "pico_w": dict.fromkeys((23, 24, 25, 29), "the wireless chip"),
    "pico2_w": dict.fromkeys((23, 24, 25, 29), "the wireless chip"),
}
"""For each kind of Pico the GPIOs that reach no pin, and what they serve."""

NAMES = {
    "pico": "Raspberry Pi Pico",
    "pico_w": "Raspberry Pi Pico W",
    "pico2": "Raspberry Pi Pico 2",
    "pico2_w": "Raspberry Pi Pico 2 W",
}

ADC = (26, 27, 28, 29)

VSYS_SENSE = 29
"""Behind it the Pico has a divider of its own: a third of VSYS (Pico data sheet, section 4.3)."""


def pin_of(gpio: int) -> int:
    """The number, 1 to 40, of the pin with a GPIO. ValueError if it reaches none."""
    return PINS.index(gpio) + 1


def i2c(gpio: int) -> tuple[int, str]:
    """The I2C block, 0 or 1, and the line, SDA or SCL, that a GPIO can be."""
    return gpio // 2 % 2, ("SDA", "SCL")[gpio % 2]


def spi(gpio: int) -> tuple[int, str]:
    """The SPI block, 0 or 1, and the line, RX, CS, SCK or TX, that a GPIO can be."""
    return gpio // 8 % 2, ("RX", "CS", "SCK", "TX")[gpio % 4]
