"""The page in a real browser: whole games, saves, no network, pixels, speed, and what the page adds to the handheld."""

from __future__ import annotations

import json
import re
import shutil
import threading
from pathlib import Path

import pytest

from firmware import modules
from hal.host import MemoryStore
from tests.firmware.hand import Hand, pbm
from tests.web.pages import ENTER
from tools import record, replay
from tools.site import assemble, serve

GOLDEN = Path(__file__).resolve().parent.parent / "firmware" / "golden"
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3, "has_touch": True, "is_mobile": True}
PERSON, EASY = 1, 2
WORD = "CLAS"
AT_ONCE = "3"


def on_host(game: str) -> bytes:
    """The records that CPython keeps of the game of WORD, a person who only presses A against a computer."""
    hand = Hand(seed=1, store=MemoryStore())
    hand.app.home("game", None, game, 0, bytes((PERSON, EASY)), WORD)
    while hand.scene() != "result":
        hand.press("A")
    return hand.device.store.load("records")


def link(game: str, word: str = WORD) -> str:
    return f"#game={game}&word={word}&players={PERSON}{EASY}"


# --- Whole games


@pytest.mark.parametrize("game", modules.GAMES)
def test_a_whole_game_by_keyboard_is_that_of_cpython(visit, game, tmp_path):
    table = visit(link(game), fast=True)
    table.page.select_option("#speed", AT_ONCE)
    table.page.locator("#screen").focus()
    for _ in range(1000):
        if table.press("A") == "result":
            break
    assert table.scene() == "result"
    assert table.saved(tmp_path).load("records") == on_host(game)


def test_a_whole_game_by_touch(visit, tmp_path):
    table = visit(link("horses"), fast=True, **PHONE)
    table.page.select_option("#speed", AT_ONCE)
    a = table.page.locator("button.a").bounding_box()
    for _ in range(1000):
        table.page.touchscreen.tap(a["x"] + a["width"] / 2, a["y"] + a["height"] / 2)
        if table.frames(4) == "result":
            break
    assert table.saved(tmp_path).load("records") == on_host("horses")


@pytest.mark.slow
@pytest.mark.parametrize("game", modules.GAMES)
def test_a_whole_game_in_real_time(visit, game, tmp_path):
    """Against a player that thinks for long, with the page answering all the while."""
    table = visit(f"#game={game}&word={WORD}&players=15")
    table.page.evaluate(_LONGEST)
    for _ in range(4000):
        table.page.keyboard.press(ENTER)
        table.page.wait_for_timeout(60)
        if table.scene() == "result":
            break
    assert table.scene() == "result"
    assert table.page.evaluate("longest") < 500
    assert table.saved(tmp_path).load("records")


# The longest time between two frames.
_LONGEST = """
() => {
    window.longest = 0;
    let last = performance.now();
    const frame = (now) => {
        window.longest = Math.max(window.longest, now - last);
        last = now;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}
"""


# --- The mouse and the buzzer

# The tones that Web Audio is asked for.
_HEARD = """
(() => {
    window.heard = [];
    const set = AudioParam.prototype.setValueAtTime;
    AudioParam.prototype.setValueAtTime = function (value, time) {
        heard.push(value);
        return set.call(this, value, time);
    };
})();
"""


def test_the_mouse_presses_turns_and_is_heard(visit):
    table = visit(fast=True, before=_HEARD)
    page = table.page
    page.locator("button.a").click()
    assert table.frames(4) == "games"
    page.select_option("#layout", "encoder")
    box = page.locator("#handheld").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for turned, game in ((100, "Goblin Race"), (100, "Mountain Kings"), (-100, "Goblin Race")):
        page.mouse.wheel(0, turned)
        # The wheel's event comes after the call.
        page.wait_for_timeout(100)
        table.frames(60)
        assert f"> {game}" in table.said().splitlines()
    # Three times the click of the cursor (firmware/sound.py).
    assert page.evaluate("heard")[-3:] == [2000, 2000, 2000]
    page.uncheck("#sound")
    page.evaluate("heard.length = 0")
    page.locator("button.a").click()
    assert table.frames(4) == "setup"
    assert page.evaluate("heard") == []


# --- Saves and the network


def test_reload_resumes(visit, tmp_path):
    table = visit(link("kings"))
    table.until("setup")
    table.press("AAA")
    table.until("game")
    table.page.wait_for_timeout(700)
    before = table.saved(tmp_path).load("game")
    shown = table.picture()
    table.reload()
    # The link that it began with is used up.
    table.until("title")
    table.press("A")
    table.until("game")
    table.page.wait_for_timeout(700)
    assert table.saved(tmp_path).load("game") == before
    assert table.picture() == shown


