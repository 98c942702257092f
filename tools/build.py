"""`build`: the image for a Pico or a browser, byte-compiled, with its manifest and ways to install it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from tools import cli
from tools.image import filesystem, image, mip, names
from tools.image.contents import FIRST_MODULES, Choice, language_codes
from tools.kits import files

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_BOARD = "reference"
DEFAULT_OUT = "build/pico"


def choice_of(root: Path, target: str, board: str | None, languages: str | None) -> Choice:
    """What the options ask for; all languages there are where none are named."""
    if languages is None:
        codes = tuple(language_codes(root))
    else:
        codes = tuple(sorted({code.strip() for code in languages.split(",") if code.strip()}))
        if not codes:
            raise cli.Usage("--lang needs at least one language, as in --lang en,fr")
    return Choice(root, target, board or DEFAULT_BOARD, codes)


def build(choice: Choice) -> image.Image:
    """Build with progress on stderr."""
    with cli.Progress("compiling") as progress:
        return image.build(choice, progress.step)


def write(made: image.Image, out: Path) -> list[Path]:
    """Write everything into `out`; the files that are handed on as one piece: package and UF2s."""
    image.write(made, out)
    if made.loader is None:
        return []
    pieces = [mip.write(made, out)]
    for name, layout in filesystem.LAYOUTS.items():
        path = out / f"cairn-{name}.uf2"
        path.write_bytes(filesystem.drag_file(made, layout))
        pieces.append(path)
    return pieces


def parser() -> cli.Parser:
    options = cli.Parser("build", "Byte-compile the firmware and pack it.")
    options.add_argument("--board", metavar="B", help=f"a file of boards/ (default: {DEFAULT_BOARD})")
    options.add_argument("--lang", metavar="L,..", help="languages to build in (default: all)")
    options.add_argument(
        "--out", metavar="DIR", type=Path, help=f"where to (default: {DEFAULT_OUT} or build/web)"
    )
    options.add_argument("--target", choices=sorted(FIRST_MODULES), default="pico", help="default: pico")
    options.add_argument(
        "--lines", action="store_true", help="tracebacks with line numbers and the names of the source; takes memory"
    )
    options.add_argument(
        "--traceback", metavar="FILE", help="only print a board's crash.txt (- is stdin) with the names of the source"
    )
    options.add_argument("--boards", action="store_true", help="only list the boards there are")
    options.add_argument(
        "--json", action="store_true", help="print the manifest and what was written as JSON"
    )
    options.add_argument("--source", metavar="DIR", type=Path, default=ROOT, help="another source tree")
    return options


def main(argv: list[str]) -> int:
    asked = parser().parse_args(argv)
    if asked.boards:
        boards = files.names(asked.source)
        if not boards:
            raise cli.Failure(f"there are no board files in {asked.source / 'boards'}; name Cairn's folder with --source")
        cli.answer("\n".join(boards))
        return cli.DONE
    choice = replace(choice_of(asked.source, asked.target, asked.board, asked.lang), lines=asked.lines)
    if asked.traceback:
        text = names.spelled(cli.text_of("--traceback", asked.traceback), image.named(choice)[1])
        cli.answer(text.removesuffix("\n"))
        return cli.DONE
    out = asked.out or (Path(DEFAULT_OUT) if asked.target == "pico" else Path("build/web"))
    try:
        if not image.is_ours(out):
            raise cli.Usage(f"--out {out}: there is something else in it; name an empty folder")
    except OSError as fault:
        raise cli.Failure(f"cannot write {fault.filename or out}: {fault.strerror}") from None
    made = build(choice)
    try:
        pieces = write(made, out)
    except OSError as fault:
        raise cli.Failure(f"cannot write {fault.filename or out}: {fault.strerror}") from None
    if asked.json:
        answer = json.loads(made.manifest.encode())
        answer["written"] = [path.as_posix() for path in pieces]
        cli.answer(json.dumps(answer))
        return cli.DONE
    told = [f"{entry.size:8}  {entry.path}" for entry in sorted(made.manifest.files, key=lambda e: -e.size)]
    told.append(
        f"{made.manifest.total:8}  bytes in {len(made.manifest.files)} files: Cairn {made.manifest.version} "
        f"({made.manifest.build}), {made.manifest.board}, {', '.join(made.manifest.languages) or 'no language'}"
    )
    told += [f"written: {out / 'image'}", *(f"         {piece}" for piece in pieces)]
    cli.answer("\n".join(told))
    return cli.DONE
