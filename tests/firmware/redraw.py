"""Makes the golden screens anew: `python3 -m tests.firmware.redraw`. Look at each before it is kept."""

from pathlib import Path

from tools import standins

standins.install()

from tests.firmware import tables  # noqa: E402 (needs the stand-ins)
from tests.firmware.console import console  # noqa: E402
from tests.firmware.hand import pbm  # noqa: E402
from tests.firmware.shell import shell  # noqa: E402
from tests.firmware.test_result import tie  # noqa: E402
from tests.firmware.walk import seats, walk  # noqa: E402

GOLDEN = Path(__file__).parent / "golden"


def main() -> None:
    for old in GOLDEN.glob("*.pbm"):
        old.unlink()
    for name, shown in walk():
        if name:
            (GOLDEN / f"{name}.pbm").write_bytes(pbm(shown))
        else:
            (GOLDEN / "frames.txt").write_text("{:08x} {}\n".format(*shown))
    (GOLDEN / "result-tie.pbm").write_bytes(pbm(tie()))
    for count, options in ((2, 0), (3, 1), (4, 0), (5, 1)):
        name, shown = seats(count, options)
        (GOLDEN / f"{name}.pbm").write_bytes(pbm(shown))
    for name, shown in shell():
        (GOLDEN / f"{name}.pbm").write_bytes(pbm(shown))
    for name, shown in console():
        (GOLDEN / f"{name}.pbm").write_bytes(pbm(shown))
    for game, pictures in tables.GAMES:
        for name, shown in pictures():
            if name:
                (GOLDEN / "tables" / f"{name}.pbm").write_bytes(pbm(shown))
            else:
                (GOLDEN / "tables" / f"{game}.txt").write_text("{:08x} {}\n".format(*shown))


if __name__ == "__main__":
    main()
