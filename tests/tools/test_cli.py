"""The command line: help, wrong use, old Pythons, progress."""

import ast
import io
import subprocess
import sys

import pytest

from tools import __main__ as commands
from tools import cli
from tools.environment import ROOT


def run(*arguments):
    command = [sys.executable, "-m", "tools", *arguments]
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


@pytest.mark.parametrize("name", commands.offered())
def test_each_command_has_help(name):
    done = run(name, "-h")
    assert (done.returncode, done.stderr) == (cli.DONE, "")
    assert done.stdout.startswith(f"usage: python3 -m tools {name}")


# `test` gives what it does not know to pytest.
@pytest.mark.parametrize("name", [name for name in commands.offered() if name != "test"])
def test_each_command_refuses_an_unknown_option_in_one_line(name):
    done = run(name, "--no-such-option")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (cli.MISUSED, "", 1)


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
