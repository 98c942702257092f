"""The browser's device (hal/web.py) without a browser: on CPython with a page that is a stand-in, and in Node."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from boards import reference
from firmware import modules
from firmware.app import TICK_MS, App
from hal import web
from hal.device import DOWN, RIGHT, SOON, A, B
from hal.host import ManualClock
from hal.store import Store
from tests.firmware.hand import pbm
from tools.emulator.panel import Panel

GOLDEN = Path(__file__).resolve().parent.parent / "firmware" / "golden"
KEPT, FULL, FAILED = 0, 1, 2
GAMES = 8
# The kept games, of another length each time, and what looks like an address to the collector.
ALLOWANCE = 2 * 1024


class Page:
    """The functions of a page. `panel` decodes what was written, `files` has what was kept."""

    def __init__(self):
        self.panel = Panel()
        self.files: dict[str, str] = {}
        self.tones: list[tuple[int, int]] = []
        self.failing: dict[str, int] = {}
        self.taken = 0
        self.device: web.WebDevice

    def take(self, count):
        self.taken += 1
        room = self.device.bus.room
        at = 0
        while at < count:
            length = room[at] | room[at + 1] << 8
            self.panel.begin()
            for byte in room[at + 2 : at + 2 + length]:
                self.panel.write(byte)
            at += 2 + length
        assert at == count

    def tone(self, hz, ms):
        self.tones.append((hz, ms))

    def keep(self, name, text):
        failed = self.failing.get(name, KEPT)
        if not failed:
            self.files[name] = text
        return failed

    def drop(self, name):
        self.files.pop(name, None)

    def random(self):
        return 1234


@pytest.fixture
def page():
    return Page()


@pytest.fixture
def device(page, tmp_path):
    # The bus is asked for what it has as soon as it is there, so the page must know it first.
    made = web.WebDevice.__new__(web.WebDevice)
    page.device = made
    made.__init__(page, reference, clock=ManualClock(), folder=str(tmp_path / "saves"))
    return made


def turns(app, device, count=1):
    for _ in range(count):
        app.step()
        device.bus.flush()
        device.clock.sleep(TICK_MS)


def press(app, device, bit):
    device.keys.change(bit, True)
    device.clock.sleep(10)
    device.keys.change(bit, False)
    turns(app, device, 2)


def test_the_picture_is_what_the_real_driver_sent(page, device):
    app = App(device, "en", seed=11)
    turns(app, device)
    assert pbm(page.panel.picture()) == (GOLDEN / "title.pbm").read_bytes()
    press(app, device, A)
    assert pbm(page.panel.picture()) == (GOLDEN / "games.pbm").read_bytes()
    taken = page.taken
    turns(app, device, 5)
    assert page.taken == taken, "something was sent though nothing changed"
    assert page.panel.faults == []


def test_the_bus_never_runs_over(page, device):
    """However much is sent in one turn, all of it arrives in its order."""
    for level in range(256):
        device.display.contrast(level)
        device.display.buffer[level] ^= 255
        device.display.start()
    device.bus.flush()
    assert page.panel.contrast == 255
    shown = bytes(device.display.buffer)
    assert page.panel.picture() == shown


def test_keys_of_the_layout_count_and_others_do_not(device):
    keys = device.keys
    device.clock.sleep(100)
    keys.use("two")
    for bit in (DOWN, RIGHT, A):
        keys.change(bit, True)
        device.clock.sleep(20)
        keys.change(bit, False)
        device.clock.sleep(20)
        keys.scan()
    assert [keys.next() for _ in range(3)] == [RIGHT, A, 0]
    # B does what holding its stand-in does.
    keys.change(B, True)
    keys.change(B, False)
    assert (keys.next(), keys.next()) == (SOON, 0)
    with pytest.raises(KeyError):
        keys.use("seven")
    assert keys.layout == "two"


def test_a_tap_between_two_turns_is_a_press(device):
    device.clock.sleep(100)
    device.keys.change(B, True)
    device.keys.change(B, False)
    device.clock.sleep(20)
    device.keys.scan()
    assert device.keys.next() == B
    assert device.keys.held() == 0


def test_the_page_keeps_what_the_store_wrote(page, device, tmp_path):
    store = device.store
    for data in (b"one", b"two", b"three"):
        assert store.save("game", data)
        # What a page that is loaded now would find.
        again = tmp_path / "again"
        again.mkdir(exist_ok=True)
        for name, text in page.files.items():
            (again / name).write_bytes(bytes.fromhex(text))
        assert Store(str(again)).load("game") == data
    assert sorted(page.files) == ["game.0", "game.1"]
    store.remove("game")
    assert page.files == {}
    assert store.load("game") is None and store.message is None


@pytest.mark.parametrize(("failure", "message"), [(FULL, "save_full"), (FAILED, "save_failed")])
def test_what_the_page_cannot_keep_is_told(page, device, failure, message):
    assert device.store.save("game", b"one")
    page.failing["game.1"] = failure
    assert not device.store.save("game", b"two")
    assert device.store.message == message
    assert list(page.files) == ["game.0"]
    page.failing.clear()
    assert device.store.save("game", b"three")


def test_the_clock_leaves_out_what_the_page_slept(monkeypatch):
    now = [web.TICKS_MASK - 50]
    monkeypatch.setattr(web.time, "ticks_ms", lambda: now[0] & web.TICKS_MASK, raising=False)
    clock = web.WebClock()
    before = clock.ms()
    now[0] += 60_000
    clock.skip(59_900)
    assert clock.since(before) == 100
    assert 0 <= clock.ms() <= web.TICKS_MASK


def test_the_rest_of_the_device(page, device):
    device.speaker.tone(440, 20)
    assert page.tones == [(440, 20)]
    assert device.entropy() == 1234
    assert device.power.usb() and device.power.battery_mv() == 0
    addresses, keys, pairs, free = device.examine()
    assert (addresses, keys, pairs) == ([reference.I2C_ADDRESS], 0, []) and free > 100


def played(site: Path, games: int) -> list[dict]:
    """What games.mjs tells of so many games between two computer players."""
    script = Path(__file__).with_name("games.mjs")
    done = subprocess.run(
        ["node", str(script), str(site), str(games), "22"], capture_output=True, text=True, check=False, timeout=3600
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def assert_flat(told):
    """What is left behind raises each sample after it. A number that looks like a pointer keeps some KB, too, but not for
    long."""
    # Once each game has brought its names.
    allocated = [line["allocated"] for line in told if line["played"] >= len(modules.GAMES)]
    half = len(allocated) // 2
    assert min(allocated[half:]) - min(allocated[:half]) < ALLOWANCE, allocated


def test_a_leak_is_told_from_a_number_that_looks_like_a_pointer():
    """In thirty games a leak of 200 bytes a game; and 8 KB that some samples have and others not."""
    games = range(1, 31)
    assert_flat([{"played": n, "allocated": 100_000 + 8_000 * (n % 5 == 0)} for n in games])
    with pytest.raises(AssertionError):
        assert_flat([{"played": n, "allocated": 100_000 + 200 * n} for n in games])


def test_games_in_node(site):
    """The page's modules with the firmware in WebAssembly: games end, are kept, and the panel understands all of it."""
    told = played(site, GAMES)
    assert told[-1]["played"] == GAMES
    assert told[-1]["kept"] >= 8
    assert told[-1]["faults"] == []
    assert_flat(told)


@pytest.mark.parametrize("presses", [100, pytest.param(3000, marks=pytest.mark.slow)])
def test_any_keys_in_node(site, presses):
    """Whatever is pressed and set, the firmware does not complain, nor does the panel's model."""
    script = Path(__file__).with_name("monkey.mjs")
    command = ["node", str(script), str(site), str(presses), str(presses)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout)
    assert (told["complaints"], told["faults"]) == ([], [])
    assert len(told["scenes"]) >= (4 if presses == 100 else 10)


def test_a_fault_is_shown_and_a_third_in_a_row_is_the_end(site):
    """As on the board: the crash screen leads on, and what fails at each start stops."""
    command = ["node", str(Path(__file__).with_name("fault.mjs")), str(site)]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)
    changed, stopped = 1, 2
    assert told["told"] == [[changed, "crash"], [changed, "crash"], [stopped, "crash"]]
    assert "KeyError: oops" in told["said"]
    assert "KeyError: oops" in told["complaints"]


@pytest.mark.slow
def test_memory_is_flat_over_a_thousand_games(site):
    told = played(site, 1000)
    assert_flat(told)
