"""Game records on a device: every record leads through its game, and no file does harm."""

from __future__ import annotations

import json
import random

import pytest

from firmware import reading, recorded, records, settings
from firmware.course import Course
from games import catalogue
from games.rng import Rng
from tests.firmware.hand import Hand
from tools import games, record

RUBBISH = (None, True, 1.0, -1, 10**9, "", "x", [], [1], {}, {"x": 1}, [[]])
MUTANTS = 25


def a_record(game: str, seats: int | None = None, options: tuple[str, ...] = ()) -> str:
    table = games.open_game(game, seats, options)
    def any_move(s, buffer, count, rng):
        return buffer[rng.below(count)]

    lines = record.lines(table, [any_move] * table.seats, Rng(5), Rng(6))
    return "".join(line + "\n" for line in lines)


TABLES = [(game, None, ()) for game in catalogue.ids()] + [("goats", 5, ("big",)), ("goblins", 4, ("actions", "contested"))]


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_a_record_is_shown_to_its_end(game, seats, options):
    text = a_record(game, seats, options)
    shown = recorded.Recorded(text)
    rules = catalogue.load(game)
    course = recorded.RecordedCourse(rules, shown)
    course.follow(shown.plies)
    last = json.loads(text.splitlines()[-1])
    assert course.at_end()
    assert games.open_game(game, seats, options).scores(course.state) == last["scores"]


# Chance before a decision, and after it.
@pytest.mark.parametrize("game", ["goats", "horses"])
def test_a_kept_game_is_a_record_and_back(game):
    hand = Hand(seed=3)
    hand.app.settings.values[settings.SPEED] = 3
    hand.start([2, 2], 0, game)
    hand.play_on(10**6)
    saved = reading.read(records.load(hand.device.store)[0][0])
    shown = recorded.Recorded(recorded.text(saved))
    assert (shown.game, shown.options, len(shown.kinds), shown.plies) == (game, 0, 2, saved.plies)
    rules = catalogue.load(game)
    ours, theirs = recorded.RecordedCourse(rules, shown), Course(rules, saved)
    ours.follow(saved.plies)
    theirs.follow(saved.plies)
    assert ours.state == theirs.state


def test_what_is_no_record_is_told():
    whole = a_record("goats")
    lines = whole.splitlines()
    for text, why in (
        ("", "no game record"),
        ("hello", "no game record"),
        ("[]", "no game record"),
        ('{"record":2}', "no game record"),
        (whole.replace('"goats"', '"chess"'), "no such game"),
        (whole.replace('"big":0', '"big":1.0'), "options"),
        (whole.replace('"big":0', '"big":false'), "options"),
        ("\n".join(lines[:-2]), "move|seat|ends too soon"),
        ("\n".join(lines[:4] + lines[5:]), "seat|move|dice"),
    ):
        with pytest.raises(ValueError, match=why):
            recorded.Recorded(text)


@pytest.mark.parametrize("game", catalogue.ids())
def test_no_file_does_harm(game):
    """Anything in the place of any value, lines out of order, cut off anywhere: shown, or a ValueError."""
    rng = random.Random(game)
    lines = [json.loads(line) for line in a_record(game).splitlines()]
    for number in range(MUTANTS):
        broken = json.loads(json.dumps(lines))
        at = 0 if number % 3 == 0 else rng.randrange(len(broken))
        key = rng.choice(list(broken[at]))
        inside = broken[at][key]
        if isinstance(inside, dict) and inside and rng.random() < 0.6:
            inside[rng.choice(list(inside))] = rng.choice(RUBBISH)
        elif rng.random() < 0.7:
            broken[at][key] = rng.choice(RUBBISH)
        else:
            del broken[at][key]
        text = "\n".join(json.dumps(line) for line in broken)
        if rng.random() < 0.2:
            text = text[: rng.randrange(len(text))]
        try:
            shown = recorded.Recorded(text)
        except ValueError:
            continue
        course = recorded.RecordedCourse(catalogue.load(shown.game), shown)
        course.follow(shown.plies)