def test_offline_after_the_first_visit(visit):
    table = visit()
    table.page.wait_for_function("navigator.serviceWorker.controller", polling=50)
    table.context.set_offline(True)
    table.reload()
    assert table.press("A") == "games"
    table.page.get_by_role("button", name="Rules").click()
    with table.page.expect_navigation():
        table.page.get_by_role("link", name=re.compile("All rules")).first.click()
    assert "Mountain Goats" in table.page.content()
    table.context.set_offline(False)


def test_every_moment_of_a_save_survives(visit):
    """A page that is gone after any write of the store finds the old save or the new one."""
    cut = """
        const set = Storage.prototype.setItem;
        let left = Number(new URLSearchParams(location.search).get("writes") ?? 1e9);
        Storage.prototype.setItem = function (key, text) {
            if (key.startsWith("cairn/save/") && --left < 0) return;
            set.call(this, key, text);
        };
    """
    table = visit(f"?writes=3{link('goats')}", fast=True, before=cut)
    for keys in ("AA", "AAAA"):
        table.press(keys)
    table.go()
    assert table.press(".") == "title"
    assert table.press("A") == "game"


# --- What the glass shows


def test_pixels_are_those_of_the_host(visit):
    table = visit(fast=True)
    for keys, name in (
        ("", "title"), ("UA", "about"), ("DDBA", "games"), ("A", "setup"), ("UA", "setup-option"), ("BDDDDA", "help"),
        ("A", "help-goats-1"), ("R", "help-goats-2"), ("R", "help-goats-3"), ("R", "help-goats-4"),
    ):  # fmt: skip
        table.press(keys + "....")
        assert pbm(table.picture()) == (GOLDEN / f"{name}.pbm").read_bytes(), name


@pytest.mark.parametrize("ratio", [1.25, 3])
def test_pixels_are_whole_at_any_zoom(visit, ratio):
    table = visit(fast=True, device_scale_factor=ratio)
    table.press("....")
    assert pbm(table.picture()) == (GOLDEN / "title.pbm").read_bytes()
    across, drawn = table.page.evaluate(
        "() => { const c = document.getElementById('screen'); return [c.getBoundingClientRect().width, c.width] }"
    )
    assert drawn % 128 == 0
    assert abs(across * ratio - drawn) < 0.05


def test_the_text_of_the_screen_is_told(visit):
    table = visit(fast=True)
    table.press("A")
    table.frames(60)
    said = table.said().splitlines()
    assert "> Mountain Goats" in said
    assert {"Goblin Race", "Mountain Kings"} <= set(said)
    assert table.page.locator("#said").get_attribute("aria-live") == "polite"


# --- Speed


