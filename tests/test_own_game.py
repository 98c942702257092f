"""The tutorial of docs/own-game.md: what stands in its boxes is a game, from the rules to the menu."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.environment import ROOT

PAGE = ROOT / "docs" / "own-game.md"
PARTS = ("games", "hal", "boards", "firmware", "tools", "tests")

# Run in the copy: the common suite on the new game alone, then a game through the menu.
PLAYED = """
from tools import standins
standins.install()
from games import catalogue
from tests.games.portable import every_game
from tests.platforms import traces

every = every_game.every_table
every_game.every_table = lambda games: (t for t in every(games) if t.name[0] == "pig")
for name in sorted(vars(every_game)):
    if name.startswith("test_"):
        getattr(every_game, name)()

from firmware import modules, saves
from firmware.course import Course
from tests.firmware.hand import Hand

hand = Hand(seed=3)
hand.press("A.")
hand.press("D" * modules.GAMES.index("pig") + ".A.")
assert hand.app.where() == ["title", "games", "setup"], hand.app.where()
hand.press("A.")
assert hand.app.where() == ["title", "game"], hand.app.where()
shown = set()
for turn in range(5000):
    scene = hand.app.top()
    if hand.app.where()[-1] != "game":
        break
    # Rolls up to 20, then holds.
    hand.press("RA" if scene.state[4] >= 20 and scene.state[2] == 0 else "A")
    hand.wait(900)
    shown.add(bytes(hand.device.display.shown))
assert hand.app.where()[-1] == "result", hand.app.where()
assert len(shown) > 10
hand.app.home("help", "pig")
hand.wait(0)
hand.app.home("statistics")
hand.press("DDDD")
print("played")
"""


def boxes() -> dict[str, str]:
    """file: what the page puts into it."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^`([\w./]+)`[^\n]*\n\n```\w+\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    return dict(found)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of Cairn with the game."""
    root = tmp_path_factory.mktemp("own")
    for part in PARTS:
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__", "golden"))
    for name in ("pyproject.toml", "docs"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, root / name)
    for name, text in boxes().items():
        path = root / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            continue
        old = path.read_text(encoding="utf-8")
        if name.endswith("catalogue.py"):
            new = old.replace("\n)\n_PARTS", "\n" + text + ")\n_PARTS", 1)
        elif name.endswith("modules.py"):
            new = re.sub(r"^GAMES = .*\n", text, old, count=1, flags=re.MULTILINE)
        elif name.endswith(".txt"):
            new = old.rstrip("\n") + "\n" + text
        else:
            new = old.replace("TEXTS = {\n", "TEXTS = {\n" + text, 1)
        assert new != old, name
        path.write_text(new, encoding="utf-8")
    return root


def run(root: Path, *arguments: str, given: str | None = None) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, input=given, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-2000:]
    return done.stdout


def test_the_page_has_every_file_and_twice_about_eighty_lines():
    files = boxes()
    assert list(files) == [
        "games/pig/rules.py",
        "games/pig/bot.py",
        "games/pig/notation.py",
        "firmware/views/pig.py",
        "games/catalogue.py",
        "firmware/modules.py",
        "firmware/text/en.py",
        "firmware/text/help_en.txt",
    ]
    lines = {name: sum(bool(line.strip()) for line in text.splitlines()) for name, text in files.items()}
    rules = lines.pop("games/pig/rules.py")
    assert 70 <= rules <= 90
    assert 70 <= sum(lines.values()) <= 90


def test_it_is_a_game_from_the_rules_to_the_menu(tree):
    assert "played" in run(tree, "-c", PLAYED)


def test_its_games_are_recorded_and_checked(tree):
    record = run(tree, "-m", "tools", "record", "pig", "--seats", "3", "--players", "random", "--seed", "5", "-n", "4")
    assert record.count('"game":"pig"') == 4 and '"die"' in record
    assert "4 games" in run(tree, "-m", "tools", "replay", "-", given=record)


def test_computer_players_play_it(tree):
    said = run(
        tree,
        "-m",
        "tools",
        "arena",
        "pig",
        "--players",
        "easy,random",
        "--games",
        "40",
        "--seed",
        "1",
        "--workers",
        "1",
    )
    assert "easy" in said and "random" in said
