"""The image: what goes in, the same bytes from the same tree, and the file systems made of it."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from firmware import modules, texts
from games import catalogue
from tests.standin.board import PRELUDE, micropython
from tests.standin.tree import REPOSITORY, write_tree
from tools import build, cli
from tools.image import bytecode, filesystem, image, uf2
from tools.image.contents import Choice, language_codes, select
from tools.image.undecorate import undecorate
from tools.kits import check
from tools.kits.files import names

ALWAYS = {
    "boards/built.py",
    "firmware/main.py",
    "firmware/words.py",
    "firmware/art/title.bin",
    "firmware/text/en.py",
    "firmware/text/help_en.txt",
    "games/catalogue.py",
    "games/dice/bot.py",
    "games/dice/rules.py",
    "hal/pico.py",
    "hal/ssd1306.py",
}


@pytest.fixture
def tree(tmp_path) -> Path:
    return write_tree(tmp_path / "tree", native=True)


def choice(root: Path, target: str = "pico", board: str = "reference", languages: tuple[str, ...] = ("en",)) -> Choice:
    return Choice(root, target, board, languages)


def test_only_what_board_and_language_need(tree):
    assert set(select(choice(tree))) == ALWAYS
    assert set(select(choice(tree, languages=("en", "fr")))) == ALWAYS | {
        "firmware/text/fr.py",
        "firmware/text/help_fr.txt",
    }


def test_the_driver_is_that_of_the_board(tree):
    """The other board and its driver build on the first one's, so all travel; the first board needs no other."""
    assert "hal/sh1106.py" not in select(choice(tree))
    assert set(select(choice(tree, board="other"))) == ALWAYS | {"hal/sh1106.py", "boards/reference.py"}
    assert select(choice(tree, board="other"))["boards/built.py"].name == "other.py"


def test_web_image_starts_elsewhere_and_has_no_machine_code(tree):
    made = image.build(choice(tree, "web"))
    assert "hal/web.mpy" in made.files
    assert "hal/pico.mpy" not in made.files
    assert made.loader is None
    assert made.manifest.arch == ""


def test_how_games_are_written_down_stays_beside_the_board():
    """Nothing on a Pico reads or writes records; the browser does both."""
    paths = {target: set(select(choice(REPOSITORY, target))) for target in ("pico", "web")}
    written = {f"games/{game}/notation.py" for game in catalogue.ids()}
    assert not paths["pico"] & written
    assert paths["web"] >= written
    shipped = [path for path in paths["pico"] if path.endswith(".py") and path != "boards/built.py"]
    assert not [path for path in shipped if ', "notation")' in (REPOSITORY / path).read_text(encoding="utf-8")]


def test_manifest_lists_every_byte(tree):
    made = image.build(choice(tree))
    assert made.manifest.arch == "armv6m"
    assert image.Manifest.decode(made.manifest.encode()) == made.manifest
    for entry in made.manifest.files:
        assert image.entry_of(entry.path, made.files[entry.path]) == entry
    assert made.manifest.total == sum(map(len, made.files.values()))
    assert json.loads(made.manifest.encode())["total"] == made.manifest.total


def test_a_manifest_cut_off_anywhere_is_none_and_does_not_look_whole(tree):
    data = image.build(choice(tree)).manifest.encode()
    for length in range(len(data)):
        assert not data[:length].endswith(image.WHOLE_ENDING)
        with pytest.raises(ValueError, match="manifest"):
            image.Manifest.decode(data[: min(length, len(data) - 2)])


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", "a\\x"])
def test_a_manifest_cannot_name_files_outside_its_folder(tree, path):
    data = image.build(choice(tree)).manifest.encode()
    read = json.loads(data)
    read["files"][0][0] = path
    with pytest.raises(ValueError, match="path"):
        image.Manifest.decode(json.dumps(read).encode())


def test_same_tree_same_bytes_wherever_it_lies(tree, tmp_path, fresh_compiler):
    elsewhere = tmp_path / "a much longer name of a folder"
    shutil.copytree(tree, elsewhere)
    one, two = image.build(choice(tree)), image.build(choice(elsewhere))
    assert one == two
    layout = filesystem.LAYOUTS["RPI_PICO"]
    assert filesystem.drag_file(one, layout) == filesystem.drag_file(two, layout)
    for data in one.files.values():
        assert str(tmp_path).encode() not in data


