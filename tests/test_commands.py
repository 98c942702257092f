"""Every command of README and docs runs here as it is written, or is marked `[board]`.

They run in a copy of Cairn, each once, in the order of their page. What is marked `[long]` runs in a short form, which
SHORT makes of it, and what is marked `[UF2]` where MicroPython's UF2 is at hand; these need `--slow`, but for a sample. The
name of a test is the command as it is run.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.copies import copied, with_environment
from tests.pages import MARKS, PAGES, START, in_blocks, in_prose, name, text_of
from tests.tools import emulated
from tools import __main__ as commands
from tools import cli
from tools.emulator import firmware
from tools.environment import ROOT, has_node

# Options that take the place of the page's, or are added: the same command, but less of it. `test` only looks for the
# tests: the run that this is part of is what runs it.
SHORT = {
    "arena": {"--games": "2"},
    "blunders": {"-n": "1", "--budget": "200"},
    "solve": {"--states": "4"},
    "test": {"--collect-only": None, "-q": None},
    "train": {"--steps": "1", "--games": "2", "--confirm": "2"},
    "train --fit": {"--games": "600", "--confirm": "2", "--player": "easy"},
    "web": {"--kits": "reference"},
}
# Long even without a mark, for which a sentence has no place; a stranger does not wait long for `web`.
LONG = ("solve", "web")
# Those that are run without --slow, too.
SAMPLE = ("arena", "blunders", "train")

# What a reader puts for these words; the files are there (GIVEN).
WORDS = {"GAME": "goats", "NAME": "reference", "FILE": "docs/examples/hasty.py", "S": "keys.txt", "F": "flash.bin"}
GIVEN = {
    "keys.txt": "still 200\nA 300ms # the language\nA 300ms A 300ms A 300ms # play, goats, start\nstill 400\n",
    "crash.txt": 'Traceback (most recent call last):\n  File "firmware.course", in coming\nValueError: moves\n',
}

# Commands that another test runs.
ELSEWHERE = {
    "play": "tests/test_stranger.py::test_it_plays_at_once",
    'play --player "hard=exec:python3 FILE"': "tests/tools/test_guest.py::test_play_seats_one",
    "play --layout two": "tests/tools/test_play.py::test_other_keys_than_the_boards",
    "play --records DIR": "tests/tools/test_play.py::test_kept_games_are_written_as_records",
    "test": "tests/test_stranger.py::test_both_commands_of_the_readme_work",
    "bench --device": "tests/tools/test_bench.py::test_no_figure_of_the_pico_is_worse",
    "record pig": "tests/test_own_game.py::test_its_games_are_recorded_and_checked",
    "arena pig --players easy,random": "tests/test_own_game.py::test_computer_players_play_it",
    "replay FILE": "tests/tools/test_record.py",
    "shots": "tests/tools/test_shots.py::test_pictures_are_up_to_date",
}

# They need Node.
NODE = ("node", "web")
# Commands that serve until Ctrl-C: when they have told this, it comes.
SERVING = {"--tcp-port": "mpremote connect socket://", "web": "http://"}

TIMEOUT_S = 600
posix = pytest.mark.skipif(os.name == "nt", reason="docs: their commands are written for a POSIX shell")


def name_of(command: str) -> str:
    """`arena` of `python3 -m tools arena ...`; the whole of what is not ours."""
    return command.split()[3] if command.startswith(START) else command


def filled_in(command: str) -> str:
    """The command with something in the place of the words that stand for it."""
    words = (part.strip("\"'") for part in command.split())
    for word in words:
        for old, new in WORDS.items():
            if word == old or word.startswith(f"{old},") or word.endswith(f" {old}"):
                command = command.replace(word, word.replace(old, new))
    return command


def shortened(command: str) -> str:
    """The command with the options of SHORT."""
    parts = shlex.split(command)
    kind = name_of(command)
    if "--fit" in parts and f"{kind} --fit" in SHORT:
        kind += " --fit"
    for option, value in SHORT[kind].items():
        if option in parts:
            at = parts.index(option)
            del parts[at : at + (1 if value is None else 2)]
        parts += [option] if value is None else [option, value]
    return shlex.join(parts)


def without_screen(command: str) -> str:
    """`emulate` with a picture in the place of a terminal, `web` without a browser."""
    parts = set(command.split())
    if name_of(command) == "emulate" and not {"--script", "--shot", "--tcp-port"} & parts:
        command += " --shot p.png"
    if name_of(command) == "web" and "--out" not in parts:
        command += " --no-open --port 0"
    return command


def tells(command: str) -> str | None:
    """What a command tells that serves until Ctrl-C; None if it ends by itself."""
    options = [part for part in command.split() if part.startswith("-")]
    if "--out" in options:
        return None
    return next((told for word, told in SERVING.items() if word in (*options, name_of(command))), None)


def needs_board(command: str) -> bool:
    return name_of(command) == "flash" or command.startswith("mpremote ")


@functools.cache
def written() -> dict[str, tuple[Path, frozenset[str]]]:
    """Each command that is run here, words filled in: the page that first has it, and its marks."""
    found: dict[str, tuple[Path, frozenset[str]]] = {}
    for page in PAGES:
        text = text_of(page)
        told = [command for command in in_prose(text) if "COMMAND" not in command]
        for command, marks in [*in_blocks(text), *((command, set()) for command in told)]:
            if needs_board(command) or command.removeprefix(START) in ELSEWHERE:
                continue
            if not marks and command.removeprefix(START).startswith(LONG):
                marks = {"long"}
            found.setdefault(filled_in(command), (page, frozenset(marks)))
    return found


def marked(mark: str) -> list[str]:
    """The commands with a mark."""
    return [command for command, (_, marks) in written().items() if mark in marks]


def unmarked(page: Path) -> list[str]:
    """The commands of a page that run as they are written."""
    return [command for command, (where, marks) in written().items() if where == page and not marks]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    root = with_environment(copied(tmp_path / "cairn"))
    for file, text in GIVEN.items():
        (root / file).write_text(text, encoding="utf-8")
    return root


def python() -> str:
    """What stands for `python3`: the Python that the environment was made with, which has none of its packages."""
    return getattr(sys, "_base_executable", sys.executable)


def variables() -> dict[str, str]:
    found = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "PYTHONPATH"))}
    uf2 = firmware.named() or firmware.kept()
    return {**found, firmware.VARIABLE: str(uf2.resolve())} if uf2 else found


def shell(command: str) -> str:
    return command.replace("python3", shlex.quote(python()))


def run(command: str, root: Path) -> None:
    """Run a command in a copy; it has to end well."""
    command = without_screen(command)
    told = tells(command)
    if told:
        serve(command, root, told)
        return
    done = subprocess.run(
        shell(command),
        shell=True,
        cwd=root,
        env=variables(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 0, f"{command}: {done.stderr}"
    # A program that cannot be found would only lose all its games.
    assert "by a program's own fault" not in done.stderr, f"{command}: {done.stderr}"


def serve(command: str, root: Path, told: str) -> None:
    """Run a command until it has told something; Ctrl-C has to end it well."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(shlex.split(shell(command)), cwd=root, env=variables(), text=True, **pipes) as server:
        assert server.stdout
        said = ""
        for line in server.stdout:
            said += line
            if told in line:
                break
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0 and told in said, f"{command}: {said}"


