"""The arena: what its figures are worth, whoever plays the games; programs as players; wrong use."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from games import catalogue
from games.rng import Rng
from tests.platforms.traces import tables
from tools import arena, cli, games, players, record
from tools.environment import ROOT
from tools.matches import crew, dialogue, figures, sight
from tools.matches import program as program_file

EXAMPLE = f"exec:{sys.executable} {ROOT / 'docs' / 'examples' / 'hasty.py'}"
posix = pytest.mark.skipif(sys.platform == "win32", reason="no signals as on POSIX")


def cairn(*arguments, **rest):
    """A command in a process of its own."""
    command = [sys.executable, "-m", "tools", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=300, text=True, **rest)


def match(capsys, *arguments):
    """The JSON of a match."""
    assert arena.main([*arguments, "--json"]) == cli.DONE
    return json.loads(capsys.readouterr().out)


def without_time(found):
    return [{k: v for k, v in player.items() if k != "ms_per_move"} for player in found["players"]]


def test_json_is_as_the_page_says(capsys):
    found = match(capsys, "goats", "--players", "easy,random", "--games", "19", "--seed", "7")
    assert list(found) == ["game", "seats", "games", "seed", "players"]
    assert (found["game"], found["seats"], found["games"], found["seed"]) == ("goats", 2, 20, 7)
    for player, name in zip(found["players"], ("easy", "random")):
        assert list(player) == [
            *("name", "wins", "shared", "score", "lo", "hi", "ms_per_move", "playouts_per_move"),
        ]
        assert player["name"] == name
        assert 0 <= player["lo"] <= player["score"] <= player["hi"] <= 1
        assert player["score"] == (player["wins"] + player["shared"] / 2) / 20


@pytest.mark.parametrize("game", catalogue.ids())
def test_equal_players_share_equally(capsys, game):
    """Whose strength is known: the truth lies inside an interval of twice the width, which one in 10,000 leaves."""
    most = catalogue.seats(game, 0)[1]
    for seats in (2, most):
        found = match(capsys, game, "--players", "random", "--seats", str(seats), "--games", "200", "--seed", "3")
        assert sum(player["score"] for player in found["players"]) == pytest.approx(1, abs=1e-3)
        for player in found["players"]:
            assert abs(player["score"] - 1 / seats) < player["hi"] - player["lo"]
            assert player["hi"] - player["lo"] < 0.2


def test_a_known_strength(capsys):
    """Instant against random play, and more iterations against fewer: never the other way round."""
    found = match(capsys, "goats", "--players", "easy,random", "--games", "200")
    assert found["players"][0]["lo"] > 0.9
    found = match(capsys, "goats", "--players", "plain:300,plain:3", "--games", "100")
    assert found["players"][0]["lo"] > 0.5
    assert found["players"][0]["playouts_per_move"] == 300
    assert found["players"][1]["playouts_per_move"] == 3


def test_the_result_does_not_depend_on_the_number_of_workers(capsys):
    asked = ("horses", "--players", "easy,plain:20,random", "--games", "36", "--seed", "a word")
    one = match(capsys, *asked, "--workers", "1")
    three = match(capsys, *asked, "--workers", "3")
    assert without_time(one) == without_time(three)
    assert one["games"] == three["games"] == 36


def test_every_interpreter_plays_the_same_games(monkeypatch):
    if crew.interpreter()[2] == "CPython":
        pytest.skip("there is no MicroPython that makes machine code")

    def played():
        names = ["search:4", "greedy"]
        table = crew.Table("goblins", 2, 3, names)
        tasks = figures.tasks(figures.seatings(names), 2, 5)
        with crew.Crew(table, 1) as playing:
            return sorted((task["id"], r["winners"], r["moves"], r["playouts"]) for task, r in playing.play(tasks))

    here = played()
    real = crew.Environment.has
    monkeypatch.setattr(crew.Environment, "has", lambda self, name: None if name == "micropython" else real(self, name))
    monkeypatch.setattr(crew.shutil, "which", lambda name: None)
    assert crew.interpreter()[2] == "CPython"
    assert played() == here


def test_all_players_play_every_game(capsys):
    for game in catalogue.ids():
        for name in players.PLAYERS:
            if name not in ("expert", "reference"):
                match(capsys, game, "--players", f"{name},random", "--games", "2")


def test_other_weights_are_other_players():
    """And who has none keeps the bot's own, whoever moved before."""
    table = crew.Table("goats", 2, 0, ["easy", "easy"], [bytes(len(catalogue.load("goats", "bot").WEIGHTS)), None])
    tasks = figures.tasks(figures.seatings(["a", "b"]), 20, 1)
    won = 0
    with crew.Crew(table, 1) as playing:
        for task, played in playing.play(tasks):
            won += played["winners"] >> task["seated"].index(1) & 1
    assert won > 30


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nogame", "--players", "easy"], "no game"),
        (["goats", "--players", "nobody,easy"], "no player 'nobody'"),
        (["goats", "--players", ","], "names nobody"),
        (["goats", "--players", ""], "it is empty"),
        (["goats", "--players", "easy,easy,easy", "--seats", "2"], "3 players do not fit 2 seats"),
        (["goats", "--players", "easy", "--seats", "5"], "2 to 4 seats, not 5; --options big allows them"),
        (["goats", "--players", "easy", "--options", "small"], "no option 'small'"),
        (["goats", "--players", "easy", "--games", "0"], "from 1 up"),
        (["goats", "--players", "search:x"], "search takes a number"),
        (["goats", "--players", "plain:65536"], "plain takes a number"),
        (["goats", "--players", "exec:"], "names no command"),
        (["goats", "--players", "exec:no-such-program 3"], "there is no program 'no-such-program'"),
        (["goats", "--players", "exec:python3 'x"], "No closing quotation"),
        (["goats"], "--players"),
    ],
)
def test_wrong_use_is_one_line(arguments, told):
    done = cairn("arena", *arguments)
    assert done.returncode == cli.MISUSED
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert told in done.stderr


