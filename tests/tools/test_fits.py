"""Fits of weights: the likelihood they climb, the parts they know, what the observers see, the command."""

import importlib
import json
import os
import random
import subprocess
import sys

import pytest

from games import catalogue
from tools import cli, environment, games, train
from tools.environment import ROOT
from tools.fits import observer
from tools.matches import crew, spread

np = pytest.importorskip("numpy", reason="NumPy is not here: it has no package for this machine")
from tools.fits import choices, fitting, run  # noqa: E402 (they need it)

PARTS = [(game, name) for game in catalogue.ids() for name in fitting.parts(game)]


def bot_of(game):
    """The bot whose weights the parts look at: a test before may have had the catalogue forget it."""
    return importlib.import_module(f"tools.fits.{game}").bot


@pytest.fixture(params=PARTS, ids="-".join)
def part(request, monkeypatch):
    """A part with its bot, whose weights are put back."""
    game, name = request.param
    bot = bot_of(game)
    monkeypatch.setattr(bot, "WEIGHTS", bot.WEIGHTS)
    return game, name, fitting.parts(game)[name], bot


def line(game, name, weights=None):
    """The first line for an observer."""
    part = fitting.parts(game)[name]
    tables = [train.opened(game, table) for table in part.tables]
    weights = catalogue.load(game, "weights").WEIGHTS if weights is None else weights
    places = [[table.seats, table.mask] for table in tables]
    return {"game": game, "part": name, "tables": places, "weights": bytes(weights).hex()}


def quick(monkeypatch, part):
    """Moves at once, whoever the part would have play."""
    monkeypatch.setattr(part, "player", "easy")
    monkeypatch.setattr(part, "random_moves", 8)


# --- The likelihood


def simulated(seed, rows=400, alternatives=4, weights=3):
    chance = np.random.default_rng(seed)
    there = chance.random((rows, alternatives)) < 0.8
    there[:, :2] = True
    target = np.where(there, chance.random((rows, alternatives)), 0)
    target /= target.sum(1, keepdims=True)
    given = np.where(there, chance.normal(size=(rows, alternatives)), 0)
    return choices.Choices(chance.normal(size=(rows, alternatives, weights)), there, given, target)


def plain_loss(seen, weights):
    """The same sum, a row at a time."""
    total = 0.0
    for k in range(len(seen)):
        u = [
            sum(w * x for w, x in zip(weights, seen.features[k, i])) + seen.given[k, i]
            for i in range(seen.there.shape[1])
            if seen.there[k, i]
        ]
        target = [seen.target[k, i] for i in range(seen.there.shape[1]) if seen.there[k, i]]
        total += sum(y * (np.log(sum(np.exp(v) for v in u)) - v) for y, v in zip(target, u))
    return total


def test_loss_and_slopes_are_those_of_a_plain_sum():
    seen = simulated(1)
    at = np.array([0.3, -0.2, 0.5])
    assert seen.loss(at) * len(seen) == pytest.approx(plain_loss(seen, at))
    first, second = seen.slopes(at)
    for i in range(3):
        step = np.eye(3)[i] * 1e-4
        assert first[i] == pytest.approx((plain_loss(seen, at + step) - plain_loss(seen, at - step)) / 2e-4, rel=1e-5)
        assert second[i] == pytest.approx((seen.slopes(at + step)[0] - seen.slopes(at - step)[0]) / 2e-4, rel=1e-5)


def test_rows_in_batches_are_the_same_rows(monkeypatch):
    seen = simulated(2)
    whole = seen.slopes(np.ones(3))
    monkeypatch.setattr(choices, "BATCH", 7)
    for one, other in zip(whole, seen.slopes(np.ones(3))):
        assert np.allclose(one, other)


@pytest.mark.parametrize("ridge", [0.0, 5.0])
def test_the_fit_is_where_the_slope_is_level(ridge):
    seen = simulated(3)
    found = choices.fit(seen, np.full(3, ridge))
    assert np.abs(seen.slopes(found)[0] + ridge * found).max() < 1e-5
    assert np.abs(found).max() > 0.001


