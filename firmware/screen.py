"""The screen that scenes draw on: text and pictures at any place, over a display's frame buffer."""

import micropython
from micropython import const

from firmware.art import body

# Inks: what the lit pixels of a picture or letter do to the screen.
DARK = const(0)
LIT = const(1)
FLIP = const(2)

_SPACING = const(1)


@micropython.viper
def stamp(buffer, art, at: int, width: int, pages: int, x: int, y: int, ink: int):
    """Draw a picture into a 128x64 MONO_VLSB buffer: `pages` rows of `width` bytes of `art` from `at` on,
    the upper left pixel at (x, y). Clips on all sides. Viper because framebuf.blit() only takes pictures
    that lie in RAM."""
    b = ptr8(buffer)
    a = ptr8(art)
    shift = y & 7
    page = y >> 3
    while pages > 0:
        i = 0
        while i < width:
            column = x + i
            bits = a[at + i] << shift
            i += 1
            if bits == 0 or column < 0 or column > 127:
                continue
            p = page * 128 + column
            half = 0
            while half < 2:
                if 0 <= p < 1024:
                    if ink == 1:
                        b[p] = b[p] | (bits & 255)
                    elif ink == 0:
                        b[p] = b[p] & (255 - (bits & 255))
                    else:
                        b[p] = b[p] ^ (bits & 255)
                bits >>= 8
                p += 128
                half += 1
        at += width
        page += 1
        pages -= 1


def _glyph(font, letter):
    """Number of a letter's glyph in `font`; the last one stands for letters that it lacks."""
    code = ord(letter)
    if 32 <= code < 127:
        return code - 32
    at = font.EXTRA.find(letter)
    return 95 + (at if at >= 0 else len(font.EXTRA))


def text_width(text, font=body):
    """Pixels from the first to the last column of a line of text."""
    starts = font.STARTS
    width = 0
    for letter in text:
        i = 2 * _glyph(font, letter)
        width += (starts[i + 2] | starts[i + 3] << 8) - (starts[i] | starts[i + 1] << 8) + _SPACING
    return max(width - _SPACING, 0)


class Screen:
    """A display's buffer with the drawing calls of framebuf (`frame`) and with text and pictures."""

    def __init__(self, display):
        self.buffer = display.buffer
        self.frame = display.frame
        self.width = display.width
        self.height = display.height

    def clear(self):
        self.frame.fill(0)

    def text(self, text, x, y, ink=LIT, font=body):
        """Draw one line; (x, y) is the upper left corner of its cell. Returns the x after it."""
        starts = font.STARTS
        pages = font.PAGES
        columns = font.COLUMNS
        buffer = self.buffer
        for letter in text:
            i = 2 * _glyph(font, letter)
            first = starts[i] | starts[i + 1] << 8
            width = (starts[i + 2] | starts[i + 3] << 8) - first
            stamp(buffer, columns, first * pages, width, pages, x, y, ink)
            x += width + _SPACING
        return x

    def centred(self, text, y, ink=LIT, font=body, left=0, right=128):
        """Draw one line in the middle of the columns left..right."""
        self.text(text, (left + right - text_width(text, font) + 1) // 2, y, ink, font)

    def number(self, value, x, y, ink=LIT):
        """Draw a number -999..999 of 5x7 digits, its first digit at (x, y), without making a string of it.
        Returns the x after it."""
        if value < 0:
            self.frame.hline(x, y + 3, 3, ink)
            x += 4
            value = -value
        hundreds = value // 100
        if hundreds:
            x = self._digit(hundreds, x, y, ink)
        if value >= 10:
            x = self._digit(value // 10 % 10, x, y, ink)
        return self._digit(value % 10, x, y, ink)

    def _digit(self, digit, x, y, ink):
        i = 2 * (16 + digit)
        first = body.STARTS[i] | body.STARTS[i + 1] << 8
        stamp(self.buffer, body.COLUMNS, first * 2, 5, 2, x, y - 2, ink)
        return x + 6

    def picture(self, art, x, y, ink=LIT):
        """Draw a picture of firmware/art (width, height, columns); only its lit pixels count."""
        stamp(self.buffer, art, 2, art[0], (art[1] + 7) >> 3, x, y, ink)

    def shade(self, x, y, width, height):
        """Darken every second pixel: grey for what is empty or cannot be chosen."""
        for row in range(y, y + height):
            for column in range(x + (row + x & 1), x + width, 2):
                self.frame.pixel(column, row, 0)


def number_width(value):
    """Pixels of Screen.number()."""
    if value < 0:
        return 4 + number_width(-value)
    return 17 if value >= 100 else 11 if value >= 10 else 5


@micropython.viper
def slide(frame: ptr8, by: int):
    """Move the picture of 128x64 pixels `by` columns to the left; dark columns come in."""
    at = 0
    while at < 1024:
        x = at & 127
        if x + by < 128:
            frame[at] = frame[at + by]
        else:
            frame[at] = 0
        at += 1
