"""What a site holds so that a browser can flash: images of several kits, the code for the board, files for drag and drop.

Into one folder: `pack.bin`, all pieces (files, loader, manifests) one after the other, each once, as kits share most of
theirs; `flash.json`, the sizes of the pieces, the kits with the number of the piece that is their manifest, and onboard.py
as it is sent to a board; and, compressed, a UF2 for each kit whose Pico has one. The page's images.ts reads it: it finds
a file by its SHA-256, so that what was loaded wrong is seen.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tools.boards import link
from tools.image import filesystem, image
from tools.image.contents import Choice
from tools.kits import files

PACK, CATALOGUE = "pack.bin", "flash.json"
_LAYOUTS = {"pico": "RPI_PICO", "pico_w": "RPI_PICO_W"}  # what a board file calls a Pico: what MicroPython does


def write(images: list[image.Image], root: Path, out: Path) -> list[Path]:
    """Write all that into the folder `out`; the paths. root: the source tree, for what its board files say."""
    out.mkdir(parents=True, exist_ok=True)
    pieces: dict[bytes, int] = {}
    kits = []
    written = []
    for made in images:
        board = files.constants(root, made.manifest.board)
        number = pieces.setdefault(made.manifest.encode(), len(pieces))
        for data in (made.loader or b"", *made.files.values()):
            pieces.setdefault(data, len(pieces))
        name = _LAYOUTS.get(board.PICO)
        uf2 = f"cairn-{made.manifest.board}-{name}.uf2" if name else None
        if name:
            drag_file = filesystem.drag_file(made, filesystem.layout_of(name))
            written.append(out / f"{uf2}.gz")
            written[-1].write_bytes(gzip.compress(drag_file, mtime=0))
        kits.append(
            {
                "board": made.manifest.board,
                "title": board.TITLE,
                "pico": board.PICO,
                "manifest": number,
                "uf2": uf2,
            }
        )
    catalogue = {"kits": kits, "onboard": link.onboard(), "sizes": [len(data) for data in pieces]}
    (out / PACK).write_bytes(b"".join(pieces))
    (out / CATALOGUE).write_text(json.dumps(catalogue) + "\n", encoding="utf-8")
    return [out / PACK, out / CATALOGUE, *written]


def build(choice: Choice, boards: list[str], step: Callable[[str], None] = lambda path: None) -> list[image.Image]:
    """The images of these kits, with the languages and from the tree of `choice`; `step` as in image.build."""
    return [image.build(replace(choice, target="pico", board=board), step) for board in boards]
