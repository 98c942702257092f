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
    return _file(width * scale, height * scale, 1, _GREY, b"", bytes(rows))


def glass(picture: bytes, width: int, height: int, scale: int = 4, edge: int = 12) -> bytes:
    """A PNG that looks like the panel: the pixels of `picture` (as above) stand apart on dark glass with an `edge`."""
    across = width * scale + 2 * edge
    blank = _two_bits([0] * across)
    rows = bytearray((b"\0" + blank) * edge)
    for y in range(height):
        page = y // 8 * width
        line = [0] * edge
        gap = [0] * edge
        for x in range(width):
            lit = picture[page + x] >> y % 8 & 1
            line += [1 + lit] * (scale - 1) + [3 * lit]
            gap += [3 * lit] * scale
        rows += (b"\0" + _two_bits(line + [0] * edge)) * (scale - 1) + b"\0" + _two_bits(gap + [0] * edge)
    rows += (b"\0" + blank) * edge
    return _file(across, height * scale + 2 * edge, 2, _INDEXED, _GLASS, bytes(rows))


# Glass, a dark pixel, a lit one, the glow beside a lit one.
_GLASS = b"\x0a\x0d\x12\x0f\x14\x1b\xdc\xf2\xff\x8c\xa4\xb6"
_GREY, _INDEXED = 0, 3
"""Kinds of colour in the IHDR chunk (PNG specification, section 11.2.2)."""


def _two_bits(values: list[int]) -> bytes:
    """Four values 0..3 in a byte, the first on top."""
    values = values + [0] * (-len(values) % 4)
    return bytes(
        values[i] << 6 | values[i + 1] << 4 | values[i + 2] << 2 | values[i + 3] for i in range(0, len(values), 4)
    )


def _file(width: int, height: int, depth: int, kind: int, palette: bytes, rows: bytes) -> bytes:
    """A PNG file; `rows`: each a 0 (no filter) and the bytes of its pixels."""
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
        + (_chunk(b"PLTE", palette) if palette else b"")
        + _chunk(b"IDAT", zlib.compress(rows, 9))
        + _chunk(b"IEND", b"")
    )
