"""The parts of a kit and each of its wires, from the board file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tools.kits import pinout
from tools.kits.check import KEYS


@dataclass(frozen=True)
class Wire:
    """From a pin of the Pico (1 to 40) to a terminal of a part; `signal` is what it carries."""

    pin: int
    terminal: str
    signal: str

    @property
    def pin_text(self) -> str:
        """What is printed at the pin: GP4, GND, 3V3."""
        return pin_text(self.pin)


@dataclass(frozen=True)
class Part:
    """A part with its wires, in the order of its terminals."""

    title: str
    note: str
    wires: tuple[Wire, ...]


def pin_text(pin: int) -> str:
    """What is printed at a pin: GP4, GND, 3V3."""
    what = pinout.PINS[pin - 1]
    return f"GP{what}" if isinstance(what, int) else what


def parts(board: Any) -> list[Part]:
    """The parts of a board that has no faults (check.py)."""
    grounds = [pin for pin in range(1, 41) if pinout.PINS[pin - 1] == pinout.GND]
    found = [_panel(board, grounds), *_keys(board, grounds)]
    if board.BUZZER is not None:
        pin = pinout.pin_of(board.BUZZER)
        wires = (Wire(_ground(grounds, pin), "-", "ground"), Wire(pin, "+", "sound"))
        found.append(Part("Piezo buzzer", "passive; either way round", wires))
    if board.BATTERY is not None and board.BATTERY != pinout.VSYS_SENSE:
        pin = pinout.pin_of(board.BATTERY)
        wires = (Wire(pin, "middle", "battery"), Wire(_ground(grounds, pin), "ground", "ground"))
        found.append(Part("Battery divider", f"1 part in {board.BATTERY_DIVIDER}", wires))
    return found


def _ground(grounds: list[int], near: int) -> int:
    """The ground pin that is nearest to a pin, of those that are free; it is free no longer."""
    same_edge = [pin for pin in grounds if (pin <= pinout.LEFT) == (near <= pinout.LEFT)]
    pin = min(same_edge or grounds, key=lambda ground: abs(ground - near))
    grounds.remove(pin)
    return pin


def _panel(board: Any, grounds: list[int]) -> Part:
    power = pinout.PINS.index(pinout.POWER) + 1
    if board.BUS == "i2c":
        lines = [("SCL", board.I2C_SCL, "clock"), ("SDA", board.I2C_SDA, "data")]
        note = f"I2C address 0x{board.I2C_ADDRESS:02X}; mind the order of its pins"
    else:
        lines = [("CLK", board.SPI_SCK, "clock"), ("DIN", board.SPI_MOSI, "data")]
        note = "SPI; CLK may be called D0, DIN D1"
    if board.RESET is not None:
        lines.append(("RES", board.RESET, "reset"))
    if board.BUS == "spi":
        lines += [("DC", board.SPI_DC, "data or command"), ("CS", board.SPI_CS, "select")]
    signals = [Wire(pinout.pin_of(gpio), terminal, signal) for terminal, gpio, signal in lines]
    ground = Wire(_ground(grounds, signals[0].pin), "GND", "ground")
    name = "any controller" if board.DISPLAY == "find out" else board.DISPLAY.upper()
    return Part(f"OLED {name}", note, (ground, Wire(power, "VCC", "3.3 volts"), *signals))


def _keys(board: Any, grounds: list[int]) -> list[Part]:
    """The keys as one part; an encoder is a part of its own. Of the four legs of a key only two that stand diagonally are
    never joined before it is pressed, however it is turned."""
    if board.KEY_LAYOUT == "encoder":
        names = dict(zip(KEYS, ("", "", "CLK", "DT", "SW", "")))
        title, note = "Rotary encoder", "a bare one has no +; a module's must not stay free"
    else:
        names = {key: key for key in KEYS}
        title, note = "Keys", "one leg of each key; those diagonal to them together"
        if board.KEY_PRESSED and board.PICO.startswith("pico2"):
            # RP2350 data sheet, erratum E9: its own resistor does not bring a pin down again.
            note += "; 8.2 kilohms from each pin to ground"
        elif not board.KEY_PRESSED and not board.KEY_PULL_UP:
            note += "; 10 kilohms from each pin to 3V3"
    wires = [
        Wire(pinout.pin_of(gpio), names[key], f"key {key}")
        for key, gpio in zip(KEYS, board.KEY_PINS)
        if gpio is not None
    ]
    power = pinout.PINS.index(pinout.POWER) + 1
    if board.KEY_PRESSED:
        wires.append(Wire(power, "all", "3.3 volts"))
    else:
        last = max(wire.pin for wire in wires)
        wires.append(Wire(_ground(grounds, last), "GND", "ground"))
        if board.KEY_LAYOUT == "encoder":
            # A module has 10 kilohms from + to CLK and to DT. With + free these would lead from one to the other.
            wires.append(Wire(power, "+", "3.3 volts"))
    # In the order of the pins, so that no wire crosses another.
    return [
        Part(title, note, tuple(sorted(wires, key=lambda wire: wire.pin if wire.pin <= pinout.LEFT else -wire.pin)))
    ]
