"""Whether a board file asks for what a Pico can do: told before anything is soldered, drawn or built."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tools import cli, standins
from tools.environment import ROOT
from tools.kits import files, pinout

standins.install()

from hal.keys import LAYOUTS  # noqa: E402 (needs the stand-ins)

PANELS = ("ssd1306", "ssd1309", "sh1106", "sh1107", "find out")
KEYS = ("UP", "DOWN", "LEFT", "RIGHT", "A", "B")
ADDRESSES = (0x3C, 0x3D)

BUSES = {
    "i2c": ("I2C_BUS", "I2C_SDA", "I2C_SCL", "I2C_HZ", "I2C_ADDRESS"),
    "spi": ("SPI_BUS", "SPI_SCK", "SPI_MOSI", "SPI_CS", "SPI_DC", "SPI_HZ"),
}
ALWAYS = (
    *("NAME", "TITLE", "SOURCE", "PICO", "DISPLAY", "BUS", "WIDTH", "HEIGHT", "COLUMN_OFFSET", "TURNED", "RESET"),
    *("KEY_LAYOUT", "KEY_PINS", "KEY_PRESSED", "KEY_PULL_UP", "BUZZER", "BATTERY", "BATTERY_DIVIDER", "BATTERY_LOW_MV", "PARTS"),
)


def load(name: str, root: Path = ROOT) -> SimpleNamespace:
    """The constants of a board file. Usage if there is none of that name, Failure with all its faults if it has some."""
    known = files.names(root)
    if not known:
        raise cli.Usage(f"{root} is no source tree of Cairn: it has no boards/")
    if name not in known:
        raise cli.Usage(f"no board {name!r} in boards/; there are: {', '.join(known)}")
    board = files.constants(root, name)
    if found := list(faults(board)):
        raise cli.Failure(f"boards/{name}.py: " + "; ".join(found))
    return board


def uses(board: Any) -> Iterator[tuple[str, int]]:
    """What a board uses GPIOs for: (constant or key, GPIO). The board has all constants."""
    for constant in BUSES[board.BUS]:
        if constant.split("_")[1] in ("SDA", "SCL", "SCK", "MOSI", "CS", "DC"):
            yield constant, getattr(board, constant)
    if board.RESET is not None:
        yield "RESET", board.RESET
    for key, gpio in zip(KEYS, board.KEY_PINS):
        if gpio is not None:
            yield f"key {key}", gpio
    for constant in ("BUZZER", "BATTERY"):
        if getattr(board, constant) is not None:
            yield constant, getattr(board, constant)


def faults(board: Any) -> Iterator[str]:
    """What is wrong with a board file, a text for each fault, with its remedy."""
    missing = [constant for constant in ALWAYS if not hasattr(board, constant)]
    if getattr(board, "BUS", None) in BUSES:
        missing += [constant for constant in BUSES[board.BUS] if not hasattr(board, constant)]
    if missing:
        yield f"{', '.join(missing)} missing"
        return
    for constant, allowed in (("PICO", tuple(pinout.NAMES)), ("BUS", tuple(BUSES)), ("DISPLAY", PANELS)):
        if getattr(board, constant) not in allowed:
            yield f"{constant} is {getattr(board, constant)!r}; it can be {', '.join(allowed)}"
            return
    yield from _pins(board)
    yield from _bus(board)
    yield from _keys(board)
    if (board.WIDTH, board.HEIGHT) != (128, 64):
        yield f"the panel has {board.WIDTH}x{board.HEIGHT} pixels; the firmware draws 128x64"
    if not _is_list(board.PARTS):
        yield 'PARTS has lines like (6, "push button"),: how many and what, each pair in brackets, a comma after it'


def _is_list(parts: Any) -> bool:
    """Whether this is a shopping list: pairs of a number and a text."""
    return isinstance(parts, tuple) and all(
        isinstance(part, tuple) and [type(value) for value in part] == [int, str] for part in parts
    )


def _pins(board: Any) -> Iterator[str]:
    """Every GPIO reaches a pin, and serves one thing."""
    used: dict[int, str] = {}
    inside = pinout.INSIDE[board.PICO]
    for what, gpio in uses(board):
        own_divider = what == "BATTERY" and gpio == pinout.VSYS_SENSE and "wireless" not in inside[gpio]
        if not isinstance(gpio, int) or not (gpio in pinout.PINS or own_divider):
            why = f", it serves {inside[gpio]}" if gpio in inside else "; those are 0 to 22 and 26 to 28"
            yield f"{what}: GP{gpio} is on no pin of a {pinout.NAMES[board.PICO]}{why}"
        elif gpio in used:
            yield f"GP{gpio} is used twice, for {used[gpio]} and for {what}"
        else:
            used[gpio] = what


def _bus(board: Any) -> Iterator[str]:
    """The chip can lead its bus to those pins."""
    if board.BUS == "i2c":
        wanted = [("I2C_SDA", "SDA"), ("I2C_SCL", "SCL")]
        block, route = board.I2C_BUS, pinout.i2c
        if board.I2C_ADDRESS not in ADDRESSES:
            yield f"I2C_ADDRESS is {board.I2C_ADDRESS:#04x}; such panels have 0x3c or 0x3d"
    else:
        wanted = [("SPI_SCK", "SCK"), ("SPI_MOSI", "TX")]
        block, route = board.SPI_BUS, pinout.spi
    for constant, line in wanted:
        gpio = getattr(board, constant)
        if gpio in pinout.PINS and route(gpio) != (block, line):
            able = [str(g) for g in pinout.PINS if isinstance(g, int) and route(g) == (block, line)]
            numbers = ", ".join(sorted(able, key=int))
            yield f"{constant}: the chip cannot lead {constant[:3]}{block} {line} to GP{gpio}, only to GP {numbers}"


def _keys(board: Any) -> Iterator[str]:
    """The keys are those of the layout; the battery is where it can be measured."""
    if board.KEY_LAYOUT not in LAYOUTS or len(board.KEY_PINS) != len(KEYS):
        yield f"KEY_LAYOUT must be one of {', '.join(LAYOUTS)}, and KEY_PINS six, of UP DOWN LEFT RIGHT A B"
        return
    there = [key for key, gpio in zip(KEYS, board.KEY_PINS) if gpio is not None]
    wanted = [key for i, key in enumerate(KEYS) if LAYOUTS[board.KEY_LAYOUT] >> i & 1]
    if there != wanted:
        yield (
            f"KEY_PINS has {' '.join(there) or 'none'}; the layout {board.KEY_LAYOUT} has "
            f"{' '.join(wanted)}, and None for the others"
        )
    if board.KEY_PULL_UP and board.KEY_PRESSED:
        yield "KEY_PRESSED is 1 and KEY_PULL_UP is True: a key that leads to 3V3 needs its own resistor to ground"
    if board.KEY_LAYOUT == "encoder" and getattr(board, "ENCODER_EDGES", None) not in (2, 4):
        yield "ENCODER_EDGES must be 4, or 2 where the encoder makes a click with every other edge"
    if board.BATTERY is not None and board.BATTERY not in pinout.ADC:
        yield f"BATTERY: GP{board.BATTERY} cannot measure, only GP 26 to 29"
