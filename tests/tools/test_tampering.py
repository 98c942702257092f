"""Records of every game tampered with in every way: replay names the line, as does the independent referee."""

import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.referee import Foul, judge
from tests.games.rerecord import names_on
from tests.platforms.traces import tables
from tools import games, players, record, replay

TABLES = [(game, seats, mask) for game in games.catalogue.ids() for seats, mask in tables(game)]
# Smallest and largest table of each option set.
FEW = [
    (game, pick([seats for seats, other in tables(game) if other == mask]), mask)
    for game in games.catalogue.ids()
    for mask in range(1 << len(games.catalogue.options(game)))
    for pick in (min, max)
]
KEYS = ("dice", "move", "effect", "tokens", "deck", "kings", "bag", "")
ILLEGAL = ("", " ", "-", "5+4", "25", "play 6 0", "play 1 7", "play 0 1", "buy 0", "no", "done", "trip 0", "switch 2 1")
ILLEGAL += ("take X", "deck", "drop O7c", "attack O7a 5", "work O7a 0", "stake 0", "stake 31", "trot", "Trot", "trot\n")
ILLEGAL += (None, True, 0, 1, 1.5, [], {}, ["-"])
LENGTH_LIMIT = 300


def written(game, seats, mask, seed=3):
    """The lines of a record as dictionaries."""
    table = games.open_game(game, seats, names_on(game, mask))
    return [json.loads(line) for line in record.records(table, players.seat_players(table, ["random"]), seed, 1)]


def texts(lines):
    return [json.dumps(line) for line in lines]


def fault(lines):
    """Number and text of the first fault of lines (dictionaries) as replay finds it; None if there is none."""
    try:
        list(replay.replay([text.encode() + b"\n" for text in texts(lines)]))
        return None
    except replay.RecordFault as refused:
        found = refused
    told = f"line {found.number}: {found.text}"
    assert str(found) == told
    assert told.isprintable() and len(told) < LENGTH_LIMIT, told
    return found.number, found.text


def referee(lines):
    """The number of the line that the referee refuses; None if all is well."""
    try:
        judge(texts(lines))
    except Foul as found:
        return int(str(found).removeprefix("line ").partition(":")[0])
    return None


def with_line(lines, number, line):
    """The lines with another one at `number`, counted from 1; None leaves it out."""
    return lines[: number - 1] + ([] if line is None else [line]) + lines[number:]


def set_to(line, value, *path):
    """A copy of a line with one value changed, or taken out (Ellipsis)."""
    changed = copy.deepcopy(line)
    place = changed
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


def shapes(line):
    """Wrong whatever the game is: a key too many, one too few, one of another type."""
    yield set_to(line, 1, "note")
    for key, value in line.items():
        yield set_to(line, ..., key)
        for other in (None, "x", 7.5, [[]], {"x": {}}, [1.0], [None], -1):
            if other != value:
                yield set_to(line, other, key)
        if type(value) is int:
            yield set_to(line, str(value), key)
            if value in (0, 1):
                yield set_to(line, bool(value), key)
    for key in KEYS:
        if key not in line.get("chance", KEYS):
            yield set_to(line, "", "chance", key)
            yield set_to(line, [1, 1, 1, 1], "chance", key)
    for key in line.get("chance", ()):
        yield set_to(line, ..., "chance", key)
        for value in (None, "", "x", 3, [], {}, [[]], ["x", 1], [1, 2, 3], True):
            yield set_to(line, value, "chance", key)


def wrong_headers(line):
    """Headers that fit no game."""
    yield set_to(line, 2, "record")
    yield set_to(line, "chess", "game")
    for seats in (0, 1, 6, 99, 10**30):
        yield set_to(line, seats, "seats")
    for option, value in line["options"].items():
        yield set_to(line, ..., "options", option)
        for other in (2, -1, "1", None, 1.0 * value, bool(value), []):
            yield set_to(line, other, "options", option)
    for option in ("big", "actions", "contested", "", "small"):
        if option not in line["options"]:
            yield set_to(line, 0, "options", option)
    chance = line["chance"]
    if line["game"] == "horses":
        tokens = chance["tokens"]
        for other in (tokens[1:], tokens + "g", tokens[:-1] + "x", tokens.upper(), " " + tokens, list(tokens)):
            yield set_to(line, other, "chance", "tokens")
    if line["game"] == "kings":
        deck, races = chance["deck"], chance["kings"]
        for other in (deck[1:], deck + deck[:1], deck[1:] + deck[1:2], ["O7c", *deck[1:]], [deck[0].lower(), *deck[1:]]):
            yield set_to(line, other, "chance", "deck")
        yield set_to(line, [list(deck[0]), *deck[1:]], "chance", "deck")
        for other in (races[1:], races + ["O"], [races[1], *races[1:]], ["X", *races[1:]], ["", *races[1:]], [0, *races[1:]]):
            yield set_to(line, other, "chance", "kings")
        yield set_to(line, "".join(races), "chance", "kings")


