"""Files that are whole or not there: what stood before, links, folders, and what is no file."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading

import pytest

from tools import output
from tools.environment import ROOT

posix = pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")


def write(path, text="new"):
    with output.place(path) as place:
        place.write_text(text)


def test_a_file_appears_or_is_replaced_at_the_end_alone(tmp_path):
    file = tmp_path / "file"
    write(file, "old")
    with output.place(file) as place:
        place.write_text("new")
        assert file.read_text() == "old"
    assert file.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("fault", [OSError, KeyboardInterrupt, ValueError])
def test_what_was_there_stays_when_the_work_is_stopped(tmp_path, fault):
    file = tmp_path / "file"
    write(file, "old")

    def stopped():
        with output.place(file) as place:
            place.write_text("half")
            raise fault

    with pytest.raises(fault):
        stopped()
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", [".", "/", "", "sub", "no/such/file", "x" * 300, "file/in"])
def test_what_cannot_be_a_file_is_an_os_error(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "file").write_text("stays")
    with pytest.raises(OSError):
        write(type(tmp_path)(name))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "sub"]
    # The caller tells the fault; there is no second one.
    assert capsys.readouterr().err == ""


@posix
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for text in ("first", "second"):
        write(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").read_text() == text


@posix
def test_a_pipe_stays_a_pipe(tmp_path):
    """And so does a device: /dev/null must not become a file where the user may do such a thing."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write(pipe)
    reader.join(10)
    assert read == ["new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


NAMED_BY_A_SHELL = {
    "/dev/stdout": "{} -o /dev/stdout | cat",
    "/dev/fd": "{} -o >(cat) | cat",
    "a link": "ln -s /dev/stdout {folder}/link; {} -o {folder}/link | cat",
}


@pytest.mark.skipif(not os.path.exists("/dev/fd/0"), reason="command line: this system has no /dev/fd")
@pytest.mark.parametrize("command", ["record goats", "wiring reference"])
@pytest.mark.parametrize("name", NAMED_BY_A_SHELL)
def test_a_pipe_that_has_a_name_only_here_is_written_to(command, name, tmp_path):
    command = f"{sys.executable} -m tools {command}"
    line = NAMED_BY_A_SHELL[name].format(command, folder=tmp_path)
    wanted, done = (
        subprocess.run(["bash", "-o", "pipefail", "-c", text], cwd=ROOT, capture_output=True, timeout=120)
        for text in (command, line)
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, wanted.stdout, b"")
