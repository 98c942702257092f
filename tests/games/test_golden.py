"""Golden records: every game and option set has one, `record` still writes it, `replay` still accepts it."""

import json
from pathlib import Path

import pytest

from tests.games.rerecord import GOLDEN, file_name, wanted
from tests.platforms.traces import tables
from tools import games, replay

WANTED = dict(wanted())


def lacking(folder: Path, names) -> list[str]:
    """What a folder of golden records has too little (`- name`) and too much (`+ name`)."""
    there = {path.name for path in folder.iterdir()}
    return sorted([f"- {name}" for name in set(names) - there] + [f"+ {name}" for name in there - set(names)])


def test_every_game_and_option_set_has_one():
    assert lacking(GOLDEN, WANTED) == [], "python3 -m tests.games.rerecord, and read it before it is kept"


def test_a_missing_one_and_one_of_no_game_would_be_seen(tmp_path):
    for name in ("chess.jsonl", "goats.jsonl"):
        (tmp_path / name).write_text("")
    assert lacking(tmp_path, ["goats.jsonl", "goats-big.jsonl"]) == ["+ chess.jsonl", "- goats-big.jsonl"]


def test_a_new_game_or_option_would_want_one(monkeypatch):
    monkeypatch.setattr(games.catalogue, "ids", lambda: ("goats",))
    monkeypatch.setattr(games.catalogue, "options", lambda game: ("big", "new"))
    assert [file_name("goats", mask) for mask in range(4)] == [
        "goats.jsonl",
        "goats-big.jsonl",
        "goats-new.jsonl",
        "goats-big-new.jsonl",
    ]


@pytest.mark.parametrize("name", WANTED)
def test_record_still_writes_it(name):
    """Line by line, so that the first difference is told."""
    golden = (GOLDEN / name).read_bytes()
    for number, (kept, now) in enumerate(zip(golden.splitlines(), WANTED[name].encode().splitlines()), start=1):
        assert kept == now, f"{name}, line {number}"
    assert golden == WANTED[name].encode()


@pytest.mark.parametrize("name", WANTED)
def test_replay_still_accepts_it(name):
    with (GOLDEN / name).open("rb") as file:
        decisions = list(replay.replay(file))
    headers = [json.loads(line) for line in (GOLDEN / name).read_bytes().splitlines() if b'"record"' in line]
    game = headers[0]["game"]
    mask = sum(value << i for i, value in enumerate(headers[0]["options"].values()))
    assert name == file_name(game, mask)
    assert [header["seats"] for header in headers] == [seats for seats, options in tables(game) if options == mask]
    assert all(header["options"] == headers[0]["options"] for header in headers)
    assert len(decisions) == len(headers)


def test_they_show_every_kind_of_move():
    """A record in which nothing happens keeps nothing."""
    verbs = {
        "goats": {"-", "5", "6", "7", "8", "9", "10"},
        "goats-big": {"-", "5", "6", "7", "8", "9", "10", "11", "12", "18", "22"},
        "goblins": {"play", "buy", "done"},
        "goblins-actions": {"play", "buy", "done", "trip", "switch", "rescue", "no"},
        "horses": {"trot", "gallop", "stake"},
        "kings": {"attack", "work", "drop", "take", "deck"},
    }
    for name, kinds in verbs.items():
        lines = map(json.loads, (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
        moves = [line["move"] for line in lines if "move" in line]
        seen = {word for move in moves for word in (move.split("+") if name.startswith("goats") else [move.split()[0]])}
        assert kinds <= seen, name
