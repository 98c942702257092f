"""The names in an image: what is renamed, what must not be, and that the firmware does the same with them."""

import os
import re
import subprocess
import sys

import pytest

from boards import reference
from tests.standin.tree import REPOSITORY
from tests.tools import emulated
from tools import build, standins
from tools.emulator.chip import Pico
from tools.image import image, names
from tools.image.contents import select
from tools.kits import check, files

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
    short, _ = names.shortened(sources, image.known_outside(chosen, REPOSITORY) | names.called(WALK))
    assert sum(short[path] != text for path, text in sources.items()) > 50
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


def renamed(*texts, outside=frozenset()):
    """The texts of files with other names, and those names with what they were, for each file."""
    found, short = names.shortened({f"hal/{i}.py": text for i, text in enumerate(texts)}, outside)
    return list(found.values()), list(short.values())


def test_what_is_ours_is_renamed_and_lines_are_not():
    text = "place = 1\n\ndef go(here, by):\n    global place\n    here.at = by\n    place = here.at\n    return go\n"
    (short,), (old,) = renamed(text)
    assert sorted(old.values()) == ["at", "by", "go", "here", "place"]
    back = re.sub(r"\w+", lambda word: old.get(word[0], word[0]), short)
    assert back == text


def test_new_names_cost_nothing():
    """They are in MicroPython's flash, and in no file of the image, where they would mean something else."""
    chosen = build.choice_of(build.ROOT, "pico", None, None)
    _, short = image.named(chosen)
    new = {name for here in short.values() for name in here}
    assert new <= set(names.KNOWN)
    texts = [origin.read_text("utf-8") for path, origin in select(chosen).items() if path.endswith(".py")]
    assert not new & {token.string for text in texts for token in names.tokens(text)}
    assert len(new) < 300 < len({old for here in short.values() for old in here.values()})


def test_files_that_know_nothing_of_each_other_share_names():
    (one, two), _ = renamed("one = 1\n", "two = 1\n")
    assert one == two != "one = 1\n"


def test_a_name_is_the_same_in_all_files():
    (_, two), (short, _) = renamed("def one(a): pass\n", "from hal import h\nh.one(2)\n")
    new = {old: name for name, old in short.items()}["one"]
    assert two == f"from hal import h\nh.{new}(2)\n"


@pytest.mark.parametrize("way", ["from hal.base import A\nclass B(A):\n", "from hal import base\nclass B(base.A):\n"])
def test_a_class_and_its_heir_agree(way):
    """No part of an heir has the name of one that it inherits and does not even mention."""
    base = "class A:\n    def go(self):\n        self.first = self.second = 1\n"
    heir = way + "    def jump(self):\n        self.third = self.second\n"
    found, short = names.shortened({"hal/base.py": base, "hal/heir.py": heir})
    new = {old: name for here in short.values() for name, old in here.items()}
    assert len({new[part] for part in ("first", "second", "third", "go", "jump")}) == 5
    assert f"self.{new['third']} = self.{new['second']}" in found["hal/heir.py"]


def test_what_is_taken_over_as_a_whole_is_kept_apart():
    found, short = names.shortened({"hal/base.py": "one = 1\n", "hal/more.py": "from hal.base import *\ntwo = 2\n"})
    new = {old: name for here in short.values() for name, old in here.items()}
    assert new["one"] != new["two"]
    assert found["hal/more.py"] == f"from hal.base import *\n{new['two']} = 2\n"


@pytest.mark.parametrize("board", files.names(REPOSITORY))
def test_a_board_has_all_its_names(board):
    sources, short = image.named(build.choice_of(build.ROOT, "pico", board, "en"))
    new = {old: name for here in short.values() for name, old in here.items()}
    whole = vars(check.load(board))
    made, plain = {}, {name: value for name, value in whole.items() if name.isupper() and name not in image._FOR_PEOPLE}
    text = sources["boards/built.py"]
    for name in re.findall(r"from boards\.(\w+) import \*", text):
        exec(sources[f"boards/{name}.py"], made)
    exec(re.sub(r"from boards\.\w+ import \*\n", "", text), made)
    assert {name: made[new.get(name, name)] for name in plain} == plain


def test_what_is_put_into_an_object_from_outside_is_alone():
    """Whose object it is cannot be seen, nor what that has."""
    _, short = renamed("class A:\n    one = 1\n", "def f(a):\n    a.two = 2\n", "three = 3\n")
    new = {old: name for here in short for name, old in here.items()}
    assert new["two"] not in (new["one"], new["three"])


@pytest.mark.parametrize(
    "line",
    ["x = getattr(self, 'name')", "f(name=1)", "x = f'{name}'", "from name import x", "import hal.name"],
)
def test_what_is_known_by_its_letters_keeps_its_name(line):
    (one, two), _ = renamed(f"def name(): pass\n{line}\n", "class name: pass\n")
    assert "def name():" in one
    assert "class name:" in two


def test_what_is_looked_for_by_its_first_letters_keeps_its_name():
    (_, two), _ = renamed("x = getattr(y, 'ICON_' + z)\n", "ICON_A = 1\nIRON = 1\n")
    assert two.startswith("ICON_A = 1\n")
    assert "IRON" not in two


def test_what_is_micropythons_or_a_constant_or_of_outside_keeps_its_name():
    text = "def append(): pass\n_ONE = const(1)\n__all__ = 1\ndef called(): pass\nprint = 1\n"
    assert renamed(text, outside={"called"})[0] == [text]


def test_files_and_folders_keep_their_names():
    text = "def games(): pass\ndef bot(): pass\n"
    assert names.shortened({"games/bot.py": text})[0] == {"games/bot.py": text}


def test_what_a_program_calls():
    program = "import a\nfrom b import one\nlocal = a.two\nPART = 'x.three(1)\\n'\nTEXT = 'Not =\\nx.four'\n"
    assert names.called(program) == {"one", "two", "three"}


def test_a_traceback_is_spelled_out():
    short = {"firmware/app.py": {"acos": "step"}, "games/rng.py": {"acos": "below"}}
    told = '  File "firmware.app", in acos\n  File "games.rng", line 7, in acos\n  File "x.py", in acos\nacos: 1\n'
    assert names.spelled(told, short) == (
        '  File "firmware/app.py", in step\n  File "games/rng.py", line 7, in below\n  File "x.py", in acos\nacos: 1\n'
    )


def test_micropython_has_the_names_in_its_flash():
    pico = Pico(emulated.uf2(), reference)
    pico.soft_reset()
    count = "import micropython\nmicropython.qstr_info()\n"
    found = []
    for at in range(0, len(names.KNOWN), 50):
        found.append(re.search(r"n_qstr=(\d+)", pico.execute(count))[1])
        pico.execute(f"def f(print):\n print.{'; print.'.join(names.KNOWN[at : at + 50])}\n")
    found.append(re.search(r"n_qstr=(\d+)", pico.execute(count))[1])
    assert len(set(found[1:])) == 1
