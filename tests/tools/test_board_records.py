"""`flash --records`: the games that a handheld keeps become records that `replay` accepts, and damage is told."""

import random
from array import array

import pytest

from firmware import course, modules, records, saves
from games import catalogue
from hal.store import Store
from tests.games import referee
from tests.standin.board import micropython
from tests.standin.direct import DirectLink
from tools import replay
from tools.boards import records as board_records

TABLES = [
    (game, seats, mask)
    for game in modules.GAMES
    for mask in range(1 << len(catalogue.options(game)))
    for seats in catalogue.seats(game, mask)
]


def played(game, seats, mask, seed):
    """A game as the handheld keeps it when it is over."""
    chance = random.Random(f"{game} {seats} {mask} {seed}")
    rules = catalogue.load(game)
    saved = saves.Saved(game, mask, [saves.PERSON] * seats, "ABCD", chance.randrange(1, 1 << 30))
    going = course.Course(rules, saved)
    legal = array("H", [0] * rules.MAX_LEGAL)
    while (seat := rules.seat(going.state)) != 255:
        if seat == 254:
            going.chance()
        else:
            going.make(legal[chance.randrange(rules.legal(going.state, legal))])
    going.kept().winners = rules.winners(going.state)
    return saved


def kept(folder, games):
    """The slots of a store that keeps these games, the last one first, by their path on a board."""
    store = Store(str(folder))
    for saved in games:
        assert records.keep(store, saved)
    return {f"/saves/{path.name}": path.read_bytes() for path in folder.iterdir()}


def fetched(tmp_path, files):
    """What came of a board with these files: name of a record: text, and the remarks."""
    flash = tmp_path / "board.flash"
    with DirectLink(flash) as link:
        for path, data in files.items():
            link.call("make_folders", path)
            link.put(path, data)
        count, remarks = board_records.fetch(link, tmp_path / "fetched")
        assert {path for path, size in link.call("tree", "/saves") if size >= 0} == set(files), "they stay"
    found = {path.name: path.read_text("utf-8") for path in (tmp_path / "fetched").glob("*")}
    assert len(found) == count
    return found, remarks


@pytest.mark.parametrize(("game", "seats", "mask"), TABLES)
def test_a_kept_game_is_a_record_that_two_programs_accept(game, seats, mask):
    for seed in range(2):
        saved = played(game, seats, mask, seed)
        name, text = board_records.as_record(saved.pack())
        assert name.startswith(f"{game}-ABCD-")
        lines = text.splitlines()
        assert referee.judge(lines) == 1
        assert len(list(replay.replay(line.encode() + b"\n" for line in lines))) == 1
        winners = [seat for seat in range(seats) if saved.winners >> seat & 1]
        assert lines[-1].endswith(f'"winners":{winners}}}'.replace(" ", ""))


needs_board = pytest.mark.skipif(not micropython(), reason="no micropython for this machine")


@needs_board
def test_records_are_fetched_and_stay_and_are_not_fetched_twice(tmp_path):
    games = [played(game, 2, 0, 1) for game in modules.GAMES]
    files = kept(subfolder(tmp_path, "store"), games)
    found, remarks = fetched(tmp_path, files)
    assert not remarks
    assert sorted(name.partition("-")[0] for name in found) == sorted(modules.GAMES)
    assert fetched(tmp_path, files) == (found, [])


def subfolder(tmp_path, name):
    (tmp_path / name).mkdir()
    return tmp_path / name


@needs_board
def test_a_board_without_records_has_none(tmp_path):
    assert fetched(tmp_path, {}) == ({}, [])


@needs_board
def test_damage_is_told_and_what_is_whole_is_fetched(tmp_path):
    games = [played("goats", 2, 0, 1), played("horses", 2, 0, 1)]
    files = kept(subfolder(tmp_path, "store"), games)
    newest = "/saves/records.1"
    files[newest] = files[newest][:-1] + b"?"
    found, remarks = fetched(tmp_path, files)
    assert ([name[:5] for name in found], remarks) == (["goats"], ["the newest kept game is damaged"])
    files["/saves/records.0"] = b"noise"
    (tmp_path / "fetched" / next(iter(found))).unlink()
    assert fetched(tmp_path, files) == ({}, ["the kept games are damaged"])


@needs_board
def test_games_that_cannot_be_read_are_left_out(tmp_path):
    good, wrong, short = (played("goats", 2, 0, seed) for seed in range(3))
    wrong.check ^= 1
    short.moves = short.moves[:-1]
    store = subfolder(tmp_path, "store")
    files = kept(store, [wrong, short, good])
    found, remarks = fetched(tmp_path, files)
    assert len(found) == 1
    assert remarks == [
        "a game is left out that this Cairn cannot read (moves)",
        "a game is left out that this Cairn cannot read (its moves lead elsewhere)",
    ]
    Store(str(store)).save(records.NAME, b"\x09 of the future")
    files = {f"/saves/{path.name}": path.read_bytes() for path in store.iterdir()}
    next((tmp_path / "fetched").iterdir()).unlink()
    assert fetched(tmp_path, files) == ({}, ["the kept games are of another Cairn: update this one"])
