"""`bench --device --port`: the same programs on a board at the end of a serial line, here a stand-in board."""

import json
import os
import time

import pytest

from tests.standin.board import StandIn, micropython
from tests.standin.direct import DirectLink
from tests.standin.tree import REPOSITORY, write_tree
from tools import bench, cli, standins
from tools.boards import update
from tools.image import image
from tools.image.contents import Choice
from tools.image.undecorate import undecorate

pytestmark = pytest.mark.skipif(
    os.name != "posix" or not micropython(), reason="the stand-in board needs pseudo-terminals and a micropython"
)

# What is measured of the firmware; a view it has none, so that no panel is asked for.
MAIN = """
from games import catalogue

class PicoDevice:
    pass

class App:
    def __init__(self, device, language, seed):
        self.seed = seed

    def step(self):
        assert self.seed

def main():
    return 7
"""

# What only viper's compiler knows; as bytecode the same lines call it.
NAMES = f"""
import builtins
for name in {standins.VIPER_NAMES!r}:
    setattr(builtins, name, lambda value: value)
"""


@pytest.fixture
def board(tmp_path):
    """A board with our games, without machine code."""
    games = {
        path.relative_to(REPOSITORY).with_suffix("").as_posix().replace("/", "__"): undecorate(path.read_text("utf-8"))
        for path in (REPOSITORY / "games").rglob("*.py")
    }
    games["games__rng"] = NAMES + games["games__rng"]
    tree = write_tree(
        tmp_path / "tree", "1.0.0", games__dice__rules=None, games__dice__bot=None, firmware__main=MAIN, **games
    )
    made = image.build(Choice(tree, "pico", "reference", ("en",)))
    board = StandIn(tmp_path)
    with DirectLink(board.flash) as link:
        update.carry_out(link, update.plan(link, update.look(link), made))
    with board:
        yield board


def test_figures_of_a_board(board, capsys):
    asked = ["goats", "horses", "--ms", "5", "--positions", "1", "--iterations", "5", "--json"]
    assert bench.main(["--device", "--port", board.port, *asked]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "title_ms" not in found, "it cannot be seen from outside"
    assert found["calibration_us"] > 0
    assert found["start_ms"] >= 0
    assert found["memory"]["title"]["free"] > found["memory"]["title"]["largest"] > 0
    assert found["image"]["games/goats/rules.mpy"] > 1000
    for table in ("goats 2 0", "horses 2 0"):
        figures = found["playouts"][table]
        assert figures["playouts_per_s"] > 0
        assert figures["stepped_per_s_real"] > 0
        assert figures["garbage_bytes"] == 0
    until = time.monotonic() + 20
    while b"Cairn: starting" not in board.console.rpartition(b"soft reboot")[2] and time.monotonic() < until:
        time.sleep(0.05)
    assert b"Cairn: starting" in board.console.rpartition(b"soft reboot")[2], "afterwards the firmware runs again"


def test_a_board_without_our_firmware_is_told(tmp_path):
    with StandIn(tmp_path) as empty, pytest.raises(cli.Failure, match=r"python3 -m tools flash") as told:
        bench.main(["--device", "--port", empty.port, "goats"])
    assert "\n" not in str(told.value)


def test_what_is_wrong_with_the_port_is_one_line(tmp_path):
    with pytest.raises(cli.Failure, match="there is no such port"):
        bench.main(["--device", "--port", str(tmp_path / "none"), "goats"])
    with StandIn(tmp_path) as hanging:
        hanging.hang()
        with pytest.raises(cli.Failure, match="no MicroPython answers"):
            bench.main(["--device", "--port", hanging.port, "goats"])
