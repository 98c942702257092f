"""Reference kit on a Pico 2. A pin of the RP2350 that leaks (erratum E9) is held by the pull-up, so keys to ground work."""

from boards.reference import *

NAME = "pico2"
TITLE = "Reference kit on a Pico 2"
SOURCE = "https://datasheets.raspberrypi.com/pico/pico-2-datasheet.pdf"
PICO = "pico2"
