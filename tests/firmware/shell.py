"""The screens around a game: set-up, hints, taking back, the pass screen, replays; the same on every platform; portable."""

from tests.firmware.hand import Hand

PERSON, EASY, HARD = 1, 2, 4


def shell(language="en"):
    """Yields (name, frame) of each screen worth keeping."""
    hand = Hand(seed=11, language=language)
    shown = hand.device.display.shown

    # Set-up: levels, who begins, the word.
    hand.press("AA.")
    hand.press("DRAARAAAARAAAAA.")
    yield "setup-levels", shown
    hand.press("DA.")
    yield "setup-first", shown
    hand.press("AAA.")
    yield "setup-lot", shown
    hand.press("DA" + "RRADAL.")
    yield "word", shown
    hand.press("AURA.")
    yield "setup-word", shown
    hand.press("UU" + "RAARAARA" + "U")
    hand.wait(300)
    yield "setup-few", shown

    # Two persons with secrets.
    hand.start([PERSON, PERSON, EASY], 0, "kings")
    hand.until("pass")
    hand.wait(0)
    yield "pass", shown
    hand.press("A")
    hand.until("choice")
    hand.press("AA")
    hand.until("choice")
    hand.press("A")
    hand.until("pass")
    hand.wait(0)
    yield "pass-next", shown

    # A hint, a move taken back for nothing and for practice.
    hand.start([PERSON, EASY])
    hand.keep_to_last_moves()
    hand.until("roll")
    hand.press("A")
    hand.until("choice")
    hand.menu("menu.hint")
    hand.until("told")
    hand.wait(0)
    yield "hint", shown
    hand.press("AA")
    hand.until("look")
    hand.menu("menu.undo")
    hand.wait(0)
    yield "undo", shown
    hand.press("A.")
    yield "practice", shown
    hand.wait(2000)
    hand.press("B.")
    yield "pause-practice", shown
    hand.press("B.")

    # The end, and what comes after.
    hand.play_on(10**6)
    hand.wait(600)
    yield "result-practice", shown
    hand.press("A.")
    yield "after", shown
    hand.press("DA.")
    yield "replay", shown
    hand.press("R")
    hand.wait(200)
    yield "replay-look", shown
    hand.wait(1500)
    yield "replay-next", shown
    hand.press("R" * 9)
    hand.wait(1500)
    hand.press("L.")
    yield "replay-back", shown
    hand.app.home()
    hand.start([EASY, EASY, HARD])
    hand.keep_to_last_moves()
    hand.play_on(10**6)
    # The panel went to sleep meanwhile.
    hand.press("R")
    hand.app.home("kept")
    hand.press(".")
    yield "kept", shown
    hand.app.home()
    hand.device.store.remove("records")
    hand.app.open("kept")
    hand.press(".")
    yield "kept-none", shown
