"""Short private names in an image: what is renamed, what must not be, and that the firmware does the same with them."""

import os
import subprocess
import sys

import pytest

from tests.standin.tree import REPOSITORY
from tools import build, standins
from tools.image import names
from tools.image.contents import select

WALK = """
import random, sys
from tools import standins
standins.install()
from firmware.app import App, TICK_MS
from hal import device as keys
from hal.host import HostDevice, ManualClock
import binascii

chance = random.Random(int(sys.argv[1]))
device = HostDevice(clock=ManualClock())
digest = frames = 0

def shown(frame):
    global digest, frames
    digest = binascii.crc32(frame, digest)
    frames += 1

device.display.on_show = shown
app = App(device, "en", 7)
names = set()
for _ in range(400):
    names.update(app.where())
    device.keys.tap(chance.choice((keys.A,) * 6 + (keys.B, keys.UP, keys.DOWN, keys.LEFT, keys.RIGHT)))
    for _ in range(chance.randrange(1, 12)):
        app.step()
        device.clock.sleep(TICK_MS)
print(digest, frames, *sorted(names))
"""


def walked(root, seed):
    """What a random walk over the keys shows on the firmware of a tree."""
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-B", "-c", WALK, str(seed)],
        cwd=root,
        env={**variables, "PYTHONPATH": os.pathsep.join((str(root), str(REPOSITORY), standins.FOLDER))},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    """All that travels, and the host device: with the names it has, and with short ones."""
    chosen = dict(select(build.choice_of(build.ROOT, "pico", None, None)))
    chosen["hal/host.py"] = REPOSITORY / "hal" / "host.py"
    chosen["boards/reference.py"] = REPOSITORY / "boards" / "reference.py"
    files = {path: origin.read_bytes() for path, origin in chosen.items()}
    sources = {path: data.decode() for path, data in files.items() if path.endswith(".py")}
    short = names.shortened(sources)
    assert sum(short[path] != text for path, text in sources.items()) > 20
    roots = []
    for changed in ({}, short):
        roots.append(tmp_path_factory.mktemp("tree"))
        for path, data in files.items():
            target = roots[-1] / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(changed[path].encode() if path in changed else data)
    return roots


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_firmware_shows_the_same(trees, seed):
    long, short = (walked(root, seed) for root in trees)
    assert short == long
    assert int(short[1]) > 100
    assert "game" in short


def test_data_is_renamed_and_functions_and_lines_are_not():
    text = "_state = 1\n\ndef _go(self, _by):\n    global _state\n    self._at = _by\n    _state = self._at\n    return _go\n"
    (short,) = names.shortened({"a.py": text}).values()
    assert short == "_2 = 1\n\ndef _go(self, _1):\n    global _2\n    self._0 = _1\n    _2 = self._0\n    return _go\n"


def test_modules_that_know_nothing_of_each_other_share_names():
    short = names.shortened({"a.py": "_one = 1\n", "b.py": "_two = 2\n"})
    assert set(short.values()) == {"_0 = 1\n", "_0 = 2\n"}


@pytest.mark.parametrize("way", ["from hal.a import A\nclass B(A):\n", "from hal import a\nclass B(a.A):\n"])
def test_a_class_and_its_heir_agree(way):
    base = "class A:\n    def __init__(self):\n        self._b = self._c = 1\n"
    heir = f"{way}    def go(self):\n        self._a = self._c\n"
    short = names.shortened({"hal/a.py": base, "hal/b.py": heir})
    assert "self._1 = self._2 = 1" in short["hal/a.py"]
    assert "self._0 = self._2" in short["hal/b.py"]


@pytest.mark.parametrize(
    "line",
    [
        "x = other._name",  # somebody else's
        "x = sys.implementation._mpy",
        "x = getattr(self, '_name')",
        "f(_name=1)",
        "x = f'{_name}'",
        "from b import _name",
    ],
)
def test_what_another_may_know_keeps_its_name(line):
    name = "_mpy" if "_mpy" in line else "_name"
    text = f"{name} = 1\n{line}\n"
    assert names.shortened({"a.py": text}) == {"a.py": text}
    short = names.shortened({"a.py": f"{line}\n", "b.py": f"{name} = 1\n"})
    assert short["b.py"] == f"{name} = 1\n"