def children(pid):
    done = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(word) for word in done.stdout.split()]


def progress(terminal, games):
    """What a match says on its terminal until so many games are done, or (None) until it ends."""
    said = ""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                more = os.read(terminal, 4096).decode()
            except OSError:  # how Linux says that the other end is closed
                more = ""
            if not more:
                return said
            said += more
            done = re.findall(r"games (\d+)/", said)
            if games and done and int(done[-1]) >= games:
                return said
    raise AssertionError(f"no games are played: {said[-200:]!r}")


@posix
@pytest.mark.parametrize("name", ["random", EXAMPLE])
def test_ctrl_c_prints_what_is_there(name):
    command = [
        sys.executable,
        "-m",
        "tools",
        "arena",
        "goats",
        "--players",
        f"{name},plain:9",
        "--games",
        "90000",
        "--json",
    ]
    # A terminal, where the progress is redrawn with every game: however slow the machine is, some are done by then.
    errors, terminal = os.openpty()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=terminal, text=True) as child:
        os.close(terminal)
        said = [progress(errors, 20)]
        workers = children(child.pid)
        child.send_signal(signal.SIGINT)
        reader = threading.Thread(target=lambda: said.append(progress(errors, None)))
        reader.start()
        out, _ = child.communicate(timeout=60)
        reader.join()
    os.close(errors)
    assert child.returncode == 130
    found = json.loads(out)
    assert found["games"] > 0
    assert found["games"] % 2 == 0
    assert "Traceback" not in "".join(said)
    assert workers
    for pid in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_program_that_is_being_started_when_the_match_is_closed_ends_too(monkeypatch):
    """Ctrl-C may come while a thread is within Popen: then the process is there and nobody holds it yet."""
    told, started, begun = [], [], threading.Event()

    class Slow(program_file.Program):
        def __init__(self, command):
            super().__init__(command)
            started.append(self._child)
            begun.set()
            time.sleep(0.3)

    monkeypatch.setattr(dialogue, "Program", Slow)
    game = games.open_game("goats", 2)
    task = {"id": 0, "seated": [0, 1], "chance": 1}
    talk = dialogue.Dialogue(game, [EXAMPLE, EXAMPLE], 10000, told.append)
    asking = threading.Thread(target=talk.ask, args=(task, 0, []))
    asking.start()
    assert begun.wait(20)
    talk.close()
    count = len(started)
    assert all(child.poll() is not None for child in started)
    asking.join(20)
    assert not asking.is_alive()
    # Nothing is started after it, and nobody lost.
    assert talk.ask({**task, "id": 1}, 0, []) is None
    assert len(started) == count
    assert told == []
    assert talk.faults == 0


