"""An image: the files of one firmware folder, and the manifest that names each with its size and SHA-256."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tools import standins
from tools.cli import Failure
from tools.image import bytecode, names
from tools.image.contents import Choice, select

standins.install()

from firmware import texts  # noqa: E402 (needs the stand-ins)

_TEXTS, _TABLE = "firmware/text/", "TEXTS"
_BOARDS, _FOR_PEOPLE = "boards/", ("TITLE", "SOURCE", "PARTS")
_MEASURING = Path(__file__).parent.parent / "benches"
_PICTURE = re.compile(r"\b[A-Z][A-Z0-9_]+\b")

MANIFEST = "manifest.json"
LOADER = "main.py"
WHOLE_ENDING = b"}\n"
"""How a manifest ends, and where alone these bytes occur in it: firmware/loader.py takes a folder for whole by them,
and so never one whose manifest was cut off while it was written."""
OLDEST_MICROPYTHON = (1, 24)
"""The oldest that the tests run the firmware on; bytecode.MPY_VERSION alone would allow 1.23."""


@dataclass(frozen=True)
class Entry:
    """One file: path inside its folder, size in bytes, SHA-256 in hexadecimal."""

    path: str
    size: int
    sha256: str


def entry_of(path: str, data: bytes) -> Entry:
    return Entry(path, len(data), hashlib.sha256(data).hexdigest())


@dataclass(frozen=True)
class Manifest:
    """What an image is.

    build: 12 digits that stand for all its bytes. micropython: the oldest version it runs on. mpy: version of the
    .mpy format. arch: of the machine code in it, "" without. loader: the fixed main.py. files: sorted by path.
    """

    version: str
    build: str
    target: str
    board: str
    languages: tuple[str, ...]
    micropython: tuple[int, int]
    mpy: tuple[int, int]
    arch: str
    loader: Entry | None
    files: tuple[Entry, ...]

    @property
    def total(self) -> int:
        """Bytes of all files."""
        return sum(entry.size for entry in self.files)

    def encode(self) -> bytes:
        """The JSON text, with WHOLE_ENDING at its end and nowhere before."""
        head = {
            "cairn": self.version,
            "build": self.build,
            "target": self.target,
            "board": self.board,
            "languages": self.languages,
            "micropython": self.micropython,
            "mpy": self.mpy,
            "arch": self.arch,
            "total": self.total,
            "loader": self.loader and [self.loader.path, self.loader.size, self.loader.sha256],
        }
        lines = [json.dumps([e.path, e.size, e.sha256]) for e in self.files]
        return (json.dumps(head)[:-1] + ',\n"files": [\n' + ",\n".join(lines) + "]}\n").encode()

    @staticmethod
    def decode(data: bytes) -> Manifest:
        """ValueError for anything but a whole manifest."""
        try:
            read = json.loads(data.decode())
            return Manifest(
                version=str(read["cairn"]),
                build=str(read["build"]),
                target=str(read["target"]),
                board=str(read["board"]),
                languages=tuple(map(str, read["languages"])),
                micropython=(int(read["micropython"][0]), int(read["micropython"][1])),
                mpy=(int(read["mpy"][0]), int(read["mpy"][1])),
                arch=str(read["arch"]),
                loader=read["loader"] and Entry(*_checked(read["loader"])),
                files=tuple(Entry(*_checked(entry)) for entry in read["files"]),
            )
        except (KeyError, IndexError, TypeError, ValueError) as fault:
            raise ValueError(f"not a whole manifest: {fault}") from None


def _checked(entry: list) -> tuple[str, int, str]:
    path, size, sha256 = entry
    if not isinstance(path, str) or not isinstance(size, int) or not re.fullmatch("[0-9a-f]{64}", sha256):
        raise ValueError(f"entry {entry!r}")
    if path.startswith("/") or ".." in path.split("/") or "\\" in path:
        raise ValueError(f"path {path!r}")
    return path, size, sha256


@dataclass(frozen=True)
class Image:
    """A manifest and the bytes it lists; `loader` is what goes onto the device as /main.py (None in a browser)."""

    manifest: Manifest
    files: dict[str, bytes]
    loader: bytes | None


def version_of(root: Path) -> str:
    """The version in pyproject.toml (tomllib comes with Python 3.11 only)."""
    try:
        text = (root / "pyproject.toml").read_text(encoding="utf-8")
    except OSError:
        raise Failure(f"no pyproject.toml in {root}: it holds the version") from None
    found = re.search(r'(?m)^version\s*=\s*"([^"]+)"', text)
    if not found:
        raise Failure("pyproject.toml has no version")
    return found.group(1)


def bare(source: str) -> str:
    """The source of a board file without what only people read of it."""
    tree = ast.parse(source)
    kept = [
        node for node in tree.body if not (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in _FOR_PEOPLE)
    ]
    return ast.unparse(ast.Module(kept, [])) + "\n"


def packed(source: str) -> str:
    """The source of a module; that of a table of texts as firmware/texts.py keeps it in memory."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            (target,) = node.targets
            if isinstance(target, ast.Name) and target.id == _TABLE:
                return f"{_TABLE} = {texts.packed(ast.literal_eval(node.value))!r}\n"
    return source


