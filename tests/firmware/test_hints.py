"""What hints call the keys: only keys that the board has."""

from __future__ import annotations

import pytest

from firmware import saves, screen
from hal import device
from hal.keys import LAYOUTS
from tests.firmware.hand import Hand

PERSON, EASY = saves.PERSON, saves.EASY
SIGNS = {"↑": device.UP, "←": device.LEFT, "→": device.RIGHT, "↓": device.DOWN, "Ⓐ": device.A, "Ⓑ": device.B}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_hint_asks_for_a_key_that_is_not_there(monkeypatch, layout):
    told: list[str] = []
    real = screen.Screen.text
    monkeypatch.setattr(
        screen.Screen, "text", lambda self, text, *where: (told.append(text), real(self, text, *where))[1]
    )
    hand = Hand(seed=5, layout=layout)
    hand.start([PERSON, EASY], 0, "goats")
    # Once round: there are last moves to be seen again.
    plies = -1
    while plies < 4:
        if hand.waits_for() in ("roll", "choice"):
            hand.press("A")
        hand.wait(300)
        plies = hand.app.top().plies
    hand.until("roll")
    hand.wait(0)
    hand.start([PERSON, PERSON], 0, "kings")
    hand.until("pass")
    hand.wait(100)
    hand.app.open("confirm", "undo.title", "undo.practice", lambda: None)
    hand.wait(100)
    for scene in ("keytest", "selftest"):
        hand.app.home(scene)
        hand.wait(100)
    hand.press("A")
    hand.wait(100)
    for bit in (device.UP, device.LEFT, device.RIGHT, device.DOWN, device.A, device.B):
        if bit & (LAYOUTS[layout] | device.B):
            hand.app.top().key(bit)
    hand.wait(500)
    there = LAYOUTS[layout]
    hints = [text for text in told if set(text) & set(SIGNS)]
    assert any("Ⓐ… " in text for text in hints) == (not there & device.B)
    assert any("↑ " in text for text in hints) == bool(there & device.UP)
    for text in hints:
        for sign in set(text) & set(SIGNS):
            assert SIGNS[sign] & there, text
