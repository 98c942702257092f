"""Records of every game against an independent referee, line by line; their form, which other programs read."""

import json
import re
from itertools import pairwise

import pytest

from tests.games.referee import OPTIONS, Foul, judge, seats_for
from tests.games.rerecord import GOLDEN, names_on
from tests.platforms.traces import tables
from tools import games, players, record

TABLES = [(game, seats, mask) for game in games.catalogue.ids() for seats, mask in tables(game)]
FORMS = {
    "goats": r"-|[0-9]+(\+[0-9]+)*",
    "goblins": r"play [1-5] ([0-6]|[1-4]\*)|trip [1-5]|switch [013456] [1-5]|(rescue|buy) ([0-6]|[1-4]\*)|no|done",
    "kings": r"attack [ODGI][0-9][ab] [1-4]|work [ODGI][0-9][ab] [1-9][0-9]*|drop [ODGI][0-9][ab]|take [ODGI]|deck",
    "horses": r"trot|gallop|stake [1-9][0-9]*",
}


def written(game: str, seats: int, mask: int, who: str = "random", seed: int = 5, count: int = 1) -> list[str]:
    table = games.open_game(game, seats, names_on(game, mask))
    return list(record.records(table, players.seat_players(table, [who]), seed, count))


@pytest.mark.parametrize(("game", "seats", "mask"), TABLES)
@pytest.mark.parametrize("count", [6, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("who", ["random", "easy"])
def test_the_referee_accepts_every_line(game, seats, mask, count, who):
    assert judge(written(game, seats, mask, who, 11, count)) == count


@pytest.mark.parametrize("path", sorted(GOLDEN.iterdir()), ids=lambda path: path.stem)
def test_the_referee_accepts_the_golden_records(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert judge(lines) == sum('"record"' in line for line in lines)


def test_the_referee_knows_every_game_and_table():
    assert set(OPTIONS) == set(games.catalogue.ids())
    for game in OPTIONS:
        assert OPTIONS[game] == set(games.catalogue.options(game))
        for mask in range(1 << len(OPTIONS[game])):
            options = {name: mask >> i & 1 for i, name in enumerate(games.catalogue.options(game))}
            ours = [seats for seats, other in tables(game) if other == mask]
            assert list(seats_for(game, options)) == ours


def test_the_referee_can_refuse():
    lines = written("goats", 2, 0)
    with pytest.raises(Foul, match=r"line 2: seat"):
        judge([lines[0], lines[1].replace('"seat":0', '"seat":1'), *lines[2:]])
    with pytest.raises(Foul, match="the last line is missing"):
        judge(lines[:-1])


@pytest.mark.parametrize(("game", "seats", "mask"), TABLES)
def test_form(game, seats, mask):
    """Order of keys, separators, types; `legal` sorted by character code without a text twice."""
    lines = written(game, seats, mask, count=2)
    kinds = (["record", "game", "seats", "options", "chance"], ["seat", "legal", "move", "chance"], ["scores", "winners"])
    for text in lines:
        line = json.loads(text)
        assert text == json.dumps(line, separators=(",", ":")), "compact, ASCII"
        assert list(line) in kinds
        if "record" in line:
            assert line["options"] == {name: mask >> i & 1 for i, name in enumerate(games.catalogue.options(game))}
            assert all(type(value) is int for value in line["options"].values())
        elif "legal" in line:
            assert all(a.encode() < b.encode() for a, b in pairwise(line["legal"]))
            assert line["move"] in line["legal"]
            assert all(re.fullmatch(FORMS[game], move) for move in line["legal"])
        else:
            assert len(line["scores"]) == seats
            assert all(a < b for a, b in pairwise(line["winners"]))


def decisions(game: str, options: str = "", seats: int = 2, seed: int = 1) -> list[dict]:
    mask = sum(1 << games.catalogue.options(game).index(name) for name in options.split())
    return [json.loads(line) for line in written(game, seats, mask, seed=seed, count=20)]


def test_goats_dice_ascend_and_sums_ascend():
    """As numbers: `5+10`; as texts the moves are sorted by character code, so `10` comes before `5`."""
    for line in decisions("goats", "big"):
        if "move" in line:
            assert list(line["chance"]) == ["dice"]
            assert line["chance"]["dice"] == sorted(line["chance"]["dice"])
            assert line["legal"][0] == "-"
            for move in line["legal"][1:]:
                sums = [int(text) for text in move.split("+")]
                assert sums == sorted(sums)


def test_horses_leave_out_tokens_where_none_moved():
    """And dice where none were rolled: the line of a stake has tokens alone."""
    seen = set()
    for line in decisions("horses"):
        if "move" not in line:
            continue
        chance, kind = line["chance"], line["move"].split()[0]
        assert chance.get("tokens") != ""
        keys = list(chance)
        if kind == "stake":
            assert keys == ["tokens"]
            assert len(chance["tokens"]) == int(line["move"].split()[1])
        else:
            assert keys in (["move", "effect"], ["move", "effect", "tokens"])
            assert chance["effect"] in (("1", "2", "3") if kind == "trot" else ("pay1", "pay2", "jump", "free"))
            if chance["effect"] in ("jump", "free"):
                assert "tokens" not in chance
        seen.add((kind, chance.get("effect"), "tokens" in chance))
    # Paid and not paid for.
    assert {("gallop", "pay1", True), ("gallop", "pay1", False), ("gallop", "pay2", False)} <= seen


def test_forced_decisions_are_listed():
    """One legal move: a stake of the only token, the only card that can be drawn or played."""
    for game in ("horses", "kings", "goblins"):
        assert any(len(line.get("legal", "..")) == 1 for line in decisions(game))


def test_goblins_are_not_asked_what_they_cannot_do():
    """`done` comes with a purchase only, `no` with an action only; starred and plain cards sort by character code."""
    starred = 0
    for line in decisions("goblins", "actions"):
        legal = line.get("legal", [])
        assert legal != ["done"] and legal != ["no"]
        if "done" in legal:
            assert all(move.startswith("buy ") for move in legal if move != "done")
        for move in legal:
            if move.endswith("*") and move[:-1] in legal:
                starred += 1
                assert legal.index(move) == legal.index(move[:-1]) + 1
    assert starred


def test_skipped_goblins_have_no_line():
    """In 60 games with two seats somebody plays twice in a row without an `again` and without buying."""
    skipped = 0
    for before, after in pairwise(decisions("goblins", seed=3) + decisions("goblins", seed=4) + decisions("goblins")):
        if before.get("move", "").startswith("play") and after.get("move", "").startswith("play"):
            skipped += before["seat"] == after["seat"]
    assert skipped


def test_kings_name_the_whole_deck_and_the_kings_by_seat():
    for seats in (2, 3, 4):
        for line in decisions("kings", seats=seats):
            if "record" not in line:
                assert line.get("chance", {}) == {}
                continue
            assert list(line["chance"]) == ["deck", "kings"]
            assert len(set(line["chance"]["deck"])) == 80
            assert len(set(line["chance"]["kings"])) == seats