def test_sixty_frames_a_second_while_idle(visit):
    """The page's own work in a frame is small; how often this machine calls it is up to its load."""
    table = visit()
    table.page.wait_for_timeout(300)
    seen = table.page.evaluate(
        """async () => {
            const gaps = [];
            let last = await new Promise(requestAnimationFrame);
            for (let i = 0; i < 60; i++) {
                const now = await new Promise(requestAnimationFrame);
                gaps.push(now - last);
                last = now;
            }
            return gaps.sort((a, b) => a - b);
        }"""
    )
    assert seen[len(seen) // 2] < 20, seen


# --- Beside the handheld


def test_language_layout_speed_and_sound(visit, tmp_path):
    table = visit(fast=True)
    page = table.page
    page.select_option("#language", "fr")
    table.frames(60)
    assert page.locator("nav button").all_text_contents() == ["Règles", "Partager", "Parties", "Installer sur mon Pico"]
    assert "Jouer" in table.said()
    assert page.locator("html").get_attribute("lang") == "fr"
    for layout, keys in (("two", 2), ("three", 3), ("four", 4), ("encoder", 3), ("six", 6)):
        page.select_option("#layout", layout)
        assert page.locator("#handheld button:visible").count() == keys
    page.select_option("#layout", "two")
    page.select_option("#speed", "2")
    page.uncheck("#sound")
    table.reload()
    assert [page.locator(f"#{name}").input_value() for name in ("language", "layout", "speed")] == ["fr", "two", "2"]
    assert not page.is_checked("#sound")
    # On the handheld too: its settings, with two keys.
    table.press("RRA...")
    assert table.scene() == "settings"
    # B does what holding its stand-in does.
    table.press("B..")
    assert table.scene() == "title"


def test_a_language_chosen_on_the_handheld_is_the_pages(visit):
    table = visit(fast=True)
    assert table.press("DDA") == "settings"
    table.press("A")
    table.frames(60)
    assert table.page.locator("html").get_attribute("lang") == "cs"
    assert table.page.get_by_role("button", name="Pravidla").is_visible()


@pytest.mark.parametrize(("locale", "word"), [("cs-CZ", "Pravidla"), ("de", "Rules")])
def test_the_first_language_is_the_browsers(visit, locale, word):
    table = visit(fast=True, locale=locale)
    assert table.page.get_by_role("button", name=word).is_visible()


def test_a_link_carries_the_game(visit):
    table = visit(link("goats"), fast=True)
    table.press("A...")
    table.frames(60)
    table.page.get_by_role("button", name="Share").click()
    address = table.page.locator("#share-link").input_value()
    assert address.endswith(link("goats"))
    table.page.fill("#share-word", "no")
    assert "four letters" in (table.page.locator("#share-told").text_content() or "")
    other = visit(address[address.index("#") :], fast=True)
    assert other.scene() == "setup"
    other.press("UU")
    other.frames(60)
    assert f"Word {WORD}" in other.said()


def test_a_wrong_link_does_no_harm(visit):
    table = visit("#game=chess", fast=True)
    assert table.scene() == "title"
    for hash in ("#game=goats&word=12&players=99&options=-1", "#%E0%A4%A", "#game", "#game=horses&players=9&options=1e9"):
        table.page.evaluate("hash => { location.hash = hash }", hash)
        table.frames(10)
        assert table.scene() in ("title", "setup")


def test_records_are_saved_and_shown(visit, tmp_path):
    table = visit(f"#game=horses&word={WORD}&players={EASY}{EASY}", fast=True)
    table.page.select_option("#speed", AT_ONCE)
    table.page.locator("#screen").focus()
    table.press("A")
    for _ in range(200):
        if table.frames(120) == "result":
            break
    table.page.get_by_role("button", name="Records").click()
    with table.page.expect_download() as waiting:
        table.page.get_by_role("button", name=re.compile(f"Save .*{WORD}")).click()
    saved = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(saved)
    with saved.open("rb") as file:
        assert len(list(replay.replay(file))) == 1
    table.page.set_input_files("#records-file", saved)
    table.page.wait_for_function("!document.querySelector('dialog[open]')", polling=50)
    table.frames(10)
    assert table.scene() == "replay"
    # Any other record, with its own dice.
    other = tmp_path / "goats.jsonl"
    assert record.main(["goats", "--seats", "3", "--options", "big", "--seed", "7", "-o", str(other)]) == 0
    last = json.loads(other.read_text().splitlines()[-1])
    table.page.get_by_role("button", name="Records").click()
    table.page.set_input_files("#records-file", other)
    table.page.wait_for_function("!document.querySelector('dialog[open]')", polling=50)
    table.frames(10)
    assert table.scene() == "replay"
    table.press("L" + "D..")
    table.frames(60)
    assert last["scores"]
    # And none at all.
    bad = tmp_path / "bad.jsonl"
    bad.write_text("hello\n")
    table.page.get_by_role("button", name="Records").click()
    table.page.set_input_files("#records-file", bad)
    table.page.wait_for_function("document.getElementById('records-told').textContent", polling=50)
    assert "no game record" in (table.page.locator("#records-told").text_content() or "")


def test_the_keyboard_reaches_everything_and_shows_where_it_is(visit):
    table = visit(fast=True)
    page = table.page
    reached = []
    for _ in range(18):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                """() => {
                    const at = document.activeElement;
                    const seen = getComputedStyle(at.id === "screen" ? at.closest(".bezel") : at).outlineStyle !== "none";
                    return [at.id || at.textContent.trim() || at.getAttribute("aria-label"), seen];
                }"""
            )
        )
    names = [name for name, _ in reached]
    for wanted in ("screen", "Up", "B", "A", "language", "layout", "speed", "sound", "Rules", "Share", "Records"):
        assert wanted in names, names
    assert all(seen for name, seen in reached if name in names[: names.index("Records")]), reached
    page.get_by_role("button", name="Rules").focus()
    page.keyboard.press("Enter")
    assert page.locator("dialog#rules").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog#rules").is_visible()
    assert page.evaluate("document.activeElement.textContent") == "Rules"
    # A key of the handheld, pressed where it has the focus.
    page.locator("button.a").focus()
    page.keyboard.press("Enter")
    table.frames(10)
    assert table.scene() == "games"


