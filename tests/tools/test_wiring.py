"""Board files and their wiring: every fault is told with its remedy, and the diagram shows each wire apart."""

import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from types import SimpleNamespace

import pytest

from tools import cli, wiring
from tools.environment import ROOT
from tools.kits import check, drawing, files, pinout, wires

BOARDS = files.names(ROOT)
SVG = "{http://www.w3.org/2000/svg}"

# Pico data sheet, figure 4: some pins, read by eye.
SOME_PINS = {1: 0, 3: "GND", 6: 4, 20: 15, 21: 16, 29: 22, 31: 26, 34: 28, 36: "3V3", 39: "VSYS", 40: "VBUS"}
# RP2040 data sheet, table 2: some functions, read by eye.
I2C = {0: (0, "SDA"), 3: (1, "SCL"), 4: (0, "SDA"), 5: (0, "SCL"), 14: (1, "SDA"), 21: (0, "SCL"), 27: (1, "SCL")}
SPI = {2: (0, "SCK"), 3: (0, "TX"), 10: (1, "SCK"), 11: (1, "TX"), 9: (1, "CS"), 18: (0, "SCK"), 15: (1, "TX")}


def changed(name="reference", **constants):
    """A board with other constants."""
    return SimpleNamespace(**(vars(files.constants(ROOT, name)) | constants))


def test_the_pinout_is_that_of_the_data_sheet():
    assert len(pinout.PINS) == 40
    assert sorted(pin for pin in pinout.PINS if isinstance(pin, int)) == [*range(23), 26, 27, 28]
    assert [i + 1 for i, pin in enumerate(pinout.PINS) if pin == "GND"] == [3, 8, 13, 18, 23, 28, 33, 38]
    assert {pin: pinout.PINS[pin - 1] for pin in SOME_PINS} == SOME_PINS
    assert {gpio: pinout.i2c(gpio) for gpio in I2C} == I2C
    assert {gpio: pinout.spi(gpio) for gpio in SPI} == SPI


@pytest.mark.parametrize("name", BOARDS)
def test_every_board_is_without_fault_and_named_after_its_file(name):
    board = check.load(name)
    assert name == board.NAME
    assert board.SOURCE.startswith("https://")
    assert board.PARTS and all(count > 0 and text for count, text in board.PARTS)


def test_there_are_the_kits_that_people_own():
    boards = [check.load(name) for name in BOARDS]
    assert {board.PICO for board in boards} >= {"pico", "pico_w", "pico2"}
    assert {board.KEY_LAYOUT for board in boards} >= {"six", "three", "two", "encoder"}
    assert {board.BUS for board in boards} == {"i2c", "spi"}
    assert len({board.TITLE for board in boards}) == len(boards) >= 9


