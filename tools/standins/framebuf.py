"""`framebuf.FrameBuffer` of MicroPython for CPython: MONO_VLSB and the drawing calls that the firmware uses.

Equal to MicroPython's own (extmod/modframebuf.c) pixel for pixel, clipping included;
tests/tools/test_framebuf.py proves it against the real one and fails when the firmware draws with a call
that is not here.
"""

from __future__ import annotations

MONO_VLSB = 0
"""One bit a pixel; a byte holds eight rows of one column, the upper in the lowest bit; then the next eight
rows."""


class FrameBuffer:
    """A picture of `width` x `height` pixels over `buffer`, which is written to and not copied."""

    def __init__(self, buffer: bytearray | memoryview, width: int, height: int, format: int) -> None:
        if format != MONO_VLSB:
            raise ValueError("only MONO_VLSB is known here")
        if width < 1 or height < 1 or len(buffer) < (height + 7) // 8 * width:
            raise ValueError("the buffer is too small for this size")
        self._buffer = buffer
        self._width = width
        self._height = height

    def fill(self, colour: int) -> None:
        self.fill_rect(0, 0, self._width, self._height, colour)

    def pixel(self, x: int, y: int, colour: int | None = None) -> int | None:
        """Sets one pixel, or returns it when no colour is given; outside nothing happens (None)."""
        if not (0 <= x < self._width and 0 <= y < self._height):
            return None
        at = (y >> 3) * self._width + x
        if colour is None:
            return self._buffer[at] >> (y & 7) & 1
        bit = 1 << (y & 7)
        self._buffer[at] = self._buffer[at] & ~bit | (bit if colour else 0)
        return None

    def hline(self, x: int, y: int, width: int, colour: int) -> None:
        self.fill_rect(x, y, width, 1, colour)

    def vline(self, x: int, y: int, height: int, colour: int) -> None:
        self.fill_rect(x, y, 1, height, colour)

    def fill_rect(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        # Most of what the firmware draws on a host goes through here, so it is written for speed.
        buffer, stride = self._buffer, self._width
        right = x + width if x + width < stride else stride
        bottom = y + height if y + height < self._height else self._height
        x = x if x > 0 else 0
        y = y if y > 0 else 0
        while y < bottom:
            end = (y | 7) + 1
            mask = 0xFF << (y & 7) & 0xFF
            if end > bottom:
                mask &= 0xFF >> end - bottom
            row = (y >> 3) * stride
            if colour:
                for at in range(row + x, row + right):
                    buffer[at] |= mask
            else:
                keep = 0xFF ^ mask
                for at in range(row + x, row + right):
                    buffer[at] &= keep
            y = end
