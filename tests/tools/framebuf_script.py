"""Random drawing calls, equal on CPython and MicroPython: `framebuf_script.py SEED PICTURES`, a line a picture."""

import binascii
import sys

import framebuf

CALLS = 40


def numbers(seed):
    """A generator of small ints that gives the same everywhere."""
    x = seed
    while True:
        x = (x * 1103 + 12345) % 1000003
        yield x


def coordinate(draw, size):
    """Mostly near the picture, sometimes far outside it."""
    x = next(draw)
    if x % 11 == 0:
        return next(draw) % 2001 - 1000
    return next(draw) % (size + 24) - 12


def draw_picture(draw):
    """Fills a buffer by random calls and returns it with a digest of what pixel() read."""
    width = 1 + next(draw) % 40
    height = 1 + next(draw) % 40
    buffer = bytearray((height + 7) // 8 * width)
    frame = framebuf.FrameBuffer(buffer, width, height, framebuf.MONO_VLSB)
    reads = 0
    for _ in range(CALLS):
        kind = next(draw) % 6
        colour = next(draw) % 2
        x = coordinate(draw, width)
        y = coordinate(draw, height)
        a = coordinate(draw, width)
        b = coordinate(draw, height)
        if kind == 0:
            if next(draw) % 8 == 0:
                frame.fill(colour)
        elif kind == 1:
            frame.pixel(x, y, colour)
        elif kind == 2:
            reads = (reads * 3 + (frame.pixel(x, y) or 0)) % 65536
        elif kind == 3:
            frame.hline(x, y, a, colour)
        elif kind == 4:
            frame.vline(x, y, a, colour)
        else:
            frame.fill_rect(x, y, a, b, colour)
    return buffer, reads


def main(seed, pictures):
    draw = numbers(seed)
    for _ in range(pictures):
        buffer, reads = draw_picture(draw)
        print(len(buffer), reads, binascii.hexlify(buffer).decode())


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
