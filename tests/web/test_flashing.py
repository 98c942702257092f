"""Flashing from a browser: the page's modules in Node, and in a browser, against a port with a real MicroPython behind it.

What they do to a board is held against tools/boards/update.py, call by call.
"""

from __future__ import annotations

import ast
import base64
import json
import random
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.standin.board import StandIn, micropython
from tests.standin.direct import DirectLink
from tests.standin.tree import write_tree
from tests.standin.wire import Bridge, Wire, random_noise
from tests.tools import test_flash_emulated as emulated
from tests.web.cable import NO_PORT, PORT, Cable
from tools.boards import pack, update
from tools.boards.link import Gone, Link
from tools.environment import ROOT
from tools.image import filesystem, image
from tools.image.contents import Choice

pytestmark = pytest.mark.skipif(not micropython(), reason="no micropython for this machine")
VERSIONS = {
    "1.0.0": {"games__dice__weights": "A = 1\n"},
    "2.0.0": {"games__cards__rules": "VERSION = '{version}'\n"},
    "3.0.0": {"hal__ssd1306": "raise RuntimeError('oh')\n"},
    "4.0.0": {},
}
LAYOUT = filesystem.Layout(0, 96)
# A limit for boards that never answer, in which one that answers does so, on a busy machine too.
SHORT_MS = 2400


@pytest.fixture(scope="module")
def modules(tmp_path_factory, site) -> Path:
    """The compiled modules of the page, for Node."""
    out = tmp_path_factory.mktemp("page")
    for path in site.glob("*.js"):
        shutil.copy(path, out)
    (out / "package.json").write_text('{"type": "module"}')
    return out


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> dict[str, image.Image]:
    """Small images by version. 3.0.0 does not start, 4.0.0 is large, and each has files that the others lack."""
    made = {}
    for version, more in VERSIONS.items():
        tree = write_tree(tmp_path_factory.mktemp("tree"), version, **more)
        if version == "4.0.0":
            (tree / "firmware" / "art" / "title.bin").write_bytes(bytes(range(256)) * 240)
        made[version] = image.build(Choice(tree, "pico", "reference", ("en", "fr")))
    return made


@pytest.fixture(scope="module")
def sites(tmp_path_factory, built) -> dict[str, Path]:
    """What a site holds of each version."""
    found = {}
    for version, made in built.items():
        found[version] = tmp_path_factory.mktemp("site")
        pack.write([made], ROOT, found[version])
    return found


@pytest.fixture
def run(modules, sites):
    """Flash a version from Node: what flashing.mjs prints."""

    def call(version: str, port: int = 0, **options) -> dict:
        asked = {"port": port, "board": "reference", "answer": 5000, **options}
        command = ["node", str(ROOT / "tests" / "web" / "flashing.mjs"), str(modules), str(sites[version]), json.dumps(asked)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60 + asked["answer"] / 1000)
        assert done.returncode == 0, done.stderr
        if "diesAt" in options:
            assert done.stdout == ""
            return {}
        said = json.loads(done.stdout)
        assert said["closed"], "the port can be opened again"
        for text in said.get("texts", {}).values():
            # In every language, and no word that stands for something is left.
            # French puts spaces before its marks that do not break.
            plain = text.replace("\xa0", " ")
            assert plain.endswith(".") and plain.isprintable() and not set("{}?") & set(plain), text
        said["text"] = said.get("texts", {}).get("en")
        return said

    return call


def says(version: str) -> str:
    return f"firmware {version} {version} reference {version} hello"


def started(board: Wire | StandIn) -> str:
    """What the firmware said at the last start of the board."""
    end = time.monotonic() + 5
    text = ""
    while "firmware " not in text and time.monotonic() < end:
        time.sleep(0.01)
        text = board.console.decode("utf-8", "replace").rpartition("soft reboot")[2]
    return next((line.strip() for line in text.splitlines() if line.startswith("firmware ")), text)


def boot(flash: Path) -> str:
    """What the firmware says when the board starts as it is."""
    wire = Wire(flash)
    interpreter = wire.reset()
    printed, error = interpreter.run("exec(open('/main.py').read(), {'__name__': '__main__'})")
    interpreter.close()
    return next((line for line in printed.splitlines() if line.startswith("firmware ")), printed + error)


