"""Settings: kept, refused when bad, done at once; the panel that dims and sleeps; the key test; what the speaker plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware import modules, settings, sound, statistics, texts
from firmware.app import TICK_MS, App
from hal.device import DOWN, RIGHT, UP, A, B
from hal.host import HostDevice, ManualClock, MemoryStore
from hal.keys import LAYOUTS
from tests.firmware.hand import Hand
from tests.firmware.test_text import Watch

ROWS = ("language", "brightness", "sound", "speed", "turned", "dim", "sleep", "keys", "test")


def at_settings(store: MemoryStore | None = None, layout: str | None = None) -> Hand:
    hand = Hand(store=store, layout=layout)
    hand.app.open("settings")
    hand.wait(0)
    return hand


def test_every_setting_goes_through_its_choices_and_is_kept_on_leaving() -> None:
    for row, name in enumerate(ROWS[1:-2]):
        store = MemoryStore()
        hand = at_settings(store)
        hand.press("D" * (row + 1))
        first = hand.app.settings.values[row]
        seen = []
        for _ in range(settings.CHOICES[row]):
            seen.append(hand.app.settings.values[row])
            hand.press("A")
        assert sorted(seen) == list(range(settings.CHOICES[row])), name
        assert hand.app.settings.values[row] == first
        hand.press("B.")
        assert settings.NAME not in store.saves, "what was not changed is not written"
        hand.app.open("settings")
        hand.press("D" * (row + 1) + "A")
        changed = bytes(hand.app.settings.values)
        assert changed[row] != first
        hand.press("b.")
        assert Hand(store=store).app.settings.values == changed


def test_settings_that_cannot_be_are_told_once_and_are_as_at_first() -> None:
    store = MemoryStore()
    hand = at_settings(store)
    hand.press("DAB.")
    good = store.saves[settings.NAME]
    assert good[1:3] == texts.FIRST.encode()
    bad = [b"", good[:-1], good + b"\0", b"\x02" + good[1:], b"\x01e\xff" + good[3:], b"\x01EN" + good[3:]]
    bad += [good[: 3 + i] + bytes([n]) + good[4 + i :] for i, n in enumerate(settings.CHOICES)]
    for data in bad:
        store.saves[settings.NAME] = data
        hand = Hand(store=store)
        assert hand.app.where() == ["title", "message"]
        assert hand.app.settings.values == Hand().app.settings.values
        hand.press("A.")
        assert hand.app.where() == ["title"]
        assert Hand(store=store).app.where() == ["title"]


def test_what_the_store_says_of_the_settings_is_told() -> None:
    for message, told in (("save_older", "save_older"), ("save_lost", "settings.bad")):

        class Damaged(MemoryStore):
            def load(self, name, message=message):
                data = super().load(name)
                self.message = message if name == settings.NAME else None
                return data

        store = Damaged()
        if message == "save_older":
            hand = at_settings(store)
            hand.press("DAB.")
        assert settings.Settings(store).message == told


def test_a_save_that_fails_is_told_and_the_settings_hold() -> None:
    hand = at_settings()

    def full(_name, _data):
        hand.device.store.message = "save_full"
        return False

    hand.device.store.save = full
    hand.press("DDAB..")
    assert hand.app.where() == ["title", "message"]
    assert not hand.app.sound.on
    hand.press("A.")
    assert hand.app.where() == ["title"]


def test_brightness_is_never_dark() -> None:
    """The driver lights the panel at every contrast; the choices differ in it."""
    hand = at_settings()
    levels = []
    hand.press("D")
    for _ in range(settings.CHOICES[settings.BRIGHTNESS]):
        hand.press("A")
        levels.append(hand.device.display.level)
    assert len(set(levels)) == len(levels)
    assert levels == sorted(levels)
    assert hand.device.display.lit


def test_the_screen_turns() -> None:
    hand = at_settings()
    hand.press("DDDDA")
    assert hand.device.display.turned
    store = hand.device.store
    hand.press("B.")
    assert Hand(store=store).device.display.turned
    hand.app.open("settings")
    hand.press("DDDDA")
    assert not hand.device.display.turned


def test_the_language_is_kept_and_another_is_found_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    device = HostDevice(clock=ManualClock())
    device.store = store = MemoryStore()
    store.saves[settings.NAME] = b"\x01yy" + bytes(len(settings.CHOICES))
    app = App(device)
    assert (app.settings.language, app.where()) == (texts.there()[0], ["title"])
    # Of two files one cannot be loaded.
    monkeypatch.setattr(texts, "there", lambda: ["en", "yy"])
    assert texts.load_next("en") == "en"
    with pytest.raises(ValueError, match="language not on this device: yy"):
        texts.load("yy")
    monkeypatch.setattr(texts, "there", list)
    with pytest.raises(ValueError, match="no language"):
        texts.load_next("en")


def test_paces() -> None:
    chosen = settings.Settings(MemoryStore())
    assert chosen.pace(33) == 33
    paces = []
    for i in range(settings.CHOICES[settings.SPEED]):
        chosen.values[settings.SPEED] = i
        paces.append(chosen.pace(33))
    assert paces[0] < 33 < paces[2] < paces[3]
    assert paces[3] > 1000, "over before it is seen"


# --- Dimming and sleeping


def set_times(hand: Hand, dim: int, sleep: int) -> None:
    hand.app.settings.values[settings.DIM] = settings.DIM_S.index(dim)
    hand.app.settings.values[settings.SLEEP] = settings.SLEEP_S.index(sleep)


def panel(hand: Hand) -> str:
    display = hand.device.display
    return "dark" if not display.lit else "lit" if display.level else "dim"


def test_the_panel_dims_sleeps_and_wakes() -> None:
    hand = Hand()
    set_times(hand, 15, 60)
    hand.wait(14_900)
    assert panel(hand) == "lit"
    hand.wait(200)
    assert panel(hand) == "dim"
    hand.wait(44_800)
    assert panel(hand) == "dim"
    hand.wait(200)
    assert panel(hand) == "dark"
    hand.press("D")
    assert panel(hand) == "lit"
    hand.wait(14_900)
    assert panel(hand) == "lit"


@pytest.mark.parametrize("asleep", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_press_that_wakes_does_nothing_else(layout: str, asleep: bool) -> None:
    hand = Hand(layout=layout)
    hand.app.open("settings")
    hand.wait(0)
    set_times(hand, 15, 60)
    before = bytes(hand.device.display.shown)
    for bit in (UP, DOWN, RIGHT, A, B):
        if not bit & LAYOUTS[layout]:
            continue
        for down_ms in (TICK_MS, 2500):
            hand.wait(61_000 if asleep else 16_000)
            assert panel(hand) == ("dark" if asleep else "dim")
            hand.device.keys.press(bit)
            hand.wait(down_ms)
            assert panel(hand) == "lit"
            hand.device.keys.release(bit)
            hand.wait(200)
            assert hand.app.where() == ["title", "settings"]
            assert hand.device.display.shown == before
    # And the next one counts again.
    hand.press("R")
    assert hand.device.display.shown != before


def test_never_is_never() -> None:
    hand = Hand()
    set_times(hand, 0, 0)
    hand.wait(20_000)
    hand.app._idle = 1 << 27
    hand.wait(0)
    assert panel(hand) == "lit"


def test_what_happens_in_the_dark_is_there_after_waking() -> None:
    hand = Hand()
    hand.app.open("about")
    hand.wait(0)
    set_times(hand, 15, 60)
    hand.wait(61_000)
    frames = hand.frames
    hand.app.open("games")
    hand.wait(1000)
    assert hand.frames == frames, "nothing is sent to a dark panel"
    hand.press("A")
    assert hand.frames == frames + 1
    lit = Hand()
    lit.app.open("games")
    lit.wait(0)
    assert hand.device.display.shown == lit.device.display.shown


# --- Key test


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_key_test_shows_each_key_and_is_left_by_holding_back(layout: str) -> None:
    hand = Hand(layout=layout)
    hand.app.open("keytest")
    hand.wait(0)
    rest = bytes(hand.device.display.shown)
    for bit in (1, 2, 4, 8, 16, 32):
        hand.device.keys.press(bit)
        hand.wait(100)
        seen = hand.device.display.shown != rest
        assert seen == bool(bit & LAYOUTS[layout])
        hand.device.keys.release(bit)
        hand.wait(100)
        rest = bytes(hand.device.display.shown)
    assert hand.app.where() == ["title", "keytest"]
    hand.press("b.")
    assert hand.app.where() == ["title"]


# --- Sound


def listen(hand: Hand) -> list[tuple[int, int]]:
    heard: list[tuple[int, int]] = []
    hand.device.speaker.on_tone = lambda hz, ms: heard.append((hz, ms))
    return heard


CUES = {name: cue for name, cue in vars(sound).items() if name.isupper()}


def tones(cue: bytes) -> list[tuple[int, int]]:
    return [(10 * cue[i], 10 * cue[i + 1]) for i in range(1, len(cue), 2)]


def test_cues_are_short_and_can_be_heard() -> None:
    assert set(CUES) == {"CURSOR", "CONFIRM", "ROLL", "MOVED", "ERROR", "WIN"}
    for cue in CUES.values():
        assert len(cue) % 2 == 1
        assert sum(ms for _, ms in tones(cue)) <= 600
        assert all(200 <= hz <= 2500 and ms >= 10 for hz, ms in tones(cue))


@pytest.mark.parametrize("name", CUES)
def test_a_cue_is_played_whole_and_ends(name: str) -> None:
    hand = Hand()
    heard = listen(hand)
    hand.app.sound.play(CUES[name])
    hand.wait(2000)
    assert heard == tones(CUES[name])


def test_a_click_does_not_cut_what_it_brought_about() -> None:
    hand = Hand()
    heard = listen(hand)
    hand.app.sound.play(sound.WIN)
    hand.app.sound.play(sound.CURSOR)
    hand.wait(1000)
    assert heard == tones(sound.WIN)
    heard.clear()
    hand.app.sound.play(sound.CURSOR)
    hand.app.sound.play(sound.WIN)
    hand.wait(1000)
    assert heard == tones(sound.CURSOR) + tones(sound.WIN)


def test_keys_click_where_they_do_something() -> None:
    hand = Hand()
    heard = listen(hand)
    hand.press("D.")
    assert heard == tones(sound.CURSOR)
    heard.clear()
    hand.press("B.")
    assert heard == [], "B does nothing at the title"
    hand.press("UA.")
    assert heard == tones(sound.CURSOR) + tones(sound.CONFIRM)


def test_no_sound_when_it_is_off() -> None:
    hand = at_settings()
    hand.press("DDA")
    heard = listen(hand)
    hand.press("UUB.DUA.")
    hand.wait(1000)
    assert heard == []


# --- Texts


@pytest.mark.parametrize("language", texts.there())
def test_texts_keep_their_places(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    watch = Watch(monkeypatch)
    hand = Hand(language=language)
    hand.app.open("settings")
    for row in range(len(ROWS) - 2):
        for _ in range(5):
            hand.press("A")
        hand.press("D")
        assert row + 1 == hand.app.top()._list.at
    hand.press("b.")
    for layout in LAYOUTS:
        other = Hand(language=language, layout=layout)
        other.app.open("keytest")
        other.press("." + "UDLRA" * 11)
    for message in ("settings.bad", "statistics.bad"):
        hand.app.open("message", message)
        hand.press(".A.")
    hand.app.open("games")
    hand.press("DDDDDD")
    hand.app.home("statistics")
    counted = hand.app.statistics
    # The longest numbers, and none.
    for games, faces in ((0, 0), (statistics._MOST_GAMES, statistics._MOST_FACES)):
        for at in range(statistics._GAMES, statistics._DICE, 2):
            counted._write(at, 2, games)
        for at in range(statistics._DICE, statistics._BYTES, 3):
            counted._write(at, 3, faces)
        for _ in range(hand.app.top()._last() + 1):
            hand.press("R")
    hand.press("LAD.")
    assert {"English", "Yes, forget", "99999", "9999"} <= watch.texts or language != "en"


# --- The first start (firmware/main.py opens it)


def asked(store: MemoryStore) -> Hand:
    hand = Hand(store=store, language=None)
    assert hand.app.settings.fresh
    hand.app.open("language")
    hand.wait(0)
    return hand


def test_each_language_can_be_chosen_in_its_own_name_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch)
    for i, code in enumerate(texts.there()):
        store = MemoryStore()
        hand = asked(store)
        hand.press("R" * i + "A.")
        assert hand.app.where() == ["title"]
        assert hand.app.settings.language == code
        assert texts.t("title.play") == modules.texts(code)["title.play"]
        again = Hand(store=store, language=None)
        assert again.app.settings.language == code and not again.app.settings.fresh
    assert {modules.texts(code)["language.name"] for code in texts.there()} <= watch.texts


def test_languages_are_the_files_that_are_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert texts.there()[0] == "en"
    for name in ("xx.mpy", "aa.py", "en.mpy", "en.py", "help_xx.txt", "xx.pyc", "longer.py"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(texts, "path", lambda name: f"{tmp_path}/{name}")
    assert texts.there() == ["en", "aa", "xx"]


def test_left_unanswered_it_is_the_first_start_again() -> None:
    store = MemoryStore()
    hand = asked(store)
    hand.press("b.")
    assert hand.app.where() == ["title"]
    assert Hand(store=store, language=None).app.settings.fresh


def test_a_save_of_the_language_that_fails_is_told() -> None:
    class Full(MemoryStore):
        def save(self, name, data):
            self.message = "save_full"
            return False

    hand = asked(Full())
    hand.press("A..")
    assert hand.app.where() == ["title", "message"]
