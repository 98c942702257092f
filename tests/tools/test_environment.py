"""`.venv`: when it counts as whole, how its making fails, and that two makers wait for each other."""

import errno
import os
import re
import shutil
import subprocess
import sys
import time

import pytest

from tools import cli, environment
from tools.environment import ROOT, Environment, alone, locked

PIN = re.compile(r"[A-Za-z0-9_.-]+(\[[a-z]+\])?==[0-9][0-9a-z.]*( ; .+)?")


@pytest.fixture
def house(tmp_path):
    """An environment of a folder with this project's pins."""
    (tmp_path / "tools" / "npm").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name in environment.NPM_FILES:
        shutil.copy(ROOT / "tools" / "npm" / name, tmp_path / "tools" / "npm")
    return Environment(tmp_path)


@pytest.fixture
def steps(monkeypatch):
    """What would have been run; nothing is."""
    done = []

    def run(command, fault, what, log, cwd=None):
        done.append(what)
        if "venv" in command:
            made = Environment(log.parent)
            made.python.parent.mkdir(parents=True)
            made.python.touch()

    monkeypatch.setattr(environment, "_run", run)
    monkeypatch.setattr(environment, "has_node", lambda: True)
    return done


def test_every_package_is_pinned(house):
    pins = house.pins()
    assert len(pins) > 20
    assert all(PIN.fullmatch(pin) for pin in pins), pins


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13", "3.14"])
def test_no_python_gets_two_versions_of_a_package(house, version):
    from packaging.markers import Marker

    there = {"python_version": version, "platform_machine": "x86_64", "sys_platform": "linux"}
    taken = [pin for pin in house.pins() if ";" not in pin or Marker(pin.partition(";")[2]).evaluate(there)]
    assert len({pin.split("==")[0] for pin in taken}) == len(taken)
    assert "numpy" in {pin.split("==")[0] for pin in taken}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib came with Python 3.11")
def test_the_pins_read_the_same_as_toml(house):
    import tomllib

    assert house.pins() == tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["dev"]


def test_the_lock_of_npm_names_no_registry():
    text = (ROOT / "tools" / "npm" / "package-lock.json").read_text()
    assert "://" not in text
    assert text.count('"integrity"') == 2


def test_the_packages_of_this_run_are_the_pinned_ones():
    from importlib import metadata

    for pin in Environment().pins():
        package, _, rest = pin.partition("==")
        if ";" not in rest:
            assert metadata.version(package.partition("[")[0]) == rest


def test_it_is_made_once(house, steps):
    assert not house.is_whole()
    house.ensure()
    assert steps == ["making .venv", "pip", "npm"]
    house.ensure()
    assert len(steps) == 3
    assert house.is_whole()


def test_other_pins_or_a_missing_stamp_make_it_anew(house, steps):
    house.ensure()
    file = house.root / "pyproject.toml"
    file.write_text(file.read_text().replace("hypothesis==6", "hypothesis==7"))
    assert not house.is_whole()
    house.ensure()
    assert len(steps) == 6
    house.stamp.unlink()
    house.ensure()
    assert len(steps) == 9


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_link_to_the_packages_of_another_tree_is_told_and_those_stay(house, steps, tmp_path):
    other = tmp_path / "other" / ".venv"
    other.mkdir(parents=True)
    (other / "whole").write_text("of the other tree")
    house.folder.symlink_to(other)
    with pytest.raises(cli.Failure, match=r"is a link .*; remove the link and run this again"):
        house.ensure()
    assert (other / "whole").read_text() == "of the other tree"
    assert steps == []


def test_a_stopped_making_leaves_no_stamp(house, steps, monkeypatch):
    house.ensure()
    file = house.root / "pyproject.toml"
    file.write_text(file.read_text().replace("hypothesis==6", "hypothesis==7"))
    whole = environment._run

    def stopped(command, fault, what, *rest):
        if what == "pip":
            raise KeyboardInterrupt
        whole(command, fault, what, *rest)

    monkeypatch.setattr(environment, "_run", stopped)
    with pytest.raises(KeyboardInterrupt):
        house.ensure()
    assert not house.stamp.exists()
    monkeypatch.setattr(environment, "_run", whole)
    house.ensure()
    assert house.is_whole()


def test_without_node_the_rest_is_whole(house, steps, monkeypatch):
    monkeypatch.setattr(environment, "has_node", lambda: False)
    house.ensure()
    assert steps == ["making .venv", "pip"]
    assert house.npm_is_whole()
    assert house.webassembly() is None
    monkeypatch.setattr(environment, "has_node", lambda: True)
    house.ensure()
    assert steps == ["making .venv", "pip", "npm"]


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_no_venv_module_names_the_remedy(house, monkeypatch, module):
    found = environment.importlib.util.find_spec
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None if name == module else found(name))
    with pytest.raises(cli.Failure, match="apt install python3-venv") as caught:
        house.ensure()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        ("WARNING: Retrying after connection broken by 'NewConnectionError'", "network cannot be reached"),
        ("npm error code ENOTFOUND", "network cannot be reached"),
        ("npm error code ETIMEDOUT", "network cannot be reached"),
        ("ERROR: No matching distribution found for pytest==99", "No matching distribution found"),
        ("", "exit code 1"),
    ],
)
def test_a_failing_step_is_one_line_with_its_log(tmp_path, printed, told):
    command = [sys.executable, "-c", f"print({printed!r}) if {printed!r} else 0; raise SystemExit(1)"]
    log = tmp_path / "it.log"
    with pytest.raises(cli.Failure, match=told) as caught:
        environment._run(command, "it failed", "it", log)
    assert "\n" not in str(caught.value)
    assert str(log) in str(caught.value)
    assert log.read_text().strip() == printed


def test_pip_without_a_network_says_so(house, monkeypatch):
    # A port that nothing listens on stands for a missing network.
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "https://127.0.0.1:9/")
    monkeypatch.setenv("PIP_CONFIG_FILE", environment.os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(cli.Failure, match="the network cannot be reached") as caught:
        house.ensure()
    assert "\n" not in str(caught.value)
    assert not house.is_whole()


HOLD = """
import sys, time
from pathlib import Path
from tools.environment import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_two_wait_for_each_other_and_a_killed_one_does_not_count(tmp_path, capsys):
    lock = tmp_path / "lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(lock)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout.readline() == "held\n"
        waiter = subprocess.Popen(
            [sys.executable, "-c", HOLD.replace("60", "0"), str(lock)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        time.sleep(0.7)
        assert waiter.poll() is None
    finally:
        holder.kill()
        holder.communicate()
    assert waiter.communicate(timeout=30)[0] == "held\n"
    with locked(lock, "busy"):
        assert capsys.readouterr().err == ""


def test_alone_says_at_once_whether_another_has_it(tmp_path, monkeypatch):
    lock = tmp_path / "lock"
    with alone(lock) as first, alone(lock) as second:
        assert (first, second) == (True, False)
    with alone(lock) as again:
        assert again
    with alone(tmp_path / "none" / "lock") as unwritable:
        assert unwritable

    def none(handle):
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(environment, "_try_lock", none)
    with alone(lock) as without, alone(lock) as as_well:
        assert without
        assert as_well


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path):
    with pytest.raises(cli.Failure, match=r"cannot write .*lock: .*; copy Cairn into"), locked(tmp_path / "none" / "lock"):
        pass
