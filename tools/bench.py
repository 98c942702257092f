"""`bench`: the figures. On this machine: speed, size and screen of each game; with --device those of a Pico."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
from pathlib import Path
from typing import Any

from tools import cli, games
from tools.kits import check

DEFAULT_MS = 500
CHANGES = 50
POSITIONS = 16
ITERATIONS = 12


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    p = cli.Parser("bench", "Measure playouts, sizes and the screen here, or all of a Pico with --device.")
    p.add_argument("games", nargs="*", metavar="GAME", help="which games (default: all)")
    p.add_argument("--seats", type=int, metavar="N", help="seats at the table (default: the fewest)")
    p.add_argument("--options", default="", metavar="A,B", help="options of the game")
    p.add_argument("--ms", type=int, default=DEFAULT_MS, metavar="T", help="time for each speed (default: 500)")
    p.add_argument("--json", action="store_true", help="print everything as JSON")
    p.add_argument("--device", action="store_true", help="measure a Pico, emulated unless --port is given")
    p.add_argument("--port", metavar="P", help="the serial port of a real board that has the firmware")
    p.add_argument("--uf2", type=Path, metavar="FILE", help="MicroPython for the emulated Pico (default: CAIRN_UF2)")
    p.add_argument("--board", default="reference", metavar="B", help="the board that is emulated (default: reference)")
    p.add_argument(
        "--keep",
        action="store_true",
        help="make these the figures that the tests compare with; of games that are not measured they stay",
    )
    p.add_argument("--changes", type=int, default=CHANGES, metavar="N", help="changes of game (default: 50)")
    p.add_argument(
        "--positions", type=int, default=POSITIONS, metavar="N", help="in which computer players think (default: 16)"
    )
    p.add_argument(
        "--iterations", type=int, default=ITERATIONS, metavar="N", help="of their thought in each (default: 12)"
    )
    return p


def main(argv: list[str]) -> int:
    """Run the command; the exit code."""
    args = parser().parse_args(argv)
    if not args.device and (args.port or args.uf2):
        raise cli.Usage("--port and --uf2 go with --device")
    if args.port and args.uf2:
        raise cli.Usage("--port is a real board, --uf2 is for an emulated one: give one of them")
    if args.keep and (not args.device or args.port):
        raise cli.Usage("--keep goes with --device and an emulated Pico, so that all compare the same")
    if args.ms < 1 or args.changes < 0:
        raise cli.Usage("--ms must be 1 or more, --changes 0 or more")
    if args.positions < 1 or args.iterations < 1:
        raise cli.Usage("--positions and --iterations must be 1 or more")
    from games import catalogue

    options = games.split_names(args.options)
    tables = [games.open_game(name, args.seats, options) for name in args.games or catalogue.ids()]
    found = on_device(args, tables) if args.device else here(tables, args.ms)
    if args.keep:
        from tools.benches import figures

        figures.write(found["image"], {game: screen(game) for game in found["screen"]}, found, not args.games)
    if args.json:
        cli.answer(json.dumps(found, indent=1))
    else:
        cli.answer("\n".join(lines(found)))
    return cli.DONE


def here(tables: list[games.Game], ms: int) -> dict[str, Any]:
    """The figures of this machine: for each table speeds by platform, sizes by module, the screen."""
    from tools.benches import host

    found: dict[str, Any] = {}
    for table in tables:
        cli.say(f"{table.name}, {table.seats} seats, options {table.mask}")
        figures: dict[str, Any] = {"speed": host.speeds(table.name, table.seats, table.mask, ms)}
        plain = host.reference_per_s(table.name, table.seats, table.options, ms)
        if plain:
            for figure in figures["speed"].values():
                figure["times_reference"] = round(figure["playouts_per_s"] / plain, 1)
            figures["speed"]["reference"] = {"playouts_per_s": plain}
        figures["bytes"] = host.sizes(table.name)
        if (host.ROOT / "firmware" / "views" / f"{table.name}.py").is_file():
            figures["screen"] = screen(table.name)
        found[f"{table.name} {table.seats} {table.mask}"] = figures
    return found


def screen(game: str) -> dict[str, int]:
    """Bytes that a game's screen sends to the panel, counted by the host device as the Pico's driver sends them."""
    from firmware.app import App
    from hal.host import HostDevice, ManualClock
    from tools.benches import host
    from tools.benches import screen as program

    app = App(HostDevice(clock=ManualClock()), seed=2026)
    app.home("game", None, game, 0, b"\x01\x02")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        program.measure(app)
    return {name: value for name, value in host.parse(printed.getvalue()).items() if not name.endswith("_us")}


def on_device(args: argparse.Namespace, tables: list[games.Game]) -> dict[str, Any]:
    """The figures of a Pico, with ratios."""
    from tools.benches import device

    asked = [(table.name, table.seats, table.mask) for table in tables]
    sample = args.positions, args.iterations
    with cli.Progress("measuring") as progress:
        if args.port:
            from tools.boards.link import Link

            with Link(args.port) as link:
                found = device.measure(device.Port(link), asked, args.ms, args.changes, sample, progress.step)
        else:
            from tools.benches import emulated
            from tools.emulator import firmware

            uf2 = firmware.find(args.uf2)
            pico = emulated.power_on(uf2, check.load(args.board), args.board)
            progress.step("reset to title")
            title = emulated.title_ms(pico)
            found = {"title_ms": title} | device.measure(pico, asked, args.ms, args.changes, sample, progress.step)
    return device.ratios(found)


def lines(found: dict[str, Any], indent: str = "") -> list[str]:
    """Figures as text, nested by indentation; what the JSON has beside a figure (ratio, real) in its line."""
    out = []
    for name, value in found.items():
        if isinstance(value, dict):
            out += [f"{indent}{name}", *lines(value, indent + "  ")]
        elif not name.endswith(("_ratio", "_real")):
            real = f"   {found[name + '_real']} on a real Pico" if f"{name}_real" in found else ""
            out.append(f"{indent}{name:24} {value}{real}")
    return out
