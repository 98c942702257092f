"""Widgets that the scenes share: heading, hints, list, marks of the seats."""

from firmware.art import shell
from firmware.saves import PERSON
from firmware.screen import text_width
from hal.device import DOWN, LEFT, RIGHT, UP, B
from hal.keys import LAYOUTS

MARKS_5 = (shell.MARK5_0, shell.MARK5_1, shell.MARK5_2, shell.MARK5_3, shell.MARK5_4)
MARKS_3 = (shell.MARK3_0, shell.MARK3_1, shell.MARK3_2, shell.MARK3_3, shell.MARK3_4)

# Rows: a heading takes 0-13, a line of text 11, the foot is the last 11.
LINE = 11
FOOT = 53


# How hints call B; where there is none, A is held.
_b = "Ⓑ "


def know(layout):
    """Which keys there are: a name of hal/keys.py."""
    global _b
    _b = "Ⓑ " if LAYOUTS[layout] & B else "Ⓐ… "


def b(text):
    """A hint at what B does, or its stand-in."""
    return _b + text


def step(k):
    """By how many places a key takes the cursor on: RIGHT, all that some have besides A, and DOWN go on, LEFT and UP
    back, others 0."""
    if k in (RIGHT, DOWN):
        return 1
    return -1 if k in (LEFT, UP) else 0


def heading(screen, text):
    """The name of a scene, on top."""
    # Here, as a game has no room for its font (modules.forget_art).
    from firmware.art import title

    screen.text(text, 0, 0, 1, title)


def foot(screen, text):
    """One line at the bottom."""
    screen.text(text, 0, FOOT)


def bar(screen, text):
    """One line across the top, dark on lit."""
    screen.frame.fill_rect(0, 0, screen.width, 12, 1)
    screen.centred(text, 0, 0)


def practice(screen, y):
    """A line of dashes: what is seen is practice."""
    for x in range(1, screen.width, 6):
        screen.frame.hline(x, y, 3, 1)


def large_mark(screen, seat, x, y):
    """The mark of a seat, 25 x 25."""
    art = MARKS_5[seat]
    for column in range(5):
        for row in range(5):
            if art[2 + column] >> row & 1:
                screen.frame.fill_rect(x + 5 * column, y + 5 * row, 5, 5, 1)


def player(screen, kind, x, y):
    """Who plays, a kind of firmware/saves.py: a person, or a computer with a pip for each level. 16 x 11."""
    if kind == PERSON:
        screen.picture(shell.PERSON, x, y)
    else:
        screen.picture(shell.COMPUTER, x, y)
        _pips(screen, kind - PERSON, x + 10, y + 11, 3, 2)


def small_player(screen, kind, x, y):
    """The same in 10 x 7."""
    if kind == PERSON:
        screen.picture(shell.PERSON_SMALL, x, y)
    else:
        screen.picture(shell.COMPUTER_SMALL, x, y)
        _pips(screen, kind - PERSON, x + 8, y + 7, 2, 1)


def _pips(screen, count, x, end, width, height):
    """A column of pips from the row above `end` upward."""
    for i in range(count):
        screen.frame.fill_rect(x, end - height - i * (height + 1), width, height, 1)


def hints(screen, left, right):
    """What two keys do, at the bottom: texts such as 'Ⓐ Roll', either may be empty."""
    screen.text(left, 0, FOOT)
    screen.text(right, screen.width - text_width(right), FOOT)


def wrap(text, width):
    """Break a text at blanks into lines of at most `width` pixels; a newline in the text ends a line."""
    lines = []
    for part in text.split("\n"):
        line = ""
        for word in part.split(" "):
            longer = line + " " + word if line else word
            if line and text_width(longer) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


def turned(top, at, rows, count):
    """Which line is the first that is seen: `top`, where `at` is seen as well; else a page is turned over, not line after
    line, so that most of the time the cursor alone moves."""
    return top if top <= at < top + rows else min(at - at % rows, count - rows)


class List:
    """A list of lines to choose from: `at` is the chosen one, `top` the first that is seen.

    x, y: upper left corner; right: first column that is not its own; rows: lines that are seen at once.
    """

    def __init__(self, labels, x, y, right, rows):
        self.labels = labels
        self.at = 0
        self.top = 0
        self._x = x
        self._y = y
        self._right = right
        self._rows = rows

    def move(self, by):
        """Go on by `by` lines, round the ends."""
        self.at = (self.at + by) % len(self.labels)
        self.top = turned(self.top, self.at, self._rows, len(self.labels))

    def draw(self, screen):
        y = self._y
        last = min(self.top + self._rows, len(self.labels))
        for i in range(self.top, last):
            if i == self.at:
                screen.picture(shell.POINTER, self._x, y + 2)
            screen.text(self.labels[i], self._x + 8, y)
            y += LINE
        more(screen, self._right - 5, self._y, y, self.top > 0, last < len(self.labels))


def more(screen, x, top, bottom, above, below):
    """Small arrows where a list goes on above its first or below its last line."""
    if above:
        screen.picture(shell.MORE_UP, x, top + 3)
    if below:
        screen.picture(shell.MORE_DOWN, x, bottom - 5)
