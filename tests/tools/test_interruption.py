"""An update that is interrupted anywhere: the board starts the old firmware or the new one, whole, and none other."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.standin.board import micropython
from tests.standin.direct import DirectLink
from tests.standin.tree import write_tree
from tools.boards import link, update
from tools.image import image
from tools.image.contents import Choice

BOOTS = Path(__file__).resolve().parent.parent / "standin" / "boots.py"
OLD, NEW = "firmware 1.0.0 1.0.0 reference 1.0.0 hello", "firmware 2.0.0 2.0.0 reference 2.0.0 hello"
PUPIL = "print('a program of a pupil')\n"

pytestmark = pytest.mark.skipif(not micropython(), reason="no micropython for this machine")


@pytest.fixture(scope="module")
def images(tmp_path_factory) -> dict[str, image.Image]:
    """Three versions. The second lacks a file of the first and has one in a new folder."""
    made = {}
    for version, more in (
        ("1.0.0", {"games__dice__weights": "A = 1\n"}),
        ("2.0.0", {"games__cards__rules": "VERSION = '{version}'\n"}),
        ("3.0.0", {}),
    ):
        root = write_tree(tmp_path_factory.mktemp("tree"), version, **more)
        made[version] = image.build(Choice(root, "pico", "reference", ("en",)))
    return made


def install(flash: Path, made: image.Image, **options) -> int:
    """One update, as `flash` does it; the number of calls."""
    board = DirectLink(flash, **options)
    with board:
        update.carry_out(board, update.plan(board, update.look(board), made))
    return board.calls


def put(flash: Path, **files: str) -> None:
    """Put files onto a board: `a__b` is /a/b."""
    with DirectLink(flash) as board:
        for name, text in files.items():
            path = "/" + name.replace("__", "/").replace("DOT", ".")
            board.call("make_folders", path)
            board.put(path, text.encode())


def boots(before: Path, journal: Path) -> list[tuple[str, str]]:
    """(which cut, what the board printed) of every boot."""
    done = subprocess.run(
        [micropython(), "-X", "heapsize=16m", str(BOOTS), str(before), str(journal)],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    found = []
    for piece in done.stdout.split("cut ")[1:]:
        label, _, printed = piece.partition("\n")
        found.append((label, printed.strip().replace("\r", "")))
    return found


def starts(printed: str) -> str:
    """The firmware's own line of what a boot printed."""
    return next((line for line in printed.splitlines() if line.startswith("firmware ")), printed)


def journalled(tmp_path: Path, flash: Path, made: image.Image) -> list[tuple[str, str]]:
    """Update a copy of `flash` while every flash operation is written down, and boot at each of them."""
    changed, journal = tmp_path / "changed.flash", tmp_path / "journal"
    shutil.copyfile(flash, changed)
    install(changed, made, CAIRN_JOURNAL=str(journal))
    return boots(flash, journal)


def test_power_cut_at_every_flash_operation(tmp_path, images):
    flash = tmp_path / "board.flash"
    install(flash, images["1.0.0"])
    results = journalled(tmp_path, flash, images["2.0.0"])
    started = [starts(printed) for _, printed in results]
    assert len(results) > 100
    assert set(started) == {OLD, NEW}
    switch = started.index(NEW)
    assert set(started[switch:]) == {NEW}, "the switch happens once"


def test_power_cut_at_every_flash_operation_of_a_first_install(tmp_path, images):
    flash = tmp_path / "board.flash"
    put(flash, mainDOTpy=PUPIL)
    results = journalled(tmp_path, flash, images["1.0.0"])
    started = {starts(printed) for _, printed in results}
    assert started == {"a program of a pupil", OLD}