WRONG = {
    "no such pin": ({"BUZZER": 30}, "BUZZER: GP30 is on no pin of a Raspberry Pi Pico; those are 0 to 22 and 26 to 28"),
    "inside": ({"RESET": 23}, "RESET: GP23 is on no pin of a Raspberry Pi Pico, it serves the power supply"),
    "wireless": (
        {"PICO": "pico_w"},
        "BATTERY: GP29 is on no pin of a Raspberry Pi Pico W, it serves the wireless chip",
    ),
    "not a number": ({"RESET": "GP9"}, "RESET is 'GP9'; it can be the number of a GPIO, or None"),
    "True as a pin": ({"BUZZER": True}, "BUZZER is True; it can be the number of a GPIO, or None"),
    "brackets": ({"I2C_SDA": [4]}, "I2C_SDA is [4]; it can be the number of a GPIO"),
    "twice": ({"BUZZER": 4}, "GP4 is used twice, for I2C_SDA and for BUZZER"),
    "key twice": ({"KEY_PINS": (10, 11, 12, 13, 14, 14)}, "GP14 is used twice, for key A and for key B"),
    "swapped": ({"I2C_SDA": 5, "I2C_SCL": 4}, "cannot lead I2C0 SDA to GP5, only to GP 0, 4, 8, 12, 16, 20, 28"),
    "other block": ({"I2C_BUS": 1}, "cannot lead I2C1 SCL to GP5, only to GP 3, 7, 11, 15, 19, 27"),
    "address": ({"I2C_ADDRESS": 0x78}, "I2C_ADDRESS is 0x78; it can be 0x3c or 0x3d"),
    "address in quotes": ({"I2C_ADDRESS": "0x3c"}, "I2C_ADDRESS is '0x3c'; it can be 0x3c or 0x3d"),
    "no such block": ({"I2C_BUS": 2}, "I2C_BUS is 2; it can be 0 or 1"),
    "no speed": ({"I2C_HZ": 0}, "I2C_HZ is 0; it can be 10000 to 1000000"),
    "kHz": ({"I2C_HZ": 400}, "I2C_HZ is 400; it can be 10000 to 1000000"),
    "speed in words": ({"I2C_HZ": "fast"}, "I2C_HZ is 'fast'; it can be 10000 to 1000000"),
    "offset": ({"COLUMN_OFFSET": 2}, "COLUMN_OFFSET is 2; with DISPLAY ssd1306 it can be 0 alone"),
    "large offset": ({"COLUMN_OFFSET": 200, "DISPLAY": "sh1106"}, "with DISPLAY sh1106 it can be 0 to 4"),
    "offset in quotes": ({"COLUMN_OFFSET": "2"}, "COLUMN_OFFSET is '2'; it can be a whole number"),
    "no as a text": ({"TURNED": "no"}, "TURNED is 'no'; it can be True or False"),
    "title": ({"TITLE": 5}, 'TITLE is 5; it can be a text of one line, in "quotes"'),
    "title of two lines": ({"TITLE": "A\nkit"}, "TITLE is 'A\\nkit'; it can be a text of one line"),
    "divider": ({"BATTERY_DIVIDER": 0}, "BATTERY_DIVIDER is 0; it can be 1 to 100"),
    "low": ({"BATTERY_LOW_MV": "x"}, "BATTERY_LOW_MV is 'x'; it can be 0 to 100000"),
    "panel": ({"DISPLAY": "st7735"}, "DISPLAY is 'st7735'; it can be ssd1306, "),
    "size": ({"HEIGHT": 32}, "HEIGHT is 32; it can be 64: the firmware draws 128x64 pixels"),
    "bus": ({"BUS": "uart"}, "BUS is 'uart'; it can be i2c, spi"),
    "Pico": ({"PICO": "nano"}, "PICO is 'nano'; it can be pico, pico_w, pico2, pico2_w"),
    "spi constants": ({"BUS": "spi"}, "SPI_BUS, SPI_SCK, SPI_MOSI, SPI_CS, SPI_DC, SPI_HZ missing"),
    "layout": ({"KEY_LAYOUT": "five"}, "KEY_LAYOUT is 'five'; it can be six, four, three, two, encoder"),
    "one key": ({"KEY_PINS": 5}, "KEY_PINS is 5; it can be six GPIOs in brackets, of UP DOWN LEFT RIGHT A B, None for"),
    "five keys": ({"KEY_PINS": (10, 11, 12, 13, 14)}, "KEY_PINS is (10, 11, 12, 13, 14); it can be six GPIOs"),
    "pressed": ({"KEY_PRESSED": 2}, "KEY_PRESSED is 2; it can be 0 or 1"),
    "keys of layout": ({"KEY_LAYOUT": "three"}, "has UP DOWN LEFT RIGHT A B; the layout three has RIGHT A B"),
    "pull-up": ({"KEY_PRESSED": 1}, "KEY_PRESSED is 1 and KEY_PULL_UP is True"),
    "shopping list": ({"PARTS": ("push button",)}, 'it can be lines like (6, "push button"),'),
    "one part": ({"PARTS": (1, "Pico")}, "PARTS is (1, 'Pico'); it can be lines like"),
    "no part": ({"PARTS": ((0, "Pico"),)}, "PARTS is ((0, 'Pico'),); it can be lines like"),
    "battery": ({"BATTERY": 22}, "BATTERY: GP22 cannot measure, only GP 26 to 29"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_fault_is_told_with_its_remedy(name):
    constants, told = WRONG[name]
    assert any(told in fault for fault in check.faults(changed(**constants))), list(check.faults(changed(**constants)))


# Of each type that a file can hold one that no constant can be.
NEVER = (
    *([], {}, {1}, {"a": [1]}, ("x",) * 99, b"x", ...),
    *(1j, 2.5, 128.0, -1, 10**9, 1 << 20_000),
    *("", " ", "\0", "\ud800", "x\ny"),
)


@pytest.mark.parametrize(("name", "constant"), [
    *(("reference", constant) for constant in check.ALWAYS + check.BUSES["i2c"]),
    *(("reference_spi", constant) for constant in check.BUSES["spi"]),
])
def test_a_value_of_any_type_is_told_in_one_line(name, constant):
    for value in NEVER:
        told = list(check.faults(changed(name, **{constant: value})))
        assert len(told) == 1 and told[0].startswith(f"{constant} is ")
        assert told[0].isprintable() and len(told[0]) < 250


@pytest.mark.parametrize("constants", [{"BUS": []}, {"BUS": {}, "PICO": []}, {"KEY_LAYOUT": [], "KEY_PINS": 5, "TITLE": 5}])
def test_all_wrong_types_are_told_at_once(constants):
    told = list(check.faults(changed(**constants)))
    assert sorted(fault.split()[0] for fault in told) == sorted(constants)


def test_a_board_is_named_as_its_file(tmp_path):
    (tmp_path / "boards").mkdir()
    text = (ROOT / "boards" / "reference.py").read_text(encoding="utf-8")
    (tmp_path / "boards" / "mine.py").write_text(text, encoding="utf-8")
    with pytest.raises(cli.Failure, match=r"boards/mine\.py: NAME is 'reference'; it can be 'mine' alone"):
        check.load("mine", tmp_path)


def test_spi_pins_that_the_chip_cannot_route():
    told = list(check.faults(changed("reference_spi", SPI_SCK=8, SPI_MOSI=9)))
    assert told == [
        "SPI_SCK: the chip cannot lead SPI0 SCK to GP8, only to GP 2, 6, 18, 22",
        "SPI_MOSI: the chip cannot lead SPI0 TX to GP9, only to GP 3, 7, 19",
    ]


def test_only_a_panel_that_answers_can_be_found_out():
    told = list(check.faults(changed("reference_spi", DISPLAY="find out")))
    assert told == [
        "DISPLAY is 'find out', which needs a panel that answers, on I2C; "
        "over SPI name it: ssd1306, ssd1309, sh1106, sh1107"
    ]
    assert not list(check.faults(changed("reference", DISPLAY="find out")))


def test_an_encoder_says_how_many_edges_make_a_click():
    board = changed("encoder")
    del board.ENCODER_EDGES
    assert list(check.faults(board)) == [
        "ENCODER_EDGES must be 4, or 2 where the encoder makes a click with every other edge"
    ]


def test_a_missing_constant_is_named():
    board = changed()
    del board.KEY_PINS, board.TITLE
    assert list(check.faults(board)) == ["TITLE, KEY_PINS missing"]


@pytest.mark.parametrize("line", ["import machine", "PIN = machine.Pin(4)", "for i in range(3): pass", "A = B = 3"])
def test_a_board_file_is_data(tmp_path, line):
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "odd.py").write_text(f'"""Odd."""\n\n{line}\n')
    with pytest.raises(cli.Failure, match=r"boards/odd\.py, line 3: a board file holds constants"):
        files.constants(tmp_path, "odd")
    (tmp_path / "boards" / "odd.py").write_text("A = (\n")
    with pytest.raises(cli.Failure, match=r"boards/odd\.py, line 1"):
        files.constants(tmp_path, "odd")
    (tmp_path / "boards" / "odd.py").write_text("from boards.missing import *\n")
    with pytest.raises(cli.Failure, match=r"boards/missing\.py is missing"):
        files.constants(tmp_path, "odd")


UNREADABLE = {
    "itself": ("from boards.odd import *\n", "odd.py, line 1: boards/odd.py takes from this file itself"),
    "in a ring": ("from boards.next import *\n", "next.py, line 2: boards/odd.py takes from this file itself"),
    "a folder": ("from boards.folder import *\n", "folder.py cannot be read: "),
    "not UTF-8": (b'TITLE = "\xff"\n', "odd.py is not a text file (UTF-8)"),
    "NUL": ("A = 1\nB = '\0'\n", "odd.py, line 2: a character NUL; take it out"),
    "brackets": ("A = " + "(" * 999 + ")" * 999, "odd.py, line 1: too many nested parentheses"),
    "signs": ("A = " + "-" * 9999 + "1\n", "odd.py"),
    "no key": ("A = {[]: 1}\n", "odd.py, line 1: a board file holds constants and nothing else"),
    "digits": ("A = " + "9" * 5000, "odd.py, line 1: "),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_board_file_that_cannot_be_read_is_told_in_one_line(tmp_path, name):
    text, told = UNREADABLE[name]
    (tmp_path / "boards" / "folder.py").mkdir(parents=True)
    (tmp_path / "boards" / "next.py").write_text("A = 1\nfrom boards.odd import *\n")
    (tmp_path / "boards" / "odd.py").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert files.names(tmp_path) == ["next", "odd"]
    with pytest.raises(cli.Failure) as caught:
        check.load("odd", tmp_path)
    assert str(caught.value).startswith("boards/" + told)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", BOARDS)
def test_read_as_data_or_imported_a_board_is_the_same(name):
    module = __import__("boards." + name, fromlist=["x"])
    there = {key: value for key, value in vars(module).items() if key.isupper()}
    assert vars(files.constants(ROOT, name)) == there


@pytest.mark.parametrize("name", BOARDS)
def test_every_use_has_a_wire_and_no_pin_two_signals(name):
    board = check.load(name)
    drawn = [wire for part in wires.parts(board) for wire in part.wires]
    wanted = {pinout.pin_of(gpio) for _, gpio in check.uses(board) if gpio != pinout.VSYS_SENSE}
    assert wanted <= {wire.pin for wire in drawn}
    signals = [wire.pin for wire in drawn if wire.pin_text not in ("GND", "3V3")]
    assert len(signals) == len(set(signals)) == len(wanted)
    # Each part is grounded, at a pin of its own.
    grounds = [wire.pin for wire in drawn if wire.pin_text == "GND"]
    assert len(grounds) == len(set(grounds)) == len(wires.parts(board))


def test_no_terminal_of_an_encoder_module_is_free():
    """With its + free, the resistors from there to CLK and DT would join the two."""
    drawn = {part.title: part.wires for part in wires.parts(check.load("encoder"))}["Rotary encoder"]
    assert {(wire.terminal, wire.pin_text) for wire in drawn} == {
        *(("CLK", "GP12"), ("DT", "GP13"), ("SW", "GP14"), ("+", "3V3"), ("GND", "GND")),
    }


def test_a_key_without_a_resistor_in_the_chip_has_one_of_its_own():
    """Else its pin floats. That of an RP2350 does not hold a pin low (data sheet, erratum E9)."""
    for constants, told in (
        ({}, ""),
        ({"KEY_PRESSED": 1, "KEY_PULL_UP": False}, ""),
        ({"KEY_PRESSED": 1, "KEY_PULL_UP": False, "PICO": "pico2"}, "8.2 kilohms from each pin to ground"),
        ({"KEY_PULL_UP": False}, "10 kilohms from each pin to 3V3"),
    ):
        board = changed(**constants)
        assert not list(check.faults(board))
        keys = {part.title: part for part in wires.parts(board)}["Keys"]
        assert ("kilohms" in keys.note) == bool(told) and told in keys.note
        common = [(wire.terminal, wire.pin_text) for wire in keys.wires if wire.terminal not in check.KEYS]
        assert common == ([("all", "3V3")] if board.KEY_PRESSED else [("GND", "GND")])
        assert keys.note.split()[-1] in drawing.svg(board)


def segments(path):
    """The straight pieces of a wire."""
    points = [tuple(map(int, point.split(","))) for point in path.split()]
    return [(a, b) for a, b in pairwise(points) if a != b]


def overlap(one, other):
    """Whether two pieces lie on each other for a while."""
    for axis in (0, 1):
        if len({point[axis] for piece in (one, other) for point in piece}) == 1:
            spans = [sorted(point[1 - axis] for point in piece) for piece in (one, other)]
            return max(spans[0][0], spans[1][0]) <= min(spans[0][1], spans[1][1])
    return False


@pytest.mark.parametrize("name", BOARDS)
def test_the_drawing_keeps_its_wires_apart_and_its_parts_inside(name):
    board = check.load(name)
    picture = drawing.svg(board)
    assert picture == drawing.svg(board)
    root = ElementTree.fromstring(picture)
    lines = [line for line in root.iter(SVG + "polyline") if line.get("stroke") != "#ffffff"]
    drawn = [wire for part in wires.parts(board) for wire in part.wires]
    assert len(lines) == len(drawn)
    for i, line in enumerate(lines):
        for other in lines[:i]:
            for one in segments(line.get("points")):
                assert not any(overlap(one, two) for two in segments(other.get("points"))), (name, one)
    signals = [line.get("stroke") for line in lines if line.get("stroke") not in (drawing.GROUND, drawing.POWER)]
    assert len(signals) == len(set(signals))
    height = int(root.get("height"))
    for shape in root.iter(SVG + "rect"):
        assert int(shape.get("x", 0)) >= 0 and int(shape.get("y", 0)) >= 0
        assert int(shape.get("x", 0)) + int(shape.get("width")) <= drawing.WIDTH
        assert int(shape.get("y", 0)) + int(shape.get("height")) <= height
    for line in lines:
        for a, b in segments(line.get("points")):
            assert all(0 < x < drawing.WIDTH and 36 < y < height for x, y in (a, b)), name
    texts = [text.text for text in root.iter(SVG + "text")]
    assert board.TITLE in texts
    for wire in drawn:
        assert f"{wire.signal}: {wire.pin_text}" in texts


def test_the_command(tmp_path, capsys):
    assert wiring.main([]) == cli.DONE
    listed = capsys.readouterr().out
    assert [line.split()[0] for line in listed.splitlines()] == BOARDS
    assert wiring.main(["reference", "--table"]) == cli.DONE
    assert "| OLED SSD1306 | SDA | GP4 | 6 | data |" in capsys.readouterr().out
    assert wiring.main(["reference", "-o", str(tmp_path / "w.svg")]) == cli.DONE
    assert (tmp_path / "w.svg").read_text() == drawing.svg(check.load("reference"))
    with pytest.raises(cli.Usage, match="no board 'referense' in boards/; there are: classroom_three, "):
        wiring.main(["referense"])
    with pytest.raises(cli.Failure, match="cannot write"):
        wiring.main(["reference", "-o", str(tmp_path / "none" / "w.svg")])
    with pytest.raises(cli.Usage, match="which board"):
        wiring.main(["--table"])


@pytest.mark.parametrize("name", BOARDS)
def test_what_to_buy_for_a_class(capsys, name):
    parts = check.load(name).PARTS
    for kits in (1, 30):
        assert wiring.main([name, "--parts", str(kits)]) == cli.DONE
        lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
        assert [(int(count), what) for count, what in lines] == [(kits * count, what) for count, what in parts]
    with pytest.raises(cli.Usage, match="1 or more"):
        wiring.main([name, "--parts", "0"])
    with pytest.raises(cli.Usage, match="which board"):
        wiring.main(["--parts", "30"])


def test_build_refuses_a_board_with_a_fault(tmp_path):
    from tests.standin.tree import write_tree
    from tools.image.contents import Choice, select

    tree = tmp_path / "tree"
    write_tree(tree, "1.0.0")
    (tree / "boards" / "bad.py").write_text("from boards.reference import *\nNAME = 'bad'\nBUZZER = 15\n")
    with pytest.raises(cli.Failure, match=r"boards/bad\.py: GP15 is used twice, for key B and for BUZZER"):
        select(Choice(tree, "pico", "bad", ("en",)))