def known_outside(chosen: dict[str, Path], root: Path) -> set[str]:
    """The names of an image that others use: the loader, the programs that measure, the pages of the help."""
    found = names.called((root / "firmware" / "loader.py").read_text(encoding="utf-8"))
    for program in sorted(_MEASURING.glob("*.py")):
        found |= names.called(program.read_text(encoding="utf-8"))
    for path, origin in chosen.items():
        if not path.endswith(".py"):
            # Of a file that is no text, what is read makes no name.
            found |= set(_PICTURE.findall(origin.read_text(encoding="utf-8", errors="replace")))
    return found


def named(choice: Choice) -> tuple[dict[str, str], names.Renamed]:
    """The sources of an image as they are compiled, and what was renamed in them: nothing where tracebacks are to be
    read as they are, nor where memory is plenty."""
    chosen = select(choice)
    sources = {path: origin.read_text(encoding="utf-8") for path, origin in chosen.items() if path.endswith(".py")}
    for path, source in sources.items():
        if path.startswith(_TEXTS):
            sources[path] = packed(source)
        elif path.startswith(_BOARDS):
            sources[path] = bare(source)
    if choice.lines or choice.target != "pico":
        return sources, {}
    return names.shortened(sources, known_outside(chosen, choice.root))


def build(choice: Choice, step: Callable[[str], None] = lambda path: None) -> Image:
    """Compile what `choice` asks for; `step` is called with each file's path. The same tree gives the same bytes."""
    files = {}
    arch = ""
    chosen = select(choice)
    sources, renamed = named(choice)
    for path, origin in chosen.items():
        step(path)
        if path in sources:
            told = names.told(path) if renamed else path
            data = bytecode.compile_source(told, sources[path], native=choice.target == "pico", lines=choice.lines)
            arch = bytecode.format_of(data) or arch
            files[path[:-3] + ".mpy"] = data
        else:
            files[path] = origin.read_bytes()
    loader = None
    if choice.target == "pico":
        loader = (choice.root / "firmware" / "loader.py").read_text(encoding="utf-8").encode()
    entries = tuple(entry_of(path, data) for path, data in sorted(files.items()))
    digest = hashlib.sha256("".join(f"{e.sha256} {e.path}\n" for e in entries).encode()).hexdigest()
    manifest = Manifest(
        version=version_of(choice.root),
        build=digest[:12],
        target=choice.target,
        board=choice.board,
        languages=choice.languages,
        micropython=OLDEST_MICROPYTHON,
        mpy=bytecode.MPY_VERSION,
        arch=arch,
        loader=entry_of(LOADER, loader) if loader is not None else None,
        files=entries,
    )
    return Image(manifest, dict(sorted(files.items())), loader)


def is_ours(folder: Path) -> bool:
    """Whether `write` may clear this folder: not there, empty, or with an image, which is not whole if a build was
    stopped. OSError if it cannot be looked at."""
    if not folder.exists():
        return True
    names = {path.name for path in folder.iterdir()}
    try:
        return not names or "cairn" in json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, TypeError, ValueError):
        files = [path for path in folder.rglob("*") if not path.is_dir() and path != folder / LOADER]
        return "image" in names <= {"image", LOADER} and all(path.suffix in (".mpy", ".txt") for path in files)


def write(image: Image, folder: Path) -> None:
    """Write `image/`, `main.py` and `manifest.json` into `folder`, and nothing of an earlier build stays."""
    _clear(folder / "image")
    for path, data in image.files.items():
        target = folder / "image" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    if image.loader is not None:
        (folder / LOADER).write_bytes(image.loader)
    (folder / MANIFEST).write_bytes(image.manifest.encode())


def _clear(folder: Path) -> None:
    if folder.is_dir():
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def read(folder: Path) -> Image:
    """The image that `write` left in `folder`. Failure if a file is missing or not the one the manifest lists."""
    try:
        manifest = Manifest.decode((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        raise Failure(
            f"no whole image in {folder}: make one with `python3 -m tools build --out {folder}`"
        ) from None
    files = {}
    wanted = [(folder / "image" / entry.path, entry) for entry in manifest.files]
    if manifest.loader:
        wanted.append((folder / LOADER, manifest.loader))
    for path, entry in wanted:
        data = path.read_bytes() if path.is_file() else b""
        if entry_of(entry.path, data) != entry:
            raise Failure(f"{path} is not the file that was built: build again")
        files[entry.path] = data
    loader = files.pop(LOADER) if manifest.loader else None
    return Image(manifest, files, loader)
