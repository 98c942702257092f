"""Statistics: what counts, against a plain count beside it; bounds; bad data; the screens; the reset."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from firmware import saves, sound, statistics
from firmware.statistics import DICE, Statistics
from games import catalogue, levels
from games.rng import Rng
from hal.host import MemoryStore
from tests.firmware.hand import Hand

PERSON, EASY = saves.PERSON, saves.EASY


def test_layout() -> None:
    assert len(levels.NAMES) == statistics._LEVELS == saves.KINDS - saves.EASY
    assert set(statistics.GAMES) == set(catalogue.ids())
    assert statistics._GAMES + 6 * statistics._LEVELS * len(statistics.GAMES) == statistics._DICE
    assert statistics._DICE + 3 * sum(len(faces) for faces in DICE) == statistics._BYTES


def test_the_roll_is_where_the_rules_write_it() -> None:
    from games.goats import rules

    state = bytearray(rules.STATE_BYTES)
    for roll in (0, 77, 125):
        rules.new(state, 2, 0, Rng(1))
        rules.apply(state, roll)
        assert state[statistics._ROLL] == roll


def test_games_count_for_each_level_that_played() -> None:
    rng = random.Random(3)
    counted = Statistics(MemoryStore())
    expected: Counter[tuple[str, int, str]] = Counter()
    for _ in range(500):
        game = rng.choice(catalogue.ids())
        seats = rng.randrange(2, 6)
        kinds = bytes(rng.choice((PERSON, EASY, EASY + 1, EASY + 2, EASY + 3)) for _ in range(seats))
        winners = rng.randrange(1, 1 << seats)
        counted.ended(game, kinds, winners)
        if kinds.count(PERSON) == 1:
            for level in set(kinds) - {PERSON}:
                expected[game, level - EASY, "played"] += 1
                if winners >> kinds.index(PERSON) & 1:
                    expected[game, level - EASY, "won" if bin(winners).count("1") == 1 else "shared"] += 1
    for game in catalogue.ids():
        for level in range(4):
            assert counted.games(game, level) == tuple(expected[game, level, k] for k in ("played", "won", "shared"))


def play(game: str, seed: int, counted: Statistics) -> list[list[str]]:
    """Play at random; the faces that each die showed, in the notation of records."""
    rules, notation = catalogue.load(game), catalogue.load(game, "notation")
    rng = Rng(seed)
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, 2, 0, rng)
    from array import array

    legal = array("H", [0] * rules.MAX_LEGAL)
    shown: list[list[str]] = [[] for _ in DICE]
    while rules.seat(state) != rules.OVER:
        if rules.seat(state) == rules.CHANCE:
            event = rules.sample(state, rng)
            chance: dict = {}
            notation.put_event(chance, state, event)
            red = game == "horses" and rules.coming(state) == rules.RED
            rules.apply(state, event)
            counted.rolled(game, rules, state)
            if game == "goats":
                shown[0] += [str(d) for d in chance["dice"]]
            elif "move" in chance:
                shown[3 if red else 1].append(chance["move"])
                shown[4 if red else 2].append(chance["effect"])
            elif rules.TRACE[1] != rules.TAKE:
                # A token that is taken stays unseen.
                shown[5] += list(chance["tokens"])
        else:
            n = rules.legal(state, legal)
            rules.apply(state, legal[rng.below(n)])
    return shown


@pytest.mark.parametrize("game", ["goats", "horses"])
def test_dice_count_as_records_tell_them(game: str) -> None:
    names = (
        [str(face) for face in range(1, 7)],
        list("BMH"),
        ["1", "2", "3"],
        list("BMH"),
        ["pay1", "pay2", "jump", "free"],
        list("gs"),
    )
    counted = Statistics(MemoryStore())
    shown: list[list[str]] = [[] for _ in DICE]
    for seed in range(1, 15):
        for die, faces in enumerate(play(game, seed, counted)):
            shown[die] += faces
    for die, faces in enumerate(shown):
        assert counted.faces(die) == [faces.count(name) for name in names[die]]
        assert bool(faces) == ((die == 0) == (game == "goats"))
        # The weights are those of the dice: none strays by more than 4.5 standard deviations.
        for name, weight in zip(names[die], DICE[die], strict=True):
            share = weight / sum(DICE[die])
            assert abs(faces.count(name) - len(faces) * share) <= 4.5 * (len(faces) * share * (1 - share)) ** 0.5


@pytest.mark.parametrize("game", ["goblins", "kings"])
def test_games_without_dice_count_none(game: str) -> None:
    counted = Statistics(MemoryStore())
    counted.rolled(game, catalogue.load(game), bytearray(200))
    assert not any(any(counted.faces(die)) for die in range(len(DICE)))


def test_counts_are_bounded_and_keep_their_shares() -> None:
    counted = Statistics(MemoryStore())
    at = statistics._game("kings", 2)
    for i, value in enumerate((9999, 3000, 200)):
        counted._write(at + 2 * i, 2, value)
    counted.ended("kings", bytes((EASY + 2, PERSON)), 2)
    assert counted.games("kings", 2) == (5000, 1501, 100)
    assert counted.games("kings", 1) == counted.games("kings", 3) == (0, 0, 0)
    at = statistics._die(2)
    for i, value in enumerate((1000, 99_999, 50_000)):
        counted._write(at + 3 * i, 3, value)
    counted._count(2, 1)
    assert counted.faces(2) == [500, 50_000, 25_000]
    assert counted.faces(1) == [0, 0, 0]
    assert counted.faces(3) == [0, 0, 0]


def test_they_are_kept_and_a_cut_loses_few_rolls() -> None:
    from games.goats import rules

    store = MemoryStore()
    counted = Statistics(store)
    state = bytearray(rules.STATE_BYTES)
    for n in range(1, 100):
        rules.new(state, 2, 0, Rng(1))
        rules.apply(state, 0)
        counted.rolled("goats", rules, state)
        kept = Statistics(store).faces(0)[0] if statistics.NAME in store.saves else 0
        assert 4 * n - kept < statistics._UNSAVED + 4
    counted.keep()
    assert Statistics(store).faces(0) == counted.faces(0)
    counted.ended("goats", bytes((PERSON, EASY)), 1)
    assert Statistics(store).games("goats", 0) == (1, 1, 0)


def test_bad_data_are_told_once_and_begin_anew() -> None:
    good = MemoryStore()
    Statistics(good).save()
    data = good.saves[statistics.NAME]
    for bad in (b"", data[:-1], data + b"\0", b"\x02" + data[1:]):
        store = MemoryStore()
        store.saves[statistics.NAME] = bad
        counted = Statistics(store)
        assert counted.message == "statistics.bad"
        assert counted.games("goats", 0) == (0, 0, 0)
        assert Statistics(store).message is None


def test_a_save_that_fails_is_tried_again() -> None:
    store = MemoryStore()
    counted = Statistics(store)
    keep = store.save
    store.save = lambda _name, _data: False  # type: ignore[method-assign]
    counted.ended("goats", bytes((PERSON, EASY)), 1)
    assert not counted.keep()
    store.save = keep  # type: ignore[method-assign]
    assert counted.keep()
    assert Statistics(store).games("goats", 0) == (1, 1, 0)


# --- The scene


def test_pages_and_the_reset() -> None:
    hand = Hand(layout="two")
    counted = hand.app.statistics
    counted.ended("goats", bytes((PERSON, EASY)), 1)
    hand.app.open("statistics")
    hand.wait(0)
    pages = hand.app.top()._last() + 1
    seen = set()
    for _ in range(pages):
        seen.add(bytes(hand.device.display.shown))
        hand.press("R")
    assert len(seen) == pages
    assert hand.app.top()._page == 0
    # To the last page; the first answer is no, and so is going back.
    hand.press("R" * (pages - 1) + "AA.")
    hand.press("ARB.")
    assert hand.app.where() == ["title", "statistics"]
    assert counted.games("goats", 0) == (1, 1, 0)
    hand.press("ARA.")
    assert counted.games("goats", 0) == (0, 0, 0)
    assert Statistics(hand.device.store).games("goats", 0) == (0, 0, 0)
    assert hand.app.top()._page == 0
    hand.press("B.")
    assert hand.app.where() == ["title"]


def test_a_game_counts_as_it_ends_and_its_dice_as_they_fall_unless_it_is_practice() -> None:
    for practice in (False, True):
        hand = Hand()
        hand.start([PERSON, EASY])
        hand.app.top().saved.practice = practice
        heard: list[int] = []
        hand.device.speaker.on_tone = lambda hz, ms, heard=heard: heard.append(hz)
        hand.play_on(10**6)
        assert hand.scene() == "result"
        hand.wait(1000)
        counted = hand.app.statistics
        played, won, _ = counted.games("goats", 0)
        assert played == (not practice)
        if not practice:
            assert won == (heard[-4:] == [10 * hz for hz in sound.WIN[1::2]])
        assert bool(sum(counted.faces(0))) == (not practice)
        assert sum(counted.faces(0)) % 4 == 0
        for cue in (sound.ROLL, sound.MOVED):
            assert 10 * cue[1] in heard
