"""Whether a board file asks for what a Pico can do: told before anything is soldered, drawn or built."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
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

SPARE_COLUMNS = {"sh1106": 4, "sh1107": 64, "find out": 64}
"""Columns that a controller's memory has beyond those of the glass; the others have none."""

SHOWN_CHARACTERS = 60


@dataclass(frozen=True)
class Kind:
    """What a constant can be: whether a value `fits`, in words `can_be`, and how a wrong one is `told`."""

    can_be: str
    fits: Callable[[Any], bool]
    told: Callable[[Any], str] = repr


def _is_whole(value: Any) -> bool:
    # True equals 1, and 4.0 equals 4: neither is meant.
    return type(value) is int


def _is_line(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable() and value.strip() != ""


def _one_of(*allowed: str) -> Kind:
    return Kind(", ".join(allowed), lambda value: value in allowed)


def _number(low: int, high: int) -> Kind:
    between = "or" if high == low + 1 else "to"
    return Kind(f"{low} {between} {high}", lambda value: _is_whole(value) and low <= value <= high)


TEXT = Kind('a text of one line, in "quotes"', _is_line)
SWITCH = Kind("True or False", lambda value: isinstance(value, bool))
# Which of them reach a pin is for _pins() to say.
GPIO = Kind("the number of a GPIO", lambda value: _is_whole(value) and 0 <= value < 100)
GPIO_OR_NONE = Kind("the number of a GPIO, or None", lambda value: value is None or GPIO.fits(value))

CONSTANTS = {
    "NAME": TEXT,
    "TITLE": TEXT,
    "SOURCE": TEXT,
    "PICO": _one_of(*pinout.NAMES),
    "DISPLAY": _one_of(*PANELS),
    "BUS": _one_of("i2c", "spi"),
    "WIDTH": Kind("128: the firmware draws 128x64 pixels", lambda value: _is_whole(value) and value == 128),
    "HEIGHT": Kind("64: the firmware draws 128x64 pixels", lambda value: _is_whole(value) and value == 64),
    # How large depends on the controller: faults().
    "COLUMN_OFFSET": Kind("a whole number", _is_whole),
    "TURNED": SWITCH,
    "RESET": GPIO_OR_NONE,
    "KEY_LAYOUT": _one_of(*LAYOUTS),
    "KEY_PINS": Kind(
        f"six GPIOs in brackets, of {' '.join(KEYS)}, None for those that are not there",
        lambda value: isinstance(value, (tuple, list)) and len(value) == len(KEYS) and all(map(GPIO_OR_NONE.fits, value)),
    ),
    "KEY_PRESSED": _number(0, 1),
    "KEY_PULL_UP": SWITCH,
    "BUZZER": GPIO_OR_NONE,
    "BATTERY": GPIO_OR_NONE,
    "BATTERY_DIVIDER": _number(1, 100),
    "BATTERY_LOW_MV": _number(0, 100_000),
    "PARTS": Kind(
        'lines like (6, "push button"),: how many and what, each pair in brackets, a comma after it',
        lambda value: isinstance(value, tuple) and all(map(_is_part, value)),
    ),
    "I2C_BUS": _number(0, 1),
    "I2C_SDA": GPIO,
    "I2C_SCL": GPIO,
    # RP2040 data sheet, section 4.3: up to fast mode plus. Slower than that a frame takes a second.
    "I2C_HZ": _number(10_000, 1_000_000),
    "I2C_ADDRESS": Kind(
        "0x3c or 0x3d",
        lambda value: _is_whole(value) and value in (0x3C, 0x3D),
        lambda value: f"{value:#04x}" if _is_whole(value) else repr(value),
    ),
    "SPI_BUS": _number(0, 1),
    "SPI_SCK": GPIO,
    "SPI_MOSI": GPIO,
    "SPI_CS": GPIO,
    "SPI_DC": GPIO,
    # RP2040 data sheet, section 4.4: at most half of the clock of 125 MHz.
    "SPI_HZ": _number(100_000, 62_500_000),
}
"""What each constant of a board file can be."""

BUSES = {bus: tuple(name for name in CONSTANTS if name.startswith(bus.upper() + "_")) for bus in ("i2c", "spi")}
ALWAYS = tuple(name for name in CONSTANTS if name not in BUSES["i2c"] + BUSES["spi"])


def load(name: str, root: Path = ROOT) -> SimpleNamespace:
    """The constants of a board file. Usage if there is none of that name, Failure with all its faults if it has some."""
    known = files.names(root)
    if not known:
        raise cli.Usage(f"{root} is no source tree of Cairn: it has no boards/")
    if name not in known:
        raise cli.Usage(f"no board {name!r} in boards/; there are: {', '.join(known)}")
    board = files.constants(root, name)
    found = list(faults(board))
    if not found and name != board.NAME:
        found = [f"NAME is {board.NAME!r}; it can be {name!r} alone, which is the name of the file"]
    if found:
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
    wanted = ALWAYS
    if hasattr(board, "BUS") and CONSTANTS["BUS"].fits(board.BUS):
        wanted += BUSES[board.BUS]
    missing = [constant for constant in wanted if not hasattr(board, constant)]
    if missing:
        yield f"{', '.join(missing)} missing"
        return
    wrong = [constant for constant in wanted if not CONSTANTS[constant].fits(getattr(board, constant))]
    for constant in wrong:
        kind = CONSTANTS[constant]
        yield f"{constant} is {_shown(kind.told, getattr(board, constant))}; it can be {kind.can_be}"
    if wrong:
        return
    if board.DISPLAY == "find out" and board.BUS != "i2c":
        yield f"DISPLAY is 'find out', which needs a panel that answers, on I2C; over SPI name it: {', '.join(PANELS[:-1])}"
    yield from _pins(board)
    yield from _bus(board)
    yield from _keys(board)
    spare = SPARE_COLUMNS.get(board.DISPLAY, 0)
    if not 0 <= board.COLUMN_OFFSET <= spare:
        told = f"0 to {spare}" if spare else "0 alone"
        yield f"COLUMN_OFFSET is {_shown(repr, board.COLUMN_OFFSET)}; with DISPLAY {board.DISPLAY} it can be {told}"


def _shown(told: Callable[[Any], str], value: Any) -> str:
    """A value as text, which is cut: it may be anything that a file can hold."""
    try:
        text = told(value)
    except ValueError:
        # Python has a bound for that.
        return "a number of too many digits"
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + " ..."


def _is_part(part: Any) -> bool:
    """Whether this is a line of a shopping list: how many, what."""
    if not isinstance(part, tuple) or len(part) != 2:
        return False
    return _is_whole(part[0]) and part[0] > 0 and _is_line(part[1])


def _pins(board: Any) -> Iterator[str]:
    """Every GPIO reaches a pin, and serves one thing."""
    used: dict[int, str] = {}
    inside = pinout.INSIDE[board.PICO]
    for what, gpio in uses(board):
        own_divider = what == "BATTERY" and gpio == pinout.VSYS_SENSE and "wireless" not in inside[gpio]
        if not (gpio in pinout.PINS or own_divider):
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
    there = [key for key, gpio in zip(KEYS, board.KEY_PINS) if gpio is not None]
    wanted = [key for i, key in enumerate(KEYS) if LAYOUTS[board.KEY_LAYOUT] >> i & 1]
    if there != wanted:
        yield (
            f"KEY_PINS has {' '.join(there) or 'none'}; the layout {board.KEY_LAYOUT} has "
            f"{' '.join(wanted)}, and None for the others"
        )
    if board.KEY_PULL_UP and board.KEY_PRESSED:
        yield "KEY_PRESSED is 1 and KEY_PULL_UP is True: a key that leads to 3V3 is pulled down, with KEY_PULL_UP = False"
    if board.KEY_LAYOUT == "encoder" and getattr(board, "ENCODER_EDGES", None) not in (2, 4):
        yield "ENCODER_EDGES must be 4, or 2 where the encoder makes a click with every other edge"
    if board.BATTERY is not None and board.BATTERY not in pinout.ADC:
        yield f"BATTERY: GP{board.BATTERY} cannot measure, only GP 26 to 29"
