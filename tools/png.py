"""A 1-bit picture as a PNG file (W3C, Portable Network Graphics Specification), enlarged by a whole factor."""

from __future__ import annotations

import struct
import zlib


def png(picture: bytes | bytearray | memoryview, width: int, height: int, scale: int = 4) -> bytes:
    """The file of a picture of width * height pixels in MONO_VLSB, each pixel scale * scale large, lit ones white."""
    rows = []
    for y in range(height):
        lit = [picture[y // 8 * width + x] >> (y & 7) & 1 for x in range(width)]
        bits = "".join(str(pixel) * scale for pixel in lit)
        bits += "0" * (-len(bits) % 8)
        # Each row begins with its filter: none.
        rows.append((b"\x00" + int(bits, 2).to_bytes(len(bits) // 8, "big")) * scale)
    # Depth 1, greyscale, and the only compression, filtering and interlacing that are needed.
    header = struct.pack(">IIBBBBB", width * scale, height * scale, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(b"".join(rows), 9))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
