"""The platforms find what they are for: each fault is planted once and must be told."""

import pytest

from tests.platforms import platforms, test_equal_bytes

MICROPYTHONS = ("bytecode", "viper", "webassembly")

OTHER_BYTE = """
_planted_apply = apply
def apply(s, m):
    result = _planted_apply(s, m)
    if m >= 0 and s[5] == 2:
        s[STATE_BYTES - 1] ^= 1
    return result
"""
GARBAGE = """
_planted_seat = seat
def seat(s):
    global _kept
    _kept = [s]
    return _planted_seat(s)
"""


def planted(folder, file, source):
    """A staged tree with `source` at the end of one file."""
    platforms.stage(folder)
    with (folder / file).open("a") as rules:
        rules.write(source)
    return folder


def need(platform):
    if reason := platforms.missing(platform):
        pytest.skip(reason)


@pytest.mark.parametrize("platform", MICROPYTHONS)
def test_another_byte_is_told_with_its_ply(platform, tmp_path):
    need(platform)
    root = planted(tmp_path, "games/goats/rules.py", OTHER_BYTE)
    call = "games goats 2 0 1"
    there = platforms.run(platform, "tests.platforms.traces", [call], root).lines
    here = test_equal_bytes.printed(test_equal_bytes.traces.games, "goats", 2, 0, 1)
    assert there != here
    told = test_equal_bytes.first_difference(platform, here[0], root)
    # Two seats with a roll and a move each: the third round begins with ply 9.
    assert "goats, 2 seats, options 0, seed 0: differs first at ply 8\n" in told


@pytest.mark.parametrize("platform", MICROPYTHONS)
def test_planted_garbage_is_found(platform, tmp_path):
    need(platform)
    root = planted(tmp_path, "games/goats/rules.py", GARBAGE)
    module = "tests.platforms.portable.garbage"
    names = ["test_a_thousand_plies_allocate_nothing", "test_everything_runs_with_the_heap_locked"]
    outcome = platforms.run(platform, module, names, root)
    for name in names:
        assert "AssertionError" in (outcome.faults[name] or "")


@pytest.mark.parametrize("platform", platforms.NAMES)
def test_a_failing_test_a_dying_process_and_a_missing_module_are_told(platform, tmp_path):
    need(platform)
    (tmp_path / "games").mkdir()
    source = "def good():\n    print('said')\ndef bad():\n    assert 1 == 2, 'told\\nso'\ndef dies():\n"
    source += "    raise SystemExit(0)\n"
    (tmp_path / "games" / "trial.py").write_text(source)
    outcome = platforms.run(platform, "games.trial", ["good", "bad", "missing", "dies", "good after"], tmp_path)
    assert outcome.lines[:1] == ["said"]
    assert outcome.faults["good"] is None
    assert "told\nso" in outcome.faults["bad"]
    assert "missing" in outcome.faults["missing"]
    assert "the process ended early" in outcome.faults["dies"]
    assert "the process ended early" in outcome.faults["good after"]


STRICT_FAULTS = """
import micropython
from array import array

@micropython.viper
def read(memory, i: int) -> int:
    p = ptr8(memory)
    return p[i]

@micropython.viper
def write(memory: ptr8, i: int, x: int):
    memory[i] = x

@micropython.viper
def read16(memory, i: int) -> int:
    p = ptr16(memory)
    return p[i]

@micropython.viper
def grow(x: int) -> int:
    return x * 4

def works():
    s = bytearray(4)
    write(s, 3, 255)
    assert read(s, 3) == 255 and s[-2:] == bytearray([0, 255])
    assert read16(array("H", [1, 515]), 1) == 515
    assert grow(1 << 28) == 1 << 30

def reads_before():
    read(bytearray(4), -1)
def reads_behind():
    read(bytearray(4), 4)
def reads_behind_bytes():
    read(b"1234", 4)
def reads_before_bytes():
    read(b"1234", -1)
def indexes_before():
    bytearray(4)[-1]
def writes_behind():
    write(bytearray(4), 4, 0)
def writes_before():
    write(bytearray(4), -1, 0)
def writes_too_much():
    write(bytearray(4), 0, 256)
def writes_less_than_nothing():
    write(bytearray(4), 0, -1)
def writes_constants():
    write(b"1234", 0, 1)
def reads_wider_than_it_is():
    read16(bytearray(4), 0)
def reads_before_words():
    read16(array("H", [1]), -1)
def takes_too_large():
    grow(1 << 31)
def gives_too_large():
    grow(1 << 30)
def resizes():
    bytearray(4)[1:2] = b"123"
def slices_stay_strict():
    bytearray(4)[1:3][-1]
"""
FAULTS = [line[4:-3] for line in STRICT_FAULTS.splitlines() if line.endswith("():") and "works" not in line]


def test_the_strict_machine_refuses_what_a_pico_would_not(tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "trial.py").write_text(STRICT_FAULTS)
    outcome = platforms.run("cpython", "games.trial", ["works", *FAULTS], tmp_path)
    assert outcome.faults["works"] is None
    assert len(FAULTS) == 16
    for name in FAULTS:
        told = outcome.faults[name] or ""
        assert any(kind in told for kind in ("IndexError", "ValueError", "TypeError", "OverflowError")), (name, told)
