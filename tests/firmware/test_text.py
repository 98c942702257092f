"""Texts: every key is there and used, every glyph is drawn, and no text leaves its place or touches another."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from firmware import modules, records, saves, screen, texts, ui
from firmware.art import body, title
from games import catalogue
from games.rng import Rng
from hal import store
from tests.firmware.hand import Hand
from tests.firmware.shell import shell
from tests.firmware.test_result import tie
from tests.firmware.walk import seats, walk

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = texts.there()
LETTERS = (
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    "àâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸáčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"
)


def table(language: str) -> dict[str, str]:
    texts.load(language)
    return modules.texts(language)


def used_keys() -> set[str]:
    """Texts asked for: literals in firmware/ and hal/ that are keys, and those that are made of a game's names."""
    literals = set()
    for path in [*(ROOT / "firmware").rglob("*.py"), *(ROOT / "hal").rglob("*.py")]:
        if path.parent.name == "text":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                literals.add(node.value)
    for game in modules.GAMES:
        literals.add("game." + game)
        for option in catalogue.options(game):
            literals |= {f"option.{game}.{option}", f"option.{game}.{option}.help"}
    return literals


def asked_keys() -> set[str]:
    """Literal arguments of t(), and the keys that the store answers with."""
    asked = set()
    for path in (ROOT / "firmware").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "t":
                asked |= {
                    part.value
                    for part in ast.walk(node.args[0])
                    if isinstance(part, ast.Constant) and isinstance(part.value, str)
                }
    asked -= {"game.", "option.", ".", ".help"}
    return asked | {word for word in (store.__doc__ or "").split() if word.startswith("save_")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_is_there_and_used(language: str) -> None:
    keys = set(table(language))
    assert keys == set(table("en"))
    assert asked_keys() - keys == set()
    assert keys - used_keys() == set()
    for game in modules.GAMES:
        assert "game." + game in keys
        for option in catalogue.options(game):
            assert {f"option.{game}.{option}", f"option.{game}.{option}.help"} <= keys


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_finds_its_text(language: str) -> None:
    """Also those that share a hash's neighbourhood; a key that is not there is told."""
    keys = table(language)
    assert len({texts.hashed(key) for key in keys}) == len(keys)
    assert {key: texts.t(key) for key in keys} == keys
    for key in ("", "title.plax", "zzz"):
        with pytest.raises(KeyError):
            texts.t(key)


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_placeholders_in_every_language(language: str) -> None:
    english = table("en")
    for key, text in table(language).items():
        assert text.count("{}") == english[key].count("{}"), key
        assert text.count("{") == text.count("}") == text.count("{}"), key


# Where a word follows a number: it counts nothing, or the number is never one.
BESIDE_NUMBERS = {
    "setup.seats": "the most, at least two",
    "why.goats.bonus": "6 to 15",
    "why.goats.points": "5 to 10 each",
    "why.goats.place": "the name of a step",
    "why.goblins.back": "the value of a card",
    "why.horses.trot": "no noun",
    "why.horses.gallop": "no noun",
    "why.horses.stake": "a share of 30 tokens at most: 0, or 3 and more",
    "settings.min": "a unit",
    "selftest.touch": "the name of a pin",
    "selftest.down": "the name of a key",
    "replay.at": "the number of a move",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_noun_is_counted_that_might_be_one(language: str) -> None:
    """No "1 points": the texts have one form, so a number that may be 1 stands behind what it counts."""
    found = {key for key, text in table(language).items() if re.search(r"\{\}\s\w{3,}", text)}
    assert found <= set(BESIDE_NUMBERS)


def test_language_files_are_the_languages() -> None:
    assert sorted(p.stem for p in (ROOT / "firmware" / "text").glob("*.py")) == sorted(LANGUAGES)
    assert len({table(language)["language.name"] for language in LANGUAGES}) == len(LANGUAGES)
    with pytest.raises(ValueError, match="language not on this device: xx"):
        texts.load("xx")


@pytest.mark.parametrize("font", [body, title], ids=["body", "title"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_glyphs(font, language: str) -> None:
    missing = 95 + len(font.EXTRA)
    for letter in set("".join(table(language).values())) - {"\n"} | set(LETTERS) | set("ⒶⒷ←→↑↓"):
        assert screen._glyph(font, letter) != missing, letter
    assert screen._glyph(font, "ж") == missing


def test_glyphs_differ() -> None:
    """No two letters look the same, marks included."""
    for font in (body, title):
        drawn = {}
        for letter in LETTERS:
            i = 2 * screen._glyph(font, letter)
            first, end = (font.STARTS[k] | font.STARTS[k + 1] << 8 for k in (i, i + 2))
            glyph = font.COLUMNS[first * font.PAGES : end * font.PAGES]
            assert drawn.setdefault(glyph, letter) == letter
        assert len(drawn) == len(set(LETTERS))


class Watch:
    """Looks at every text as it is drawn: it must lie on the panel, on ground of one shade with a pixel to spare, and
    must still be as it was drawn when the screen is finished."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: set[str] = set()
        self._boxes: list[tuple[str, list[tuple[int, int]], list[int]]] = []
        draw, show = screen.Screen.text, Hand._shown
        shade, clear = screen.Screen.shade, screen.Screen.clear

        def text(board, words, x, y, ink=1, font=body):
            before = bytes(board.buffer)
            after = draw(board, words, x, y, ink, font)
            self._look(board, words, before, x, y, screen.text_width(words, font), font)
            return after

        def shown(hand, frame):
            for words, places, values in self._boxes:
                assert [pixel(frame, *p) for p in places] == values, f"{words!r} was drawn over"
            self._boxes.clear()
            show(hand, frame)

        def shaded(board, *place):
            shade(board, *place)
            # What is made grey on purpose.
            self._boxes.clear()

        monkeypatch.setattr(screen.Screen, "text", text)

        def cleared(board):
            clear(board)
            # A picture that is drawn again as it was is not shown again.
            self._boxes.clear()

        monkeypatch.setattr(screen.Screen, "clear", cleared)
        monkeypatch.setattr(screen.Screen, "shade", shaded)
        monkeypatch.setattr(Hand, "_shown", shown)

    def _look(self, board, words, before, x, y, width, font) -> None:
        self.texts.add(words)
        # A blank there is one that no line is broken at (U+00A0, narrow in our fonts).
        assert words[:1] not in (":", ";", "?", "!"), f"{words!r} belongs to the line above"
        # Czech has no word of one letter at the end of a line; "30 s" is none.
        assert not re.search(r"(^|\D )[ksvzouai]$", words) or texts.t("language.name") != "Čeština", f"{words!r} hangs"
        assert x >= 0, words
        assert x + width <= 128, f"{words!r} ends at {x + width}"
        assert y >= 0, words
        assert y + font.ROWS <= 64, words
        changed = [
            (i & 127, (i >> 7) * 8 + bit)
            for i in range(1024)
            if before[i] != board.buffer[i]
            for bit in range(8)
            if (before[i] ^ board.buffer[i]) >> bit & 1
        ]
        if not changed:
            assert not words.strip(), f"{words!r} left no mark"
            return
        # Every pixel beside one of the text: a mark may reach up between two tails of the line above, not to one.
        box = {
            (c, r)
            for x, y in changed
            for r in range(max(y - 1, 0), min(y + 2, 64))
            for c in range(max(x - 1, 0), min(x + 2, 128))
        }
        assert len({pixel(before, *p) for p in box}) == 1, f"{words!r} touches something"
        self._boxes.append((words, sorted(box), [pixel(board.buffer, *p) for p in sorted(box)]))


def pixel(buffer, x: int, y: int) -> int:
    return buffer[(y >> 3) * 128 + x] >> (y & 7) & 1


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(monkeypatch)


def test_watch_sees_faults(watch: Watch) -> None:
    board = Hand().app.screen
    board.clear()
    board.text("Play", 0, 0)
    for words, x, y in (("Play", 2, 2), ("Play", 0, 6), ("Resume", 105, 30), ("Play", -1, 30), ("Play", 30, 60)):
        with pytest.raises(AssertionError):
            board.text(words, x, y)


def test_texts_keep_their_places(watch: Watch) -> None:
    for _ in walk():
        pass
    for count, options in ((2, 0), (3, 1), (4, 0), (5, 1)):
        seats(count, options)
    assert {table("en")[key] for key in ("title.resume", "result.won", "menu.sheet")} <= watch.texts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "options"), [(game, mask) for game in modules.GAMES for mask in range(1 << len(catalogue.options(game)))]
)
def test_games_keep_their_places(watch: Watch, game: str, options: int, language: str) -> None:
    """What a game says to persons who roll, choose, pass it on and may look at the last moves again."""
    hand = Hand(seed=3, language=language)
    hand.start([saves.PERSON] * 3, options, game)
    for _ in range(60):
        hand.press("A")
    assert hand.app.top().plies > 9


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_keep_their_places(watch: Watch, language: str) -> None:
    messages = {key for key in table(language) if key.startswith(("save", "records.", "battery.", "keys."))}
    assert messages >= {"save.bad", "save.stays", "save_older", "save_lost", "save_full", "save_failed", "records.bad"}
    assert messages >= {"battery.low", "keys.stuck"}
    hand = Hand(language=language)
    for key in messages:
        hand.app.open("message", key)
        hand.press(".A")
    long = "OSError: [Errno 5] EIO " + "x" * 60 + " and so on " * 9
    hand.app.open("crash", long)
    hand.press(".A.")
    assert hand.scene() == "title"


@pytest.mark.parametrize("language", LANGUAGES)
def test_set_up_keeps_its_places(watch: Watch, language: str) -> None:
    for game in modules.GAMES:
        hand = Hand(language=language)
        hand.app.open("setup", game)
        # All kinds of players, too few of them, every row.
        hand.press("." + "UUA" * 3 + "D" * 5 + "R" * 5 + "A.A.A." + "RA.A." + "DDAA.")
        hand.app.open("about")
        hand.press("D" * 20)
        hand.press("U" * 20)


@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_around_a_game_keep_their_places(watch: Watch, language: str) -> None:
    for _ in shell(language):
        pass
    words = table(language)
    assert {words[key] for key in ("setup.lot.help", "play.practice", "undo.title", "after.again")} <= watch.texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_kept_games_and_reasons_keep_their_places(watch: Watch, language: str) -> None:
    hand = Hand(language=language)
    for game in modules.GAMES:
        saved = saves.Saved(game, 0, bytes([2] * catalogue.seats(game, 0)[1]), "WWWW", 1)
        assert records.keep(hand.device.store, saved)
    hand.app.open("kept")
    hand.press("." + "D" * 5)
    for key, text in table(language).items():
        if key.startswith(("why.", "replay.", "play.hint")):
            hand.app.screen.clear()
            ui.bar(hand.app.screen, text.format(88, 88))


@pytest.mark.parametrize("language", LANGUAGES)
def test_results_keep_their_places(watch: Watch, language: str) -> None:
    tie(language)
    words = table(language)
    assert words["tie.goats"] in watch.texts
    # All headings beside what broke the tie of each game, as if three seats had been equal.
    hand = Hand(language=language)
    for game in modules.GAMES:
        rules = catalogue.load(game)
        state = bytearray(rules.STATE_BYTES)
        rng = Rng(1)
        rules.new(state, 3, 0, rng)
        rules.playout(state, rng)
        for practice in (False, True):
            for winners in (0b001, 0b011):
                saved = saves.Saved(game, 0, bytes([2, 2, 2]), "WWWW", 1)
                saved.practice = practice
                hand.app.open("result", game, bytes([2, 2, 2]), state, saved)
                scene = hand.app.top()
                scene._rows = [(scene._rows[0][0], breaks, seat) for _, breaks, seat in scene._rows]
                scene._winners, scene._broken = winners, True
                hand.press(".B.")
        assert words["tie." + game] in watch.texts
    assert {words[key] for key in ("result.won", "result.shared", "menu.practice")} <= watch.texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pause_and_the_title_keep_their_places(watch: Watch, language: str) -> None:
    hand = Hand(seed=11, language=language)
    hand.start([saves.PERSON, 2])
    seen: set[str] = set()
    # Before the first choice, and when there is one to take back.
    for phase in ("roll", "choice", "roll", "choice"):
        hand.until(phase)
        hand.press("B.")
        seen |= set(hand.app.top()._keys)
        hand.press("D" * len(hand.app.top()._keys) + "B.")
        hand.press("A")
    assert len(seen) == 7
    words = table(language)
    assert {text for key, text in words.items() if key.startswith("menu.") and key != "menu.practice"} <= watch.texts
    hand.app.home()
    hand.press("." + "D" * 6)
    assert {text for key, text in words.items() if key.startswith("title.")} <= watch.texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_self_test_keeps_its_places(watch: Watch, language: str) -> None:
    hand = Hand(language=language)
    hand.app.open("settings")
    hand.press("." + "D" * 9)
    hand.device.power.mv = 5500
    # The longest that two pins, a key and the bus can say.
    for low, shorts in ((0, []), (8, []), (8, [(14, 15), (10, 11)])):
        hand.device.examined = ([0x3C, 0x3D, 0x50, 0x68], low, shorts, 1408)
        hand.app.home("selftest")
        for key in (".", "A.", "UDLRAB.", "A.", "A."):
            hand.press(key)
        assert hand.app.top()._lines[0].endswith("80" if low else "00")
        hand.app.home()
    words = table(language)
    whole = {key for key, text in words.items() if key.startswith("selftest.") and "{}" not in text}
    assert {words[key] for key in whole} | {words["settings.test"]} <= watch.texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_an_option_does_keeps_its_place(watch: Watch, language: str) -> None:
    words = table(language)
    for game in modules.GAMES:
        hand = Hand(language=language)
        hand.app.open("setup", game)
        for _ in range(hand.app.top()._most + len(catalogue.options(game)) + 3):
            hand.press("R")
            # What it does is told when the cursor rests.
            hand.wait(400)
        for option in catalogue.options(game):
            assert {words[f"option.{game}.{option}"], words[f"option.{game}.{option}.help"]} <= watch.texts


def test_wrap() -> None:
    assert ui.wrap("one two three\nfour", 40) == ["one two", "three", "four"]
    assert ui.wrap("incomprehensibilities are", 30) == ["incomprehensibilities", "are"]
    for line in ui.wrap("a quick brown fox jumps over the lazy dog " * 5, 100):
        assert screen.text_width(line) <= 100
