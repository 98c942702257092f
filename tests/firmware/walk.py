"""A walk through all screens by keys alone, the same on every platform; portable."""

from tests.firmware.hand import Hand


def walk():
    """Yields (name, frame) for each screen worth keeping, then ('', digest of all frames that were shown)."""
    hand = Hand(seed=11)
    shown = hand.device.display.shown

    yield "title", shown
    hand.press("UA")
    yield "about", shown
    hand.press("DDBA.")
    yield "games", shown
    hand.press("A.")
    yield "setup", shown
    # Three seats with the Big Mountain: a third seat for the computer, the option on.
    hand.press("UA.")
    yield "setup-option", shown
    hand.press("DDRRAA.")
    yield "setup-seats", shown
    hand.press("UA")
    hand.keep_to_last_moves()
    hand.until("roll")
    yield "goats-roll", shown
    hand.press("A....")
    yield "goats-rolling", shown
    hand.until("choice")
    hand.wait(0)
    yield "goats-choice", shown
    hand.press("LA.")
    yield "goats-choice-big", shown
    hand.press("LLLU.")
    yield "goats-choice-other", shown
    while not hand.app.top().view.at_go():
        hand.press("R")
    hand.press("D.")
    yield "goats-sheet", shown
    hand.press("A.")
    hand.press("A..")
    yield "goats-moving", shown
    hand.until("thinking")
    hand.wait(0)
    yield "goats-thinking", shown
    hand.until("look")
    hand.wait(0)
    yield "goats-look", shown
    hand.until("roll")
    hand.press("U")
    hand.until("look")
    hand.until("roll")
    hand.press("B.")
    yield "pause", shown
    hand.press("D" * hand.app.top()._keys.index("menu.leave") + "A.")
    yield "title-resume", shown
    hand.press("A")
    hand.keep_to_last_moves()
    hand.until("roll")

    # The rest of the game by keys that change from turn to turn.
    turn = 0
    while hand.scene() == "game":
        waits_for = hand.waits_for()
        if waits_for == "roll":
            hand.press("A")
            if turn % 3 == 0:
                hand.press("..B")
                hand.press("B")
        elif waits_for == "choice":
            turn += 1
            hand.press(("", "LU", "LLA", "RA", "LLLUD")[turn % 5])
            while hand.scene() == "game" and not hand.app.top().view.at_go():
                hand.press("R")
            if turn == 9:
                hand.wait(0)
                yield "goats-middle", shown
            hand.press("A")
            if turn % 4 == 0:
                hand.press("..A")
        else:
            hand.wait(0)
    hand.wait(600)
    yield "result", shown
    hand.press("A.")
    yield "title-again", shown
    yield "", (hand.digest, hand.frames)


def seats(count, options):
    """(name, frame) of a game in the middle with `count` seats, at the choice of a person."""
    hand = Hand(seed=11)
    hand.start([1] + [2] * (count - 1), options)
    hand.keep_to_last_moves()
    hand.play_on(count * 16)
    hand.until("roll")
    hand.press("A")
    hand.until("choice")
    hand.wait(0)
    return "goats-{}{}".format(count, "-big" if options else ""), hand.device.display.shown
