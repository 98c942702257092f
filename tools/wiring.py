"""`wiring`: the wiring diagram of a board file, as SVG, or its wires as a table."""

from __future__ import annotations

import sys
from pathlib import Path

from tools import cli, output
from tools.environment import ROOT
from tools.kits import check, drawing, files


def parser() -> cli.Parser:
    """The command's arguments."""
    p = cli.Parser("wiring", "Draw how a kit is wired, from its board file; a file with a fault is refused.")
    p.add_argument("board", metavar="BOARD", nargs="?", help="a file of boards/ (without: the list of them)")
    p.add_argument("--table", action="store_true", help="the wires as a Markdown table instead")
    p.add_argument("-o", type=Path, metavar="FILE", help="where to (default: standard output)")
    return p


def main(argv: list[str]) -> int:
    """Draw what `argv` asks for."""
    asked = parser().parse_args(argv)
    if asked.board is None:
        if asked.table or asked.o:
            raise cli.Usage("which board? Without one the boards are listed")
        for name in files.names(ROOT):
            print(f"{name:20}{check.load(name).TITLE}")
        return cli.DONE
    board = check.load(asked.board)
    text = drawing.table(board) if asked.table else drawing.svg(board)
    if asked.o is None:
        sys.stdout.write(text)
        return cli.DONE
    output.write(asked.o, text)
    return cli.DONE
