"""Puts the site together in a folder: compiled, packed, and with a service worker that knows every file."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import png
from tools.boards import pack
from tools.cli import Failure
from tools.environment import Environment
from tools.image import image
from tools.image.contents import Choice
from tools.site import markdown

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "tools" / "webpage"
TYPESCRIPT = Path("node_modules", "typescript", "bin", "tsc")
NO_NODE = (
    "Node and npm are needed to compile the page; install them (https://nodejs.org, Debian and Ubuntu: "
    "apt install nodejs npm) and run this again"
)

LIST = "site.json"
FIRMWARE = "firmware.bin"
WORKER = "sw.js"
# What is fetched when it is asked for: too much to keep for everybody who only plays.
NOT_KEPT = (".gz",)

# Icons: width of the picture in pixels of ours, of one of those in pixels of the icon, and the edge around them. The art
# lies in the middle, inside what a round mask leaves.
_ICONS = {"icon-192.png": (80, 2, 16), "icon-512.png": (80, 6, 16)}

_MANIFEST = {
    "name": "Cairn",
    "short_name": "Cairn",
    "description": "Four board games for a pocket console",
    "id": "./",
    "start_url": "./",
    "scope": "./",
    "display": "standalone",
    "orientation": "any",
    "background_color": "#f3efe7",
    "theme_color": "#f3efe7",
    "icons": [
        {"src": name, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for name, size in (("icon-192.png", 192), ("icon-512.png", 512))
        for purpose in ("any", "maskable")
    ],
}


@dataclass(frozen=True)
class Site:
    """What was made: the version (a hash of all files) and the paths, relative to the folder, `/` between folders."""

    version: str
    files: tuple[str, ...]


def compile_page(out: Path, environment: Environment | None = None) -> None:
    """Check and compile the page's modules into `out`. Failure, with the first mistake, if they are not right."""
    environment = environment or Environment()
    compiler = environment.npm / TYPESCRIPT
    node = shutil.which("node")
    if not node or not compiler.exists():
        raise Failure(NO_NODE)
    done = subprocess.run(
        [node, str(compiler), "-p", str(SOURCES), "--outDir", str(out)],
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
    )
    if done.returncode:
        told = (done.stdout or done.stderr).strip().splitlines() or ["no word of the compiler"]
        raise Failure(f"the page does not compile: {told[0]}")


def write(out: Path, languages: tuple[str, ...], kits: Sequence[str], step: Callable[[str], None]) -> Site:
    """Write the site into the folder `out`, which is empty or has one; `step` is called with what is being done.
    Failure if it cannot be made. OSError if it cannot be written."""
    with tempfile.TemporaryDirectory(prefix="cairn-") as folder:
        fresh = Path(folder)
        made = _make(fresh, languages, kits, step)
        out.mkdir(parents=True, exist_ok=True)
        stale = set(_listed(out)) - set(made.files)
        for path in made.files:
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(fresh / path, out / path)
        for path in stale:
            (out / path).unlink(missing_ok=True)
    return made


def is_ours(out: Path) -> bool:
    """Whether this folder may be written to: not there, empty, or with a site of ours."""
    return not out.exists() or (out.is_dir() and (not any(out.iterdir()) or bool(_listed(out))))


def _listed(out: Path) -> list[str]:
    """The files of the site in a folder, [] if there is none."""
    try:
        files = json.loads((out / LIST).read_text(encoding="utf-8"))["files"]
        return [path for path in files if isinstance(path, str) and ".." not in path.split("/") and path[:1] != "/"]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _make(out: Path, languages: tuple[str, ...], kits: Sequence[str], step: Callable[[str], None]) -> Site:
    environment = Environment()
    step("page")
    compile_page(out, environment)
    for name in ("index.html", "page.css"):
        shutil.copyfile(SOURCES / name, out / name)
    interpreter = environment.webassembly()
    if not interpreter:
        raise Failure(NO_NODE)
    for source in (interpreter, interpreter.with_suffix(".wasm")):
        shutil.copyfile(source, out / source.name)
    choice = Choice(ROOT, "web", "reference", languages)
    (out / FIRMWARE).write_bytes(packed(image.build(choice, step).files))
    # Where tools/webpage/pico.ts looks for it.
    pack.write(pack.build(choice, list(kits), step), ROOT, out / "flash")
    step("icons")
    for name, (across, scale, edge) in _ICONS.items():
        (out / name).write_bytes(png.glass(_icon(across), across, across, scale, edge))
    (out / "manifest.webmanifest").write_text(json.dumps(_MANIFEST, indent=1) + "\n", encoding="utf-8")
    (out / "rules").mkdir()
    pages = [*sorted((ROOT / "docs" / "rules").glob("*.md")), ROOT / "docs" / "rules-decisions.md"]
    for source in pages:
        target = out / "rules" / f"{source.stem}.html"
        text = source.read_text(encoding="utf-8")
        target.write_text(markdown.page(text, [page.name for page in pages]), encoding="utf-8")
    return _finish(out)


def packed(files: dict[str, bytes]) -> bytes:
    """The files of an image in one (tools/webpage/firmware.ts reads it): a line of JSON, then their bytes."""
    head = json.dumps([[path, len(data)] for path, data in files.items()])
    return b"\n".join((head.encode(), b"".join(files.values())))


def _icon(across: int) -> bytes:
    """The cairn in the middle of a square of `across` pixels, MONO_VLSB."""
    from firmware.art.emblems import CAIRN

    width, height = CAIRN[:2]
    left, top = (across - width) // 2, (across - height) // 2
    picture = bytearray(across * across // 8)
    for y in range(height):
        for x in range(width):
            if CAIRN[2 + y // 8 * width + x] >> y % 8 & 1:
                row = top + y
                picture[row // 8 * across + left + x] |= 1 << row % 8
    return bytes(picture)


def _finish(out: Path) -> Site:
    """Tell the service worker what there is, and list it for the next time."""
    found = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in found:
        digest.update(f"{path} ".encode() + hashlib.sha256((out / path).read_bytes()).digest())
    version = digest.hexdigest()[:12]
    # "./" is index.html under the name that people visit.
    kept = ["./", *(path for path in found if path != WORKER and not path.endswith(NOT_KEPT))]
    worker = (out / WORKER).read_text(encoding="utf-8")
    line = f"self.SITE = {json.dumps({'version': version, 'files': kept})};\n"
    (out / WORKER).write_text(line + worker, encoding="utf-8")
    files = tuple(sorted([*found, LIST]))
    (out / LIST).write_text(json.dumps({"version": version, "files": files}, indent=1) + "\n", encoding="utf-8")
    return Site(version, files)