def wrong_decisions(line, seats):
    """Lines of a decision that cannot be right where this one is."""
    for seat in range(-1, seats + 1):
        if seat != line["seat"]:
            yield set_to(line, seat, "seat")
    legal = line["legal"]
    for i in {*range(min(len(legal), 4)), len(legal) // 2, len(legal) - 1}:
        yield set_to(line, ..., "legal", i)
        yield set_to(line, legal[: i + 1] + legal[i:], "legal")
        yield set_to(line, legal[i] + " ", "legal", i)
        if i:
            yield set_to(line, legal[: i - 1] + [legal[i], legal[i - 1]] + legal[i + 1 :], "legal")
    for text in ILLEGAL:
        if text not in legal:
            yield set_to(line, text, "move")
            yield set_to(line, [*legal, text], "legal")
            yield set_to(line, [text, *legal], "legal")
    chance = line["chance"]
    if "dice" in chance:
        dice = chance["dice"]
        for i in range(4):
            for die in (0, 7, "1", 1.0 * dice[i], None, dice[i] == 1):
                yield set_to(line, die, "chance", "dice", i)
        if dice != dice[::-1]:
            yield set_to(line, dice[::-1], "chance", "dice")
        yield set_to(line, dice + [6], "chance", "dice")
        yield set_to(line, dice[:3], "chance", "dice")
    if "move" in chance:
        for symbol in ("b", "X", "~", "BM", " "):
            yield set_to(line, symbol, "chance", "move")
        for effect in ("0", "4", "pay3", "pay", "Jump", *(("free", "jump", "pay1") if line["move"] == "trot" else "123")):
            yield set_to(line, effect, "chance", "effect")
    if "tokens" in chance:
        tokens = chance["tokens"]
        for other in (tokens + "g", tokens[1:], tokens.upper(), tokens[:-1] + "x", list(tokens), "\x1b[2J", "g\n"):
            yield set_to(line, other, "chance", "tokens")


def wrong_ends(line):
    """Last lines with other scores and winners."""
    for i, score in enumerate(line["scores"]):
        for other in (score + 1, score - 1, 1.0 * score, str(score), None):
            yield set_to(line, other, "scores", i)
        yield set_to(line, ..., "scores", i)
    yield set_to(line, line["scores"] + [0], "scores")
    for mask in range(1 << len(line["scores"])):
        winners = [seat for seat in range(len(line["scores"])) if mask >> seat & 1]
        if winners != line["winners"]:
            yield set_to(line, winners, "winners")
    yield set_to(line, line["winners"] * 2, "winners")


@pytest.mark.parametrize(("game", "seats", "mask"), FEW)
def test_a_wrong_line_is_named(game, seats, mask):
    """What is wrong in itself is told with the number of its very line."""
    lines = written(game, seats, mask)
    for number in sorted({1, 2, random.Random(seats).randrange(2, len(lines)), len(lines) - 1, len(lines)}):
        line = lines[number - 1]
        kinds = wrong_headers(line) if number == 1 else wrong_ends(line) if "scores" in line else None
        for wrong in [*shapes(line), *(kinds or wrong_decisions(line, seats))]:
            tampered = with_line(lines, number, wrong)
            found = fault(tampered)
            assert found is not None and found[0] == number, (number, wrong, found)


def lies(lines, chance):
    """Lines that could be right somewhere else: other moves, dice, tokens, cards; and lines that are not in order."""
    header = lines[0]
    for option, value in header["options"].items():
        yield with_line(lines, 1, set_to(header, 1 - value, "options", option))
    for seats in (2, 3, 4, 5):
        if seats != header["seats"]:
            yield with_line(lines, 1, set_to(header, seats, "seats"))
    if header["game"] == "kings":
        for _ in range(6):
            i, j = chance.sample(range(80), 2)
            deck = list(header["chance"]["deck"])
            deck[i], deck[j] = deck[j], deck[i]
            yield with_line(lines, 1, set_to(header, deck, "chance", "deck"))
        yield with_line(lines, 1, set_to(header, header["chance"]["kings"][::-1], "chance", "kings"))
    for number in [1, *chance.sample(range(2, len(lines)), min(12, len(lines) - 2))]:
        line = lines[number - 1]
        tokens = line["chance"].get("tokens", "")
        for i, face in enumerate(tokens):
            yield with_line(
                lines, number, set_to(line, tokens[:i] + "gs"[face == "g"] + tokens[i + 1 :], "chance", "tokens")
            )
        yield with_line(lines, number, None)
        yield lines[:number] + lines[number - 1 :]
        yield lines[: number - 1] + [lines[number], line] + lines[number + 1 :]
        yield lines[:number]
        if number == 1:
            continue
        for move in chance.sample(line["legal"], min(4, len(line["legal"]))):
            yield with_line(lines, number, set_to(line, move, "move"))
        if "dice" in line["chance"]:
            dice = sorted(chance.randint(1, 6) for _ in range(4))
            yield with_line(lines, number, set_to(line, dice, "chance", "dice"))
        if "effect" in line["chance"]:
            for symbol in "BMH":
                yield with_line(lines, number, set_to(line, symbol, "chance", "move"))
            for effect in ("1", "2", "3") if line["move"] == "trot" else ("pay1", "pay2", "jump", "free"):
                yield with_line(lines, number, set_to(line, effect, "chance", "effect"))
    yield lines + lines[-1:]
    yield lines + lines[:1]
    yield lines + lines
    yield []


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("game", "seats", "mask"), TABLES)
def test_replay_and_referee_agree_on_lies(game, seats, mask, seed):
    """Both accept it, or both refuse the same line: replay takes no more and no less than the rules pages do."""
    lines = written(game, seats, mask, seed)
    refused = 0
    for tampered in lies(lines, random.Random(seed)):
        found = fault(tampered)
        assert (found and found[0]) == referee(tampered), found
        refused += found is not None
    assert refused > 12
    assert fault(lines) is None


