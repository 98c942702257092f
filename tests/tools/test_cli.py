"""The command line: help, wrong use, old Pythons, progress."""

import ast
import importlib
import io
import os
import shlex
import signal
import subprocess
import sys
import time

import pytest

from tools import __main__ as commands
from tools import cli
from tools.environment import ROOT


def run(*arguments, python=()):
    command = [sys.executable, *python, "-m", "tools", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_no_command_shows_the_help_on_stderr_and_is_wrong_use():
    done = run()
    assert (done.returncode, done.stdout) == (cli.MISUSED, "")
    assert "play" in done.stderr


def test_help_lists_exactly_the_commands_whose_file_is_there():
    done = run("-h")
    assert (done.returncode, done.stderr) == (cli.DONE, "")
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert listed == [name for name in commands.COMMANDS if (ROOT / "tools" / f"{name}.py").exists()]


# -S: on a fresh clone there are no packages, and nobody wants to fetch some to read the help.
@pytest.mark.parametrize("python", [(), ("-S",)])
@pytest.mark.parametrize("name", commands.offered())
def test_each_command_has_help(name, python):
    done = run(name, "-h", python=python)
    assert (done.returncode, done.stderr) == (cli.DONE, "")
    assert done.stdout.startswith(f"usage: python3 -m tools {name}")


# `test` gives what it does not know to pytest.
@pytest.mark.parametrize("name", [name for name in commands.offered() if name != "test"])
def test_each_command_refuses_an_unknown_option_in_one_line(name):
    done = run(name, "--no-such-option")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (cli.MISUSED, "", 1)


EMPTY = [
    *(["shots", "title", "--out"], ["record", "goats", "-o"], ["wiring", "reference", "-o"], ["emulate", "--uf2"]),
    *(["record", "goats", "--seed"], ["record", "goats", "--players"], ["replay"], ["shots"]),
    *(["build", name] for name in ("--board", "--lang", "--out", "--source", "--traceback")),
    *(["flash", name] for name in ("--board", "--lang", "--port", "--image", "--backup", "--records")),
    *(["play", name] for name in ("--board", "--lang", "--layout", "--saves", "--records", "--keys", "--shot", "--player")),
]


@pytest.mark.parametrize("arguments", EMPTY, ids=" ".join)
def test_an_empty_value_is_none(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(cli.Usage, match="it is empty"):
        importlib.import_module(f"tools.{arguments[0]}").main([*arguments[1:], ""])
    assert not list(tmp_path.iterdir())


def test_an_empty_value_may_be_the_default():
    parser = cli.Parser("record", "")
    parser.add_argument("--options", default="")
    parser.add_argument("words", nargs="*")
    assert parser.parse_args(["--options", ""]).options == ""
    assert parser.parse_args([]).words == []


def test_an_unknown_command_is_one_line():
    done = run("dance")
    assert done.returncode == cli.MISUSED
    assert done.stderr.startswith("cairn: no command 'dance'; there are: play")
    assert done.stderr.count("\n") == 1


def test_the_entry_parses_on_old_pythons_and_says_which_is_needed(monkeypatch, capsys):
    for name in ("__init__.py", "__main__.py"):
        ast.parse((ROOT / "tools" / name).read_text(), feature_version=(3, 4))
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    assert commands.main(["test"]) == cli.FAILED
    assert capsys.readouterr().err == "cairn: Python 3.10 or newer is needed, this is 3.9\n"


WRITING = [
    ["-h"],
    *([name, "-h"] for name in commands.offered()),
    ["record", "goats", "-n", "9"],
    ["replay", "RECORD"],
    ["replay", "RECORD", "--json"],
    ["play", "--keys", "KEYS", "--text"],
    ["build", "--boards"],
    ["wiring"],
    ["wiring", "reference"],
]


def in_shell(arguments, tmp_path, redirection, **variables):
    """(exit code, stdout, stderr) of a command whose streams the shell redirects."""
    (tmp_path / "keys").write_text("A 100ms")
    if "RECORD" in arguments:
        assert run("record", "goats", "-o", str(tmp_path / "record")).returncode == 0
    words = [{"RECORD": str(tmp_path / "record"), "KEYS": str(tmp_path / "keys")}.get(a, a) for a in arguments]
    line = shlex.join([sys.executable, "-m", "tools", *words]) + " " + redirection
    shell = ["bash", "-o", "pipefail", "-c", line]
    done = subprocess.run(shell, cwd=ROOT, capture_output=True, timeout=120, env={**os.environ, **variables})
    return done.returncode, done.stdout, done.stderr.decode()


posix = pytest.mark.skipif(os.name == "nt", reason="command line: its streams are redirected by a POSIX shell")


@posix
@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_standard_streams_that_cannot_be_used_are_never_a_traceback(arguments, tmp_path):
    # The reader goes away before anything is written.
    for buffered in ("", "1"):
        assert in_shell(arguments, tmp_path, "| true", PYTHONUNBUFFERED=buffered) == (cli.DONE, b"", "")
    for closed in (">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
        code, _, told = in_shell(arguments, tmp_path, closed)
        assert (code, told) == (cli.DONE, ""), closed
    if os.path.exists("/dev/full"):
        code, _, told = in_shell(arguments, tmp_path, ">/dev/full")
        assert (code, told.count("\n")) == (cli.FAILED, 1)
        assert told.startswith("cairn: the output cannot be written: ")


# A record with a fault; a test that fails; a mistake that is told on stderr.
FAILING = [
    (["replay", "FAULTY", "--json"], "| true", cli.FAILED),
    (["replay", "FAULTY"], "2>&1 | true", cli.FAILED),
    (["dance"], "2>&1 | true", cli.MISUSED),
    (["test", "FAILING", "-n", "0"], "| true", cli.FAILED),
    (["test", "FAILING", "-n", "0"], "| head -1", cli.FAILED),
]


@posix
@pytest.mark.parametrize(("arguments", "redirection", "code"), FAILING)
@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_reader_that_goes_away_makes_no_success(arguments, redirection, code, buffered, tmp_path):
    (tmp_path / "faulty").write_text("{}\n")
    (tmp_path / "test_it.py").write_text("def test_it():\n    assert False\n")
    words = {"FAULTY": str(tmp_path / "faulty"), "FAILING": str(tmp_path / "test_it.py")}
    filled = [words.get(word, word) for word in arguments]
    found, _, told = in_shell(filled, tmp_path, redirection, PYTHONUNBUFFERED=buffered)
    assert found == code
    assert "Traceback" not in told


@posix
def test_what_the_encoding_of_the_output_lacks_is_no_traceback(tmp_path):
    code, shown, told = in_shell(["play", "--keys", "KEYS", "--text"], tmp_path, "", PYTHONIOENCODING="ascii")
    assert (code, told) == (cli.DONE, "")
    assert "\u28ff" in shown.decode("utf-8")
    name = str(tmp_path / "récord")
    assert run("record", "goats", "-o", name).returncode == 0
    code, _, told = in_shell(["replay", name + "s"], tmp_path, "", PYTHONIOENCODING="ascii")
    assert (code, told.count("\n")) == (cli.FAILED, 1)


def started(arguments, part, **options):
    """A command that works on a file, once it has begun to write."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tools", *arguments], cwd=ROOT, stderr=subprocess.PIPE, text=True, **options
    )
    until = time.monotonic() + 60
    while not part.exists() and child.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    assert part.exists()
    return child


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_leaves_files_as_they_were(tmp_path, number):
    file = tmp_path / "games"
    file.write_text("old")
    with started(["record", "goats", "-n", "999999", "-o", str(file)], tmp_path / "games.part") as child:
        child.send_signal(number)
        _, told = child.communicate(timeout=60)
    assert (child.returncode, told) == (128 + number, "\ncairn: stopped\n")
    assert [path.name for path in tmp_path.iterdir()] == ["games"]
    assert file.read_text() == "old"


@posix
def test_a_signal_that_is_ignored_stays_so(tmp_path):
    ignoring = {"preexec_fn": lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN)}
    with started(["record", "goats", "-n", "300", "-o", str(tmp_path / "games")], tmp_path / "games.part", **ignoring) as child:
        child.send_signal(signal.SIGTERM)
        _, told = child.communicate(timeout=60)
    assert (child.returncode, "stopped" in told) == (cli.DONE, False)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_redrawn_on_a_terminal_and_gone_at_the_end(monkeypatch):
    monkeypatch.setattr(cli, "DRAW_EVERY_S", 0)
    out = Terminal()
    with cli.Progress("games", 3, out) as progress:
        progress.step("goats")
        progress.step()
    shown = out.getvalue()
    assert "\rgames 1/3" in shown
    assert "\rgames 2/3" in shown
    assert "\n" not in shown
    assert shown.split("\r")[-2].strip() == ""


def test_progress_is_nearly_quiet_elsewhere(monkeypatch):
    out = io.StringIO()
    with cli.Progress("games", 3, out) as progress:
        progress.step()
        assert out.getvalue() == ""
        monkeypatch.setattr(cli, "COARSE_EVERY_S", 0)
        progress.step("goats")
    assert out.getvalue() == "games 2/3  0 s  goats\n"