def test_far_weights_are_found_and_what_nothing_tells_stays():
    seen = simulated(4)
    seen.features[:, :, 2] = 0
    wanted = np.array([30.0, -20.0, 0.0])
    seen.target = seen.chances(wanted)
    assert choices.fit(seen, np.zeros(3)) == pytest.approx(wanted, abs=1e-3)


# --- The parts


def states(game, name, count, seed=1):
    """States of games at the part's tables that speak of it: (state, moves, how many, block)."""
    rules = catalogue.load(game)
    part = fitting.parts(game)[name]
    bot = bot_of(game)
    found = []
    for number in range(2000):
        table = train.opened(game, part.tables[number % len(part.tables)])
        rng = games.Rng(seed * 1000 + number)
        s, buf = table.start(rng), table.buffer()
        who = rules.seat(s)
        while who != observer.OVER:
            if who == observer.CHANCE:
                who = rules.apply(s, rules.sample(s, rng))
                continue
            n = rules.legal(s, buf)
            block = part.block(s)
            if n > 1 and block >= 0 and rng.below(2) == 0 and len(part.alternatives(s, buf, n)) > 1:
                found.append((bytearray(s), buf[:], n, block))
            who = rules.apply(s, buf[rng.below(n)] if rng.below(4) == 0 else bot.choose(s, buf, n, rng))
        if len(found) >= count:
            return found
    raise AssertionError(f"only {len(found)} states")


def test_values_hang_on_one_block_and_are_linear_in_it(part):
    """So the weight's own effect, asked for once, tells what any other weight would do."""
    game, name, part, bot = part
    chance = random.Random(5)
    # One is at the end of its byte and can only go down.
    own = bytes(w if chance.randrange(4) else 255 for w in bot.WEIGHTS)
    blocks = set()
    for s, buf, n, block in states(game, name, 60):
        blocks.add(block)
        move = buf[0]
        bot.WEIGHTS = own
        row = observer.parts.line(part, bot, s, buf, n, move)
        bot.WEIGHTS = own
        found = part.alternatives(s, buf, n)
        numbers = np.reshape(row[3], (len(found), -1))
        assert row[0] == block
        assert row[2] == len(found)
        assert numbers[:, 0].tolist() == part.values(s, found)
        first = part.first + part.size * block
        moved = bytearray(chance.randrange(256) for _ in own)
        moved[first : first + part.size] = own[first : first + part.size]
        bot.WEIGHTS = moved
        assert part.values(s, found) == numbers[:, 0].tolist()
        change = [chance.randrange(-30, 31) for _ in range(part.size)]
        moved = bytearray(own)
        for i, value in enumerate(change):
            moved[first + i] = min(255, max(0, own[first + i] + value))
        change = [moved[first + i] - own[first + i] for i in range(part.size)]
        bot.WEIGHTS = moved
        assert part.values(s, found) == (numbers[:, 0] + numbers[:, 1:] @ change).tolist()
    bot.WEIGHTS = own
    assert blocks == set(range(part.blocks))


def test_a_judge_tells_chances_in_the_units_of_its_part(part):
    game, name, part, bot = part
    if name == "policy":
        return
    shares = np.zeros(5, dtype="h")
    for s, buf, n, block in states(game, name, 100, seed=4):
        told = chances(part, bot, bot.WEIGHTS, (s, buf, n, block))
        bot.judge(s, memoryview(shares))
        # It rounds an eighth of a logit.
        assert np.abs(shares[: s[0]] / 252 - told).max() < 0.04


def chances(part, bot, weights, row):
    """What comes out of a state by these weights."""
    s, buf, n, block = row
    bot.WEIGHTS = weights
    slope = weights[part.first + part.size * block + part.slope] / part.slope_unit if part.slope is not None else 0
    u = np.array(part.values(s, part.alternatives(s, buf, n)), float) * (slope or 1 / part.unit)
    chance = np.exp(u - u.max())
    return chance / chance.sum()