# --- What goes wrong


def test_two_tabs_take_turns(visit):
    first = visit()
    second = visit(context=first.context)
    first.page.wait_for_function("document.documentElement.dataset.ready === 'stopped'", polling=50)
    assert "another tab" in first.notice()
    assert second.press("A") == "games"
    first.page.get_by_role("button", name="Play here").click()
    first.page.wait_for_function("document.documentElement.dataset.ready === 'yes'", polling=50)
    second.page.wait_for_function("document.documentElement.dataset.ready === 'stopped'", polling=50)


@pytest.mark.parametrize(
    "broken",
    [
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })",
        "Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError') }",
    ],
)
def test_a_browser_that_keeps_nothing(visit, broken):
    table = visit(link("goats"), fast=True, before=broken)
    assert "keeps nothing" in table.notice()
    assert table.press("A..") == "game"


def test_a_full_browser_is_told_by_the_firmware(visit):
    full = """
        const set = Storage.prototype.setItem;
        Storage.prototype.setItem = function (key, text) {
            if (key === "cairn/save/game.0") throw new DOMException("no", "QuotaExceededError");
            set.call(this, key, text);
        };
    """
    table = visit(link("goats"), fast=True, before=full)
    table.press("A....")
    assert table.scene() == "message"
    table.press("A..")
    assert table.scene() == "game"


@pytest.mark.parametrize("rubbish", ["!", "43726e0100000000"])
def test_rubbish_in_the_saves_is_told_and_played_past(visit, rubbish):
    names = ("game", "settings", "statistics", "records", "setup-goats")
    wrong = "".join(f"localStorage.setItem('cairn/save/{name}.{i}', {rubbish!r});" for name in names for i in "01")
    table = visit(fast=True, before=f"if (!sessionStorage.n++) {{ {wrong} localStorage.setItem('cairn/layout', '?'); }}")
    for _ in range(8):
        if table.scene() == "message":
            table.press("A...")
    assert table.scene() == "title"
    assert table.press("AAA..") in ("setup", "game")


def test_nothing_runs_over_the_edge(visit):
    table = visit(fast=True, locale="cs")
    for width, height in ((240, 500), (320, 568), (390, 844), (844, 390), (1024, 700), (1920, 1080)):
        table.page.set_viewport_size({"width": width, "height": height})
        wide, shown = table.page.evaluate("() => [document.scrollingElement.scrollWidth, innerWidth]")
        assert wide <= shown, width
        for name in ("screen", "language"):
            box = table.page.locator(f"#{name}").bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width


def test_nothing_moves_while_it_loads(visit):
    seen = """
        window.shift = 0;
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.shift += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
    """
    table = visit(before=seen)
    table.page.wait_for_timeout(300)
    assert table.page.evaluate("shift") < 0.01


def test_players_that_think_leave_the_page_its_frames(visit):
    table = visit(f"#game=kings&word={WORD}&players=55")
    table.page.evaluate(_LONGEST)
    table.press("A")
    table.page.wait_for_timeout(1500)
    assert table.scene() == "game"
    assert table.page.evaluate("longest") < 500


def test_a_new_site_is_told_and_taken(visit, site, browser, tmp_path):
    """The worker of the old site serves the old one until a press, then all of the new one."""
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    with serve.Server(folder, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_context(locale="en").new_page()
        page.goto(server.address)
        page.wait_for_function("navigator.serviceWorker.controller")
        style = folder / "page.css"
        style.write_text(style.read_text() + "\nbody { --news: yes; }\n")
        # As the build leaves it, before it is told what there is.
        worker = folder / assemble.WORKER
        worker.write_text(worker.read_text().partition("\n")[2])
        assemble._finish(folder)
        news = "getComputedStyle(document.body).getPropertyValue('--news')"
        page.reload()
        page.get_by_role("button", name="Reload").wait_for()
        assert page.evaluate(news) == ""
        with page.expect_navigation():
            page.get_by_role("button", name="Reload").click()
        page.wait_for_function("document.documentElement.dataset.ready")
        assert page.evaluate(news).strip() == "yes"
        page.context.close()
        server.shutdown()
