"""Saves of a board: backup into a zip file, restore."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

from tools import output
from tools.boards.link import Link
from tools.cli import Failure

SAVES = "/saves"
_PART = ".part"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # a zip needs a time; a fixed one makes equal saves equal backups


def _read_all(link: Link, top: str) -> dict[str, bytes]:
    files = {}
    for path, size in link.call("tree", top):
        if size >= 0 and not path.endswith(_PART):
            files[path.lstrip("/")] = link.get(path, size)
    return files


def backup(link: Link, path: Path) -> int:
    """Write all saves of the board into the zip file `path`, as a whole or not at all; how many files."""
    files = _read_all(link, SAVES)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with output.place(path) as place, zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), data)
    except OSError as fault:
        raise Failure(f"cannot write {path}: {fault.strerror}") from None
    return len(files)


def read_backup(path: Path) -> dict[str, bytes]:
    """name: contents of the saves in a backup. Failure for another file."""
    try:
        with zipfile.ZipFile(path) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    except OSError as fault:
        raise Failure(f"cannot read {path}: {fault.strerror}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError):
        # Of an entry that is encrypted, or packed in an unknown way, zipfile raises a RuntimeError.
        raise Failure(f"{path} is not a backup: --backup makes one") from None
    for name in files:
        if not name.startswith("saves/") or ".." in name.split("/") or name.count("/") != 1:
            raise Failure(f"{path} is not a backup: it holds {name}")
    return files


def restore(link: Link, files: dict[str, bytes]) -> int:
    """Bring the saves of a backup back; how many files. Saves that the backup does not know stay.

    A save NAME is a pair of slots, NAME.0 and NAME.1, of which the newer counts (hal/store.py). A slot that the
    backup lacks would win over the other one's restored state, so it goes, after the restored one is in place.
    """
    if not files:
        return 0
    link.call("make_folders", SAVES + "/x")
    for name, data in sorted(files.items()):
        link.put(f"/{name}{_PART}", data)
        if link.get(f"/{name}{_PART}", len(data)) != data:
            raise Failure(f"{link.port}: {name} arrived wrong; run again. The board keeps the save it had")
        link.call("rename", f"/{name}{_PART}", f"/{name}")
    games = {name.rpartition(".")[0] for name in files}
    for path, size in link.call("tree", SAVES):
        name = path.lstrip("/")
        if size >= 0 and name not in files and name.rpartition(".")[0] in games:
            link.call("remove", path)
    return len(files)
