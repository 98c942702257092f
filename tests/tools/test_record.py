"""`record` and `replay`: what one writes the other accepts, and every kind of tampering is named with its line."""

import json
import subprocess
import sys

import pytest

from tests.platforms.traces import tables
from tools import cli, games, players, record, replay
from tools.environment import ROOT


def written(name="goats", seats=3, options=("big",), who=("random",), seed=7, count=2):
    """The lines of some records."""
    game = games.open_game(name, seats, options)
    return list(record.records(game, players.seat_players(game, who), seed, count))


def encoded(lines):
    return [line.encode() + b"\n" for line in lines]


def fault(lines):
    """Line number and text of the fault in these lines (texts or bytes)."""
    raw = [line if isinstance(line, bytes) else line.encode() + b"\n" for line in lines]
    with pytest.raises(replay.RecordFault) as caught:
        list(replay.replay(raw))
    return caught.value.number, caught.value.text


def changed(line, **values):
    """A line with other values; None takes a key out."""
    kept = {**json.loads(line), **values}
    return record.line({key: value for key, value in kept.items() if value is not None})


def cairn(*arguments, feed=None, **rest):
    """A command in a process of its own."""
    command = [sys.executable, "-m", "tools", *arguments]
    return subprocess.run(command, cwd=ROOT, input=feed, capture_output=True, timeout=120, **rest)


@pytest.mark.parametrize("name", games.catalogue.ids())
@pytest.mark.parametrize("who", ["random", "greedy", "easy"])
def test_replay_accepts_every_table_of_every_game(name, who):
    for seats, mask in tables(name):
        names = games.catalogue.options(name)
        options = [option for i, option in enumerate(names) if mask >> i & 1]
        lines = written(name, seats, options, (who,), 5, 2)
        assert len(list(replay.replay(encoded(lines)))) == 2


def test_lines_are_as_the_page_says():
    header, first, *_, last = written(count=1)
    assert header == '{"record":1,"game":"goats","seats":3,"options":{"big":1},"chance":{}}'
    assert first.startswith('{"seat":0,"legal":["-",')
    values = json.loads(first)
    assert list(values) == ["seat", "legal", "move", "chance"]
    assert values["legal"] == sorted(set(values["legal"]))
    assert values["move"] in values["legal"]
    assert values["chance"]["dice"] == sorted(values["chance"]["dice"])
    assert list(json.loads(last)) == ["scores", "winners"]


def test_a_seed_gives_the_same_games_and_another_gives_others():
    assert written() == written()
    assert written(count=3)[: len(written(count=2))] == written(count=2)
    assert written(seed=8) != written()


def test_who_plays_does_not_change_the_dice():
    for ours, theirs in zip(written(who=("easy",)), written(), strict=False):
        if "scores" in ours or "scores" in theirs:
            break
        assert json.loads(ours)["chance"] == json.loads(theirs)["chance"]


GOOD = written()
END = next(i for i, line in enumerate(GOOD) if line.startswith('{"scores"'))