def test_power_cut_at_every_flash_operation_of_a_repair(tmp_path, images):
    """The pointer is damaged, and the other folder holds an update that was interrupted."""
    flash = tmp_path / "board.flash"
    install(flash, images["1.0.0"])
    calls = install(tmp_path / "copy.flash", images["1.0.0"])
    with pytest.raises(link.Gone):
        install(flash, images["3.0.0"], stop_at=calls // 2)
    put(flash, active="?")
    results = journalled(tmp_path, flash, images["2.0.0"])
    started = [starts(printed) for _, printed in results]
    assert set(started) == {OLD, NEW}
    assert started[-1] == NEW


def test_power_cut_at_every_flash_operation_where_the_other_folder_runs(tmp_path, images):
    """The pointer names a folder whose manifest was cut off: it must stay unwhole until all of it is new."""
    flash = tmp_path / "board.flash"
    install(flash, images["3.0.0"])
    install(flash, images["1.0.0"])
    with DirectLink(flash) as board:
        state = update.look(board)
        assert (state.pointer, state.running) == ("b", "b")
        board.put("/active", b"a")
        manifest = board.get("/a/manifest.json", update.look(board).files["/a/manifest.json"])
        board.put("/a/manifest.json", manifest[:-40])
        assert update.look(board).running == "b"
    results = journalled(tmp_path, flash, images["2.0.0"])
    started = [starts(printed) for _, printed in results]
    assert set(started) == {OLD, NEW}
    assert started[-1] == NEW


def files_of(flash: Path) -> dict[str, int]:
    with DirectLink(flash) as board:
        return update.look(board).files


@pytest.fixture
def every(request) -> int:
    """Of how many stops one is tried: all with --slow, else some, of all stages of an update."""
    return 1 if request.config.getoption("--slow") else 7


def stopped_before_calls(
    tmp_path: Path, start: Path, made: image.Image, every: int
) -> tuple[set[str], dict[str, int]]:
    """Stop an update of `start` before its calls, boot, run again: (what booted, the files in the end).

    Every second run must end in the same board as one that was not interrupted, but for a list of old files.
    """
    whole, flash, no_journal = tmp_path / "whole.flash", tmp_path / "cut.flash", tmp_path / "journal"
    no_journal.write_bytes(b"")
    shutil.copyfile(start, whole)
    calls = install(whole, made)
    expected = files_of(whole)
    booted = set()
    for stop in [*range(1, calls, every), calls]:
        shutil.copyfile(start, flash)
        with pytest.raises(link.Gone):
            install(flash, made, stop_at=stop)
        booted.add(starts(boots(flash, no_journal)[0][1]))
        install(flash, made)
        left = {path: size for path, size in files_of(flash).items() if not path.endswith((".old", ".part"))}
        assert left == expected, stop
        assert (
            starts(boots(flash, no_journal)[0][1])
            == f"firmware {made.manifest.version} " + NEW.partition(" 2.0.0 ")[2]
        ), stop
    return booted, expected


def test_stopped_before_a_call_then_run_again(tmp_path, images, every):
    """Each stop leaves a board that starts; the next run makes it whole, with nothing stale and nothing lost."""
    start = tmp_path / "start.flash"
    install(start, images["1.0.0"])
    put(
        start,
        saves__goatsDOT0="a save",
        records__oneDOTjsonl="a record",
        mineDOTtxt="mine",
        b__mineDOTtxt="mine too",
    )
    install(start, images["3.0.0"])
    put(start, a__firmware__mineDOTtxt="mine as well")
    booted, files = stopped_before_calls(tmp_path, start, images["2.0.0"], every)
    assert booted == {NEW, NEW.replace("2.0.0", "3.0.0")}
    for path in ("/saves/goats.0", "/records/one.jsonl", "/mine.txt", "/b/mine.txt", "/a/firmware/mine.txt"):
        assert path in files
    assert "/a/games/cards/rules.mpy" in files
    assert "/a/games/dice/weights.mpy" not in files


def test_first_install_stopped_before_a_call_then_run_again(tmp_path, images, every):
    start = tmp_path / "start.flash"
    put(start, mainDOTpy=PUPIL)
    booted, files = stopped_before_calls(tmp_path, start, images["2.0.0"], every)
    assert booted == {"a program of a pupil", NEW}
    assert files["/main-before-cairn.py"] == len(PUPIL)
