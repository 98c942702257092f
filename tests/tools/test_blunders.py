"""`blunders`: what it finds is a position of the game with a move that is better; equal seeds, equal positions."""

from __future__ import annotations

import json
from array import array

import pytest

from tools import blunders, cli, games
from tools.exact import horses
from tools.matches import crew, deep


def found(capsys: pytest.CaptureFixture, *arguments: str) -> list[dict]:
    assert blunders.main(list(arguments)) == cli.DONE
    return [json.loads(text) for text in capsys.readouterr().out.splitlines()]


@pytest.mark.skipif(crew.interpreter()[2] == "CPython", reason="a deep search takes a MicroPython that is not here")
@pytest.mark.parametrize("game", games.catalogue.ids())
def test_positions_of_every_game(capsys, game):
    asked = (game, "-n", "2", "--budget", "300", "--margin", "4", "--seed", "7")
    lines = found(capsys, *asked)
    assert len(lines) == 2
    for values in lines:
        assert values["game"] == game and values["margin"] >= 0.04
        table = games.open_game(game, values["seats"], [name for name, on in values["options"].items() if on])
        state = bytearray.fromhex(values["state"])
        table.rules.check(state)
        texts = table.texts(state, table.buffer())
        assert values["move"] in texts and len(texts) > 1
    assert found(capsys, *asked) == lines


@pytest.mark.skipif(crew.interpreter()[2] == "CPython", reason="a deep search takes a MicroPython that is not here")
def test_missed_are_those_that_the_instant_player_misses(capsys):
    table = games.open_game("goats")
    bot = games.catalogue.load("goats", "bot")
    buffer = table.buffer()
    lines = found(capsys, "goats", "-n", "4", "--budget", "300", "--margin", "4", "--missed")
    assert len(lines) == 4
    for values in lines:
        state = bytearray.fromhex(values["state"])
        count = table.rules.legal(state, buffer)
        instant = bot.choose(state, buffer, count, games.Rng(1))
        assert table.notation.move_text(state, instant) != values["move"]


@pytest.mark.skipif(crew.interpreter()[2] == "CPython", reason="a deep search takes a MicroPython that is not here")
def test_agreed_are_some_of_those_that_are_found(capsys):
    """And in them the instant player wins more often by the move than by any other."""
    table = games.open_game("goats")
    bot = games.catalogue.load("goats", "bot")
    asked = ("goats", "--budget", "300", "--margin", "8", "--seed", "3")
    lines = found(capsys, *asked, "-n", "2", "--agreed")
    assert lines != found(capsys, *asked, "-n", "2")
    for values in lines:
        state = bytearray.fromhex(values["state"])
        move = table.notation.move_code(state, values["move"])
        assert deep.lead(table.rules, bot, state, move, games.Rng(5)) >= 50


class Takes:
    """A game of one decision: moves 0, 1 and 2 win always, every other time and never; `hide` counts the games."""

    MAX_LEGAL, STATE_BYTES = 3, 1
    hidden = 0

    def legal(self, s: bytearray, buf: array) -> int:
        buf[:] = array("H", (0, 1, 2))
        return 3

    def hide(self, s: bytearray, seat: int, rng: games.Rng) -> None:
        self.hidden += 1

    def seat(self, s: bytearray) -> int:
        return 0

    def apply(self, s: bytearray, m: int) -> int:
        s[0] = m == 0 or (m == 1 and self.hidden % 2)
        return deep.OVER

    def winners(self, s: bytearray) -> int:
        return 1 if s[0] else 2


@pytest.mark.parametrize(("move", "lead"), [(0, 500), (1, -500), (2, -1000)])
def test_the_lead_when_the_instant_player_plays_on(move, lead):
    assert deep.lead(Takes(), None, bytearray(1), move, games.Rng(1)) == lead


class Counts:
    """A search whose root has the children that it is given."""

    def __init__(self, *children: tuple[int, int, int]) -> None:
        self._nodes = [0, 0, 0, 1, 0]
        self._sums = [0]
        for i, (move, visits, total) in enumerate(children):
            self._nodes += [move, visits, 99, 0, i + 2 if i + 1 < len(children) else 0]
            self._sums.append(total)
        self._best = max(children, key=lambda child: child[1])[0]

    def start(self, *_: object) -> None:
        pass

    def step(self, _: int) -> bool:
        return True

    def best(self) -> int:
        return self._best


def test_the_margin_is_that_to_the_second_best():
    assert deep.judged(Counts((3, 100, 12600), (5, 300, 56700), (9, 10, 1512)), b"", 1, 1) == (5, 750 - 600)
    assert deep.judged(Counts((3, 300, 12600), (5, 10, 1260)), b"", 1, 1)[1] < 0


def test_wrong_use(capsys):
    for wrong in (
        ["chess"],
        ["goats", "--exact"],
        ["horses", "--exact", "--agreed"],
        ["goats", "--margin", "100"],
        ["goats", "--budget", "65536"],
    ):
        with pytest.raises(cli.Usage):
            blunders.main(wrong)
    with pytest.raises(cli.Usage, match="2 seats"):
        horses.solution(3)


def test_a_folder_that_is_not_there(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(
        blunders, "searched", lambda *_: iter(((games.open_game("goats").start(games.Rng(1)), 1, 100),))
    )
    with pytest.raises(cli.Failure, match="cannot write"):
        blunders.main(["goats", "-n", "1", "-o", str(tmp_path / "none" / "file")])
    assert blunders.main(["goats", "-n", "1", "-o", str(tmp_path / "file")]) == cli.DONE
    assert json.loads((tmp_path / "file").read_text())["margin"] == 0.1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
