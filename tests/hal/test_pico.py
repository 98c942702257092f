"""The Pico's device on a fake `machine`, on CPython and on MicroPython; its drivers make no garbage."""

import importlib
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FAKES = HERE / "fakes"


@pytest.fixture
def checks(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(FAKES))
    monkeypatch.syspath_prepend(str(HERE))
    monkeypatch.setattr(time, "ticks_ms", lambda: time.monotonic_ns() // 1_000_000 & 0x3FFFFFFF, raising=False)
    monkeypatch.setattr(time, "sleep_ms", lambda ms: time.sleep(ms / 1000), raising=False)
    for name in ("machine", "hal.pico", "pico_checks"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module("pico_checks")
    for name in ("machine", "hal.pico", "pico_checks"):
        sys.modules.pop(name, None)


def test_on_cpython(checks, tmp_path, capsys):
    checks.run(str(tmp_path / "saves"))
    assert "check_missing_panel_is_said_in_words" in capsys.readouterr().out