# Any JSON, and texts that a terminal or a stream may choke on.
EDGES = st.sampled_from(["\x1b[31m", "a\nb", "\r", "\ud800", "\u2028", "\x00", "x" * 5000, 10**400, float("inf"), -0.0])
GARBAGE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6) | EDGES,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5) | st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)
FUZZED = {game: written(game, games.catalogue.seats(game, 0)[0], 0, 5) for game in games.catalogue.ids()}


def equal(one, two):
    """Equal as JSON: true is not 1 and 1.0 is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)


@pytest.mark.parametrize("game", games.catalogue.ids())
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_garbage_is_told_in_one_line(game, data):
    """Anything in place of a value, of a part of the chance, or of an element of a list."""
    lines = FUZZED[game]
    number = data.draw(st.integers(1, len(lines)))
    line = lines[number - 1]
    paths = [(key,) for key in line]
    paths += [(key, inner) for key in ("chance", "options") for inner in [*line.get(key, ()), *KEYS] if key in line]
    for key, values in [*line.items(), *line.get("chance", {}).items()]:
        if isinstance(values, list):
            paths += [(*(("chance",) if key in line.get("chance", ()) else ()), key, i) for i in range(len(values))]
    path = data.draw(st.sampled_from(paths))
    wrong = set_to(line, data.draw(GARBAGE), *path)
    found = fault(with_line(lines, number, wrong))
    if found is None:
        assert equal(wrong, line) or (path[0] == "chance" and referee(with_line(lines, number, wrong)) is None)
    elif found[0] != number:
        # No garbage, but other seats, options or dice, with which something later is wrong.
        assert found[0] == referee(with_line(lines, number, wrong))


@pytest.mark.parametrize("game", games.catalogue.ids())
@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=14) | st.from_regex(r"[a-z]{2,6} [ODGI]?[0-9][ab*]? ?[0-9]{0,3}", fullmatch=True))
def test_a_text_is_a_move_or_told_to_be_none(game, text):
    """`move_code` alone, as it is also given what people type."""
    rules = games.catalogue.load(game)
    notation = games.catalogue.load(game, "notation")
    s = bytearray(rules.STATE_BYTES)
    rules.new(s, 2, 0, games.Rng(1))
    try:
        code = notation.move_code(s, text)
    except ValueError as refused:
        told = str(refused)
    else:
        told = "a move"
        assert notation.move_text(s, code) == text
    assert told


@pytest.mark.parametrize("depth", [5, 100, 900, 950, 980, 1000, 5000, 200_000])
@pytest.mark.parametrize("place", ["chance", "legal", "move", "seat", "scores", "deck", "record"])
def test_deep_nesting_is_told_in_one_line(place, depth):
    """As deep as the parser goes, and deeper than a message about it could be made."""
    lines = texts(FUZZED["kings"])
    number = {"scores": len(lines), "deck": 1, "record": 1}.get(place, 2)
    line = json.loads(lines[number - 1])
    line = set_to(line, "HERE", *(("chance", place) if place == "deck" else (place,)))
    lines[number - 1] = json.dumps(line).replace('"HERE"', "[" * depth + "]" * depth)
    with pytest.raises(replay.RecordFault) as caught:
        list(replay.replay([text.encode() + b"\n" for text in lines]))
    assert caught.value.number == number
    assert len(str(caught.value)) < LENGTH_LIMIT
