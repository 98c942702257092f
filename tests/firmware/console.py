"""The screens of the console itself, beside the games, the same on every platform; portable."""

from tests.firmware.hand import Hand


def console():
    """Yields (name, frame) of each screen worth keeping."""
    hand = Hand(seed=11)
    shown = hand.device.display.shown
    hand.app.open("settings")
    hand.press("D.")
    yield "settings", shown
    hand.press("AA" + "DDDDD" + "A.")
    yield "settings-below", shown
    hand.press("DA" + "RRUAA.")
    hand.device.keys.press(4)
    hand.wait(0)
    yield "keytest", shown
    hand.device.keys.release(4)
    hand.wait(0)

    hand.app.home("help")
    hand.press(".")
    yield "help", shown
    for game in ("goats", "goblins", "kings", "horses"):
        hand.app.home("help", game)
        hand.press(".")
        for page in range(len(hand.app.top()._pages)):
            yield "help-{}-{}".format(game, page + 1), shown
            hand.press("R")

    counted = hand.app.statistics
    # As firmware/statistics.py lays them out: the games from byte 1 on, the dice from 97 on.
    for at in range(1, 97, 2):
        counted._write(at, 2, 3 * at % 97)
    for at in range(97, 160, 3):
        counted._write(at, 3, 900 + at * at % 211)
    hand.app.home("statistics")
    hand.press(".")
    yield "statistics", shown
    pages = hand.app.top()
    hand.press("R" * len(pages._games))
    for number in range(len(pages._dice)):
        yield "statistics-dice-{}".format(number), shown
        hand.press("R")
    hand.press("AR.")
    yield "statistics-reset", shown
