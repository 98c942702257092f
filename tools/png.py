"""PNG files of one-bit pictures, as the panel shows them."""

from __future__ import annotations

import struct
import zlib


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encode(picture: bytes, width: int, height: int, scale: int = 4) -> bytes:
    """A PNG of `picture` (width * height / 8 bytes, MONO_VLSB), each pixel a square of `scale`; lit is white."""
    rows = bytearray()
    for y in range(height):
        page = y // 8 * width
        lit = [picture[page + x] >> y % 8 & 1 for x in range(width)]
        bits = [bit for bit in lit for _ in range(scale)]
        bits += [0] * (-len(bits) % 8)
        row = bytes(int("".join(map(str, bits[i : i + 8])), 2) for i in range(0, len(bits), 8))
        rows += (b"\0" + row) * scale
    head = struct.pack(">IIBBBBB", width * scale, height * scale, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", head)
        + _chunk(b"IDAT", zlib.compress(bytes(rows), 9))
        + _chunk(b"IEND", b"")
    )
