"""Which boards are on USB: serial ports by their maker, and Picos that wait for a UF2 in BOOTSEL mode."""

from __future__ import annotations

import string
import sys
from dataclasses import dataclass
from pathlib import Path

# USB vendor ids of boards that run MicroPython's rp2 port: Raspberry Pi's own, under which most makers of RP2040
# boards number theirs too, and MicroPython's.
_VENDORS = (0x2E8A, 0xF055)
_BOOTSEL_MARK = "INFO_UF2.TXT"


@dataclass(frozen=True)
class Port:
    """A serial port that a board may be behind: name to open, USB serial number ("" where unknown)."""

    name: str
    serial_number: str = ""


def find() -> list[Port]:
    """The ports of boards, one a board, in a fixed order. Windows may show two for one: the first is the REPL's."""
    from serial.tools import list_ports

    found = {}
    for port in sorted(list_ports.comports(), key=lambda p: (len(p.device), p.device)):
        if port.vid in _VENDORS:
            number = port.serial_number or ""
            found.setdefault(number or port.device, Port(port.device, number))
    return list(found.values())


def _drives() -> list[Path]:
    """Where drives are mounted."""
    if sys.platform == "win32":
        return [Path(f"{letter}:/") for letter in string.ascii_uppercase[3:]]
    if sys.platform == "darwin":
        return sorted(Path("/Volumes").glob("*"))
    try:
        lines = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    # A space in a name is written \\040 there.
    return [
        Path(line.split()[1].replace("\\040", " ")) for line in lines if line.split()[2] in ("vfat", "msdos")
    ]


def bootsel_drives(drives: list[Path] | None = None) -> list[tuple[Path, str]]:
    """(drive, MicroPython's name of the board it takes) of each Pico in BOOTSEL mode that shows as a drive.

    The boot loader keeps a text file there whose line `Board-ID: RPI-RP2` or `RP2350` says the chip (RP2040 data sheet,
    section 2.8.4.1).
    """
    found = []
    for drive in _drives() if drives is None else drives:
        try:
            text = (drive / _BOOTSEL_MARK).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        found.append((drive, "RPI_PICO2" if "RP2350" in text else "RPI_PICO"))
    return found


def none_found() -> str:
    """What to say and do where no board was found."""
    for drive, board in bootsel_drives():
        return (
            f"a Pico in BOOTSEL mode is at {drive}: drag MicroPython's UF2 for {board} onto that drive "
            "(where to get it: docs/flashing.md), then run this again"
        )
    return (
        "no board found: plug one in, with a cable that carries data (many only charge); a new Pico needs MicroPython "
        "first: hold BOOTSEL while plugging it in (docs/flashing.md)"
    )
