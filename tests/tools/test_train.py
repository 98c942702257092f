"""`train`: finds better weights, takes no others, goes on where it was stopped as if it had not been."""

import importlib.util
import json
import sys

import pytest

from games import catalogue
from tools import cli, games, train
from tools.environment import ROOT, distributed_pin
from tools.matches import spread
from tools.matches.crew import Table

TRAINED = [game for game in catalogue.ids() if (ROOT / "games" / game / "weights.py").exists()]
# Moves that wait for a search cost time; what is shown here does not depend on the player.
QUICK = ("--player", "easy", "--games", "24")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder for all that is written; goats' weights are there."""
    log = tmp_path / "training.md"
    log.write_text("| a table |\n", encoding="utf-8")
    file = tmp_path / "weights.py"
    file.write_text((ROOT / "games" / "goats" / "weights.py").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(train, "LOG", log)
    monkeypatch.setattr(train, "STATES", tmp_path / "states")
    monkeypatch.setattr(train, "weights_file", lambda name: file)
    return tmp_path


def begun(monkeypatch, weights):
    """Let the runs begin with these weights of goats."""
    monkeypatch.setattr(train, "own_weights", lambda game: bytes(weights))


def written(place):
    """The weights in the file."""
    found = {}
    exec((place / "weights.py").read_text(encoding="utf-8"), found)
    return found["WEIGHTS"]


class Stopped(spread.Here):
    """Hands that are stopped by Ctrl-C in a match."""

    def __init__(self, after):
        super().__init__(1)
        self.left = after

    def play(self, table, tasks, played):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().play(table, tasks, played)


def test_bad_weights_become_better_ones(place, monkeypatch, capsys):
    flat = bytes([40] * len(catalogue.load("goats", "weights").WEIGHTS))
    begun(monkeypatch, flat)
    assert train.main(["goats", *QUICK, "--steps", "40", "--confirm", "400"]) == cli.DONE
    out = capsys.readouterr().out
    assert "taken" in out
    found = written(place)
    assert len(found) == len(flat)
    assert found != flat
    log = (place / "training.md").read_text(encoding="utf-8").splitlines()
    assert log[0] == "| a table |"
    assert log[1].startswith("| goats | 40 steps of 24 games, `easy`, seed 1 | 2 0.")
    assert log[1].endswith("| taken |")
    assert not list(place.glob("states/*"))


def test_worse_weights_are_not_taken(place, monkeypatch, capsys):
    before = (place / "weights.py").read_bytes()
    monkeypatch.setattr(train.Training, "found", lambda self: bytes(len(self.start)))
    assert train.main(["goats", *QUICK, "--steps", "1", "--confirm", "60"]) == cli.DONE
    assert "left as they were" in capsys.readouterr().out
    assert (place / "weights.py").read_bytes() == before
    assert (place / "training.md").read_text(encoding="utf-8").endswith("| left |\n")


def test_a_stopped_run_ends_as_one_that_was_not(place, monkeypatch, capsys):
    asked = ["goats", *QUICK, "--steps", "6", "--confirm", "24", "--seed", "word", "--tables", "2,3,2+big"]
    found = []
    real = train.Training.found
    monkeypatch.setattr(train.Training, "found", lambda self: found.append(real(self)) or found[-1])
    assert train.main([*asked, "--workers", "1"]) == cli.DONE
    # Stopped before a step is done, in a later one, then in the match that decides.
    for after, more in ((0, []), (4, ["--resume"]), (4, ["--resume"])):
        monkeypatch.setattr(train, "Here", lambda workers, after=after: Stopped(after))
        with pytest.raises(KeyboardInterrupt):
            train.main([*asked, *more])
    assert "--resume goes on" in capsys.readouterr().err
    monkeypatch.setattr(train, "Here", spread.Here)
    assert train.main([*asked, "--resume"]) == cli.DONE
    assert len(set(found)) == 1
    lines = (place / "training.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert lines[1] == lines[2]


def test_kept_weights_stay(place, monkeypatch):
    count = len(catalogue.load("goats", "weights").WEIGHTS)
    asked = train.settings(train.parser().parse_args(["goats", *QUICK, "--steps", "4", "--keep", f"0,3-5,{count - 1}"]))
    training = train.Training(asked)
    hands = spread.Here(1)
    for _ in range(4):
        training.step(hands)
    # A zero may stay one by chance: below it is nothing.
    still = [i for i in range(count) if training.start[i] and training.state["at"][i] == training.start[i]]
    assert still == [i for i in (0, 3, 4, 5, count - 1) if training.start[i]]


def test_weights_stay_within_a_byte(place, monkeypatch):
    begun(monkeypatch, [0, 255] * 20)
    training = train.Training(train.settings(train.parser().parse_args(["goats", *QUICK, "--steps", "5"])))
    monkeypatch.setattr(training, "match", lambda *rest: (1.0, (1.0, 1.0, 1.0)))
    for _ in range(5):
        training.step(spread.Here(1))
    assert all(0 <= value <= 255 for value in training.state["at"])
    assert len(training.found()) == 40


def test_the_file_is_read_as_it_was_written():
    values = bytes(range(256)) * 2
    text = train.weights_text("goats", values)
    found = {}
    exec(text, found)
    assert found["WEIGHTS"] == values
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("after", ["", "\n### Goats\n\nA word on it.\n"])
def test_a_run_is_a_row_of_the_table_whatever_follows(after):
    table = "# Training\n\n| game | how |\n|---|---|\n| goats | so |\n"
    assert train.logged(table + after, "| kings | else |\n") == table + "| kings | else |\n" + after


def test_the_log_there_is_ends_in_a_table_of_runs():
    text = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    lines = train.logged(text, "| new |\n").splitlines()
    assert lines[lines.index("| new |") - 1].split(" | ")[-1] in ("taken |", "left |")


@pytest.mark.parametrize("game", TRAINED)
def test_every_trained_game_plays_by_its_weights(game):
    """At most 512 of them, and who plays by none loses."""
    own = catalogue.load(game, "weights").WEIGHTS
    assert 0 < len(own) <= 512
    asked = train.settings(train.parser().parse_args([game, "--steps", "1"]))
    training = train.Training(asked)
    asked["player"] = "search:4"
    table = games.open_game(game)
    assert training.match(spread.Here(), table, own, bytes(len(own)), 200, 1, lambda: None)[1][1] > 0.5


@pytest.mark.parametrize(
    ("intervals", "better"),
    [
        ([(0.52, 0.51, 0.53)], True),
        ([(0.52, 0.49, 0.55)], False),
        # Two tables know more than one, by the root of two.
        ([(0.52, 0.495, 0.545)] * 2, True),
        ([(0.52, 0.49, 0.55)] * 2, False),
        ([(0.5, 0.49, 0.51), (0.54, 0.53, 0.55)], True),
        ([(0.48, 0.47, 0.49), (0.56, 0.55, 0.57)], False),
    ],
)
def test_weights_are_taken_that_are_better_in_all_and_worse_nowhere(intervals, better):
    assert train.better([(None, *interval) for interval in intervals]) == better


def test_every_table_of_the_match_has_its_own_deals(place):
    asked = train.settings(train.parser().parse_args(["goats", *QUICK, "--tables", "2,2", "--confirm", "40"]))
    match = train.Match(asked)
    first, second = match.confirm(bytes([40] * len(match.start)), spread.Here())
    assert first[1:] != second[1:]


def test_seats_are_weighed_alike():
    """With three seats, where one side holds two, equal sides come to one half."""
    training = train.Training(train.settings(train.parser().parse_args(["goats", *QUICK, "--tables", "3"])))
    table = training.tables[0]
    own = training.start
    _, (score, low, high) = training.match(spread.Here(), table, own, own, 300, 1, lambda: None)
    assert low < 0.5 < high
    assert abs(score - 0.5) < 0.1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nogame"], "no game"),
        (["goats", "--player", "random"], "only easy and search:N"),
        (["goats", "--player", "search:0"], "takes a number"),
        (["goats", "--keep", "400"], "the weights are 0 to"),
        (["goats", "--keep", "5-3"], "write 3 or 5-8"),
        (["goats", "--tables", "9"], "2 to 4 seats"),
        (["goats", "--tables", "two"], "write the seats"),
        (["goats", "--tables", "2+small"], "no option 'small'"),
    ],
)
def test_wrong_use(place, arguments, told):
    with pytest.raises(cli.Usage, match=told):
        train.main(arguments)