def test_a_fit_finds_the_player_that_the_outcomes_come_from(part, monkeypatch):
    """Outcomes as other weights say, in shares and not by lot: the fit says in states that it never saw what those
    weights say there, in the bot's own units."""
    game, name, part, bot = part
    monkeypatch.setattr(part, "ridge", 1e-6)
    chance = random.Random(6)
    own, others = bot.WEIGHTS, bytearray(bot.WEIGHTS)
    for block in range(part.blocks):
        for i in range(part.size):
            if i not in part.still:
                at = part.first + part.size * block + i
                others[at] = min(250, max(4, own[at] + chance.randrange(-12, 13)))
    rows = [[] for _ in range(part.blocks)]
    for s, buf, n, block in states(game, name, 1500, seed=2):
        target = chances(part, bot, others, (s, buf, n, block)).tolist()
        bot.WEIGHTS = own
        row = observer.parts.line(part, bot, s, buf, n, buf[0])
        rows[block].append([block, target, *row[2:]])
    found = bytearray(own)
    for block, seen in enumerate(rows):
        at = slice(part.first + part.size * block, part.first + part.size * (block + 1))
        fitted = fitting.fit_block(seen, part, own[at])
        found[at] = fitted.weights
        assert fitted.rows == len(seen)
        assert fitted.loss < min(fitted.before, fitted.guess)
    off, before = [], []
    for row in states(game, name, 300, seed=3):
        wanted = chances(part, bot, others, row)
        off.append(np.abs(chances(part, bot, found, row) - wanted).max())
        before.append(np.abs(chances(part, bot, own, row) - wanted).max())
    assert np.mean(off) < 0.012
    assert np.mean(before) > 4 * np.mean(off)


def test_a_weight_beyond_a_byte_stays_at_its_end_and_the_others_make_up_for_it():
    class Two(fitting.Part):
        size = 2
        origin = (0, 0)
        ridge = 0.0
        unit = 10.0

    class Second(Two):
        still = (0,)

    # The first alternative has less of the first weight, and of the second more or less; it comes out often.
    rows = [[0, [0.9, 0.1], 2, [0, -1, 1, 0, 0, 0]], [0, [0.7, 0.3], 2, [0, -1, -0.5, 0, 0, 0]]]
    fitted = fitting.fit_block(rows, Two(), bytes(2))
    assert fitted.weights[0] == 0
    assert fitted.weights[1] > 0
    assert fitted.weights == fitting.fit_block(rows, Second(), bytes(2)).weights
    high = [[0, [0.999, 0.001], 2, [0, 0, 0.1, 0, 0, 0]]]
    assert fitting.fit_block(high, Two(), bytes(2)).weights == b"\0\xff"


def test_games_that_tell_nothing_are_not_fitted():
    part = fitting.parts("goblins")["judge"]
    row = [0, [30, 30], 2, [400, *[0] * 18, 400, *[0] * 18]]
    with pytest.raises(cli.Failure, match="more --games"):
        fitting.fit_block([row] * 5, part, bytes(18))


# --- The observers


def seen_by(program, asked, tasks):
    """What an observer answers, run by this command."""
    text = "".join(json.dumps(values) + "\n" for values in [asked, *tasks])
    command, variables = program
    done = subprocess.run(command, env=variables, cwd=ROOT, input=text, capture_output=True, text=True, timeout=300)
    assert done.stderr == ""
    return [json.loads(answer) for answer in done.stdout.splitlines()]


def test_both_interpreters_see_the_same(part):
    game, name, part, _ = part
    program = crew.interpreter(run.Sight.program)
    if program[2] == "CPython":
        pytest.skip("no MicroPython that makes machine code is here")
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    tasks = [{"id": i, "seed": 90 + i} for i in range(2 if part.player == "easy" else 1)]
    there = seen_by(program[:2], line(game, name), tasks)
    here = seen_by(([sys.executable, "-m", run.Sight.program], variables), line(game, name), tasks)
    assert there == here
    assert [answer["id"] for answer in here] == [task["id"] for task in tasks]
    assert all(answer["rows"] for answer in here)


