"""A tiny source tree in the shape of ours, for tests of building and flashing that need no real game."""

from __future__ import annotations

import shutil
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent

_FILES = {
    "pyproject.toml": '[project]\nname = "cairn"\nversion = "{version}"\n',
    "firmware/main.py": """
from firmware import words
from hal import pico
from games import catalogue

def main():
    rules = catalogue.load('dice')
    print('firmware', words.VERSION, rules.VERSION, pico.board.NAME, pico.driver.VERSION, words.text('en'))
    return 7
""",
    "firmware/words.py": """
VERSION = '{version}'

def text(code):
    module = __import__('firmware.text.' + code, None, None, ('HELLO',))
    return module.HELLO
""",
    "firmware/text/en.py": "HELLO = 'hello'\n",
    "firmware/text/fr.py": "HELLO = 'salut'\n",
    "firmware/text/help_en.txt": "page one\npage two\n",
    "firmware/text/help_fr.txt": "page un\npage deux\n",
    "firmware/art/title.bin": "logo",
    "firmware/text/README.md": "not for the device\n",
    "hal/pico.py": """
from boards import built as board
if board.DISPLAY == 'ssd1306':
    from hal import ssd1306 as driver
else:
    from hal import sh1106 as driver
""",
    "hal/ssd1306.py": "VERSION = '{version}'\n",
    "hal/sh1106.py": "from hal import ssd1306\nVERSION = '{version}'\n",
    "hal/host.py": "VERSION = 'never on a device'\n",
    "hal/web.py": "from boards import built as board\n",
    "firmware/browser.py": "from firmware import words\nfrom hal import web\n",
    "boards/reference.py": (REPOSITORY / "boards" / "reference.py").read_text(encoding="utf-8"),
    "boards/other.py": "from boards.reference import *\nNAME = 'other'\nDISPLAY = 'sh1106'\n",
    "games/catalogue.py": """
import sys

def load(game, part='rules'):
    name = 'games.' + game + '.' + part
    __import__(name)
    return sys.modules[name]
""",
    "games/dice/rules.py": """
import micropython

VERSION = '{version}'

@micropython.native
def double(n):
    return n + n
""",
    "games/dice/bot.py": "LEVELS = 3\n",
    "games/README.md": "not for the device\n",
    "tools/host.py": "SECRET = 1\n",
}


def write_tree(root: Path, version: str = "1.0.0", native: bool = False, **more: str) -> Path:
    """Write the tree into `root`. `more` adds or replaces files (None removes one); `__` in a name stands for `/`.

    native False leaves the machine code out, so that the stand-in board (a PC's MicroPython) can load it.
    """
    for path, text in {**_FILES, **{k.replace("__", "/") + ".py": v for k, v in more.items()}}.items():
        target = root / path
        if text is None:
            target.unlink(missing_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        text = text.replace("{version}", version)
        if not native:
            text = text.replace("@micropython.native\n", "")
        target.write_text(text.lstrip("\n"), encoding="utf-8", newline="\n")
    shutil.copyfile(REPOSITORY / "firmware" / "loader.py", root / "firmware" / "loader.py")
    return root