def install(flash: Path, made: image.Image) -> list[str]:
    """What `flash` does to a board; the code of its calls."""
    with DirectLink(flash) as link:
        update.carry_out(link, update.plan(link, update.look(link), made))
        return link.codes


def up_to_date(flash: Path, made: image.Image) -> bool:
    """Whether `flash --check` says so."""
    with DirectLink(flash) as link:
        return update.plan(link, update.look(link), made).nothing


def put(flash: Path, files: dict[str, bytes]) -> None:
    with DirectLink(flash) as link:
        for path, data in files.items():
            link.call("make_folders", path)
            link.put(path, data)


def contents(flash: Path) -> dict[str, bytes]:
    return filesystem.unpack(flash.read_bytes(), LAYOUT)


def calls_of(codes: list[str]) -> list[list]:
    """Calls of onboard.py's functions as [name, arguments], whichever side wrote them."""
    found = []
    for code in codes:
        if not code.startswith("answer("):
            continue
        call = ast.parse(code).body[0].value.args[0]
        arguments = [ast.literal_eval(node) for node in call.args]
        found.append([call.func.id, [a.decode() if isinstance(a, bytes) else a for a in arguments]])
    return found


def test_install_then_nothing_then_only_what_differs(tmp_path, built, run):
    with Wire(tmp_path / "flash") as wire:
        said = run("1.0.0", wire.port)
        total = built["1.0.0"].manifest.total
        assert said["result"]["outcome"] == "installed"
        assert (said["result"]["bytes"], said["result"]["seen"]) == (total, True)
        assert started(wire) == says("1.0.0")
        sending = [[done, of] for stage, done, of in said["progress"] if stage == "sending"]
        assert sending == sorted(sending)
        assert sending[-1] == [total, total]
        assert up_to_date(wire.flash, built["1.0.0"])
        said = run("1.0.0", wire.port)
        assert said["result"]["outcome"] == "nothing"
        assert said["text"] == f"Nothing to do: the board has Cairn {said['result']['after']}."
        assert started(wire) == says("1.0.0"), "the firmware runs again afterwards"
        said = run("2.0.0", wire.port)
        assert said["result"]["outcome"] == "updated"
        assert said["result"]["before"].startswith("1.0.0 (")
        # The version is in three of the thirteen files, and one is new; the ten others are copied on the board.
        assert (said["result"]["sent"], said["result"]["there"]) == (4, 10)
        assert started(wire) == says("2.0.0")
        assert up_to_date(wire.flash, built["2.0.0"])
        said = run("1.0.0", wire.port)
        assert said["result"]["sent"] == 0, "the other folder has it"
        assert started(wire) == says("1.0.0")
    install(wire.flash, built["2.0.0"])
    with Wire(wire.flash) as wire:
        assert run("2.0.0", wire.port)["result"]["outcome"] == "nothing", "after `flash`, too"


MINE = {
    "/main.py": b"print('a program of a pupil')\n",
    "/notes.txt": b"notes",
    "/a/firmware/notes \xc3\xa9\".txt".encode("latin-1").decode(): b"notes in our folder",
    "/saves/goats.0": b"a save",
}


def test_what_is_not_ours_stays_and_what_is_stale_goes(tmp_path, built, run):
    flash = tmp_path / "flash"
    put(flash, MINE)
    with Wire(flash) as wire:
        said = run("1.0.0", wire.port)
        assert said["result"]["keptMain"] == "main-before-cairn.py"
        assert said["text"].endswith("The main.py that was on it is kept as main-before-cairn.py.")
        install(flash, built["3.0.0"])
        assert run("2.0.0", wire.port)["result"]["outcome"] == "updated"
    after = contents(flash)
    for path, data in MINE.items():
        assert after["main-before-cairn.py" if path == "/main.py" else path[1:]] == data
    assert after["main.py"] == built["2.0.0"].loader
    running = [path for path in after if path.startswith(after["active"].decode() + "/games/")]
    assert not [path for path in running if "weights" in path]