def test_what_is_seen_is_what_happened(part, monkeypatch):
    """Each row is of a state of that game, in order; a choice is the move made but for those made at random."""
    game, name, part, bot = part
    quick(monkeypatch, part)
    monkeypatch.setattr(part, "random_moves", 0)
    monkeypatch.setattr(part, "spread", 0)
    monkeypatch.setattr(part, "seen", 1)
    table = observer.Table(line(game, name))
    rules = table.rules
    for number in range(3):
        answer = table.play({"id": number, "seed": 7 + number})
        seats, mask = table.tables[number % len(table.tables)]
        rng = games.Rng(7 + number)
        s, buf = bytearray(rules.STATE_BYTES), table.buf
        rules.new(s, seats, mask, rng)
        rows = iter(answer["rows"])
        who = rules.seat(s)
        while who != observer.OVER:
            if who == observer.CHANCE:
                who = rules.apply(s, rules.sample(s, rng))
                continue
            n = rules.legal(s, buf)
            move = buf[0]
            if n > 1:
                move = bot.choose(s, buf, n, rng)
                rng.below(128)
            else:
                rng.below(128)
            n = rules.legal(s, buf)
            found = part.alternatives(s, buf, n) if part.block(s) >= 0 else ()
            if len(found) > 1 and (n > 1 or part.chosen(move, found) is None):
                row = next(rows)
                assert row[0] == part.block(s)
                numbers = np.reshape(row[3], (len(found), -1))
                assert numbers[:, 0].tolist() == part.values(s, found)
                if part.chosen(move, found) is not None:
                    assert row[1] == part.chosen(move, found)
            who = rules.apply(s, move)
        winners = [seat for seat in range(seats) if rules.winners(s) >> seat & 1]
        assert next(rows, None) is None
        for row in answer["rows"]:
            if isinstance(row[1], list):
                assert row[1] == [60 // len(winners) * (seat in winners) for seat in range(seats)]


def test_a_play_on_another_empty_lane_counts_for_the_one_that_stands_for_all(monkeypatch):
    """The search chooses any of the empty lanes."""
    bot = bot_of("goblins")
    monkeypatch.setattr(bot, "WEIGHTS", bot.WEIGHTS)
    part = fitting.parts("goblins")["policy"]
    stood = 0
    for s, buf, n, _ in states("goblins", "policy", 200, seed=3):
        found = part.alternatives(s, buf, n)
        for i in range(n):
            at = part.chosen(buf[i], found)
            assert at >= 0
            assert found[at] & 7 == buf[i] & 7
            stood += found[at] != buf[i] & 119
    assert stood > 20


# --- The command


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder for all that is written; kings' weights are there, the judge's of two seats all of no use."""
    own = bytes(catalogue.load("kings", "weights").WEIGHTS)
    part = fitting.parts("kings")["judge"]
    flat = bytes(part.origin[:-1]) + b"\x28"
    weights = flat * part.blocks + own[part.size * part.blocks :]
    log = tmp_path / "training.md"
    log.write_text("| a table |\n", encoding="utf-8")
    (tmp_path / "weights.py").write_text(train.weights_text("kings", weights), encoding="utf-8")
    monkeypatch.setattr(train, "LOG", log)
    monkeypatch.setattr(train, "STATES", tmp_path / "states")
    monkeypatch.setattr(train, "weights_file", lambda name: tmp_path / "weights.py")
    monkeypatch.setattr(train, "own_weights", lambda game: weights)
    monkeypatch.setattr(run, "ROUND", 60)
    return tmp_path


ASKED = ["kings", "--fit", "judge", "--games", "600", "--player", "search:8", "--confirm", "100"]


def written(place):
    found = {}
    exec((place / "weights.py").read_text(encoding="utf-8"), found)
    return found["WEIGHTS"]


def test_weights_of_no_use_become_good_ones(place, capsys):
    before = written(place)
    assert train.main(ASKED) == cli.DONE
    out = capsys.readouterr().out
    assert "taken: games/kings/weights.py" in out
    assert out.count("by a guess 0.6931") == 6
    after = written(place)
    assert after != before
    assert after[174:] == before[174:]
    log = (place / "training.md").read_text(encoding="utf-8").splitlines()
    assert len(log) == 2
    assert log[1].startswith("| kings | `--fit judge`, 600 games, `--player search:8`, seed 1 | 2 0.")
    assert log[1].endswith("| taken |")
    assert float(log[1].split("| 2 ")[1][:5]) > 0.6
    assert not list(place.glob("states/*"))


def test_weights_that_are_worse_are_not_taken(place, monkeypatch, capsys):
    before = written(place)
    monkeypatch.setattr(run.Fit, "found", lambda self: bytes(len(self.start)))
    assert train.main([*ASKED[:3], "--games", "10", "--player", "easy", "--confirm", "60"]) == cli.DONE
    assert "left as they were" in capsys.readouterr().out
    assert written(place) == before
    assert (place / "training.md").read_text(encoding="utf-8").endswith("| left |\n")


def test_weights_that_are_those_of_before_are_not_taken(place, monkeypatch, capsys):
    before = (place / "weights.py").read_bytes()
    monkeypatch.setattr(run.Fit, "found", lambda self: self.start)
    assert train.main([*ASKED[:3], "--games", "10", "--player", "easy", "--confirm", "20"]) == cli.DONE
    assert "no others were found" in capsys.readouterr().out
    assert (place / "weights.py").read_bytes() == before
    assert (place / "training.md").read_text(encoding="utf-8").endswith("| left |\n")


@pytest.mark.skipif(
    crew.interpreter()[2] == "CPython", reason="the race is solved by a MicroPython that is not here"
)
@pytest.mark.parametrize("count", [300, pytest.param(6000, marks=pytest.mark.slow)])
def test_the_weights_of_horses_come_out_of_the_solution(place, monkeypatch, capsys, count):
    """With all games they are those that there are."""
    there = catalogue.load("horses", "weights").WEIGHTS
    wild = random.Random(1).randbytes(len(there))
    monkeypatch.setattr(train, "own_weights", lambda game: wild)
    asked = ["horses", "--fit", "solution", "--games", str(count), "--player", "search:20", "--confirm", "200"]
    assert train.main(asked) == cli.DONE
    out = capsys.readouterr()
    errors = [float(line.split()[5]) for line in out.err.splitlines() if " root mean square error" in line]
    assert len(errors) == 8 and errors[-1] < errors[0] and errors[-1] < 6
    assert "taken: games/horses/weights.py" in out.out
    row = (place / "training.md").read_text(encoding="utf-8").splitlines()[-1]
    assert row.startswith(f"| horses | `--fit solution`, {count} games, `--player search:20`, seed 1 | 2 0.")
    assert float(row.split("| 2 ")[1][:5]) > 0.6
    if count == 6000:
        assert written(place) == there


@pytest.mark.parametrize(
    ("low", "high", "good"), [(0.45, 0.55, True), (0.41, 0.5, True), (0.42, 0.49, False), (0, 1, False), (0.6, 0.7, True)]
)
def test_a_fit_need_not_be_better_but_shown_to_be_no_worse(low, high, good):
    assert run.as_good(low, high) == good


class Stopped(spread.Here):
    """Hands that are stopped by Ctrl-C in a round."""

    def __init__(self, workers):
        super().__init__(1)
        self.left = 3

    def play(self, work, tasks, played):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().play(work, tasks, played)


def test_a_stopped_run_ends_as_one_that_was_not(place, monkeypatch, capsys):
    asked = [*ASKED[:3], "--games", "400", "--player", "easy", "--confirm", "20", "--seed", "word"]
    assert train.main(asked) == cli.DONE
    whole = written(place)
    state = place / "states" / "kings-judge.jsonl"
    monkeypatch.setattr(train, "Here", Stopped)
    with pytest.raises(KeyboardInterrupt):
        train.main([*asked, "--workers", "1"])
    assert "--resume goes on" in capsys.readouterr().err
    assert len(state.read_text(encoding="utf-8").splitlines()) == 1 + 180
    # Cut off while it was written.
    state.write_bytes(state.read_bytes()[:-20])
    monkeypatch.setattr(train, "Here", spread.Here)
    assert train.main([*asked, "--resume"]) == cli.DONE
    assert written(place) == whole
    lines = (place / "training.md").read_text(encoding="utf-8").splitlines()
    assert lines[1] == lines[2]


def test_what_cannot_be_resumed(place):
    asked = [*ASKED, "--resume"]
    with pytest.raises(cli.Failure, match="nothing to resume"):
        train.main(asked)
    state = place / "states" / "kings-judge.jsonl"
    state.parent.mkdir()
    for text in ("", "{", "[]\n", "5\n", '{"asked": 3}', '{"asked": 3}\n'):
        state.write_text(text, encoding="utf-8")
        with pytest.raises(cli.Failure, match="is not whole"):
            train.main(asked)
    fit = run.Fit(run.settings(train.settings(train.parser().parse_args(ASKED)), "judge", 500, ""), state)
    fit.begin()
    with pytest.raises(cli.Failure, match="it had games 500, not 600"):
        train.main(asked)


@pytest.mark.parametrize(
    "line",
    [
        "garbage",
        "{}",
        "[5]",
        "[[0, 0, 2]]",
        "[[6, 0, 1, [0]]]",
        "[[0, 0, 2, [1]]]",
        '[[0, 0, "2", []]]',
        "[[0, [1, 1, 1], 2, []]]",
        "[[0, 0, 0, []]]",
    ],
)
def test_a_damaged_line_is_told_before_a_game_is_played(place, line, monkeypatch):
    asked = train.settings(train.parser().parse_args(ASKED))
    state = place / "states" / "kings-judge.jsonl"
    fit = run.Fit(run.settings(asked, "judge", 600, ""), state)
    fit.begin()
    with state.open("a", encoding="utf-8") as file:
        file.write(f"[]\n{line}\n[]\n")
    monkeypatch.setattr(run.Fit, "see", lambda *rest: pytest.fail("games are played"))
    with pytest.raises(cli.Failure, match="is not whole; remove it"):
        train.main([*ASKED, "--resume"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["horses", "--fit", "judge"], "there are: solution"),
        (["horses", "--fit", "solution", "--resume"], "leave out --resume"),
        (["horses", "--fit", "solution", "--tables", "9"], "2 to 4 seats"),
        (["kings", "--fit", "policy"], "there are: judge, judge-more"),
        (["goblins", "--fit", "nothing"], "there are: judge, policy"),
        (["goblins", "--fit", ""], "it is empty"),
        (["kings", "--fit", "judge", "--steps", "9"], "--steps is for training in steps"),
        (["kings", "--fit", "judge", "--keep", "9"], "--keep is for training in steps"),
        (["kings", "--fit", "judge", "--tables", "9"], "2 to 4 seats"),
        (["kings", "--fit", "judge", "--tables", "3"], "not for 3 seats"),
        (["kings", "--fit", "judge-more", "--tables", "2"], "not for 2 seats"),
    ],
)
def test_wrong_use(place, arguments, told):
    with pytest.raises(cli.Usage, match=told):
        train.main(arguments)


def test_without_the_package_it_runs_where_it_is(place, monkeypatch):
    monkeypatch.setattr(train.importlib.util, "find_spec", lambda name: None)
    asked = []
    monkeypatch.setattr(environment, "run_inside", lambda argv: asked.append(argv) or 0)
    assert train.main(ASKED) == 0
    assert asked == [["train", *ASKED]]
    # No wheel of it for this machine.
    monkeypatch.setattr(environment, "run_inside", lambda argv: None)
    monkeypatch.setitem(sys.modules, "tools.fits.run", None)
    monkeypatch.delattr(importlib.import_module("tools.fits"), "run")
    with pytest.raises(cli.Failure, match="no package for this machine"):
        train.main(ASKED)