def test_a_worker_that_ends_is_one_line(monkeypatch):
    broken = [sys.executable, "-c", "raise SystemExit('it broke')"]
    monkeypatch.setattr(crew, "interpreter", lambda *rest: (broken, dict(os.environ), "CPython"))
    with pytest.raises(cli.Failure, match="it broke"):
        arena.main(["goats", "--players", "random", "--games", "2"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("print('debug', 5)", "wrote 'debug 5' to its standard output"),
        # As MicroPython tells an exception.
        (r"print('Traceback (most recent call last):\n  File x\nNameError: n')", "games ended: NameError: n$"),
    ],
)
def test_what_is_no_result_is_one_line(monkeypatch, text, told):
    broken = [sys.executable, "-c", f"input(); {text}"]
    monkeypatch.setattr(crew, "interpreter", lambda *rest: (broken, dict(os.environ), "CPython"))
    with pytest.raises(cli.Failure, match=told):
        arena.main(["goats", "--players", "random", "--games", "2"])


@pytest.mark.parametrize("own", [True, False], ids=["its own", "CPython"])
def test_a_fault_in_a_game_is_told(monkeypatch, own):
    """By either interpreter: the error itself, not that something could not be read."""
    if not own:
        monkeypatch.setattr(crew.Environment, "has", lambda self, name: None)
        monkeypatch.setattr(crew.shutil, "which", lambda name: None)
    table = crew.Table("goats", 2, 0, ["easy", "search:x"])
    told = r"^a process that played games ended: \w+Error\b"
    with pytest.raises(cli.Failure, match=told), crew.Crew(table, 1) as playing:
        list(playing.play([{"id": 0, "chance": 1, "thought": 1, "seated": [0, 1]}]))


# --- Programs


def program(folder, text):
    """The name of a player that is a program with this text."""
    file = folder / "player.py"
    file.write_text("import sys, json, time\n" + textwrap.dedent(text), encoding="utf-8")
    return f"exec:{sys.executable} {file}"


@pytest.mark.parametrize("game", catalogue.ids())
def test_the_example_plays_every_game(capsys, game):
    found = match(capsys, game, "--players", f"{EXAMPLE},random", "--seats", "3", "--games", "3")
    assert found["games"] == 3
    assert "loses" not in capsys.readouterr().err


def test_the_example_is_good_at_goats(capsys):
    found = match(capsys, "goats", "--players", f"{EXAMPLE},random", "--games", "20")
    assert found["players"][0]["lo"] > 0.5


