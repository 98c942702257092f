"""The self-test: each fault has its bit, the steps that a board lacks are left out, the console gets it in words."""

import pytest

from firmware.scenes import selftest
from firmware.text import en
from hal.device import BACK
from tests.firmware.hand import Hand

KEYS = {"six": "UDLRAB", "four": "LRAB", "three": "RAB", "two": "RAB", "encoder": "LRAB"}


def after(answers="AAA", keys=None, examined=None, battery=0, layout="six", patience=0):
    """A hand after a whole self-test: the answers for panel, sound and LED; the keys that are pressed."""
    hand = Hand(layout=layout)
    hand.said = []
    hand.device.on_say = hand.said.append
    hand.device.power.mv = battery
    if examined:
        hand.device.examined = examined
    hand.app.open("selftest")
    hand.wait(0)
    hand.press(answers[0])
    hand.press(KEYS[layout] if keys is None else keys)
    hand.wait(patience)
    for answer in answers[1:]:
        hand.press(answer)
    return hand


@pytest.mark.parametrize("layout", KEYS)
def test_a_good_board(layout):
    hand = after(layout=layout)
    scene = hand.app.top()
    assert scene._lines[0] == "Code 00"
    told = "\n".join(hand.said)
    assert "code 00" in told and "keys not seen: none" in told and "0x3c" in told
    hand.press("A")
    assert hand.app.where() == ["title"]


WRONG = {
    "panel": ({"answers": "BAA"}, selftest.BAD_PANEL),
    "keys": ({"keys": "UDLRA", "patience": 11000}, selftest.BAD_KEYS),
    "sound": ({"answers": "ABA"}, selftest.BAD_SOUND),
    "led": ({"answers": "AAB"}, selftest.BAD_LED),
    "battery": ({"battery": 1500}, selftest.BAD_BATTERY),
    "flash": ({"examined": ([0x3C], 0, [], 20)}, selftest.BAD_FLASH),
    "stuck": ({"examined": ([0x3C], 4, [], 999)}, selftest.BAD_WIRES),
    "shorts": ({"examined": ([0x3C], 0, [(11, 12)], 999)}, selftest.BAD_WIRES),
    "bus": ({"examined": ([], 0, [], 999)}, selftest.BAD_WIRES),
}


@pytest.mark.parametrize("fault", WRONG)
def test_each_fault_has_its_bit(fault):
    told, bit = WRONG[fault]
    hand = after(**told)
    assert hand.app.top().code == bit
    assert hand.app.top()._lines[0] == f"Code {bit:02X}"
    assert f"code {bit:02X}" in "\n".join(hand.said)


def test_faults_add_up_and_are_told_in_words():
    hand = after("BAB", keys="UDR", patience=11000, examined=([0x3C, 0x50], 2, [(10, 11), (12, 13)], 999), battery=4810)
    assert hand.app.top().code == 1 + 2 + 8 + 128
    told = "\n".join(hand.said)
    assert "keys not seen: LEFT A B" in told
    assert "down by themselves: DOWN" in told
    assert "GP10-GP11 GP12-GP13" in told
    assert "0x3c 0x50" in told
    assert "battery 4810 mV" in told
    assert "4.8 V" in hand.app.top()._lines[3]


def test_spi_has_no_addresses():
    assert after(examined=(None, 0, [], 999)).app.top().code == 0


def test_a_board_without_buzzer_is_not_asked_for_sound():
    hand = Hand()
    board = type("Board", (), dict(vars(hand.device.board)))()
    board.BUZZER = None
    hand.device.board = board
    hand.app.open("selftest")
    hand.press("A" + KEYS["six"])
    assert hand.app.top()._step == selftest._LED
    hand.press("A")
    assert hand.app.top()._step == selftest._RESULT


def test_sound_and_light_come_and_end():
    hand = after("A")
    count = hand.device.speaker.count
    hand.wait(2000)
    assert hand.device.speaker.count > count + 1
    hand.press("A")
    lit = set()
    for _ in range(60):
        hand.wait(0)
        lit.add(hand.device.lit)
    assert lit == {True, False}
    hand.press("A")
    assert hand.device.lit is False


def test_holding_b_leads_out_of_every_step():
    for answers in ("", "A", "A" + KEYS["six"], "A" + KEYS["six"] + "A"):
        hand = Hand()
        hand.app.open("selftest")
        hand.press(answers)
        hand.device.keys.put(BACK)
        hand.wait(0)
        assert hand.app.where() == ["title"]
        assert hand.device.lit is False


def test_the_longest_result_fits():
    from firmware.screen import text_width

    for low, shorts in ((0, []), (8, []), (8, [(14, 15), (10, 11)])):
        hand = after(examined=([0x3C, 0x3D, 0x50, 0x68], low, shorts, 1408), battery=5500)
        for line in hand.app.top()._lines:
            assert text_width(line) <= 128, line
    assert en.TEXTS["selftest.code"]