def test_another_byte_is_another_build(tree, tmp_path):
    one = image.build(choice(tree))
    two = image.build(choice(write_tree(tmp_path / "other", native=True, games__dice__bot="LEVELS = 4\n")))
    assert one.manifest.build != two.manifest.build


@pytest.mark.parametrize(
    ("path", "text", "complaint"),
    [
        ("games__dice__bot", "import tools.host\n", "may use tools/"),
        ("games__dice__bot", "from tools import host\n", "may use tools/"),
        ("games__dice__bot", "from . import rules\n", "relative imports"),
        ("games__dice__bot", "def f(x):\n    __import__(x)\n", "NAMED_AT_RUN_TIME"),
        ("games__dice__bot", "def f(:\n", "bot.py, line 1"),
        ("games__dice__bot", "X = 0x1234567890123456789 ** (\n", "bot.py, line 1"),
        ("firmware__main", None, "main.py is missing"),
    ],
)
def test_what_cannot_go_onto_a_device_is_refused_in_one_line(tmp_path, path, text, complaint):
    root = write_tree(tmp_path / "tree", **{path: text})
    with pytest.raises(cli.Failure, match=complaint) as refused:
        image.build(choice(root))
    assert "\n" not in str(refused.value)


def test_what_the_compiler_refuses_is_one_line_with_its_place(tmp_path):
    source = "import micropython\n\n@micropython.viper\ndef f(n: int) -> int:\n    return n ** 2\n"
    root = write_tree(tmp_path / "tree", games__dice__bot=source)
    with pytest.raises(cli.Failure, match=r"mpy-cross: .*games\.dice\.bot\", line 4") as refused:
        image.build(choice(root))
    assert "\n" not in str(refused.value)


def test_unknown_board_and_language_are_named_with_what_there_is(tree):
    with pytest.raises(cli.Usage, match="no board 'none' in boards/; there are: other, reference"):
        select(choice(tree, board="none"))
    with pytest.raises(cli.Usage, match="no language 'de'; there are: en, fr"):
        select(choice(tree, languages=("de",)))
    with pytest.raises(cli.Usage, match="no source tree"):
        select(choice(tree / "boards"))
    with pytest.raises(cli.Failure, match="RPI_PICO2"):
        filesystem.layout_of("RPI_PICO2")


def test_decorators_go_and_lines_stay():
    source = "import micropython\n\n@micropython.viper\ndef f(n: int) -> int:\n    return n\n\n"
    source += "@other\n@micropython.native\ndef g():\n    pass\n"
    plain = undecorate(source)
    assert "viper" not in plain
    assert "native" not in plain
    assert "@other" in plain
    assert plain.count("\n") == source.count("\n")
    assert plain.splitlines()[3] == source.splitlines()[3]


def test_write_then_read_and_nothing_stale(tree, tmp_path):
    out = tmp_path / "out"
    made = image.build(choice(tree))
    (out / "image" / "old").mkdir(parents=True)
    (out / "image" / "old" / "file.mpy").write_bytes(b"old")
    build.write(made, out)
    assert not (out / "image" / "old").exists()
    assert image.read(out) == made
    (out / "image" / "hal" / "pico.mpy").write_bytes(b"changed")
    with pytest.raises(cli.Failure, match=r"pico.mpy is not the file that was built"):
        image.read(out)
    with pytest.raises(cli.Failure, match="no whole image"):
        image.read(tmp_path)


def test_uf2_blocks_are_as_specified(tree):
    data = bytes(range(256)) * 4
    made = uf2.encode(data, 0x100A0000)
    assert len(made) == 4 * 512
    words = struct.unpack_from("<8I", made, 512)
    assert words == (0x0A324655, 0x9E5D5157, 0x2000, 0x100A0100, 256, 1, 4, 0xE48BFF56)
    assert struct.unpack_from("<I", made, 1020) == (0x0AB16F30,)
    assert uf2.decode(made) == (0x100A0000, 0xE48BFF56, data)
    for damaged in (b"", made[:-1], made[:512] + b"X" + made[513:]):
        with pytest.raises(ValueError, match="not a UF2"):
            uf2.decode(damaged)