@pytest.mark.parametrize(
    ("number", "bad", "told"),
    [
        (1, b"\xff\n", "not UTF-8"),
        (1, "{", "not JSON"),
        (1, "[" * 100_000, "not JSON: objects and lists lie deeper in each other than in a record"),
        (1, " " * (1 << 20), "more than 1,048,576 bytes without an end"),
        (1, "[]", "not a JSON object"),
        (2, "", "empty line"),
        (2, GOOD[1].encode() + b"\r\n", "CR LF"),
        (2, GOOD[1][:-1] + ',"seat":0}', "twice"),
        (2, changed(GOOD[1], seat=float("nan")), "NaN"),
        (2, '{"seat":' + "9" * 5000 + "}", "not JSON: a number of 5000 digits"),
        (2, '{"seat":-' + "9" * 21 + "}", "not JSON: a number of 21 digits"),
        (1, changed(GOOD[0], record=2), "version 2"),
        (1, changed(GOOD[0], record=True), "version True"),
        (1, changed(GOOD[0], game="chess"), "no game 'chess'"),
        (1, changed(GOOD[0], game=[]), "no game []"),
        (1, changed(GOOD[0], seats=6), "2 to 5 seats, not 6"),
        (1, changed(GOOD[0], seats="3"), "'seats'"),
        (1, changed(GOOD[0], seats=3.0), "'seats'"),
        (1, changed(GOOD[0], options={}), "option 'big' of goats is missing"),
        (1, changed(GOOD[0], options={"big": 2}), "not 0 or 1"),
        (1, changed(GOOD[0], options={"big": True}), "not 0 or 1"),
        (1, changed(GOOD[0], options={"big": 1, "small": 0}), "no option 'small'"),
        (1, changed(GOOD[0], options=["big"]), "not an object"),
        (1, changed(GOOD[0], chance=None), "no 'chance'"),
        (1, changed(GOOD[0], chance={"dice": [1, 1, 1, 1]}), "no chance 'dice' in its set-up"),
        (1, changed(GOOD[0], chance=[]), "not an object"),
        (1, changed(GOOD[0], note="x"), "key 'note'"),
        (1, GOOD[1], "no 'record'"),
        (2, changed(GOOD[1], seat=1), "seat 0 is to move"),
        (2, changed(GOOD[1], seat=False), "seat 0 is to move"),
        (2, changed(GOOD[1], move="5+5+5+5+5"), "not legal"),
        (2, changed(GOOD[1], move=7), "not legal"),
        (2, changed(GOOD[1], move=None), "no 'move'"),
        (2, changed(GOOD[1], legal=json.loads(GOOD[1])["legal"][1:]), "'-' is missing"),
        (2, changed(GOOD[1], legal=[*json.loads(GOOD[1])["legal"], "7+7+7"]), "'7+7+7' is not legal"),
        (2, changed(GOOD[1], legal=json.loads(GOOD[1])["legal"][::-1]), "not sorted"),
        (2, changed(GOOD[1], legal=["-", *json.loads(GOOD[1])["legal"]]), "twice"),
        (2, changed(GOOD[1], legal="-"), "not a list of texts"),
        (2, changed(GOOD[1], legal=[1, 2]), "not a list of texts"),
        (2, changed(GOOD[1], chance={}), "dice"),
        (2, changed(GOOD[1], chance={"dice": [1, 2, 3]}), "dice"),
        (2, changed(GOOD[1], chance={"dice": [0, 2, 3, 4]}), "dice"),
        (2, changed(GOOD[1], chance={"dice": [6, 5, 4, 3]}), "dice"),
        (2, changed(GOOD[1], chance={"dice": "1234"}), "dice"),
        (2, changed(GOOD[1], chance={"dice": [1, 1, 1, "x"]}), "dice"),
        (2, changed(GOOD[1], chance={**json.loads(GOOD[1])["chance"], "bag": 1}), "chance has 'bag'"),
        (2, changed(GOOD[1], chance=None), "no 'chance'"),
        (2, changed(GOOD[1], time=3), "key 'time'"),
        (2, GOOD[END], "the game is not over"),
        (2, GOOD[0], "before the last line"),
        (END + 1, changed(GOOD[END], scores=[0, 0, 0]), "'scores' is [0, 0, 0]"),
        (END + 1, changed(GOOD[END], winners=[]), "'winners' is []"),
        (END + 1, changed(GOOD[END], winners=[True]), "'winners' is [true]"),
        (END + 1, changed(GOOD[END], winners=None), "no 'winners'"),
        (END + 1, changed(GOOD[END], scores=7), "'scores' is 7"),
        (END + 1, GOOD[1], "no 'scores'"),
        (END + 1, GOOD[END + 1], "before the last line"),
        (END + 2, GOOD[END], "no 'record'"),
    ],
)
def test_a_tampered_line_is_named(number, bad, told):
    tampered = [*GOOD[: number - 1], bad, *GOOD[number:]]
    found, text = fault(tampered)
    assert (found, told in text) == (number, True), text


def test_other_dice_are_noticed_though_they_are_dice():
    values = json.loads(GOOD[1])
    other = [1, 2, 3, 4] if values["chance"]["dice"] != [1, 2, 3, 4] else [2, 3, 4, 5]
    assert fault([GOOD[0], changed(GOOD[1], chance={"dice": other}), *GOOD[2:]])[0] == 2


@pytest.mark.parametrize("cut", [1, 2, END, END + 2, len(GOOD) - 1])
def test_a_file_that_ends_early_is_faulty(cut):
    number, text = fault(GOOD[:cut])
    assert (number, "ends before" in text) == (cut + 1, True)


def test_an_empty_file_is_faulty():
    assert fault([]) == (1, "the file is empty")


