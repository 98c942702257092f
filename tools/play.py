"""`play`: the handheld in the terminal, the real firmware on the host device."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from tools import cli, png, standins
from tools.environment import alone
from tools.terminal import cells, console, painter

ROOT = Path(__file__).resolve().parent.parent

SCALES = range(1, 17)
PLAYING = ("lang", "seed", "board", "layout", "player", "pixels", "keys", "shot", "scale", "text", "stats")
"""Options that are for a game."""

LOCK = ".lock"
"""In the folder of saves: the file that the one `play` there has locked."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    p = cli.Parser("play", "The handheld in this terminal: the real firmware, with arrow keys, A and B.")
    p.add_argument("--lang", metavar="LANGUAGE", help="language of the texts (default: as set, at first en)")
    p.add_argument("--seed", type=int, metavar="N", help="what chance is drawn from, for the same game again")
    p.add_argument("--board", default="reference", metavar="NAME", help="a file of boards/ (default: reference)")
    p.add_argument(
        "--layout",
        metavar="LAYOUT",
        help="other keys than the board's: six, four, three, two or encoder (docs/keys.md)",
    )
    p.add_argument("--saves", metavar="DIR", help="folder of the saved game (default: the user's data folder)")
    p.add_argument("--records", metavar="DIR", help="only write the games kept in the saves into DIR, as game records")
    p.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="LEVEL=exec:COMMAND",
        help="who has this level in the set-up (easy, normal, hard, expert) is this program (docs/players.md)",
    )
    p.add_argument("--pixels", choices=["auto", *painter.STYLES], default="auto", help="how pixels become characters")
    p.add_argument(
        "--keys",
        metavar="FILE",
        help="play these keys, without a terminal and as fast as possible, and keep saves in memory unless --saves "
        "is given; tools/script.py says what it holds; - is standard input",
    )
    p.add_argument("--shot", metavar="FILE.png", help="write the last screen as a picture")
    p.add_argument("--scale", type=int, default=4, metavar="N", help="size of a pixel in the picture (default: 4)")
    p.add_argument("--text", action="store_true", help="print the last screen as text (with --keys)")
    p.add_argument("--stats", action="store_true", help="say at the end how fast it ran, on stderr")
    return p


def main(argv: list[str]) -> int:
    """Run the command; the exit code."""
    args = parser().parse_args(argv)
    if args.records:
        _check_alone(args)
    # Everything that goes onto the device needs these, so it is imported after this line.
    standins.install()
    from games import levels
    from tools.matches import guest
    board = _board(args.board)
    _language(args.lang)
    _layout(args.layout)
    if args.scale not in SCALES:
        raise cli.Usage(f"--scale {args.scale}: a pixel can be {SCALES[0]} to {SCALES[-1]} large")
    if args.text and args.keys is None:
        raise cli.Usage("--text is for --keys; in a terminal the screen is there to be seen")
    if args.shot:
        _check_shot(Path(args.shot))
    programs = dict(guest.asked(text, levels.NAMES) for text in args.player)
    if args.records:
        _check_folders(args)
        return _write_records(_saves(args.saves, in_memory=False), Path(args.records))
    folder = _saves(args.saves, in_memory=args.keys is not None)
    if folder is None:
        return _play(args, board, None, programs)
    # Two would take turns with the slots of one save, and each undo what the other has kept.
    with alone(Path(folder) / LOCK) as mine:
        if not mine:
            raise cli.Failure(f"another `play` has the saves in {folder}; end it first, or give --saves DIR")
        return _play(args, board, folder, programs)


def _play(args: argparse.Namespace, board: Any, folder: str | None, programs: dict[int, list[str]]) -> int:
    from tools.matches import guest

    play = _live(args, board, folder) if args.keys is None else _scripted(args, board, folder)
    guests = guest.Guests(programs, lambda: _game(play.app))
    said: list[str] = []
    play.device.on_say = said.append
    try:
        with guests.seated():
            play.run()
    except console.Stopped as stop:
        return 128 + stop.number
    finally:
        # Only now, as the picture has the terminal until here.
        for remark in (*guests.remarks, *said):
            cli.say(remark)
    screen = play.device.display.shown
    if args.text:
        # Braille, also where the system's encoding has none (a pipe on Windows).
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        cli.answer("\n".join(cells.braille(screen, board.WIDTH, board.HEIGHT)))
    if args.shot:
        _write_shot(Path(args.shot), png.encode(screen, board.WIDTH, board.HEIGHT, args.scale))
    if args.stats:
        cli.say(play.pace.line())
    return cli.DONE


