"""`wiring`: the wiring diagram of a board file, as SVG, or its wires as a table, or what to buy."""

from __future__ import annotations

from pathlib import Path

from tools import cli, output
from tools.environment import ROOT
from tools.kits import check, drawing, files


def parser() -> cli.Parser:
    """The command's arguments."""
    p = cli.Parser("wiring", "Draw how a kit is wired, from its board file; a file with a fault is refused.")
    p.add_argument("board", metavar="BOARD", nargs="?", help="a file of boards/ (without: the list of them)")
    instead = p.add_mutually_exclusive_group()
    instead.add_argument("--table", action="store_true", help="the wires as a Markdown table instead")
    instead.add_argument("--parts", type=int, metavar="N", help="what to buy for N kits instead")
    p.add_argument("-o", type=Path, metavar="FILE", help="where to (default: standard output)")
    return p


def main(argv: list[str]) -> int:
    """Draw what `argv` asks for."""
    asked = parser().parse_args(argv)
    if asked.board is None:
        if asked.table or asked.parts is not None or asked.o:
            raise cli.Usage("which board? Without one the boards are listed")
        cli.answer("\n".join(f"{name:20}{check.load(name).TITLE}" for name in files.names(ROOT)))
        return cli.DONE
    if asked.parts is not None and asked.parts < 1:
        raise cli.Usage("--parts needs a number of kits, 1 or more")
    board = check.load(asked.board)
    if asked.parts is not None:
        text = "".join(f"{asked.parts * count:6}  {what}\n" for count, what in board.PARTS)
    else:
        text = drawing.table(board) if asked.table else drawing.svg(board)
    if asked.o is None:
        cli.answer(text.removesuffix("\n"))
        return cli.DONE
    output.write(asked.o, text)
    return cli.DONE
