"""`bench`: its figures against the committed ones and the targets; the comparison itself; wrong use."""

import importlib
import json

import pytest

from boards import reference
from games import catalogue
from tests.tools import emulated as pico_parts
from tools import bench, build, cli
from tools.benches import device, emulated, figures, host, thinking

TITLE_MS = 1500
# In every game with an expert, and in goats between two persons.
EXPERT_FREE_BYTES = 120 * 1024
PERSONS_FREE_BYTES = 150 * 1024
# At two seats without options; with all of them no less than half. Set-up, playout and winners; and through `legal` and
# `apply` called from Python, where it is asked.
PLAYOUTS_PER_S = {"goats": 3000, "goblins": 1700, "kings": 420, "horses": 5000}
STEPPED_PER_S = {"goats": 250, "goblins": 400, "kings": 70, "horses": 0}
PLAYED = [(game, 2, mask) for game in catalogue.ids() for mask in sorted({0, (1 << len(catalogue.options(game))) - 1})]
# Of the computer players at two seats: iterations of the search, whatever the level, and microseconds a move.
ITERATIONS_PER_S = {"goats": 500, "goblins": 400, "kings": 100, "horses": 600}
MEDIAN_US = {"easy": 100_000, "normal": 500_000, "hard": 1_500_000, "expert": 4_000_000}
LONGEST_STEP_US = 20_000
THINKING_BYTES = 24 * 1024
CURSOR_BYTES = 100
TURNS_PER_S = 30
SAMPLE = bench.POSITIONS, bench.ITERATIONS
REAL_US = 1000 * device.REAL_CALIBRATION_MS


@pytest.fixture(scope="module")
def image():
    return build.build(build.choice_of(build.ROOT, "pico", None, None))


@pytest.fixture(scope="module")
def pico():
    """A Pico's figures: memory and screens, playouts and thoughts of all games."""
    board = emulated.power_on(pico_parts.uf2(), reference, "reference")
    title = emulated.title_ms(board)
    found = device.measure(board, [table for table in PLAYED if not table[2]], 150, 8, SAMPLE, lambda step: None)
    for game, seats, mask in [table for table in PLAYED if table[2]]:
        found["playouts"][f"{game} {seats} {mask}"] = device.playouts(board, game, seats, mask, 150)
        found["thoughts"][f"{game} {seats} {mask}"] = device.thoughts(board, game, seats, mask, *SAMPLE)
    return device.ratios({"title_ms": title} | found)


def test_no_module_has_grown(image):
    sizes = {entry.path: entry.size for entry in image.manifest.files}
    committed = figures.read()["image"]
    assert not figures.worse(sizes, committed, figures.SIZE_SLACK_BYTES)
    assert set(committed) <= set(sizes), "gone: bench --device --keep"
    total = sum(sizes[path] for path in committed)
    assert total <= sum(committed.values()) * (1 + figures.TOLERANCE)


@pytest.mark.parametrize("game", [game for game in catalogue.ids() if game in figures.read()["screen"]])
def test_no_screen_sends_more(game):
    found = bench.screen(game)
    assert not figures.worse(found, figures.read()["screen"][game])
    assert found["cursor_moves"]
    assert found["cursor_bytes"] < CURSOR_BYTES
    assert found["idle_bytes"] == 0


@pytest.mark.parametrize("game", catalogue.ids())
def test_nothing_is_left_behind_and_machine_code_is_faster(game):
    bytecode = viper = 0
    for _ in range(8):
        # The best of each: what else the machine does only slows one of them down for a while.
        found = host.speeds(game, catalogue.seats(game, 0)[0], 0, 20)
        if "viper" not in found:
            pytest.skip("bench: MicroPython for unix is not installed here")
        assert found["bytecode"]["garbage_bytes"] == found["viper"]["garbage_bytes"] == 0
        bytecode = max(bytecode, found["bytecode"]["playouts_per_s"])
        viper = max(viper, found["viper"]["playouts_per_s"])
        if viper > 4 * bytecode:
            break
    assert viper > 3 * bytecode


@pytest.mark.xdist_group("emulated-bench")
def test_no_figure_of_the_pico_is_worse(pico):
    assert not figures.worse(figures.of_device(pico), figures.read()["device"])


@pytest.mark.xdist_group("emulated-bench")
def test_targets_of_start_memory_and_screen(pico):
    assert pico["title_ms"] <= TITLE_MS
    for game in catalogue.ids():
        assert pico["memory"][game]["free"] >= EXPERT_FREE_BYTES
    assert pico["memory"]["goats, persons"]["free"] >= PERSONS_FREE_BYTES
    assert pico["memory"]["after changes"]["free"] >= pico["memory"]["all played"]["free"] - 512
    assert pico["screen"].keys() == set(catalogue.ids())
    for found in pico["screen"].values():
        assert found["cursor_bytes"] < CURSOR_BYTES
        assert found["idle_bytes"] == 0
        assert found["turns_per_s"] >= TURNS_PER_S
        assert found["thinking_turns_per_s"] >= TURNS_PER_S


@pytest.mark.xdist_group("emulated-bench")
@pytest.mark.parametrize(("game", "seats", "mask"), PLAYED)
def test_targets_of_playouts(pico, game, seats, mask):
    found = pico["playouts"][f"{game} {seats} {mask}"]
    share = 2 if mask else 1
    assert found["garbage_bytes"] == 0
    assert found["playouts_per_s_real"] * share >= PLAYOUTS_PER_S[game]
    assert found["stepped_per_s_real"] * share >= STEPPED_PER_S[game]