@pytest.mark.parametrize("name", sorted(filesystem.LAYOUTS))
def test_uf2_holds_the_file_system(tree, name):
    made, layout = image.build(choice(tree)), filesystem.LAYOUTS[name]
    address, family, data = uf2.decode(filesystem.drag_file(made, layout))
    assert (address, family) == (0x10000000 + layout.offset, uf2.RP2040_FAMILY)
    assert len(data) == layout.size
    assert address + len(data) == 0x10000000 + 2 * 1024 * 1024, "the storage ends where the flash ends"
    assert filesystem.unpack(data, layout) == filesystem.device_files(made)


def test_too_large_for_the_flash_is_said():
    with pytest.raises(cli.Failure, match="does not fit"):
        filesystem.pack({"big": bytes(100_000)}, filesystem.Layout(0, 20))


@pytest.mark.skipif(not micropython(), reason="no micropython for this machine")
def test_micropython_mounts_the_file_system_and_starts_the_firmware(tmp_path):
    """The unix port of MicroPython mounts the image with the settings of the rp2 port's _boot.py."""
    made = image.build(choice(write_tree(tmp_path / "tree")))
    layout = filesystem.LAYOUTS["RPI_PICO"]
    flash = tmp_path / "board.flash"
    flash.write_bytes(filesystem.pack(filesystem.device_files(made), layout))
    done = subprocess.run(
        [micropython(), "-X", "heapsize=192k", str(PRELUDE)],
        env={"CAIRN_FLASH": str(flash), "CAIRN_BLOCKS": str(layout.blocks), "CAIRN_MAIN": "1"},
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.lstrip("\x1e").splitlines() == [
        "Cairn: starting from /a",
        "firmware 1.0.0 1.0.0 reference 1.0.0 hello",
    ]
    assert filesystem.unpack(flash.read_bytes(), layout) == filesystem.device_files(made), "a start writes nothing"


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "tools", "build", *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_command_writes_everything(tree, tmp_path):
    out = tmp_path / "out"
    done = run("--source", str(tree), "--out", str(out), "--lang", "en", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["languages"] == ["en"]
    assert [Path(path).name for path in answer["written"]] == [
        "package.json",
        "cairn-RPI_PICO.uf2",
        "cairn-RPI_PICO_W.uf2",
    ]
    assert image.read(out).manifest.total == answer["total"]
    package = json.loads((out / "package.json").read_text())
    for _, source in package["urls"]:
        assert (out / source).is_file()
    assert [path for path, _ in package["urls"]][-3:] == ["a/manifest.json", "active", "main.py"]


@pytest.mark.parametrize(
    "mine",
    ["letter.txt", "main.py", "manifest.json", "image/sea.jpg", "image/holiday/sea.jpg", "image/a.mpy image/sea.jpg"],
)
def test_a_folder_with_something_else_in_it_is_left_alone(tree, tmp_path, mine):
    out = tmp_path / "out"
    for name in mine.split():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text('{"name": "mine"}')
    done = run("--source", str(tree), "--out", str(out), "--lang", "en")
    assert (done.returncode, "something else in it; name an empty folder" in done.stderr) == (2, True)
    assert {path.relative_to(out).as_posix() for path in out.rglob("*.*")} == set(mine.split())
    assert all((out / name).read_text() == '{"name": "mine"}' for name in mine.split())


def test_a_stopped_build_and_one_of_before_give_way(tree, tmp_path):
    out = tmp_path / "out"
    (out / "image" / "games").mkdir(parents=True)
    (out / "image" / "games" / "rng.mpy").write_bytes(b"half")
    (out / "main.py").write_text("")
    for _ in range(2):
        done = run("--source", str(tree), "--out", str(out), "--lang", "en")
        assert done.returncode == 0, done.stderr
        assert image.read(out).manifest.languages == ("en",)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("--board", "none"), 2), (("--lang", "xx"), 2), (("--lang", ","), 2), (("--target", "x"), 2)],
)
def test_command_complains_in_one_line(tree, arguments, code):
    done = run("--source", str(tree), *arguments)
    assert done.returncode == code
    assert done.stderr.startswith("cairn: ")
    assert done.stderr.count("\n") == 1


def test_a_folder_without_boards_is_said(tmp_path):
    done = run("--source", str(tmp_path), "--boards")
    assert (done.returncode, done.stdout) == (cli.FAILED, "")
    assert done.stderr.startswith("cairn: there are no board files in ") and done.stderr.count("\n") == 1


