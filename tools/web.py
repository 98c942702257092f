"""`web`: the handheld in a browser, served on this computer, or written as a static site."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path

from tools import cli
from tools.build import DEFAULT_BOARD, ROOT, choice_of
from tools.environment import has_node
from tools.image.contents import language_codes
from tools.kits import files
from tools.site import assemble, serve

DESCRIPTION = """The handheld in a browser: builds the page, serves it on this computer alone and opens it. Ctrl-C ends it.
With --out, writes a folder instead that any web server can serve, in any of its folders."""
DEFAULT_PORT = 8137
"""The browser keeps saved games by address, so it is always the same."""


def parser() -> cli.Parser:
    options = cli.Parser("web", DESCRIPTION)
    options.add_argument("--port", metavar="N", type=int, default=DEFAULT_PORT, help=f"default: {DEFAULT_PORT}; 0 is any")
    options.add_argument("--no-open", action="store_true", help="do not open a browser")
    options.add_argument("--out", metavar="DIR", type=Path, help="write the site into this folder instead")
    options.add_argument("--lang", metavar="L,..", help="languages to build in (default: all)")
    options.add_argument("--kits", metavar="K,..", help="kits that the page can flash (default: all with --out, else reference)")
    return options


def main(argv: list[str]) -> int:
    asked = parser().parse_args(argv)
    if not has_node():
        raise cli.Failure(assemble.NO_NODE)
    if not 0 <= asked.port <= 65535:
        raise cli.Usage(f"--port {asked.port}: ports go from 0 to 65535")
    languages = _languages(asked.lang)
    kits = _kits(asked.kits, bool(asked.out))
    if asked.out:
        return _write(asked.out, languages, kits)
    with tempfile.TemporaryDirectory(prefix="cairn-") as folder:
        _make(Path(folder), languages, kits)
        with serve.Server(Path(folder), asked.port) as server:
            try:
                cli.say(f"the handheld is at {server.address} (Ctrl-C ends it)")
                if not asked.no_open:
                    webbrowser.open(server.address)
                server.serve_forever()
            except KeyboardInterrupt:
                cli.say("ended")
    return cli.DONE


def _languages(given: str | None) -> tuple[str, ...]:
    there = language_codes(ROOT)
    for code in (chosen := choice_of(ROOT, "web", None, given).languages):
        if code not in there:
            raise cli.Usage(f"no language {code!r}; there are: {', '.join(there)}")
    return chosen


def _kits(given: str | None, for_all: bool) -> list[str]:
    there = files.names(ROOT)
    if given is None:
        # Each takes a second or two, which whoever only wants to play need not wait for.
        return there if for_all else [DEFAULT_BOARD]
    chosen = [kit.strip() for kit in given.split(",") if kit.strip()]
    for kit in chosen:
        if kit not in there:
            raise cli.Usage(f"no kit {kit!r}; there are: {', '.join(there)}")
    if not chosen:
        raise cli.Usage("--kits needs at least one kit, as in --kits reference,pico2")
    return chosen


def _make(out: Path, languages: tuple[str, ...], kits: list[str]) -> assemble.Site:
    with cli.Progress("building the page") as progress:
        return assemble.write(out, languages, kits, progress.step)


def _write(out: Path, languages: tuple[str, ...], kits: list[str]) -> int:
    try:
        if not assemble.is_ours(out):
            raise cli.Usage(f"--out {out}: there is something else in it; name an empty folder")
        made = _make(out, languages, kits)
    except OSError as fault:
        raise cli.Failure(f"cannot write {fault.filename or out}: {fault.strerror}") from None
    size = sum((out / path).stat().st_size for path in made.files)
    cli.answer(f"{len(made.files)} files, {size:,} bytes in {out}: version {made.version}")
    return cli.DONE
