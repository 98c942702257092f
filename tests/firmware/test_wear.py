"""What playing costs the flash, on littlefs as the Pico has it: the table of docs/store.md, measured."""

import re
from array import array

import pytest

from firmware import course, modules, reading, records, saves, statistics
from games import catalogue
from games.rng import Rng
from hal import store as store_module
from hal.store import Store
from tests.firmware.hand import Hand
from tests.hal.test_store import BLOCKS_OF_A_PICO, DOCS, Flash, mount, needs_littlefs

GAMES = 25
WARM_UP = 20
"""Games until the records are full."""

ERASES = 100_000
"""That the maker of the flash promises for each block."""
FREE_BLOCKS = 250
LOG_BYTES = 512
"""Longer files get blocks of their own at each save (docs/store.md)."""


class Counting:
    """A store that counts what it is given."""

    def __init__(self, store):
        self.store = store
        self.saves = self.longest = 0

    def save(self, name, data):
        self.saves += 1
        if name == saves.NAME:
            self.longest = max(self.longest, len(data))
        return self.store.save(name, data)

    def __getattr__(self, name):
        return getattr(self.store, name)


def play(game, seats, store, seed):
    """A game between a person and easy computer players, saved as firmware/scenes/game.py and result.py save it."""
    rules, bot = catalogue.load(game), catalogue.load(game, "bot")
    word = "".join(chr(65 + (seed * 7 + i) % 26) for i in range(4))
    saved = saves.Saved(game, 0, bytes([saves.PERSON] + [saves.EASY] * (seats - 1)), word, seed + 1)
    going = course.Course(rules, saved)
    thought, told = Rng(seed + 100), statistics.Statistics(store)
    legal = array("H", [0] * rules.MAX_LEGAL)
    store.save(saves.NAME, going.kept().pack())
    while (seat := rules.seat(going.state)) != 255:
        if seat == 254:
            going.chance()
            told.rolled(game, rules, going.state)
        else:
            going.make(bot.choose(going.state, legal, rules.legal(going.state, legal), thought))
        store.save(saves.NAME, going.kept().pack())
    saved.winners = rules.winners(going.state)
    told.ended(game, saved.kinds, saved.winners)
    records.keep(store, saved)
    store.remove(saves.NAME)


def measured(monkeypatch, game, seats):
    """A row of the table, after games enough to fill the records."""
    flash = Flash(blocks=BLOCKS_OF_A_PICO)
    system = mount(flash, new=True)
    monkeypatch.setattr(store_module, "open", system.open, raising=False)
    monkeypatch.setattr(store_module, "os", system.os)
    monkeypatch.setattr(store_module, "_sync", None)
    store = Counting(Store("saves"))
    for seed in range(WARM_UP):
        play(game, seats, store, seed)
    flash.erases = [0] * BLOCKS_OF_A_PICO
    flash.programmed = store.saves = 0
    for seed in range(WARM_UP, WARM_UP + GAMES):
        flash.operations.clear()
        play(game, seats, store, seed)
    erases = sum(flash.erases)
    row = [store.saves // GAMES, store.longest, flash.programmed // GAMES, round(erases / GAMES, 1)]
    return [*row, FREE_BLOCKS * ERASES * GAMES // erases // 10_000 * 10_000]


@needs_littlefs
@pytest.mark.parametrize(
    ("game", "seats"), [(game, seats) for game in modules.GAMES for seats in catalogue.seats(game, 0)]
)
def test_a_game_wears_the_flash_as_documented(monkeypatch, game, seats):
    row = measured(monkeypatch, game, seats)
    assert row[1] <= LOG_BYTES - store_module.HEADER_BYTES, "each save would cost an erase"
    rows = re.findall(rf"^\| {game}, {seats} seats \|(.*)\|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert [[float(cell.replace(",", "")) for cell in row.split("|")] for row in rows] == [row]


def test_the_screen_saves_as_often_as_is_counted_here():
    """A save at the start and one for each ply; at the end the records and the statistics."""
    hand = Hand()
    store = hand.device.store = Counting(hand.device.store)
    hand.start([saves.EASY, saves.EASY])
    plies = 0
    while hand.scene() == "game":
        plies = hand.app.top().plies
        hand.wait(33)
    assert hand.scene() == "result"
    saved = reading.read(records.load(store)[0][0])
    assert plies in (saved.plies - 1, saved.plies)
    assert store.saves - 2 <= 1 + saved.plies + 1 <= store.saves + 2