def _game(app: Any) -> Any:
    """The scene of the game that is played, which may be below a menu."""
    return app._stack[app.where().index("game")]


def _write_records(saves: str | None, folder: Path) -> int:
    from tools.boards import records

    count, remarks = records.write(Path(saves or "."), folder)
    for remark in remarks:
        cli.say(remark)
    cli.answer(f"{count} records in {folder}")
    return cli.FAILED if remarks else cli.DONE


def _live(args: argparse.Namespace, board: Any, folder: str | None) -> Any:
    console.check("--keys FILE")
    from hal.host import HostDevice
    from tools.terminal.live import Live

    style = None if args.pixels == "auto" else args.pixels
    return Live(HostDevice(board, folder, layout=args.layout), args.lang, args.seed, style)


def _scripted(args: argparse.Namespace, board: Any, folder: str | None) -> Any:
    from hal.host import HostDevice, ManualClock
    from tools import script

    steps = script.parse(cli.text_of("--keys", args.keys), args.keys)
    return script.Scripted(HostDevice(board, folder, ManualClock(), args.layout), args.lang, args.seed, steps)


def _board(name: str) -> Any:
    from tools.kits import check

    return check.load(name)


def _layout(name: str | None) -> None:
    from hal import keys

    if name and name not in keys.LAYOUTS:
        raise cli.Usage(f"no layout {name!r}; there are: {', '.join(keys.LAYOUTS)}")


def _language(name: str | None) -> None:
    from firmware import texts

    if name and name not in texts.there():
        raise cli.Usage(f"no language {name!r}; there are: {', '.join(texts.there())}")


def _check_alone(args: argparse.Namespace) -> None:
    """Nothing is played with --records, so what is for a game would be left out in silence."""
    given = [name for name in PLAYING if getattr(args, name) != parser().get_default(name)]
    if given:
        raise cli.Usage(f"--records only writes games that were played; leave out --{', --'.join(given)}")


def _check_folders(args: argparse.Namespace) -> None:
    """A misspelt name is not an empty folder of saves."""
    if args.saves and not os.path.isdir(args.saves):
        raise cli.Usage(f"--saves {args.saves}: there is no such folder")
    if os.path.exists(args.records) and not os.path.isdir(args.records):
        raise cli.Usage(f"--records {args.records}: is a file; name a folder")


def _check_shot(path: Path) -> None:
    """Better now than after a game."""
    if path.suffix.lower() != ".png":
        raise cli.Usage(f"--shot {path}: the name must end in .png")
    try:
        fault = "is a folder" if path.is_dir() else "" if path.parent.is_dir() else "there is no such folder"
    except OSError as error:
        # A name that no file can have.
        fault = str(error.strerror)
    if fault:
        raise cli.Usage(f"--shot {path}: {fault}")


def _write_shot(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as fault:
        raise cli.Failure(f"cannot write --shot {path}: {fault.strerror}") from None


def _saves(name: str | None, in_memory: bool) -> str | None:
    """The folder of saves, made if it is not there; None keeps them in memory."""
    if name is None and in_memory:
        return None
    try:
        folder = Path(name) if name else data_folder() / "saves"
    except RuntimeError:
        raise cli.Failure("this user has no home folder for the saves; give --saves DIR") from None
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        if name:
            raise cli.Usage(f"--saves {name}: {fault.strerror or 'not a folder'}; name a folder") from None
        # The game goes on without; the firmware says so at its first save.
    return str(folder)


def data_folder() -> Path:
    """Where this user's programs keep their data: by the XDG base directory specification, or the system's custom."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Cairn"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Cairn"
    data = os.environ.get("XDG_DATA_HOME", "")
    # The specification: a path that is not absolute counts as not set.
    return (Path(data) if data.startswith("/") else home / ".local" / "share") / "cairn"
