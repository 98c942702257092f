"""README and docs: links lead somewhere, what they name is there, their figures are true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boards import reference as board
from firmware import crash, modules, texts
from firmware.scenes import selftest
from games import catalogue, levels
from hal.device import KEY_NAMES
from tests import test_own_game
from tests.pages import PAGES, name, text_of
from tests.reference import goats, goblins, horses, kings
from tools import __main__ as commands
from tools import players
from tools.benches import figures
from tools.benches.device import REAL_CALIBRATION_MS
from tools.environment import ROOT
from tools.kits import check, drawing, files, wires

RULES = ROOT / "docs" / "rules"
DECIDED = "**decided here**"
TOPS = ("games", "hal", "boards", "firmware", "tools", "tests", "docs")


def links(page: Path) -> list[tuple[str, Path]]:
    """(as written, file) of each link and picture that leads to a file of ours."""
    found = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if not re.match(r"[a-z]+:", target):
            found.append((target, (page.parent / target.partition("#")[0]).resolve()))
    return found


def table(text: str, start: str) -> list[list[str]]:
    """The cells of the table whose first row starts so, without that row and the one below it."""
    lines = text.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith(start))
    rows = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def numbers(row: list[str]) -> list[int]:
    return [int(cell) for cell in row[1:] if cell]


# --- Links and names


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_and_pictures_are_there(page):
    assert [target for target, path in links(page) if not path.exists() or ROOT not in path.parents] == []


def test_every_page_and_picture_is_reached_from_the_readme():
    reached: set[Path] = set()
    waiting = [PAGES[0]]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        waiting += [path for _, path in links(page) if path.suffix == ".md" and path not in reached]
    assert set(PAGES) <= reached
    assert PAGES[0].read_text(encoding="utf-8").startswith("![")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_files_that_are_named_exist(page):
    for span in re.findall(rf"`((?:{'|'.join(TOPS)})/[^`\s]*)`", text_of(page)):
        # NAME and GAME stand for any name; portable/x.py is inside the folder of tests.
        pattern = re.sub(r"(?<![A-Z])(NAME|GAME|LANGUAGE)(?![A-Z])", "*", span)
        if page == test_own_game.PAGE and span in test_own_game.boxes():
            # What the tutorial makes.
            continue
        assert list(ROOT.glob(pattern.rstrip("/"))), f"{name(page)}: {span}"


def test_files_that_sources_name_exist():
    """In comments, docstrings and messages. boards/built.py is made by the build."""
    sources = [path for top in TOPS[:5] for path in (ROOT / top).rglob("*.*") if path.suffix in (".py", ".ts")]
    missing = set()
    for path in [ROOT / "pyproject.toml", *sources]:
        for named in re.findall(rf"(?<![\w/.-])((?:{'|'.join(TOPS)})/[\w./-]+\.(?:md|py|ts|txt))", text_of(path)):
            pattern = re.sub(r"(?<![A-Z])(NAME|GAME|LANGUAGE)(?![A-Z])", "*", named)
            if named != "boards/built.py" and not list(ROOT.glob(pattern)):
                missing.add(f"{name(path)}: {named}")
    assert missing == set()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_page_names_a_path_of_one_machine(page):
    assert re.findall(r"(?<![\w.])(?:/(?:home|root|Users|work|tmp|opt|mnt)/\S*|[A-Z]:\\\S*)", text_of(page)) == []


def test_rules_pages_that_sources_name_are_there():
    named = set()
    for top in ("games", "tools", "tests", "firmware"):
        for path in (ROOT / top).rglob("*.py"):
            named |= set(re.findall(r"rules page of (\w+)(?:, (\w+))?", path.read_text(encoding="utf-8")))
    assert {game for game, _ in named} >= {"goats", "goblins", "kings", "horses"}
    for game, section in named:
        page = text_of(RULES / f"{game}.md")
        assert not section or f"\n## {section}\n" in page, f"{game}: {section}"


# --- README is today's


def test_readme_says_which_games_there_are():
    """In the order of the menu: each has a view."""
    rows = table(text_of(PAGES[0]), "| game |")
    assert catalogue.ids() == modules.GAMES
    for game, (title, seats) in zip(catalogue.ids(), rows, strict=True):
        assert title.startswith(f"{modules.texts('en')[f'game.{game}']} (`{game}`)")
        fewest, most = catalogue.seats(game, (1 << len(catalogue.options(game))) - 1)
        assert seats == f"{fewest}-{most}", game


def test_readme_says_who_plays():
    said = re.search(r"computer players \(([^)]*)\)", text_of(PAGES[0]))
    assert said
    named = re.split(r", | and ", said[1])
    assert named == [level for level in levels.NAMES if f"setup.{level}" in modules.texts("en")]
    assert set(named) <= set(players.PLAYERS)


def test_readme_has_exactly_the_commands_there_are():
    text = text_of(PAGES[0])
    listed = [n for row in table(text, "| `python3 -m tools` |") for n in re.findall(r"`(\w+)`", row[0])]
    assert sorted(listed) == sorted(commands.offered())
    later = re.search(r"Not there yet: ([^.]*)\.", text)
    missing = set(commands.COMMANDS) - set(commands.offered())
    assert set(re.findall(r"`(\w+)`", later[1] if later else "")) <= missing


def test_readme_has_exactly_the_languages_there_are():
    names = {"en": "English", "fr": "French", "cs": "Czech", "de": "German"}
    said = re.search(r"Texts are in ([^.]*)\.", text_of(PAGES[0]))
    assert said
    assert re.split(r", | and ", said[1]) == [names.get(code, code) for code in texts.there()]


def test_every_kit_has_its_diagram_and_its_line():
    page = ROOT / "docs" / "building.md"
    rows = table(text_of(page), "| kit |")
    assert [row[0].strip("`") for row in rows] == sorted(
        files.names(ROOT), key=[row[0].strip("`") for row in rows].index
    )
    for kit, panel, keys, link in rows:
        board = check.load(kit.strip("`"))
        picture = ROOT / "docs" / "pictures" / "wiring" / f"{board.NAME}.svg"
        assert picture.read_text(encoding="utf-8") == drawing.svg(board), "make it anew: python3 -m tools wiring NAME"
        assert picture.name in link
        assert board.DISPLAY.upper() in panel or panel.startswith(("as ", "any "))
        assert board.KEY_LAYOUT in keys


def test_the_steps_name_the_pins_of_the_diagram():
    text = " ".join(text_of(ROOT / "docs" / "building.md").split())
    pins = {(part.title, wire.terminal): wire.pin for part in wires.parts(board) for wire in part.wires}
    panel = f"OLED {board.DISPLAY.upper()}"
    said = "GND to pin {}, VCC to pin {} (3V3, never VBUS), SCL to pin {}, SDA to pin {}."
    assert said.format(*(pins[panel, name] for name in ("GND", "VCC", "SCL", "SDA"))) in text
    keys = ", ".join(f"{key} {pins['Keys', key]}" for key in KEY_NAMES)
    assert f"One leg to its pin ({keys})," in text
    assert f"the ground row to pin {pins['Keys', 'GND']}." in text
    assert "between pin {} and pin {}.".format(pins["Piezo buzzer", "+"], pins["Piezo buzzer", "-"]) in text
    listed = {what: count for count, what in board.PARTS}
    assert f"a breadboard of 830 holes, {listed['jumper wire']} jumper wires" in text


def test_trouble_knows_all_codes_of_self_test_and_led():
    text = text_of(ROOT / "docs" / "trouble.md")
    codes = [int(row[0], 16) for row in table(text, "| code |")]
    bits = [value for key, value in vars(selftest).items() if key.startswith("BAD_")]
    assert codes == sorted(bits) == [1 << i for i in range(8)]
    source = (ROOT / "firmware" / "main.py").read_text(encoding="utf-8")
    assert "_NO_PANEL = const(2)" in source and "**The LED blinks twice, again and again**" in text
    assert "_SAFE = const(3)" in source and "**The LED blinks three times**" in text
    assert f"at most {crash._MOST_BYTES:,} bytes" in text and crash.FILE in text


def test_what_boards_without_b_do_is_told_for_the_encoder_too():
    """Its → is a turn, which nobody holds at power-on."""
    found = 0
    for page in PAGES:
        for paragraph in text_of(page).split("\n\n"):
            if "boards without B" in paragraph:
                found += 1
                assert "encoder" in paragraph, (name(page), paragraph)
    assert found > 1


def test_without_a_panel_the_firmware_waits_for_one():
    paragraphs = [text.replace("\n", " ") for text in text_of(ROOT / "docs" / "device.md").split("\n\n")]
    assert [text for text in paragraphs if text.startswith("With no panel ") and "tries again, until" in text]
    # Over SPI it cannot know, and the steps for the reference kit do not hold.
    told = text_of(ROOT / "docs" / "building.md").partition("A panel over SPI")[2]
    for kit in map(check.load, files.names(ROOT)):
        assert kit.BUS != "spi" or f"`{kit.NAME}`" in told, kit.NAME


def test_figures_of_the_pico_are_the_committed_ones():
    kept = figures.read()
    pico = kept["device"]
    memory, screen = pico["memory"], pico["screen"]["goats"]

    def ms(ratio):
        return ratio * REAL_CALIBRATION_MS

    def free(name):
        """Bytes of heap in each game."""
        return ", ".join(f"{game} {memory[name.format(game)]['free']:,}" for game in modules.GAMES)

    def per_s(name):
        """Games a second, first those of the tables without options."""
        told = {True: [], False: []}
        for game in catalogue.ids():
            for mask in sorted({0, (1 << len(catalogue.options(game))) - 1}):
                ratio = pico["playouts"][f"{game} 2 {mask}"][name]
                told[mask == 0].append(f"{game} {ratio * 1000 / REAL_CALIBRATION_MS:,.0f}")
        return f"{', '.join(told[True])}; with all options {', '.join(told[False])}"

    right = {
        "reset to title": f"{ms(pico['title_ms_ratio']) / 1000:.2f} s",
        "free heap at the title": f"{memory['title']['free']:,} bytes of 245,888",
        "free heap in a game between persons": free("{}, persons"),
        "free heap while an expert thinks": free("{}"),
        "the largest piece of it": f"{memory['goats']['largest']:,} bytes in goats; when all games were played "
        f"{memory['all played']['largest']:,} of {memory['all played']['free']:,}, after {pico['changes']} more changes of "
        f"game {memory['after changes']['largest']:,} of {memory['after changes']['free']:,}",
        "image on the flash": f"{sum(kept['image'].values()) / 1024:.0f} KB of 1,408 KB for files",
        "a turn of the loop in which nothing changes": f"{ms(screen['idle_us_ratio']):.1f} ms, no byte on the bus",
        "the cursor moves by a place (goats)": f"{screen['cursor_bytes']} bytes on the bus, "
        f"{ms(screen['cursor_us_ratio']):.0f} ms of which {ms(screen['draw_us_ratio']):.0f} draw",
        "a whole frame": f"{screen['frame_bytes']:,} bytes, {ms(screen['frame_us_ratio']):.0f} ms at 400 kHz",
        "turns of the loop": f"{screen['turns_per_s']} a second, and so while an expert thinks; the longest then "
        + ", ".join(f"{game} {ms(pico['screen'][game]['thinking_longest_us_ratio']):.0f} ms" for game in modules.GAMES),
        "random games a second, two seats": per_s("playouts_per_s_ratio"),
        "the same, each ply called from Python": per_s("stepped_per_s_ratio"),
    }
    assert screen["idle_bytes"] == 0
    assert {pico["screen"][game]["thinking_turns_per_s"] for game in modules.GAMES} == {screen["turns_per_s"]}
    assert dict(table(text_of(ROOT / "docs" / "device.md"), "| | |")) == right


def test_figures_of_the_computer_players_are_the_committed_ones():
    thoughts = figures.read()["device"]["thoughts"]

    def time(found, level):
        median, worst = (found[f"{level}_{what}_us_ratio"] * REAL_CALIBRATION_MS for what in ("median", "worst"))
        return f"{median:,.0f} ms ({worst:,.0f})"

    right = [
        [
            game,
            f"{found['iterations_per_s_ratio'] * 1000 / REAL_CALIBRATION_MS:,.0f}",
            *[time(found, level) for level in levels.NAMES],
            f"{found['longest_step_us_ratio'] * REAL_CALIBRATION_MS:.1f} ms",
            f"{found['heap_bytes']:,}",
        ]
        for game in catalogue.ids()
        if (found := thoughts.get(f"{game} 2 0"))
    ]
    assert right
    assert table(text_of(ROOT / "docs" / "device.md"), "| two seats |") == right


# --- Rules pages: their tables are those of the slow games, which the fast ones are held to


def test_goats_page():
    text = text_of(RULES / "goats.md")
    rows = {row[0]: numbers(row) for row in table(text, "| mountain |")}
    assert rows["height"] == list(goats.HEIGHT.values())
    for row, seats in (("tokens with 4 or 5 seats", 4), ("tokens with 3 seats", 3), ("tokens with 2 seats", 2)):
        assert rows[row] == list(goats.Game(seats, False).left.values())
    ranks = {row[0]: numbers(row) for row in table(text, "| rank |")}
    assert ranks == {"2 seats": goats.RANKS[2], "3 seats": goats.RANKS[3], "4 or 5 seats": goats.RANKS[4]}
    assert f"and {catalogue.load('goats').MAX_LEGAL} with it" in text


def test_goblins_page():
    text = " ".join(text_of(RULES / "goblins.md").split())
    assert ", ".join(map(str, goblins.DECK)) in text
    assert "1, 3, 6 or 10 ducats for 1, 2, 3 or 4" in text
    assert goblins.MC_COST[1:] == (1, 3, 6, 10)
    assert f"At most {catalogue.load('goblins').MAX_LEGAL} legal moves" in text


def test_kings_page():
    rows = table(text_of(RULES / "kings.md"), "| # |")
    profiles = {}
    for row in rows:
        for cells in (row[:5], row[6:]):
            number, *figures_of = map(int, cells[:4])
            profiles[number] = (*figures_of, cells[4] == "yes")
    assert [profiles[n] for n in range(20)] == kings.PROFILES


def test_horses_page():
    text = text_of(RULES / "horses.md")
    assert f"\n\n    {horses.SPACES}\n\n" in text
    dice = table(text, "| | movement |")
    for gait, (_, movement, effect) in zip(("trot", "gallop"), dice):
        assert movement.split() == horses.SYMBOLS
        words = effect.removeprefix("gain ").removesuffix(" tokens").replace("pay ", "pay").split(", ")
        assert words == horses.EFFECTS[gait]


@pytest.mark.parametrize("game", catalogue.ids())
def test_every_decision_is_in_the_table(game):
    # The first mark of a page says what it means.
    marks = " ".join(text_of(RULES / f"{game}.md").split()).count(DECIDED) - 1
    section = text_of(ROOT / "docs" / "rules-decisions.md").partition(f"(rules/{game}.md)")[2]
    assert marks == len(table(section, "| open |"))