def test_what_cannot_be_resumed(place):
    asked = ["goats", *QUICK, "--steps", "3"]
    with pytest.raises(cli.Failure, match="nothing to resume"):
        train.main([*asked, "--resume"])
    state = place / "states" / "goats.json"
    state.parent.mkdir()
    for text in (
        "",
        "{",
        "[]",
        '{"asked": {}}',
        '{"asked": {"weights": "00", "steps": 3}, "at": [], "sum": [], "step": 0}',
    ):
        state.write_text(text, encoding="utf-8")
        with pytest.raises(cli.Failure, match="is not whole"):
            train.main([*asked, "--resume"])
    training = train.Training(train.settings(train.parser().parse_args(asked)))
    state.write_text(json.dumps(training.state), encoding="utf-8")
    with pytest.raises(cli.Failure, match="it had steps 3, not 4"):
        train.main(["goats", *QUICK, "--steps", "4", "--resume"])


def test_a_game_without_weights(place, monkeypatch):
    monkeypatch.setattr(train, "weights_file", lambda name: place / "none.py")
    with pytest.raises(cli.Failure, match="has no weights"):
        train.main(["goats"])


# --- A cluster


def test_without_the_package_it_says_what_to_install(place, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(cli.Failure, match=distributed_pin()):
        train.main(["goats", *QUICK, "--scheduler", "tcp://127.0.0.1:1"])


def test_a_cluster_plays_the_same_games():
    if importlib.util.find_spec("distributed") is None:
        pytest.skip(f"cluster: {distributed_pin()} is not installed (optional)")
    import distributed

    table = Table("goats", 2, 0, ["easy", "search:3"], [None, None])
    tasks = train.figures.tasks([(0, 1), (1, 0)], 20, 1)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster:
        there = spread.Cluster(cluster.scheduler_address)
        found = there.play(table, tasks, lambda: None)
        there.close()
        with pytest.raises(cli.Failure, match="no Dask scheduler"):
            spread.Cluster("tcp://127.0.0.1:1")

    def plain(played):
        return sorted((task["id"], result["winners"], result["moves"]) for task, result in played)

    assert plain(found) == plain(spread.Here(1).play(table, tasks, lambda: None))


def test_a_folder_that_cannot_be_made_is_said(place):
    file = place / "weights.py"
    with pytest.raises(cli.Failure, match=r"cannot make the folder .*states: "):
        train.save(file / "states" / "goats.json", "{}")
