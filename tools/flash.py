"""`flash`: puts the firmware onto one or many boards, keeps their saves, and fetches their game records."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tools import build, cli
from tools.boards import ports, records, saves, update
from tools.boards.link import ANSWER_LIMIT_S, Link
from tools.boards.progress import Lines
from tools.image import image

_BLINK_ROUNDS = 5


@dataclass
class Outcome:
    """What came of one board. `done` in a few words; `error` is None if it went well."""

    port: str
    id: str = ""
    machine: str = ""
    micropython: str = ""
    before: str = ""
    after: str = ""
    done: str = ""
    seconds: float = 0.0
    error: str | None = None
    remarks: list[str] = field(default_factory=list)


class Session:
    """The boards of one run, each worked on in a thread of its own; Ctrl-C stops them all between two calls."""

    def __init__(self, names: list[str], limit_s: float) -> None:
        self.names = names
        self.limit_s = limit_s
        self.stop = threading.Event()

    def run(self, work: Callable[[Link, Outcome, Callable[..., None]], None]) -> list[Outcome]:
        """Do `work(link, outcome, show)` on every board at the same time; the outcomes, in the order of the names."""
        with Lines(self.names) as lines, ThreadPoolExecutor(len(self.names)) as pool:
            futures = [pool.submit(self._one, name, work, lines) for name in self.names]
            try:
                # In short waits: on Windows a wait without an end keeps Ctrl-C out.
                while not all(future.done() for future in futures):
                    time.sleep(0.05)
            except KeyboardInterrupt:
                self.stop.set()
                raise
        return [future.result() for future in futures]

    def _one(self, name: str, work: Callable[..., None], lines: Lines) -> Outcome:
        outcome = Outcome(name)
        began = time.monotonic()
        try:
            lines.show(name, "connecting")
            with Link(name, self.limit_s, self.stop.is_set) as link:
                work(link, outcome, lambda *what: lines.show(name, *what))
        except cli.Failure as fault:
            outcome.error = str(fault).removeprefix(f"{name}: ")
        except KeyboardInterrupt:
            outcome.error = "stopped; the board starts what it had or the new firmware, run again"
        outcome.seconds = round(time.monotonic() - began, 1)
        lines.show(name, "failed" if outcome.error else outcome.done or "done")
        return outcome


def look_at(link: Link, outcome: Outcome) -> update.State:
    """Read the board's state and note who it is."""
    state = update.look(link)
    outcome.id = state.board["id"]
    outcome.machine = state.board["machine"]
    outcome.micropython = state.micropython
    outcome.before = outcome.after = state.version
    return state


def flash_one(made: image.Image, check: bool, replace: bool = False) -> Callable[..., None]:
    """The work of bringing a board to an image, or (`check`) of saying what that would change. replace: where there is
    no room for two firmwares, the old one goes first."""

    def work(link: Link, outcome: Outcome, show: Callable[..., None]) -> None:
        show("looking")
        state = look_at(link, outcome)
        reason = update.unfit(state, made.manifest)
        if reason:
            raise cli.Failure(reason)
        plan = update.plan(link, state, made)
        if check:
            outcome.done = _would(plan)
            return
        if replace and not plan.settled and plan.blocks_short() > 0:
            update.give_up(link, state, show)
            plan = update.plan(link, update.look(link), made)
        outcome.remarks += update.carry_out(link, plan, show)
        if plan.nothing:
            outcome.done = "up to date"
            return
        show("starting")
        printed = link.start()
        verb = "installed" if state.running is None else "updated"
        outcome.done = f"{verb}: {len(plan.send)} files sent, {len(plan.copy) + len(plan.keep)} were there"
        _judge_start(plan, printed, outcome)
        outcome.after = f"Cairn {made.manifest.version} ({made.manifest.build})"

    return work


def _would(plan: update.Plan) -> str:
    if plan.nothing:
        return "up to date"
    short = plan.blocks_short()
    room = (
        ""
        if plan.settled or short <= 0
        else f"; about {short * plan.state.board['block'] // 1024} KB are missing"
    )
    return f"would send {len(plan.send)} files, {plan.send_bytes} bytes{room}"


def _judge_start(plan: update.Plan, printed: str, outcome: Outcome) -> None:
    """Did the new firmware start? The loader says on the console what it does."""
    if f"Cairn: starting from /{plan.target}\n" in printed:
        return
    if "Cairn: " in printed:
        reason = next((line for line in reversed(printed.splitlines()) if "Error" in line), "no reason given")
        raise cli.Failure(
            f"all files arrived, but the new firmware does not start ({reason}); the board runs what it had"
        )
    outcome.remarks.append("it was not seen to start: press its reset button or plug it in again")


def _names_of(asked) -> list[str]:
    """The ports to work on. Failure or Usage if that is not clear."""
    if asked.port:
        return list(dict.fromkeys(asked.port))
    found = ports.find()
    if not found:
        raise cli.Failure(ports.none_found())
    if len(found) > 1 and not asked.all and not asked.blink:
        listed = ", ".join(f"{port.name} ({port.serial_number or 'no number'})" for port in found)
        raise cli.Usage(
            f"{len(found)} boards: {listed}. Choose one with --port, or --all; --blink shows which is which"
        )
    return [port.name for port in found]


def _image_of(asked) -> image.Image:
    if asked.image:
        made = image.read(asked.image)
        if made.manifest.target != "pico":
            raise cli.Failure(
                f"{asked.image} holds an image for {made.manifest.target}: build with --target pico"
            )
        return made
    return build.build(build.choice_of(asked.source, "pico", asked.board, asked.lang))


