"""Style and types: ruff over everything, mypy over host code and, with the Pico's stubs, over device code."""

import re
import shutil
import subprocess
import sys
from importlib import metadata

import pytest

from tools.environment import ROOT

DEVICE = ("games", "hal", "boards", "firmware")
# hal/host.py runs on CPython too; the image is what brings boards/built.
DEVICE_KNOWN = (
    # viper's own names are no Python objects anywhere
    re.compile(r'Name "ptr(8|16|32)" is not defined|Name "uint" is not defined'),
    # host only: behind a test of the implementation
    re.compile(r"hal/host\.py.*monotonic_ns"),
    # the stubs of sys cannot take the place of mypy's own
    re.compile(r"print_exception"),
    # a pin takes None for no pull, whatever the stubs say
    re.compile(r'hal/(pico|probe)\.py.*Argument 3 to "Pin"'),
    re.compile(r'Module "boards" has no attribute "built"'),
    # who thinks in a game is made before the first thought
    re.compile(r'firmware/scenes/game\.py.*Item "None" of "Any \| None"'),
)
SETTINGS = """[mypy]
python_version = 3.10
explicit_package_bases = true
check_untyped_defs = true
# Device code has no annotations: what is inferred from a first assignment is no promise.
disable_error_code = var-annotated, no-redef, assignment
"""


def run(*command, **rest):
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, **rest)
    return done.returncode, done.stdout + done.stderr


def stubs(folder):
    """Copy the Pico's stubs, as mypy reads none from where pip puts them."""
    for package in ("micropython-rp2-rpi-pico-stubs", "micropython-stdlib-stubs"):
        for file in metadata.files(package) or ():
            if file.suffix == ".pyi" and file.parts[0] != "stdlib":
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), folder / file)
    return folder


def device_faults(stub_folder, cache, *paths):
    """What mypy says about device code, without what it cannot know."""
    settings = cache / "device.ini"
    settings.write_text(SETTINGS + f"mypy_path = {stub_folder}\n")
    _, text = run("mypy", "--config-file", str(settings), "--cache-dir", str(cache), *map(str, paths))
    ours = [line for line in text.splitlines() if ": error:" in line and not line.startswith(str(stub_folder))]
    assert "errors" in text or "Success" in text, text
    return [line for line in ours if not any(known.search(line) for known in DEVICE_KNOWN)]


def test_ruff_finds_nothing():
    code, text = run("ruff", "check", "--output-format", "concise", "--no-cache", ".")
    assert code == 0, text


def test_types_of_host_code(tmp_path):
    code, text = run("mypy", "--cache-dir", str(tmp_path))
    assert code == 0, text


def test_types_of_device_code(tmp_path):
    folder = stubs(tmp_path / "stubs")
    assert device_faults(folder, tmp_path, *DEVICE) == []


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import machine\nmachine.Pin(1).blink()\n", 'has no attribute "blink"'),
        ("import time\ntime.sleep_ms('x')\n", "incompatible type"),
    ],
)
def test_a_wrong_use_of_the_pico_is_found(tmp_path, source, told):
    folder = stubs(tmp_path / "stubs")
    (tmp_path / "trial.py").write_text(source)
    found = device_faults(folder, tmp_path, tmp_path / "trial.py")
    assert len(found) == 1
    assert told in found[0]