@pytest.mark.xdist_group("emulated-bench")
@pytest.mark.parametrize(("game", "seats", "mask"), PLAYED)
def test_targets_of_thoughts(pico, game, seats, mask):
    """Speed where no option is on, and everywhere what a player waits for and what is taken of the heap."""
    found = pico["thoughts"][f"{game} {seats} {mask}"]
    if mask == 0:
        assert found["iterations_per_s_real"] >= ITERATIONS_PER_S[game]
    for level, most in MEDIAN_US.items():
        assert found[f"{level}_median_us_real"] <= most
        assert found[f"{level}_worst_us_real"] <= 2 * most
    assert found["longest_step_us_real"] <= LONGEST_STEP_US
    assert found["heap_bytes"] <= THINKING_BYTES


def test_figures_of_thoughts_are_those_of_the_clock(monkeypatch, capsys):
    """Each look at the clock is a millisecond after the one before; one of twelve iterations takes six more."""
    # Not the module at the top: a game that ends drops it, and another is loaded then.
    levels = importlib.import_module("games.levels")
    passed, budgets, step = [0], [], levels.Player.step

    def tick():
        passed[0] += 1000
        return passed[0]

    def slow(player, plies):
        if player.budget:
            budgets.append(player.budget)
            # The first is not counted.
            passed[0] += 6000 if len(budgets) == 5 else 0
        return step(player, plies)

    monkeypatch.setattr(thinking, "_us", tick)
    monkeypatch.setattr(levels.Player, "step", slow)
    thinking.measure("goats", 2, 0, 3, 4)
    found = host.parse(capsys.readouterr().out)
    assert len(budgets) == 13
    assert found["iterations_per_s"] == 12 * 1000 // 18
    assert found["longest_step_us"] == 7000
    assert found["easy_median_us"] == found["easy_worst_us"] == 1000
    for level, budget in zip(levels.NAMES[1:], catalogue.load("goats", "bot").ITERATIONS):
        assert found[f"{level}_median_us"] == 1000 * budget
        assert found[f"{level}_worst_us"] == 2500 * budget


def test_worse_is_told_and_better_is_not():
    committed = {
        "a": {"free": 1000, "cursor_bytes": 50, "x_per_s_ratio": 10.0, "draw_us_ratio": 0.5},
        "garbage_bytes": 0,
    }

    def complaints(**changes):
        return [line.split(":")[1].strip() for line in figures.worse({"a": committed["a"] | changes}, committed)]

    assert complaints() == []
    assert complaints(free=2000, cursor_bytes=5, x_per_s_ratio=20.0, draw_us_ratio=0.1) == []
    assert complaints(free=901, cursor_bytes=55, x_per_s_ratio=9.1, draw_us_ratio=0.54) == []
    for name, value in (("free", 899), ("cursor_bytes", 56), ("x_per_s_ratio", 8.9), ("draw_us_ratio", 0.56)):
        assert complaints(**{name: value}) == [name]
    assert figures.worse({"garbage_bytes": 1}, committed) == ["garbage_bytes: 1, was 0"]
    assert figures.worse({"garbage_bytes": 1}, committed, slack=2) == []


def test_figures_of_games_that_were_not_measured_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "FILE", tmp_path / "figures.json")
    first = {
        "start_ms_ratio": 1.0,
        "thoughts": {"goats": {"heap_bytes": 5, "x_us_ratio": 2.0}, "kings": {"heap_bytes": 7}},
    }
    figures.write({"a.mpy": 1, "b.mpy": 2}, {"goats": {"idle_bytes": 0}}, first)
    later = {"start_ms_ratio": 1.5, "thoughts": {"goats": {"heap_bytes": 6}}}
    figures.write({"a.mpy": 3}, {"kings": {"idle_bytes": 0}}, later, whole=False)
    thoughts = {"goats": {"heap_bytes": 6, "x_us_ratio": 2.0}, "kings": {"heap_bytes": 7}}
    assert figures.read() == {
        "image": {"a.mpy": 3},
        "screen": {"goats": {"idle_bytes": 0}, "kings": {"idle_bytes": 0}},
        "device": {"start_ms_ratio": 1.5, "thoughts": thoughts},
    }
    figures.write({"a.mpy": 3}, {}, later)
    assert figures.read() == {"image": {"a.mpy": 3}, "screen": {}, "device": later}


def test_ratios_are_to_the_calibration_loop():
    found = device.ratios({"calibration_us": 2 * REAL_US, "draw_us": 1000, "start_ms": 300, "p": {"x_per_s": 100}})
    assert found["draw_us_real"] == 500
    assert found["start_ms_real"] == 150
    assert found["p"]["x_per_s_real"] == 200
    assert found["p"]["x_per_s_ratio"] == pytest.approx(100 * 2 * REAL_US / 1e6)


def test_host_figures_as_json(capsys):
    assert bench.main(["goats", "--ms", "5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["goats 2 0"]
    assert found["speed"]["cpython"]["playouts_per_s"] > 0
    assert found["bytes"]["rules"]["pico"] > found["bytes"]["rules"]["bytecode"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["nogame"],
        ["--port", "x"],
        ["--device", "--port", "x", "--uf2", "y"],
        ["--keep"],
        ["--ms", "0"],
        ["--positions", "0"],
        ["--iterations", "0"],
        ["goats", "--seats", "9"],
        ["goats", "--options", "none"],
    ],
)
def test_wrong_use_is_one_line(arguments):
    with pytest.raises(cli.Usage, match=r"^[^\n]+$"):
        bench.main(arguments)