def damaged(chance: random.Random, flash: Path, built: dict[str, image.Image]) -> None:
    """Bring a board into some state: firmwares, an update that was stopped, files that changed or are gone, others'."""
    for _ in range(chance.randrange(3)):
        install(flash, built[chance.choice(("1.0.0", "2.0.0"))])
    if chance.random() < 0.4:
        with DirectLink(flash, stop_at=chance.randrange(10, 40)) as link, suppress(Gone):
            update.carry_out(link, update.plan(link, update.look(link), built["1.0.0"]))
    with DirectLink(flash) as link:
        files = sorted(path for path in update.look(link).files if path.startswith(("/a/", "/b/", "/active", "/main")))
        for path in chance.sample(files, min(len(files), chance.randrange(4))):
            data = link.get(path, update.look(link).files[path])
            kind = chance.randrange(3)
            if kind == 0:
                link.call("remove", path)
            else:
                link.put(path, data[: len(data) // 2] if kind == 1 else b"\xff" + data[1:])
        for path, data in MINE.items():
            if chance.random() < 0.3:
                link.call("make_folders", path)
                link.put(path, data)


def test_does_to_a_board_what_flash_does(tmp_path, built, run, request):
    """The same calls in the same order, on boards in all states."""
    for seed in range(60 if request.config.getoption("--slow") else 2):
        flash, copy = tmp_path / f"{seed}", tmp_path / f"{seed}.copy"
        if seed == 0:
            # Two whole ones, and in the folder that is filled there are files that the new one lacks.
            install(flash, built["1.0.0"])
            install(flash, built["3.0.0"])
        else:
            damaged(random.Random(seed), flash, built)
        shutil.copyfile(flash, copy)
        version = ("2.0.0", "1.0.0")[seed % 2]
        codes = install(flash, built[version])
        with Wire(copy) as wire:
            said = run(version, wire.port)
            assert "result" in said, (seed, said)
        assert calls_of(wire.codes) == calls_of(codes), seed
        assert contents(copy) == contents(flash), seed


def test_cut_at_commands_it_starts_old_or_new_and_the_next_run_is_whole(tmp_path, built, run, request):
    """Pulled out before a command is run, or after; in an update and in a first install."""
    slow = request.config.getoption("--slow")
    start, flash = tmp_path / "start", tmp_path / "flash"
    for first in (False, True):
        start.unlink(missing_ok=True)
        if first:
            put(start, {"/main.py": b"print('firmware of a pupil')\n"})
        else:
            install(start, built["1.0.0"])
        shutil.copyfile(start, flash)
        old, new = boot(flash), says("2.0.0")
        with Wire(flash) as wire:
            assert "result" in run("2.0.0", wire.port)
            count = len(wire.codes)
            expected = contents(flash)
        seen = set()
        cuts = range(1, count + 1) if slow else (count - 1,) if not first else (count // 3,)
        for number in cuts:
            shutil.copyfile(start, flash)
            with Wire(flash) as wire:
                wire.cut, wire.cut_after = number, bool(number & 1)
                said = run("2.0.0", wire.port)
                assert said["fault"] == "gone", (number, said)
                assert said["text"].startswith("The board went away. Plug it in")
            seen.add(boot(flash))
            with Wire(flash) as wire:
                assert "result" in run("2.0.0", wire.port)
                assert started(wire) == new
            left = {path: data for path, data in contents(flash).items() if not path.endswith((".old", ".part"))}
            assert left == expected, number
        assert seen == {old, new} if slow else {old} if first else {new}


def test_a_page_that_is_closed_in_the_middle(tmp_path, built, run, request):
    """The board stays on, in whatever state; the next page finds its way in."""
    flash, copy = tmp_path / "flash", tmp_path / "copy"
    slow = request.config.getoption("--slow")
    # Of some 8,100 bytes: the code first, then the calls.
    for at in range(100, 8000, 250) if slow else (1000, 6000):
        flash.unlink(missing_ok=True)
        install(flash, built["1.0.0"])
        with Wire(flash) as wire:
            run("2.0.0", wire.port, diesAt=at)
            shutil.copyfile(flash, copy)
            assert boot(copy) in (says("1.0.0"), says("2.0.0")), at
            assert "result" in run("2.0.0", wire.port), at
            assert started(wire) == says("2.0.0"), at


def test_every_way_into_the_repl(tmp_path, run, built):
    """Raw paste, a MicroPython that has none, one that never heard of it; answers byte by byte, and late."""
    for paste, split in (("no", 1), ("unknown", 3)):
        flash = tmp_path / f"{paste}{split}"
        put(flash, {"/notes é ☃.txt": b"umlauts are cut by the pieces"})
        with Wire(flash, paste=paste) as wire:
            wire.delay_s = 0.005
            assert run("1.0.0", wire.port, split=split or None)["result"]["outcome"] == "installed", (paste, split)
            assert started(wire) == says("1.0.0")
        assert up_to_date(flash, built["1.0.0"])


def test_noise_on_the_line(tmp_path, run, built, request):
    """Text between the answers changes nothing; what breaks the protocol ends in one clear line, never in a bad board."""
    for seed in range(40 if request.config.getoption("--slow") else 1):
        flash = tmp_path / f"{seed}"
        install(flash, built["1.0.0"])
        with Wire(flash) as wire:
            wire.noise = lambda number, seed=seed: random_noise(seed * 1000 + number)
            assert run("2.0.0", wire.port)["result"]["outcome"] == "updated"
            assert started(wire) == says("2.0.0")
    chance = random.Random("bytes of the protocol")
    outcomes = set()
    for seed in range(60 if request.config.getoption("--slow") else 1):
        flash = tmp_path / f"bad{seed}"
        install(flash, built["1.0.0"])
        with Wire(flash) as wire:
            when = chance.randrange(2, 30)
            noise = bytes(chance.choices(b"\x01\x02\x04>ROK\x00\xff", k=chance.randrange(1, 6)))
            wire.noise = lambda number, when=when, noise=noise: noise if number == when else b""
            said = run("2.0.0", wire.port, answer=SHORT_MS)
            outcomes.add(said.get("fault", "done"))
            assert said.get("fault") in (None, "garbled", "silent", "board", "wrong"), (seed, noise, said)
        assert boot(flash) in (says("1.0.0"), says("2.0.0"))
        with Wire(flash) as wire:
            assert "result" in run("2.0.0", wire.port)
        assert up_to_date(flash, built["2.0.0"])
    assert outcomes - {"done"}


def test_bytes_that_arrive_wrong(tmp_path, run, built):
    install(tmp_path / "flash", built["1.0.0"])
    with Wire(tmp_path / "flash") as wire:
        # Every .mpy begins with "M", 6, 0: "TQYA" in base64. It arrives with another letter in it.
        wire.corrupt = lambda code: code.replace('"TQYA', '"TQYB')
        said = run("2.0.0", wire.port)
        assert (said["fault"], "arrived wrong. Try again" in said["text"]) == ("wrong", True)
    assert boot(wire.flash) == says("1.0.0")


def test_full_file_system(tmp_path, run, built):
    flash = tmp_path / "flash"
    install(flash, built["1.0.0"])
    put(flash, {"/holiday.jpg": bytes(205_000), "/saves/goats.0": b"a save"})
    before = flash.read_bytes()
    with Wire(flash) as wire:
        said = run("4.0.0", wire.port)
        assert said["fault"] == "full"
        assert "KB are missing. The largest files that are not Cairn's: /holiday.jpg (201 KB). Or" in said["text"]
        assert flash.read_bytes() == before, "told before anything was written"
        assert run("4.0.0", wire.port, replace=True)["result"]["outcome"] == "updated"
        assert started(wire) == says("4.0.0")
    assert contents(flash)["saves/goats.0"] == b"a save"
    assert up_to_date(flash, built["4.0.0"])


def test_file_system_that_fills_up_while_sending(tmp_path, run, built):
    """The estimate beforehand is an estimate: the board's own error gives the same line."""
    flash = tmp_path / "flash"
    install(flash, built["1.0.0"])
    with Wire(flash) as wire:
        wire.corrupt = lambda code: "raise OSError(28)" if code.startswith("answer(write") else code
        said = run("2.0.0", wire.port)
    assert (said["fault"], "no room is left. Or have" in said["text"]) == ("full", True)
    assert boot(flash) == says("1.0.0")


def test_new_firmware_that_does_not_start(tmp_path, run, built):
    install(tmp_path / "flash", built["1.0.0"])
    with Wire(tmp_path / "flash") as wire:
        said = run("3.0.0", wire.port)
        assert said["fault"] == "notStarting"
        assert "does not start (RuntimeError: oh). The board runs what it had" in said["text"]
        assert started(wire) == says("1.0.0")


def test_boards_that_cannot_run_it(tmp_path, run, built, sites):
    with Wire(tmp_path / "flash", CAIRN_VERSION="1.22.0") as wire:
        said = run("1.0.0", wire.port)
        assert (said["fault"], said["text"][:59]) == (
            "tooOld",
            "MicroPython 1.22.0 is too old, 1.24 or newer is needed: put",
        )
    assert "active" not in contents(wire.flash)


def test_a_board_that_is_silent_or_none(tmp_path, run, built):
    install(tmp_path / "flash", built["1.0.0"])
    with Wire(tmp_path / "flash") as wire:
        wire.silent = 9
        assert run("2.0.0", wire.port, answer=SHORT_MS)["fault"] == "silent"
        wire.silent = 0
        said = run("2.0.0", wire.port, busy=True)
        assert (said["fault"], "Thonny" in said["text"]) == ("busy", True)
        assert run("2.0.0", wire.port, stopAt=8)["fault"] == "stopped"
        assert started(wire) == says("1.0.0"), "what it had is started again"
    assert boot(wire.flash) == says("1.0.0")


def test_a_site_that_is_damaged_or_incomplete(tmp_path, run, built, sites):
    for number, damage in enumerate(("flipped", "cut", "no pack", "no catalogue", "no json")):
        folder = tmp_path / str(number)
        shutil.copytree(sites["1.0.0"], folder)
        whole = (folder / pack.PACK).read_bytes()
        if damage == "cut":
            (folder / pack.PACK).write_bytes(whole[:-9])
        elif damage == "flipped":
            (folder / pack.PACK).write_bytes(whole[:700] + bytes([whole[700] ^ 1]) + whole[701:])
        elif damage == "no json":
            (folder / pack.CATALOGUE).write_text("<html>")
        else:
            (folder / (pack.PACK if damage == "no pack" else pack.CATALOGUE)).unlink()
        sites[damage] = folder
        said = run(damage, 1)
        assert (said["fault"], "Reload the page" in said["text"]) == ("download", True), damage


def test_the_file_for_drag_and_drop(run, built):
    made = built["1.0.0"]
    expected = filesystem.drag_file(made, filesystem.layout_of("RPI_PICO"))
    assert base64.b64decode(run("1.0.0", uf2=True)["uf2"]) == expected


def test_kits_share_what_is_equal(tmp_path, built, run, sites):
    tree = write_tree(tmp_path / "tree", "1.0.0")
    images = pack.build(Choice(tree, "pico", "", ("en", "fr")), ["other", "reference"])
    sites["two"] = tmp_path / "two"
    pack.write(images, tree, sites["two"])
    pieces = {data for made in images for data in (made.loader, made.manifest.encode(), *made.files.values())}
    assert (sites["two"] / pack.PACK).stat().st_size == sum(map(len, pieces))
    assert len(pieces) < 2 * len(images[0].files)
    for board in ("other", "reference"):
        with Wire(tmp_path / board) as wire:
            assert run("two", wire.port, board=board)["result"]["outcome"] == "installed"
            assert started(wire).split()[3] == board


# With MicroPython's own REPL.


def test_the_stand_in_board(tmp_path, run, built):
    """MicroPython's own raw REPL: a program that runs is interrupted, then install, hang, pulled out, update."""
    put(tmp_path / "board.flash", {"/main.py": b"while True:\n    pass\n"})
    with StandIn(tmp_path) as board, Bridge(board.port) as bridge:
        said = run("1.0.0", bridge.port)
        assert said["result"]["outcome"] == "installed", (said, board.console)
        assert started(board) == says("1.0.0")
        board.unplug_at = board.commands + 20
        assert run("2.0.0", bridge.port)["fault"] == "gone"
        board.unplug_at = None
        board.plug()
        board.hang()
        said = run("2.0.0", bridge.port, answer=900)
        assert (said["fault"], said["text"][:26]) == ("noMicroPython", "No MicroPython answers. If")
        board.unplug()
        board.plug()
        assert run("2.0.0", bridge.port)["result"]["outcome"] == "updated"
        assert started(board) == says("2.0.0")
    assert up_to_date(board.flash, built["2.0.0"])


@pytest.mark.slow
def test_a_board_that_takes_nothing_in(tmp_path, run):
    with Wire(tmp_path / "flash") as wire:
        assert run("2.0.0", wire.port, deaf=True, answer=SHORT_MS)["fault"] == "noMicroPython"


@pytest.mark.parametrize(
    "noise",
    [
        b"\x04\x04>OK",
        *(pytest.param(said, marks=pytest.mark.slow) for said in (b"\x00\xff", b"temperature 21\r\n", b">>> ")),
    ],
)
def test_not_micropython(tmp_path, run, noise):
    """A device that talks without end and answers nothing."""
    with StandIn(tmp_path) as board, Bridge(board.port) as bridge:
        board.hang()
        board.babble = noise
        assert run("1.0.0", bridge.port, answer=600)["fault"] == "noMicroPython"


@pytest.mark.slow
def test_the_micropython_of_a_pico(tmp_path, run, sites):
    """On an emulated one: an update by the page, after which `flash` finds nothing to do, and the firmware starts."""
    made = {}
    for version in ("1.0.0", "2.0.0"):
        tree = write_tree(tmp_path / version, version, native=True)
        made[version] = image.build(Choice(tree, "pico", "reference", ("en",)))
    sites["pico"] = tmp_path / "site"
    pack.write([made["2.0.0"]], ROOT, sites["pico"])
    flash = emulated.flashed(tmp_path, made["1.0.0"])
    with emulated.Plugged(flash) as board:
        limit_ms = emulated.LIMIT_S * 1000
        said = run("pico", int(board.port.rpartition(":")[2]), answer=limit_ms, long=limit_ms)
        assert (said["result"]["outcome"], said["result"]["machine"][:21]) == ("updated", "Raspberry Pi Pico wit")
        with Link(board.port, emulated.LIMIT_S) as link:
            assert update.plan(link, update.look(link), made["2.0.0"]).nothing
    assert emulated.firmware("2.0.0") in emulated.boot(flash)


# On the page, in a browser.


@pytest.fixture
def with_images(browser, visit, sites):
    """Open the page with the images of a version, with a board at that TCP port or without WebSerial."""

    def opened(version: str, port: int | None):
        context = browser.new_context(locale="en", accept_downloads=True)
        context.route("**/flash/*", lambda route: route.fulfill(path=sites[version] / route.request.url.split("/")[-1]))
        if port is not None:
            Cable(port).plug(context)
        # A service worker would answer before the route does.
        alone = "delete Navigator.prototype.serviceWorker;"
        page = visit(context=context, before=alone + (NO_PORT if port is None else PORT)).page
        page.get_by_role("button", name="Flash my Pico").press("Enter")
        return page, page.get_by_role("dialog")

    return opened


def test_the_page_flashes_a_board(tmp_path, with_images, built):
    """By keyboard alone: choose none, flash, nothing to do; another page updates, and the board is pulled out."""
    with StandIn(tmp_path) as board, Bridge(board.port) as bridge:
        page, dialog = with_images("1.0.0", bridge.port)
        button = dialog.get_by_role("button", name="Flash my Pico")
        dialog.get_by_role("option", name="Reference kit").wait_for(state="attached")
        page.evaluate("window.chooseNone = true")
        button.press("Enter")
        page.evaluate("window.chooseNone = false")
        dialog.get_by_text("No board was chosen. If the list was empty: another cable").wait_for()
        button.press("Enter")
        dialog.get_by_text("Done: Cairn 1.0.0").wait_for()
        assert page.evaluate("window.asked") == {"filters": [{"usbVendorId": 0x2E8A}]}
        assert started(board) == says("1.0.0")
        page.keyboard.press("Enter")
        dialog.get_by_text("Nothing to do: the board has Cairn 1.0.0").wait_for()
        page, dialog = with_images("2.0.0", bridge.port)
        board.unplug_at = board.commands + 20
        button = dialog.get_by_role("button", name="Flash my Pico")
        button.click()
        dialog.get_by_text("The board went away. Plug it in and try again").wait_for()
        board.unplug_at = None
        board.plug()
        button.click()
        dialog.get_by_text("became 2.0.0").wait_for()
    assert up_to_date(board.flash, built["2.0.0"])


def test_a_browser_without_webserial(with_images, built):
    """Nothing to press but the file for drag and drop, which is there whole."""
    page, dialog = with_images("1.0.0", None)
    dialog.get_by_text("This browser cannot reach a Pico").wait_for()
    assert not dialog.get_by_role("button", name="Flash my Pico").is_visible()
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download Cairn as a UF2 file").click()
    assert download.value.suggested_filename == "cairn-reference-RPI_PICO.uf2"
    expected = filesystem.drag_file(built["1.0.0"], filesystem.layout_of("RPI_PICO"))
    assert Path(download.value.path()).read_bytes() == expected
