"""The games that a board, or `play`, keeps (firmware/records.py), as records that `replay` reads."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tools import output, standins
from tools.boards.link import Link
from tools.boards.saves import SAVES
from tools.cli import Failure

standins.install()

from firmware import reading, recorded, records  # noqa: E402 (needs the stand-ins)
from hal.store import Store  # noqa: E402


def fetch(link: Link, folder: Path) -> tuple[int, list[str]]:
    """Write a file into `folder` for each game that the board keeps: (how many, remarks). They stay on the board."""
    with tempfile.TemporaryDirectory(prefix="cairn-") as place:
        slots = [f"{SAVES}/{records.NAME}.{slot}" for slot in (0, 1)]
        for path, size in link.call("tree", SAVES):
            if path in slots:
                Path(place, path.rpartition("/")[2]).write_bytes(link.get(path, size))
        return write(Path(place), folder)


def write(saves_folder: Path, folder: Path) -> tuple[int, list[str]]:
    """Write a file into `folder` for each game kept in a folder of saves: (how many, remarks). Files that were written
    before stay: equal games have equal names. Failure if the folder cannot be written."""
    kept, remark = _kept(saves_folder)
    remarks = [remark] if remark else []
    written = 0
    try:
        # Also where there is no game yet: that one could not be written is told now.
        folder.mkdir(parents=True, exist_ok=True)
        for data in kept:
            try:
                name, text = as_record(data)
            except ValueError as fault:
                remarks.append(f"a game is left out that this Cairn cannot read ({fault})")
                continue
            with output.place(folder / name) as place:
                place.write_bytes(text.encode())
            written += 1
    except OSError as fault:
        raise Failure(f"cannot write into {folder}: {fault.strerror}") from None
    return written, remarks


def _kept(saves_folder: Path) -> tuple[list[bytes], str]:
    """The kept games, the newest first, and what is to be said of them."""
    store = Store(str(saves_folder))
    data = store.load(records.NAME)
    if data is None:
        return [], "the kept games are damaged" if store.message else ""
    remark = "the newest kept game is damaged" if store.message else ""
    try:
        return records.split(data), remark
    except ValueError:
        return [], "the kept games are of another Cairn: update this one"


def as_record(data: bytes) -> tuple[str, str]:
    """A kept game: a name for its file, and its record. ValueError unless it is a whole game that this Cairn knows."""
    saved = reading.read(data)
    return recorded.name(saved), recorded.text(saved)