def boards():
    """All boards; those with the panel and bus of another one only with --slow."""
    seen = set()
    for name in names(REPOSITORY):
        board = check.load(name)
        kind = (board.DISPLAY, board.BUS)
        yield pytest.param(name, marks=[pytest.mark.slow] if kind in seen else [])
        seen.add(kind)


@pytest.mark.parametrize("board", list(boards()))
def test_our_own_tree_builds_for_every_board(board):
    made = image.build(choice(REPOSITORY, "pico", board, tuple(language_codes(REPOSITORY))))
    assert made.loader == (REPOSITORY / "firmware" / "loader.py").read_bytes()
    # One firmware, saves and records fit into the smallest file system (a Pico W's), two into a Pico's.
    files = filesystem.device_files(made)
    files |= {f"saves/{i}": bytes(1000) for i in range(12)} | {f"records/{i}": bytes(3000) for i in range(8)}
    filesystem.pack(files, filesystem.LAYOUTS["RPI_PICO_W"])
    files |= {"b" + path[1:]: data for path, data in files.items() if path.startswith("a/")}
    filesystem.pack(files, filesystem.LAYOUTS["RPI_PICO"])
    for path, data in made.files.items():
        if path.endswith(".mpy"):
            assert bytecode.format_of(data) in (None, "armv6m"), path


@pytest.mark.parametrize("language", texts.there())
def test_texts_travel_packed_and_say_the_same(monkeypatch, language):
    """A table would leave its short strings among MicroPython's names; only the words of the table are gone."""
    source = (REPOSITORY / "firmware" / "text" / f"{language}.py").read_text(encoding="utf-8")
    table, travels = {}, {}
    exec(source, table)
    exec(image.packed(source), travels)
    assert isinstance(travels["TEXTS"], tuple)
    monkeypatch.setattr(modules, "texts", lambda code: travels["TEXTS"])
    before = texts._hashes, texts._starts, texts._texts
    try:
        texts.load(language)
        assert {key: texts.t(key) for key in table["TEXTS"]} == table["TEXTS"]
    finally:
        texts._hashes, texts._starts, texts._texts = before
    assert image.packed("X = {1: 2}\n") == "X = {1: 2}\n"


def test_line_numbers_are_kept_only_when_asked_for():
    source = "def outer():\n    x = 1\n    return inner(x)\n\n\ndef inner(x):\n    y = x\n    return missing + y\n" * 5
    short, long = (bytecode.compile_source("games/trial.py", source, native=True, lines=keep) for keep in (False, True))
    assert len(short) < len(long)


def test_an_image_for_debugging_has_the_names_of_the_source():
    short, plain, web = (
        image.named(Choice(REPOSITORY, target, "reference", ("en",), lines))
        for target, lines in (("pico", False), ("pico", True), ("web", False))
    )
    path = "firmware/course.py"
    source = (REPOSITORY / path).read_text(encoding="utf-8")
    assert plain[0][path] == web[0][path] == source != short[0][path]
    assert plain[1] == web[1] == {}
    assert "class Course:" in source
    assert "Course" in short[1][path].values()


def test_a_traceback_of_a_board_is_spelled_out(tmp_path, capsys):
    _, short = image.named(build.choice_of(REPOSITORY, "pico", None, "en"))
    (new,) = [name for name, old in short["firmware/course.py"].items() if old == "coming"]
    file = tmp_path / "crash.txt"
    file.write_text(f'Traceback (most recent call last):\n  File "firmware.course", in {new}\nValueError: moves\n')
    assert build.main(["--lang", "en", "--traceback", str(file)]) == 0
    assert capsys.readouterr().out == file.read_text().replace("firmware.course", "firmware/course.py").replace(
        f"in {new}", "in coming"
    )
    with pytest.raises(cli.Usage, match="cannot read --traceback"):
        build.main(["--traceback", str(tmp_path / "none")])


def test_an_image_has_at_most_200_kb():
    """With all languages; of 1,024 bytes, as the free room on the flash is counted."""
    assert image.build(build.choice_of(REPOSITORY, "pico", None, None)).manifest.total <= 200 * 1024


@pytest.mark.parametrize("code", language_codes(REPOSITORY))
def test_an_image_of_one_language_has_at_most_190_000_bytes(code):
    assert image.build(choice(REPOSITORY, "pico", "reference", (code,))).manifest.total < 190_000
