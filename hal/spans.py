"""Which bytes of a frame changed, as spans that a panel is sent, and what they cost on the bus.

A frame is in pages of 8 rows, a byte for each column of a page (MONO_VLSB of framebuf, and the memory of the SSD1306
family). A span is a run of columns of one page. All costs are bytes on an I2C bus, address bytes included.
"""

import micropython
from micropython import const

# What a span costs besides its data: address, 0x00, page, column low, column high; address, 0x40 (hal/ssd1306.py).
SPAN_BYTES = const(7)
# Lengths are rounded up to this. A write without garbage needs a memoryview of each length made beforehand, and 32
# of them (16 bytes each on the Pico) are enough: 1.5 bytes too many per span, 1.5 KB of memory less.
STEP = const(4)
# The whole frame at once: ten bytes for a window, two address and control bytes, four to go back to pages.
FRAME_BYTES = const(16)

_SPAN_BYTES = const(7)
_FRAME_BYTES = const(16)


def room(width, height):
    """A buffer for the spans of a panel of width * height pixels, for `changed`: at most 255 columns, the height a
    multiple of 8, the width of STEP."""
    # `changed` lists spans only while they cost less than the frame, and each costs at least STEP + SPAN_BYTES.
    most = (width * height // 8 + FRAME_BYTES) // (STEP + SPAN_BYTES)
    spans = bytearray(2 + 3 * most + 1)
    spans[0] = width
    spans[1] = height // 8
    return spans


@micropython.viper
def changed(now: ptr8, shown: ptr8, spans: ptr8) -> int:
    """Compare two frames, make `shown` equal to `now`, write the spans that differ from spans[2] on: page, first
    column, columns, a page of 255 after the last. Returns the bytes that sending them takes; where the whole frame
    takes no more, that figure, and the list is empty. 0: nothing changed.

    Two runs with a gap that costs no more than a new span become one."""
    width = spans[0]
    whole = width * spans[1] + _FRAME_BYTES
    cost = 0
    out = 2
    page = 0
    at = 0
    while page < spans[1]:
        end = at + width
        first = -1
        last = 0
        i = at
        while True:
            if i < end and now[i] == shown[i]:
                i += 1
                continue
            # A change at i, or the end of the page: what came before is a span if it is far enough away.
            if first >= 0 and (i == end or i - last > _SPAN_BYTES + 1):
                n = (last - first + 4) & ~3
                if first + n > end:
                    first = end - n
                cost += n + _SPAN_BYTES
                if cost < whole:
                    spans[out] = page
                    spans[out + 1] = first - at
                    spans[out + 2] = n
                    out += 3
                first = -1
            if i == end:
                break
            if first < 0:
                first = i
            last = i
            shown[i] = now[i]
            i += 1
        at = end
        page += 1
    if cost >= whole:
        cost = whole
        out = 2
    spans[out] = 255
    return cost