FAULTS = {
    "dead": ("raise SystemExit(3)", "it ended (exit code 3)"),
    "broken": ("json.loads('')", "JSONDecodeError"),
    "silent": ("for line in sys.stdin: pass", "no answer within 400 ms"),
    "deaf": ("time.sleep(60)", "no answer within 400 ms"),
    "wrong": (
        """
        for line in sys.stdin:
            if "view" in line: print("fly", flush=True)
        """,
        "'fly', which is not a legal move",
    ),
    "early": ("print('5+7', flush=True)\nfor line in sys.stdin: pass", "without being asked"),
    "twice": (
        """
        for line in sys.stdin:
            if "view" in line: print(json.loads(line)["legal"][0] + "\\n-", flush=True); time.sleep(.05)
        """,
        "without being asked",
    ),
    "closed": ("import os; os.close(1); time.sleep(60)", "it closed its output"),
    "flood": ("while True: print('x' * 5000)", "without being asked"),
    "binary": (
        """
        for line in sys.stdin:
            if "view" in line: sys.stdout.buffer.write(b"\\xff\\n"); sys.stdout.flush()
        """,
        "which is not a legal move",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_program_that_fails_loses_and_the_match_goes_on(capsys, tmp_path, fault):
    name = program(tmp_path, FAULTS[fault][0])
    began = time.monotonic()
    found = match(capsys, "goats", "--players", f"{name},random", "--games", "4", "--think-ms", "400")
    assert time.monotonic() - began < 30
    assert found["games"] == 4
    assert [player["wins"] for player in found["players"]] == [0, 4]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_lost_game_says_why(capsys, tmp_path, fault):
    text, told = FAULTS[fault]
    name = program(tmp_path, text)
    arena.main(["goats", "--players", f"{name},random", "--games", "2", "--think-ms", "400", "--json"])
    errors = capsys.readouterr().err
    lines = [line for line in errors.splitlines() if "loses game" in line]
    assert len(lines) == 2
    if fault in ("early", "flood"):
        # What it wrote may come before or after the first question.
        assert all(told in line or "not a legal move" in line for line in lines), lines
    else:
        assert all(told in line for line in lines), lines


def test_many_lost_games_are_not_told_one_by_one(capsys, tmp_path):
    name = program(tmp_path, FAULTS["dead"][0])
    arena.main(["goats", "--players", f"{name},random", "--games", "12", "--json"])
    errors = capsys.readouterr().err.splitlines()
    assert len([line for line in errors if "loses game" in line]) == dialogue.TELL
    assert "12 games in all" in errors[-1]


def test_with_more_seats_the_others_share_what_a_program_loses(capsys, tmp_path):
    name = program(tmp_path, FAULTS["wrong"][0])
    found = match(capsys, "goats", "--players", f"{name},random", "--seats", "4", "--games", "4")
    assert [player["score"] for player in found["players"]] == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3], abs=1e-3)


LISTENER = """
    import random
    chance = random.Random(1)
    log = open({log!r}, "a", encoding="utf-8")
    for line in sys.stdin:
        log.write(line)
        log.flush()
        if "view" in line: print(chance.choice(json.loads(line)["legal"]), flush=True)
    """


@pytest.mark.parametrize("game", catalogue.ids())
def test_what_a_program_is_told(capsys, tmp_path, game):
    log = tmp_path / "log"
    name = program(tmp_path, LISTENER.format(log=str(log)))
    match(capsys, game, "--players", f"{name},random", "--games", "2", "--workers", "1")
    heard = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    starts = [i for i, line in enumerate(heard) if "record" in line]
    assert len(starts) == 2
    assert starts[0] == 0
    for lines in (heard[: starts[1]], heard[starts[1] :]):
        header, last = lines[0], lines[-1]
        assert list(header) == ["record", "game", "seats", "options", "chance"]
        assert set(last) == {"scores", "winners"}
        asked = [line for line in lines if "view" in line]
        me = asked[0]["seat"]
        assert {line["seat"] for line in asked} == {me}
        for i, line in enumerate(lines[:-1]):
            if "view" in line:
                # Its answer comes back as a line of the record, with its own legal moves.
                answered = lines[i + 1]
                assert (answered["seat"], answered["legal"]) == (me, line["legal"])
                assert answered["move"] in line["legal"]
            elif "move" in line:
                assert ("legal" in line) == (line["seat"] == me)
                if game == "horses" and line["move"] == "trot":
                    assert "tokens" not in line["chance"]
        secret = {"kings": "deck", "horses": "tokens"}.get(game)
        assert secret not in header["chance"]
        assert ("kings" in header["chance"]) == (game == "kings")