def _blink(numbers: dict[str, int]) -> Callable[..., None]:
    def work(link: Link, outcome: Outcome, show: Callable[..., None]) -> None:
        look_at(link, outcome)
        times = numbers[link.port]
        show(f"blinking {times}")
        limit_s = link.limit_s + _BLINK_ROUNDS * (times * 0.35 + 0.6)
        if not link.call("blink", times, _BLINK_ROUNDS, limit_s=limit_s):
            raise cli.Failure("this board has no LED that MicroPython knows")
        outcome.done = f"blinked {times} times in a row"

    return work


def _file_of(path: Path, outcome: Outcome, several: bool) -> Path:
    """Where a board's backup is: `path` itself, or ID.zip in it if it is a folder or there are several boards."""
    if several or path.is_dir():
        return path / f"{outcome.id or outcome.port.rpartition('/')[2]}.zip"
    return path


def _keep_saves(asked, several: bool) -> Callable[..., None]:
    def work(link: Link, outcome: Outcome, show: Callable[..., None]) -> None:
        look_at(link, outcome)
        done = []
        if asked.backup:
            show("reading the saves")
            path = _file_of(asked.backup, outcome, several)
            done.append(f"{saves.backup(link, path)} files of saves in {path}")
        if asked.restore:
            show("writing the saves")
            path = _file_of(asked.restore, outcome, several)
            done.append(f"{saves.restore(link, saves.read_backup(path))} files of saves restored")
        if asked.records:
            show("reading the records")
            folder = asked.records / (outcome.id or outcome.port.rpartition("/")[2])
            count, remarks = records.fetch(link, folder)
            outcome.remarks += remarks
            done.append(f"{count} records in {folder}")
        outcome.done = "; ".join(done)

    return work


def _report(outcomes: list[Outcome], as_json: bool) -> None:
    if as_json:
        cli.answer(json.dumps({"boards": [asdict(outcome) for outcome in outcomes]}))
        return
    rows = [("port", "id", "MicroPython", "had", "result")]
    for o in outcomes:
        rows.append(
            (o.port, o.id or "?", o.micropython or "?", o.before or "?", o.error and "FAILED" or o.done)
        )
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    told = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)) + "  " + row[4] for row in rows]
    told += [f"{o.port}: {remark}" for o in outcomes for remark in o.remarks]
    cli.answer("\n".join(told))


def parser() -> cli.Parser:
    options = cli.Parser("flash", "Put the firmware onto a board, or onto many at the same time. Saves stay.")
    which = options.add_argument_group("which boards")
    which.add_argument(
        "--port",
        metavar="P",
        action="append",
        help="serial port (may be repeated; default: the one there is)",
    )
    which.add_argument("--all", action="store_true", help="every board that is connected")
    which.add_argument(
        "--blink", action="store_true", help="show which is which: the LED of the nth board blinks n times"
    )
    what = options.add_argument_group("what")
    what.add_argument("--board", metavar="B", help=f"a file of boards/ (default: {build.DEFAULT_BOARD})")
    what.add_argument("--lang", metavar="L,..", help="languages (default: all)")
    what.add_argument(
        "--image", metavar="DIR", type=Path, help="what `build --out DIR` made, instead of building now"
    )
    what.add_argument("--check", action="store_true", help="only say what would change")
    what.add_argument(
        "--replace",
        action="store_true",
        help="where there is no room for two firmwares (Pico W), remove the old one first; interrupted, flash again",
    )
    saved = options.add_argument_group("instead: saves and records")
    saved.add_argument(
        "--backup", metavar="FILE|DIR", type=Path, help="keep the saves in a zip file, ID.zip in a folder"
    )
    saved.add_argument("--restore", metavar="FILE|DIR", type=Path, help="bring them back")
    saved.add_argument("--records", metavar="DIR", type=Path, help="fetch the game records into DIR/ID")
    options.add_argument(
        "--timeout", metavar="S", type=float, default=ANSWER_LIMIT_S, help="longest wait for one answer"
    )
    options.add_argument("--json", action="store_true", help="print the outcome as JSON")
    options.add_argument("--source", metavar="DIR", type=Path, default=build.ROOT, help="another source tree")
    return options


def main(argv: list[str]) -> int:
    asked = parser().parse_args(argv)
    if asked.port and asked.all:
        raise cli.Usage("--port or --all, not both")
    if asked.image and (asked.board or asked.lang):
        raise cli.Usage("--image has its board and languages already; leave --board and --lang to `build`")
    if not 0 < asked.timeout < float("inf"):  # nan is neither
        raise cli.Usage("--timeout needs a time in seconds above 0")
    kept = asked.backup or asked.restore or asked.records
    if bool(kept) + asked.blink + asked.check > 1:
        raise cli.Usage("--check, --blink and the saves are separate jobs: one at a time")
    names = _names_of(asked)
    several = len(names) > 1
    if asked.blink:
        work = _blink({name: i + 1 for i, name in enumerate(names)})
    elif kept:
        if asked.restore and not several and not asked.restore.is_dir():
            saves.read_backup(asked.restore)  # a wrong file is told before a board is touched
        work = _keep_saves(asked, several)
    else:
        work = flash_one(_image_of(asked), asked.check, asked.replace)
    outcomes = Session(names, asked.timeout).run(work)
    _report(outcomes, asked.json)
    failed = [outcome for outcome in outcomes if outcome.error]
    for outcome in failed:
        cli.say(f"{outcome.port}: {outcome.error}")
    return cli.FAILED if failed else cli.DONE