@pytest.mark.parametrize("gone", [0, 1, 2, END - 1, END, END + 1])
def test_a_line_taken_out_is_noticed(gone):
    assert fault(GOOD[:gone] + GOOD[gone + 1 :])[0] in (gone + 1, gone + 2)


@pytest.mark.parametrize("again", [1, 2, END - 1])
def test_a_line_that_stands_twice_is_noticed(again):
    assert fault([*GOOD[: again + 1], GOOD[again], *GOOD[again + 1 :]])[0] == again + 2


def test_commands_write_and_accept_a_file(tmp_path):
    file = tmp_path / "games.jsonl"
    ordered = ("record", "goats", "--seats", "3", "--options", "big", "--seed", "7", "-n", "2")
    done = cairn(*ordered)
    assert done.stdout.decode().splitlines() == GOOD
    assert cairn(*ordered, "-o", str(file)).returncode == 0
    assert file.read_bytes() == done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]
    accepted = cairn("replay", str(file))
    assert (accepted.returncode, accepted.stderr) == (0, b"")
    assert cairn("replay", "-", feed=done.stdout).stdout == accepted.stdout
    told = json.loads(cairn("replay", "--json", str(file)).stdout)
    assert told == {"ok": True, "games": 2, "decisions": len(GOOD) - 4}


def test_a_faulty_file_is_one_line_and_exit_1(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"".join(encoded([GOOD[0], changed(GOOD[1], seat=2)])))
    done = cairn("replay", str(file))
    assert done.returncode == cli.FAILED
    assert done.stderr.decode() == f"cairn: {file}: line 2: 'seat' is 2, but seat 0 is to move\n"
    told = cairn("replay", "--json", str(file))
    assert (told.returncode, json.loads(told.stdout)["line"]) == (cli.FAILED, 2)


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        (2, ["record"]),
        (2, ["record", "chess"]),
        (2, ["record", "goats", "--seats", "6"]),
        (2, ["record", "goats", "--seats", "5"]),
        (2, ["record", "goats", "--seats", "x"]),
        (2, ["record", "goats", "--options", "small"]),
        (2, ["record", "goats", "--players", "nobody"]),
        (2, ["record", "goats", "--players", "exec:python3 x.py"]),
        (2, ["solve", "horses", "--player", "exec:python3 x.py"]),
        (2, ["record", "goats", "--players", "random,random,random"]),
        (2, ["record", "goats", "--players", ""]),
        (2, ["record", "goats", "-n", "0"]),
        (1, ["record", "goats", "-o", "no/such/folder"]),
        (1, ["record", "goats", "-o", "."]),
        (1, ["record", "goats", "-o", "/"]),
        (1, ["replay", "no/such/file"]),
        (1, ["replay", "."]),
        (2, ["replay"]),
        (2, ["nope"]),
        (2, ["replay", "--nope", "-"]),
    ],
)
def test_wrong_use_is_one_line(code, arguments):
    done = cairn(*arguments)
    text = done.stderr.decode()
    assert (done.returncode, done.stdout) == (code, b"")
    assert text.startswith("cairn: ")
    assert text.count("\n") == 1
    # Nobody is told to try what cannot be used here.
    assert "exec:COMMAND" not in text


@pytest.mark.skipif(sys.platform != "linux", reason="command line: needs /dev/zero and a bound of memory")
@pytest.mark.parametrize("name", ["/dev/zero", "-"])
def test_a_file_without_an_end_is_refused(name):
    line = f"ulimit -v 2000000; '{sys.executable}' -m tools replay {name} < /dev/zero"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (cli.FAILED, 1)
    assert "line 1: more than 1,048,576 bytes without an end" in done.stderr


def test_no_line_of_a_game_comes_near_the_bound():
    """Even if each legal move took a hundred bytes."""
    for name in games.catalogue.ids():
        assert games.open_game(name).rules.MAX_LEGAL * 100 < replay.LONGEST_LINE / 8


@pytest.mark.skipif(sys.platform == "win32", reason="no head on Windows")
def test_a_reader_that_has_enough_is_no_fault():
    line = f"'{sys.executable}' -m tools record goats -n 100 | head -1"
    done = subprocess.run(line, shell=True, cwd=ROOT, capture_output=True, timeout=60)
    assert (done.stdout.count(b"\n"), done.stderr) == (1, b"")
