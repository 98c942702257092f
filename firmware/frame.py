"""The test picture of a panel: a frame at the very edge, with a band of the finest pattern, and a question. What is cut
off, shifted or doubled shows."""

from firmware import ui
from firmware.texts import t


def draw(screen, question, more=""):
    """The picture with a question that A and B answer, and a line that may be empty."""
    frame = screen.frame
    width = screen.width
    frame.fill_rect(0, 0, width, 64, 1)
    frame.fill_rect(1, 1, width - 2, 62, 0)
    for y in range(5, 17):
        for x in range(5 + (y & 1), width - 5, 2):
            frame.pixel(x, y, 1)
    screen.text(question, 6, 20)
    screen.text(more, 6, 32)
    screen.text("Ⓐ " + t("confirm.yes") + "  " + ui.b(t("confirm.no")), 6, 46)
