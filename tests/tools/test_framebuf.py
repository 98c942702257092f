"""The stand-in for `framebuf` draws what MicroPython's draws, and knows every call that the firmware makes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.platforms import platforms
from tools import standins
from tools.environment import Environment
from tools.standins.framebuf import MONO_VLSB, FrameBuffer

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("framebuf_script.py")
PICTURES = 600


def drawn(interpreter: str, seed: int) -> list[str]:
    variables = {**os.environ, "PYTHONPATH": standins.FOLDER}
    done = subprocess.run(
        [interpreter, str(SCRIPT), str(seed), str(PICTURES)],
        env=variables,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_equal_to_micropython(seed: int) -> None:
    if platforms.missing("viper"):
        pytest.skip(str(platforms.missing("viper")))
    ours = drawn(sys.executable, seed)
    real = drawn(str(Environment().has("micropython")), seed)
    assert len(real) == PICTURES
    for i, (mine, true) in enumerate(zip(ours, real, strict=True)):
        assert mine == true, f"picture {i}"
    # The pictures are not all alike.
    assert len(set(real)) > PICTURES // 2


def calls(paths: list[Path]) -> set[str]:
    """Names of the calls on frame buffers: `frame.NAME(`, `screen.frame.NAME(`."""
    found: set[str] = set()
    for path in paths:
        found |= set(re.findall(r"\bframe\.(\w+)\(", path.read_text(encoding="utf-8")))
    return found


def test_the_firmware_draws_only_with_what_is_proven() -> None:
    firmware = calls(list((ROOT / "firmware").rglob("*.py")) + list((ROOT / "hal").rglob("*.py")))
    known = {name for name in vars(FrameBuffer) if not name.startswith("_")}
    assert firmware
    assert firmware <= known
    assert known <= calls([SCRIPT]), "not drawn by the script"
    assert known == firmware, "the stand-in holds what nobody calls"


def test_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="only MONO_VLSB"):
        FrameBuffer(bytearray(8), 8, 8, MONO_VLSB + 1)
    with pytest.raises(ValueError, match="too small"):
        FrameBuffer(bytearray(15), 8, 9, MONO_VLSB)