# --- They are commands


def mistake(command: str) -> str | None:
    """What is wrong with a command line, None if its parser takes it. Nothing of it is carried out."""
    for part in command.split("|"):
        if not part.strip().startswith(START):
            return f"{part.strip()!r} is not ours"
        name, *arguments = shlex.split(part.strip()[len(START) :])
        if name not in commands.offered():
            return f"no command {name}"
        module = importlib.import_module(commands.COMMANDS[name][0])
        with pytest.MonkeyPatch.context() as patch:
            # test hands on to pytest what it does not know.
            for method in ("parse_args", "parse_known_args"):
                patch.setattr(cli.Parser, method, stop_after(getattr(cli.Parser, method)))
            try:
                module.main(arguments)
            except Parsed:
                continue
            except cli.Usage as wrong:
                return str(wrong)
    return None


class Parsed(BaseException):
    """A parser has taken the arguments."""


def stop_after(method):
    @functools.wraps(method)
    def parse(self, *given, **named):
        found = method(self, *given, **named)
        # parse_args calls parse_known_args, which must come back to it.
        if sys._getframe(1).f_code.co_name == "parse_args":
            return found
        raise Parsed

    return parse


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_parses(page):
    text = text_of(page)
    found = [command for command in [*(c for c, _ in in_blocks(text)), *in_prose(text)] if command.startswith(START)]
    # COMMAND stands for any of them.
    assert not [f"{command}: {told}" for command in found if "COMMAND" not in command and (told := mistake(command))]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("python3 -m tools dance", "no command dance"),
        ("python3 -m tools replay", "required: FILE"),
        ("python3 -m tools record goats --speed 9", "unrecognized arguments: --speed"),
        ("python3 -m tools flash --timeout soon", "invalid float"),
        ("python3 -m tools record goats | tee x", "not ours"),
        ("python3 -m tools test --slow -k x", None),
        ("python3 -m tools flash --check", None),
    ],
)
def test_a_wrong_command_is_found(command, told):
    found = mistake(command)
    assert found is None if told is None else told in (found or "")


