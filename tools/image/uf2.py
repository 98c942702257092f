"""UF2: flash contents as a file to be dragged onto the drive of a microcontroller's boot loader.

Source: the UF2 specification (Microsoft, "USB Flashing Format (UF2)"): blocks of 512 bytes, each with eight words,
476 bytes of which the first 256 are used here, and a final word.
"""

from __future__ import annotations

import struct

RP2040_FAMILY = 0xE48BFF56
_MAGIC_START = (0x0A324655, 0x9E5D5157)
_MAGIC_END = 0x0AB16F30
_FAMILY_PRESENT = 0x2000
_NOT_MAIN_FLASH = 0x0001
_BLOCK = struct.Struct("<8I476sI")
PAYLOAD_BYTES = 256


def encode(data: bytes, address: int, family: int = RP2040_FAMILY) -> bytes:
    """The UF2 that writes `data` (a multiple of 256 bytes) at `address`."""
    if len(data) % PAYLOAD_BYTES:
        raise ValueError("a multiple of 256 bytes is needed")
    count = len(data) // PAYLOAD_BYTES
    blocks = []
    for i in range(count):
        at = i * PAYLOAD_BYTES
        payload = data[at : at + PAYLOAD_BYTES]
        blocks.append(
            _BLOCK.pack(
                *_MAGIC_START,
                _FAMILY_PRESENT,
                address + at,
                PAYLOAD_BYTES,
                i,
                count,
                family,
                payload,
                _MAGIC_END,
            )
        )
    return b"".join(blocks)


def decode(uf2: bytes) -> tuple[int, int, bytes]:
    """(lowest address, family, contents from there on, gaps as 0xFF). ValueError for a file that is not one UF2."""
    if not uf2 or len(uf2) % _BLOCK.size:
        raise ValueError("not a UF2: its length is not a multiple of 512")
    pieces = {}
    families = set()
    for at in range(0, len(uf2), _BLOCK.size):
        first, second, flags, address, size, _, _, family, data, end = _BLOCK.unpack_from(uf2, at)
        if (first, second) != _MAGIC_START or end != _MAGIC_END or size > 476:
            raise ValueError(f"not a UF2: block {at // _BLOCK.size} is damaged")
        if flags & _NOT_MAIN_FLASH:
            continue
        families.add(family if flags & _FAMILY_PRESENT else 0)
        pieces[address] = data[:size]
    if len(families) != 1:
        raise ValueError("not a UF2 for one kind of chip")
    low = min(pieces)
    contents = bytearray(b"\xff" * (max(a + len(p) for a, p in pieces.items()) - low))
    for address, piece in pieces.items():
        contents[address - low : address - low + len(piece)] = piece
    return low, families.pop(), bytes(contents)
