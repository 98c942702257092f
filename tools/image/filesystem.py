"""The file system of a MicroPython board as bytes: littlefs, as MicroPython's rp2 port makes and mounts it.

Sources: MicroPython, ports/rp2: modules/_boot.py (progsize 256), rp2_flash.c (4096-byte blocks, the storage at the
end of the flash), boards/*/mpconfigboard.cmake (its size); extmod/vfs_lfsx.c (cache, lookahead, block cycles).
"""

from __future__ import annotations

from dataclasses import dataclass

from tools.cli import Failure
from tools.image import uf2
from tools.image.image import LOADER, MANIFEST, Image

BLOCK_BYTES = 4096
FLASH_ADDRESS = 0x10000000
"""Where the RP2040 sees its flash (data sheet, section 2.2)."""

POINTER = "active"
FIRST_FOLDER = "a"
_DISK_VERSION = 0x00020000  # MicroPython's rp2 port stays with 2.0, that older ones can read
_ANY_VERSION = 0
_PROGRAM_BYTES = 256
_READ_BYTES = 32
_LOOKAHEAD_BYTES = 32
_BLOCK_CYCLES = 100


@dataclass(frozen=True)
class Layout:
    """Where a board's MicroPython keeps its file system: offset into the flash, number of blocks."""

    offset: int
    blocks: int

    @property
    def size(self) -> int:
        return self.blocks * BLOCK_BYTES


LAYOUTS = {
    "RPI_PICO": Layout(0xA0000, 352),
    "RPI_PICO_W": Layout(0x12C000, 212),
}
"""MicroPython's name of a board: its layout. RP2040 boards only: what the boot loader of a Pico 2 (RP2350) does with
a file that holds no program has not been tried, so there the way is `flash`."""


def layout_of(name: str) -> Layout:
    """Failure, naming what there is, for a board without a known layout."""
    if name not in LAYOUTS:
        raise Failure(
            f"no UF2 of the file system for {name}, only for {', '.join(LAYOUTS)}: use `flash` there"
        )
    return LAYOUTS[name]


def _open(data: bytearray | None, layout: Layout):
    try:
        from littlefs import LittleFS, UserContext
    except ImportError:
        raise Failure(
            "the package littlefs-python is missing: run this with `python3 -m tools build`"
        ) from None
    context = UserContext(layout.size)
    if data is not None:
        context.buffer[:] = data
    made = LittleFS(
        context=context,
        mount=False,
        block_size=BLOCK_BYTES,
        block_count=layout.blocks,
        prog_size=_PROGRAM_BYTES,
        read_size=_READ_BYTES,
        cache_size=4 * _PROGRAM_BYTES,
        lookahead_size=_LOOKAHEAD_BYTES,
        block_cycles=_BLOCK_CYCLES,
        disk_version=_DISK_VERSION if data is None else _ANY_VERSION,
    )
    if data is None:
        made.format()
    made.mount()
    return made


def pack(files: dict[str, bytes], layout: Layout) -> bytes:
    """A file system that holds `files` (path without a leading `/`: contents). Failure if they do not fit."""
    from littlefs import LittleFSError

    fs = _open(None, layout)
    try:
        for path, data in files.items():
            folder = path.rpartition("/")[0]
            if folder:
                fs.makedirs(folder, exist_ok=True)
            with fs.open(path, "wb") as file:
                file.write(data)
    except LittleFSError as fault:
        if fault.code != LittleFSError.Error.LFS_ERR_NOSPC:
            raise
        raise Failure(f"the image does not fit into {layout.size // 1024} KB of flash") from None
    fs.unmount()
    return bytes(fs.context.buffer)


def unpack(data: bytes, layout: Layout) -> dict[str, bytes]:
    """The files of a file system. littlefs.LittleFSError if the bytes are none."""
    fs = _open(bytearray(data), layout)
    found = {}
    for folder, _, names in fs.walk("/"):
        for name in names:
            path = f"{folder.rstrip('/')}/{name}"
            with fs.open(path, "rb") as file:
                found[path.lstrip("/")] = file.read()
    return dict(sorted(found.items()))


def device_files(image: Image) -> dict[str, bytes]:
    """What a freshly flashed device holds: the image in the first folder, the pointer to it, the loader."""
    files = {f"{FIRST_FOLDER}/{path}": data for path, data in image.files.items()}
    files[f"{FIRST_FOLDER}/{MANIFEST}"] = image.manifest.encode()
    files[POINTER] = FIRST_FOLDER.encode()
    if image.loader is not None:
        files[LOADER] = image.loader
    return files


def drag_file(image: Image, layout: Layout) -> bytes:
    """The UF2 that makes a device of a Pico on which MicroPython is already.

    It holds every block of the file system, the empty ones too: littlefs keeps each folder in a pair of blocks and
    believes the newer, so that an old block left standing could win over ours.
    """
    return uf2.encode(pack(device_files(image), layout), FLASH_ADDRESS + layout.offset)