def test_marks_are_known_and_boards_are_marked():
    for page in PAGES:
        for command, marks in in_blocks(text_of(page)):
            assert marks <= MARKS, command
            assert needs_board(command) == ("board" in marks), command
            assert name_of(command) != "emulate" or "UF2" in marks, command


def test_the_page_has_the_short_forms():
    page = text_of(ROOT / "docs" / "testing.md")
    for command, options in SHORT.items():
        short = " ".join(word for pair in options.items() for word in pair if word)
        assert re.search(rf"\| `{command}( [^`]*)?` \| `{re.escape(short)}`", page), command


def test_what_runs_elsewhere_is_there():
    for where in ELSEWHERE.values():
        file, _, function = where.partition("::")
        assert not function or f"\ndef {function}(" in (ROOT / file).read_text(encoding="utf-8"), where


@pytest.mark.parametrize(
    ("command", "short"),
    [
        ("python3 -m tools arena goats --games 1000 --players a,b", "python3 -m tools arena goats --players a,b --games 2"),
        ("python3 -m tools blunders kings", "python3 -m tools blunders kings -n 1 --budget 200"),
        ("python3 -m tools train a --fit b", "python3 -m tools train a --fit b --games 600 --confirm 2 --player easy"),
        ("python3 -m tools test -k x", "python3 -m tools test -k x --collect-only -q"),
    ],
)
def test_a_short_form_is_the_command_with_less_to_do(command, short):
    assert shortened(command) == short


def test_words_that_stand_for_something_are_filled_in():
    assert filled_in("python3 -m tools wiring NAME") == "python3 -m tools wiring reference"
    assert filled_in('arena goats --players "exec:python3 FILE,easy"').endswith('"exec:python3 docs/examples/hasty.py,easy"')


# --- They run


@posix
@pytest.mark.parametrize("page", [page for page in PAGES if unmarked(page)], ids=name)
def test_commands_without_a_mark_run(page, clone):
    left = [command for command in unmarked(page) if name_of(command).split()[0] in NODE and not has_node()]
    for command in unmarked(page):
        if command not in left:
            run(command, clone)
    if left:
        pytest.skip(f"docs: Node and npm are not installed, not run: {', '.join(left)}")


def sampled(asked: list[str]) -> list:
    """The short forms; but for the first of each command of SAMPLE they are for --slow."""
    left = set(SAMPLE)
    found = []
    for command in asked:
        slow = [] if name_of(command) in left else [pytest.mark.slow]
        left.discard(name_of(command))
        found.append(pytest.param(command, marks=slow, id=shortened(command).removeprefix(START)))
    return found


@posix
@pytest.mark.parametrize("command", sampled(marked("long")))
def test_long_commands_run_in_a_short_form(command, clone):
    if name_of(command) in NODE and not has_node():
        pytest.skip("docs: Node and npm are not installed")
    run(shortened(command), clone)


@posix
@pytest.mark.slow
@pytest.mark.parametrize("command", marked("UF2"), ids=lambda c: without_screen(c).removeprefix(START))
def test_commands_of_the_emulated_pico_run(command, clone):
    emulated.uf2()
    run(command, clone)
