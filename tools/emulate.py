"""`emulate`: the built image on an emulated RP2040, with an emulated panel and keys."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from tools import build, cli, output
from tools.kits import check

CUT = ("before", "half", "after")
SETTLED_MS = 400
"""Without a script: a picture that stands still for so long is the title."""

FIRST_LIMIT_MS = 20_000


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    p = cli.Parser(
        "emulate",
        "The built image on an emulated Pico: in this terminal, by a script, or for mpremote on a TCP port.",
    )
    p.add_argument("--board", default=build.DEFAULT_BOARD, metavar="B", help="a file of boards/ (default: reference)")
    p.add_argument("--lang", metavar="L,..", help="languages to build in (default: all)")
    p.add_argument("--uf2", type=Path, metavar="FILE", help="MicroPython for RPI_PICO (default: CAIRN_UF2, or fetched)")
    p.add_argument("--script", metavar="FILE", help="what the person does (tools/emulator/script.py); - is stdin")
    p.add_argument("--shot", type=Path, metavar="FILE.png", help="write the last picture")
    p.add_argument("--console", action="store_true", help="show the serial console on stdout (with --script or --shot)")
    p.add_argument("--flash-image", type=Path, metavar="FILE", help="the flash, kept: used if there, written at the end")
    p.add_argument(
        "--cut", type=_cut, metavar="N[:HOW]", help="power off at the N-th flash operation; HOW is before, half or after"
    )
    p.add_argument("--tcp-port", type=int, metavar="PORT", help="the console for mpremote; 0 takes any free port")
    p.add_argument("--no-panel", action="store_true", help="with the panel's wires off")
    p.add_argument("--stats", action="store_true", help="say at the end what it did, on stderr")
    return p


def _cut(text: str) -> tuple[int, str]:
    number, _, how = text.partition(":")
    if not number.isdigit() or int(number) < 1 or (how or "half") not in CUT:
        raise argparse.ArgumentTypeError(f"{text!r} is not like 7 or 7:before ({', '.join(CUT)})")
    return int(number), how or "half"


def main(argv: list[str]) -> int:
    """Run the command; the exit code."""
    args = parser().parse_args(argv)
    if args.tcp_port is not None and (args.script or args.shot or args.cut):
        raise cli.Usage("--tcp-port serves until Ctrl-C; --script, --shot and --cut are not for it")
    if args.tcp_port is not None and args.tcp_port not in range(65536):
        raise cli.Usage(f"--tcp-port {args.tcp_port}: a port is 0 to 65535")
    if args.console and not (args.script or args.shot or args.cut):
        raise cli.Usage("--console goes with --script, --shot or --cut; for a terminal on the console, use --tcp-port")
    if args.shot and (args.shot.suffix.lower() != ".png" or not args.shot.parent.is_dir()):
        raise cli.Usage(f"--shot {args.shot}: name a .png file in a folder that there is")
    if args.flash_image and (args.flash_image.is_dir() or not args.flash_image.parent.is_dir()):
        # Better now than when it is to be kept.
        raise cli.Usage(f"--flash-image {args.flash_image}: name a file in a folder that there is")
    from tools import standins

    standins.install()
    from tools.emulator import firmware, script

    lines = None if args.script is None else script.parse(cli.text_of("--script", args.script), args.script)
    interactive = args.tcp_port is None and lines is None and not args.shot and not args.cut
    if interactive:
        from tools.terminal import console

        console.check("--script FILE")
    pico = _power_on(args, firmware.find(args.uf2))
    if args.console:
        pico.on_output = _print
    started = time.monotonic()
    try:
        return _run(args, pico, lines, interactive)
    finally:
        if args.flash_image:
            _keep(args.flash_image, pico.flash)
        if args.stats:
            cli.say(_line(pico, time.monotonic() - started))


def _run(args: argparse.Namespace, pico: Any, lines: list | None, interactive: bool) -> int:
    from tools.emulator import script
    from tools.emulator.chip import PowerCut

    if interactive:
        from tools.emulator.screen import Screen

        return Screen(pico, f"Cairn, emulated: {args.board}").run()
    if args.tcp_port is not None:
        return _serve(pico, args.tcp_port)
    try:
        if lines is not None:
            script.play(pico, lines, _log if args.stats else lambda text: None)
        elif not script.still(pico, SETTLED_MS, FIRST_LIMIT_MS) or not pico.panel.lit:
            raise cli.Failure(f"nothing came onto the panel; the console says: {_tail(pico)}")
    except PowerCut as cut:
        cli.say(str(cut))
    else:
        if args.cut:
            raise cli.Failure(f"no power cut: there were only {pico.storage.operations} flash operations")
    if args.shot:
        script.shoot(pico, args.shot)
    return cli.DONE


def _power_on(args: argparse.Namespace, uf2: Path) -> Any:
    """The Pico with the image in its flash, or with the flash that was kept."""
    from tools.emulator.chip import FLASH_BYTES, LAYOUT, Pico
    from tools.image import filesystem

    choice = build.choice_of(build.ROOT, "pico", args.board, args.lang)
    flash = files = None
    if args.flash_image and args.flash_image.exists():
        try:
            flash = args.flash_image.read_bytes()
        except OSError as fault:
            raise cli.Failure(f"cannot read --flash-image {args.flash_image}: {fault.strerror}") from None
        if len(flash) != FLASH_BYTES:
            raise cli.Failure(f"{args.flash_image} has {len(flash)} bytes, the flash of a Pico has {FLASH_BYTES}")
    else:
        files = filesystem.pack(filesystem.device_files(build.build(choice)), LAYOUT)
    board = check.load(args.board)
    if board.BUS != "i2c":
        raise cli.Usage(f"--board {args.board}: the emulated Pico has a panel on I2C only; take another board")
    pico = Pico(uf2, board, flash=flash, files=files, panel=not args.no_panel)
    if args.cut:
        pico.storage.cut_at, pico.storage.cut_how = args.cut
    return pico


def _serve(pico: Any, port: int) -> int:
    from tools.emulator.serve import Server

    server = Server(pico, port)
    try:
        cli.say(f"Ctrl-C ends; meanwhile: mpremote connect socket://127.0.0.1:{server.port}")
        while True:
            server.turn()
    except KeyboardInterrupt:
        return cli.DONE
    finally:
        server.close()


def _keep(path: Path, flash: bytes) -> None:
    """Whole or not at all."""
    try:
        with output.place(path) as place:
            place.write_bytes(flash)
    except OSError as fault:
        raise cli.Failure(f"cannot write --flash-image {path}: {fault.strerror}") from None


def _print(data: bytes) -> None:
    sys.stdout.write(data.decode("utf-8", "replace").replace("\r", ""))
    sys.stdout.flush()


def _log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _tail(pico: Any) -> str:
    lines = bytes(pico.console).decode("utf-8", "replace").split("\n")
    return json.dumps([line.strip() for line in lines if line.strip()][-4:])


def _line(pico: Any, seconds: float) -> str:
    return (
        f"{pico.ms / 1000:.2f} s emulated in {seconds:.1f} s; panel {'on' if pico.panel.lit else 'dark'}, "
        f"{pico.wires.bytes} bytes in {pico.wires.transfers} writes; flash {pico.storage.erases} erases, "
        f"{pico.storage.programs} programs"
    )
