"""The image as a package for `mpremote mip install`: a package.json beside the files.

Source: MicroPython documentation, "Package management", section "Writing and publishing packages": `urls` is a list
of [path on the device, URL], where a URL without a scheme is relative to the package.json.
"""

from __future__ import annotations

import json
from pathlib import Path

from tools.image import filesystem
from tools.image.image import LOADER, MANIFEST, Image

_EMPTY = "unfinished"


def write(image: Image, folder: Path) -> Path:
    """Write package.json into a folder that image.write has filled; its path.

    The manifest of the device's folder is emptied first and written last, so that the loader takes a folder that
    mip left half done for what it is. What mip cannot do is to write the other folder: see docs/flashing.md.
    """
    first = filesystem.FIRST_FOLDER
    (folder / _EMPTY).write_bytes(b"")
    (folder / filesystem.POINTER).write_bytes(first.encode())
    urls = [[f"{first}/{MANIFEST}", _EMPTY]]
    urls += [[f"{first}/{path}", f"image/{path}"] for path in image.files]
    urls += [[f"{first}/{MANIFEST}", MANIFEST], [filesystem.POINTER, filesystem.POINTER], [LOADER, LOADER]]
    package = folder / "package.json"
    package.write_text(
        json.dumps({"version": image.manifest.version, "urls": urls}, indent=1) + "\n", newline="\n"
    )
    return package