def test_horses_hides_what_is_drawn_and_shows_what_is_paid():
    game = games.open_game("horses")
    trot = {
        "seat": 0,
        "legal": ["gallop", "trot"],
        "move": "trot",
        "chance": {"move": "B", "effect": "2", "tokens": "gs"},
    }
    assert sight.seen(game, trot, 0)["chance"] == {"move": "B", "effect": "2"}
    paid = {**trot, "move": "gallop", "chance": {"move": "B", "effect": "pay1", "tokens": "g"}}
    assert sight.seen(game, paid, 1)["chance"] == paid["chance"]
    assert "legal" not in sight.seen(game, paid, 1)


@pytest.mark.parametrize("name", catalogue.ids())
def test_the_table_shows_only_what_the_seat_knows(name):
    """Worlds that look the same to a seat show it the same table, and what it shows is in the state."""
    for seats, mask in tables(name):
        options = [option for i, option in enumerate(catalogue.options(name)) if mask >> i & 1]
        game = games.open_game(name, seats, options)
        rng = Rng(seats + mask)
        s = game.start(rng)
        buffer = game.buffer()
        other = Rng(9)
        shown = set()
        while (seat := game.rules.seat(s)) != games.OVER:
            if seat == games.CHANCE:
                game.rules.apply(s, game.rules.sample(s, rng))
                continue
            for who in range(seats):
                table = sight.table(game, s, who)
                shown.add(json.dumps(table))
                world = bytearray(s)
                game.rules.hide(world, who, other)
                assert sight.table(game, world, who) == table
            game.rules.apply(s, buffer[rng.below(game.rules.legal(s, buffer))])
        assert len(shown) > 10


def test_tables_of_known_positions():
    kings = games.open_game("kings")
    s = kings.start(Rng(3))
    dealt = kings.notation.header(s)
    table = sight.table(kings, s, 1)
    assert sorted(table["hand"]) == sorted(dealt["deck"][6:12])
    assert table["kings"] == dealt["kings"]
    assert table["deck"] == 60
    assert table["areas"] == table["exploited"] == table["known"] == [[], []]
    assert table["gone"] == []
    assert sorted(card for pile in table["market"].values() for card in pile) == sorted(dealt["deck"][16:20])
    profiles = [(7 * (c % 20) + 5 * (c // 20)) % 20 for c in map(kings.notation.card_code, dealt["deck"][12:16])]
    defences = [2] * 5 + [3] * 6 + [4] * 5 + [5] * 4
    assert [mine["defence"] for mine in table["centre"]] == [defences[p] for p in profiles]
    goblins = games.open_game("goblins", 3, ["actions"])
    table = sight.table(goblins, goblins.start(Rng(1)), 0)
    hand = ["0", "1", "1*", "2", "2*", "3", "3*", "4", "4*", "5", "5", "6"]
    assert [seat["hand"] for seat in table["seats"]] == [hand] * 3
    assert table["lanes"] == [{"track": [], "penalty": []}] * 4
    goats = games.open_game("goats", 2, ["big"])
    s = goats.start(Rng(1))
    goats.rules.apply(s, goats.rules.sample(s, Rng(4)))
    table = sight.table(goats, s, 0)
    assert table["bonus"] == [6, 9, 12, 15]
    assert table["tokens"] == {"5": 10, "6": 9, "7": 8, "8": 7, "9": 6, "10": 5}
    assert table["seats"][0] == {
        "score": 0,
        "steps": dict.fromkeys(map(str, range(5, 11)), 0),
        "tokens": dict.fromkeys(map(str, range(5, 11)), 0),
        "bonus": [],
        "pool": 6,
    }


def test_record_and_arena_build_the_same_lines():
    """A record is the same whether it is written while it is played or told ply by ply."""
    game = games.open_game("goats", 2)
    seated = players.seat_players(game, ["random"])
    written = list(record.lines(game, seated, Rng(1), Rng(2)))
    told = record.Record(game, game.start(Rng(1)))
    found = []
    for text in written[1:-1]:
        values = json.loads(text)
        told.ply(game.notation.take_event(values["chance"], told.s))
        found += told.ready()
        told.ply(game.notation.move_code(told.s, values["move"]))
    found += told.ready()
    assert [record.line(values) for values in found] == written
