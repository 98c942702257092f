"""Programs as computer players of the handheld: what they are told, what they play, what happens when they fail."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

from firmware import reading, recorded, records
from games import catalogue
from hal.store import Store
from tests.firmware.hand import Hand
from tools import cli, games
from tools.boards import records as kept
from tools.environment import ROOT
from tools.matches import guest, sight

PERSON, EASY, HARD = 1, 2, 4

LAST = """
    log = open({log!r}, "a", encoding="utf-8")
    for text in sys.stdin:
        log.write(text)
        log.flush()
        line = json.loads(text)
        if "view" in line: print(line["legal"][-1], flush=True)
    """


def program(folder, text, **words):
    """A command in words, a player with this text."""
    file = folder / "player.py"
    source = textwrap.dedent(text.format(**words) if words else text)
    file.write_text("import sys, json, time\n" + source, encoding="utf-8")
    return [sys.executable, str(file)]


@pytest.fixture
def hand(monkeypatch):
    """A hand and its guests, by `hand.guests(commands)`."""
    found = Hand(seed=5)
    opened = []

    def guests(commands, **rest):
        opened.append(guest.Guests(commands, lambda: found.app._stack[found.app.where().index("game")], **rest))
        opened.append(opened[-1].seated())
        opened[-1].__enter__()
        return opened[-2]

    found.guests = guests
    yield found
    for seated in opened[1::2]:
        seated.__exit__(None, None, None)


def heard(log):
    return [json.loads(text) for text in log.read_text(encoding="utf-8").splitlines()]


def until_choice(hand, presses=300):
    """Press A until a person has to choose."""
    for _ in range(presses):
        if hand.scene() != "game" or hand.waits_for() == "choice":
            return
        hand.press("A")
        hand.wait(200)
    raise AssertionError(hand.waits_for())


@pytest.mark.parametrize("game", catalogue.ids())
def test_it_plays_its_seat_and_hears_what_that_seat_may(hand, tmp_path, game):
    """All that was told is the record of the game as the seat sees it, and each answer was played."""
    log = tmp_path / "log"
    hand.guests({0: program(tmp_path, LAST, log=str(log))})
    hand.start([EASY, PERSON], game=game)
    for _ in range(400):
        if hand.scene() != "game" or hand.app.top().plies > 14:
            break
        hand.press("A")
        hand.wait(300)
    scene = hand.app.top()
    told = [line for line in heard(log) if "view" not in line]
    asked = [line for line in heard(log) if "view" in line]
    assert len(asked) > 1
    rules = catalogue.load(game)
    table = games.open_game(game)
    going = recorded.Course(rules, scene.course.kept())
    made = games.Recording(game, rules, table.notation, 2, 0, bytearray(going.state))
    recorded.along(rules, going, made, scene.plies)
    seen = []
    for pairs in made.ready():
        values = dict(pairs)
        if "options" in values:
            values["options"] = dict(values["options"])
        seen.append(json.loads(json.dumps(sight.seen(table, values, 0))))
    assert told == seen[: len(told)]
    assert told[0]["game"] == game
    mine = [line for line in seen if line.get("seat") == 0]
    assert [line["move"] for line in mine[: len(asked)]] == [line["legal"][-1] for line in asked[: len(mine)]]
    assert all(line["seat"] == 0 for line in asked)


def test_after_a_move_is_taken_back_it_hears_the_game_anew(hand, tmp_path):
    log = tmp_path / "log"
    hand.guests({0: program(tmp_path, LAST, log=str(log))})
    hand.start([PERSON, EASY], game="kings")
    for _ in range(6):
        until_choice(hand)
        hand.press("A")
        hand.wait(200)
    until_choice(hand)
    assert [line for line in heard(log) if "record" in line] == heard(log)[:1]
    scene = hand.app.top()
    scene._practise(scene._last_own()[0])
    hand.wait(300)
    for _ in range(3):
        until_choice(hand)
        hand.press("RA")
        hand.wait(200)
    until_choice(hand)
    lines = heard(log)
    starts = [i for i, line in enumerate(lines) if "record" in line]
    assert len(starts) == 2
    # It is told all again, up to where the game was taken back to.
    again = [line for line in lines[starts[1] :] if "view" not in line]
    before = [line for line in lines[: starts[1]] if "view" not in line]
    same = next(i for i, (one, other) in enumerate(zip(before, again)) if one != other)
    assert same > 4


def test_a_hint_is_the_consoles_own(hand, tmp_path):
    log = tmp_path / "log"
    hand.guests({2: program(tmp_path, LAST, log=str(log))})
    hand.start([PERSON, HARD], game="horses")
    until_choice(hand)
    hand.menu("menu.hint")
    hand.until("told")
    assert not log.exists()


FAULTS = {
    "dead": ("raise SystemExit(3)", "it ended (exit code 3)"),
    "silent": ("for line in sys.stdin: pass", "no answer within 300 ms"),
    "wrong": (
        """
        for line in sys.stdin:
            if "view" in line: print("fly", flush=True)
        """,
        "'fly', which is not a legal move",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_one_that_fails_is_replaced_and_the_game_goes_on(hand, tmp_path, fault):
    text, told = FAULTS[fault]
    guests = hand.guests({0: program(tmp_path, text)}, think_ms=300)
    hand.start([EASY, PERSON], game="goblins")
    until_choice(hand)
    assert hand.app.top().plies == 1
    assert guests.remarks == [f"the program of easy was replaced by easy: {guests.remarks[0].partition(': ')[2]}"]
    assert told in guests.remarks[0]
    hand.play_on(4)
    assert hand.app.top().plies >= 4
    assert len(guests.remarks) == 1


def test_b_has_the_answer_waited_for(hand, tmp_path):
    """Anything else would leave an answer on its way that nobody asked for."""
    slow = 'for line in sys.stdin:\n    if "view" in line: time.sleep(0.3); print(json.loads(line)["legal"][0], flush=True)'
    guests = hand.guests({0: program(tmp_path, slow)})
    hand.start([EASY, PERSON], game="goblins")
    scene = hand.app.top()
    scene._ponder = lambda ms: False
    hand.wait(0)
    assert hand.waits_for() == "thinking"
    hand.press("B")
    assert hand.waits_for() == "look"
    del scene._ponder
    until_choice(hand)
    assert guests.remarks == []


def test_programs_end_with_the_game_and_with_play(hand, tmp_path):
    guests = hand.guests({0: program(tmp_path, LAST, log=str(tmp_path / "log"))})
    hand.start([EASY, PERSON], game="goblins")
    until_choice(hand)
    ((first, _),) = guests._running.values()
    hand.app.home()
    hand.start([EASY, PERSON], game="goats")
    assert first._child.poll() is not None
    until_choice(hand)
    ((second, _),) = guests._running.values()
    guests.close()
    assert second._child.poll() is not None


def test_play_seats_one(tmp_path):
    """Two players of the level easy, both the program: the game that is kept is as it wanted."""
    log = tmp_path / "log"
    words = " ".join(program(tmp_path, LAST, log=str(log)))
    done = subprocess.run(
        [sys.executable, "-m", "tools", "play", "--keys", "-", "--seed", "3", "--saves", str(tmp_path / "saves")]
        + ["--player", f"easy=exec:{words}"],
        input="A A DOWN A UP A 300000ms\n",
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    count, remarks = kept.write(tmp_path / "saves", tmp_path / "records")
    assert (count, remarks) == (1, [])
    (file,) = (tmp_path / "records").iterdir()
    lines = [json.loads(text) for text in file.read_text(encoding="utf-8").splitlines()]
    saved = reading.read(records.split(Store(str(tmp_path / "saves")).load(records.NAME))[0])
    seats = [seat for seat, kind in enumerate(saved.kinds) if kind == EASY]
    assert seats
    decisions = [line for line in lines if line.get("seat") in seats and len(line["legal"]) > 0]
    assert all(line["move"] == line["legal"][-1] for line in decisions)
    assert len([line for line in heard(log) if "view" in line]) == len(decisions)


@pytest.mark.parametrize(
    "text", ["", "hard", "hard=easy", "best=exec:python3", "hard=exec:no-such-program", "hard=exec:", "=exec:python3"]
)
def test_wrong_use(text):
    from games import levels

    with pytest.raises(cli.Usage):
        guest.asked(text, levels.NAMES)
