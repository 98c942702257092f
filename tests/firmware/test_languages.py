"""One more language is one more file of texts and its help pages: nothing else of the tree has to know it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.firmware.portable import languages
from tests.platforms import platforms
from tools.environment import ROOT
from tools.image import bytecode, image
from tools.image.contents import Choice, language_codes

CODE = "mo"
TEXT = Path("firmware", "text")
FUNCTIONS = ["there en cs fr mo", *(name for name in dir(languages) if name.startswith("test_"))]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cairn with a made-up language: English, but for some words."""
    root = platforms.stage(tmp_path_factory.mktemp("languages"))
    shutil.copy(ROOT / "pyproject.toml", root)
    english = (ROOT / TEXT / "en.py").read_text(encoding="utf-8")
    words = english.replace('"English"', '"Moonish"').replace('"Play"', '"Lalula"').replace('"Language"', '"Lalulo"')
    assert words.count("Moonish") == words.count("Lalula") == words.count("Lalulo") == 1
    (root / TEXT / f"{CODE}.py").write_text(words, encoding="utf-8")
    pages = (ROOT / TEXT / "help_en.txt").read_text(encoding="utf-8")
    (root / TEXT / f"help_{CODE}.txt").write_text(pages.replace("#The goal", "#Fisches Goal"), encoding="utf-8")
    return root


def run(platform: str, tree: Path) -> None:
    missing = platforms.missing(platform)
    if missing:
        pytest.skip(missing)
    outcome = platforms.run(platform, languages.__name__, FUNCTIONS, tree)
    assert outcome.faults == dict.fromkeys(FUNCTIONS), outcome


@pytest.mark.parametrize("platform", ["cpython", "bytecode", "webassembly"])
def test_it_is_asked_for_chosen_and_seen(platform: str, tree: Path) -> None:
    run(platform, tree)


def test_it_travels_in_the_image(tree: Path, tmp_path: Path) -> None:
    """And its packed texts are found there, where no source is."""
    codes = tuple(language_codes(tree))
    made = image.build(Choice(tree, "pico", "reference", codes))
    assert made.manifest.languages == codes == ("cs", "en", "fr", CODE)
    root = tmp_path / "tree"
    shutil.copytree(tree, root)
    for code in codes:
        assert {f"{TEXT.as_posix()}/{code}.mpy", f"{TEXT.as_posix()}/help_{code}.txt"} <= set(made.files)
        source = root / TEXT / f"{code}.py"
        # As it travels, but for the names that all modules of an image share.
        packed = bytecode.compile_source(source.name, image.packed(source.read_text(encoding="utf-8")), native=False)
        source.with_suffix(".mpy").write_bytes(packed)
        source.unlink()
    run("bytecode", root)
