"""Help pages: every language has them all, every line fits, every number in them is the rules' own."""

from __future__ import annotations

import re
from array import array
from pathlib import Path

import pytest

from firmware import modules, texts
from firmware.art import body
from firmware.screen import _glyph
from games import catalogue
from games.rng import Rng
from tests.firmware.hand import Hand
from tests.firmware.test_text import Watch, pixel

TEXTS = Path(texts.__file__).parent / "text"
MOST_PAGES = 9
GAMES = catalogue.ids()


def pages(language: str) -> dict[str, list[tuple[str, str, str]]]:
    """game: its pages, each (title, picture, text)."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for line in (TEXTS / f"help_{language}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("="):
            game = line[1:].strip()
            found[game] = []
        elif line.startswith("#"):
            title, _, picture = line[1:].partition("@")
            found[game].append((title.strip(), picture.strip(), ""))
        else:
            title, picture, text = found[game][-1]
            found[game][-1] = (title, picture, f"{text}\n{line}".strip())
    return found


def pictures() -> dict[str, tuple[int, int, list[str]]]:
    """name: (width, height, what its lines draw)."""
    found: dict[str, tuple[int, int, list[str]]] = {}
    for line in (TEXTS / "help_pictures.txt").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[:1] == ["@"]:
            name = words[1]
            found[name] = (int(words[2]), int(words[3]), [])
        elif words:
            found[name][2].append(line)
    return found


@pytest.mark.parametrize("language", texts.there())
def test_every_language_has_the_same_pages(language: str) -> None:
    ours, theirs = pages("en"), pages(language)
    assert tuple(ours) == tuple(theirs) == GAMES
    for game in GAMES:
        assert 5 <= len(theirs[game]) <= MOST_PAGES
        assert [picture for _, picture, _ in theirs[game]] == [picture for _, picture, _ in ours[game]]
        assert sum(bool(picture) for _, picture, _ in ours[game]) >= len(ours[game]) / 2
        for title, _, text in theirs[game]:
            assert title and text
            missing = 95 + len(body.EXTRA)
            assert all(_glyph(body, letter) != missing for letter in title + text.replace("\n", ""))
    assert sorted(path.name for path in TEXTS.glob("help_*.txt")) == sorted(
        ["help_pictures.txt", *(f"help_{code}.txt" for code in texts.there())]
    )


@pytest.mark.parametrize("language", texts.there())
def test_every_line_fits(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    """Drawn, none leaves the panel, runs into the picture or another line; and none is lost below."""
    watch = Watch(monkeypatch)
    hand = Hand(language=language)
    for game, all_pages in pages(language).items():
        hand.app.open("help", game)
        for i, (title, _, text) in enumerate(all_pages):
            watch.texts.clear()
            hand.press("R" if i else ".")
            assert title in watch.texts
            drawn = " ".join(watch.texts)
            for word in text.split():
                assert word in drawn, (game, title, word)
        hand.press("B.")


def test_pictures_are_there_are_used_and_keep_to_their_places() -> None:
    known = pictures()
    used = [picture for game in pages("en").values() for _, picture, _ in game if picture]
    assert sorted(used) == sorted(known)
    hand = Hand()
    for name, (wide, high, lines) in known.items():
        assert lines, name
        hand.app.open("help", "goats")
        board = hand.app.screen
        board.clear()
        right, bottom = hand.app.top()._draw_picture(board, name)
        hand.app.back()
        lit = [(x, y) for x in range(128) for y in range(64) if pixel(board.buffer, x, y)]
        assert lit, name
        left, top = (0, 64 - high) if wide > 64 else (128 - wide, (76 - high) // 2)
        assert min(x for x, _ in lit) >= left, name
        assert min(y for _, y in lit) >= max(top, 12), name
        assert max(y for _, y in lit) < top + high, name
        assert (right, bottom) == ((128, top) if wide > 64 else (left - 3, 64))


def test_keys() -> None:
    """By next and select alone; A and B close a game's pages, and then the list."""
    hand = Hand(layout="two")
    hand.app.open("help")
    seen = set()
    for i, game in enumerate(modules.GAMES):
        hand.press("R" * i + "A.")
        for _ in pages("en")[game]:
            seen.add(bytes(hand.device.display.shown))
            hand.press("R.")
        assert hand.app.top()._page == 0
        hand.press("A.")
        assert hand.app.where() == ["title", "help"]
        hand.press("B.")
        assert hand.app.where() == ["title"]
        hand.app.open("help")
    assert len(seen) == sum(len(pages("en")[game]) for game in modules.GAMES)


def test_a_page_turn_reads_no_more_than_its_page() -> None:
    """The pages are read one by one; what stays in memory is where they begin."""
    hand = Hand()
    hand.app.open("help", "goats")
    kept = vars(hand.app.top())
    assert all(not isinstance(value, str) or len(value) < 20 for value in kept.values())
    assert len(hand.app.top()._pages) == len(pages("en")["goats"])


# --- The numbers, from the rules


def start(game: str, seats: int = 2, options: int = 0):
    rules = catalogue.load(game)
    state = bytearray(rules.STATE_BYTES)
    rules.new(state, seats, options, Rng(1))
    return rules, state


def plies(game: str, seats: int = 2, options: int = 0, games: int = 30):
    """(rules, state before, move or event, state after) of games at random."""
    rules = catalogue.load(game)
    legal = array("H", [0] * rules.MAX_LEGAL)
    for seed in range(1, games + 1):
        rng = Rng(seed)
        state = bytearray(rules.STATE_BYTES)
        rules.new(state, seats, options, rng)
        while rules.seat(state) != rules.OVER:
            if rules.seat(state) == rules.CHANCE:
                move = rules.sample(state, rng)
            else:
                move = legal[rng.below(rules.legal(state, legal))]
            before = bytes(state)
            rules.apply(state, move)
            yield rules, before, move, state


def steps(rules) -> list[tuple[int, ...]]:
    """What the last ply did."""
    trace = rules.TRACE
    return [tuple(trace[i : i + 4]) for i in range(1, 1 + 4 * trace[0], 4)]


def goats() -> list[list[int]]:
    rules, state = start("goats")
    heights = list(state[rules._SEAT : rules._SEAT + 6])
    four = bytearray(4)
    sums = {four[i] for move in range(rules.MOVES) for i in range(rules.sums(move, four))}
    mountains = list(range(min(sums), 11))
    assert sums == set(range(mountains[0], max(sums) + 1))
    assert len(mountains) == len(heights)
    bonuses: set[int] = set()
    emptied, ended = 0, 60
    for options in (0, 1):
        for rules, before, _, after in plies("goats", 3, options):
            bonuses |= {step[3] for step in steps(rules) if step[0] == rules.BONUS}
            # A round that is over with so many mountains without a token is the last one.
            if after[2] == rules.OVER and after[rules._BONUS] and after[rules._ROUND] < rules._ROUNDS:
                ended = min(ended, after[rules._EMPTIED])
            elif after[2] != rules.OVER and before[rules._PLAYER] > after[rules._PLAYER]:
                emptied = max(emptied, after[rules._EMPTIED])
    assert emptied == ended - 1
    ranks = [[value for value in rules.TABLE[rules._RANKS + 5 * seats :][:5] if value] for seats in (2, 3, 4, 5)]
    assert ranks[2] == ranks[3]
    first = sorted(bonuses, reverse=True)
    return [
        [mountains[0]],
        [min(mountains), max(mountains)] + [6, 8],
        [1],
        mountains + heights,
        [],
        first + first,
        [ended],
        [11, max(sums)],
        [2, *ranks[0]] + [3, *ranks[1]] + [4, 5, *ranks[2]],
    ]


def goblins() -> list[list[int]]:
    rules, state = start("goblins")
    hand = rules._SEAT + rules._HAND
    values = [v for v in range(7) for mask in state[hand : hand + 3] if mask >> v & 1]
    ducats = state[rules._SEAT + rules._DUCATS]
    prizes: set[int] = set()
    fees: set[tuple[int, int]] = set()
    prices: set[int] = set()
    races, fullest, ended = 0, 0, 0
    thrown: set[int] = set()
    for seats in (2, 4):
        for rules, before, move, after in plies("goblins", seats):
            told = steps(rules)
            prizes |= {step[3] for step in told if step[0] == rules.PRIZE}
            fees |= {(step[3], step[2]) for step in told if step[0] == rules.PAID and step[3]}
            races = max([races, *(step[1] for step in told if step[0] == rules.RACE)])
            for lane in range(seats + 1):
                at = rules._LANE + 11 * lane
                fullest = max(fullest, after[at + rules._TRACK])
                if any(step[0] == rules.THROWN and step[2] == lane for step in told) and move < rules.NO:
                    thrown.add(before[at + rules._TRACK] + 1)
                    if any(step[0] == rules.RACE and step[2] != 255 for step in told):
                        ended = before[at + rules._ZONE] + 1
            if move >= rules.BUY:
                mine = rules._SEAT + 11 * before[2] + rules._DUCATS
                prices.add(before[mine] - after[mine])
    costs = [rules._TABLES[rules._COSTS + n] for n in (1, 2, 3, 4)]
    assert fees <= {(n, costs[n - 1]) for n in (1, 2, 3, 4)}
    assert thrown == {fullest + 1}
    return [
        [races, ducats, ducats],
        values,
        [*thrown, 3, 5, 1, 6],
        [ended, 3, 0, 2, 3, 5, 1, 4],
        [*prizes],
        [*prices],
        [races, *costs, 1, 2, 3, 4],
        [rules._TRIP, rules._SWITCH, rules._RESCUE, rules._AGAIN],
    ]


def kings() -> list[list[int]]:
    from games.kings import notation

    rules, state = start("kings")
    cards = notation.header(state)["deck"]
    strengths = sorted(int(card[1]) for card in cards)
    assert strengths == [strength for strength in range(10) for _ in range(4 * 2)]
    hand = [card for card in state[rules._HAND : rules._HAND + 7] if card]
    # What was laid on a card that is not weaker, in the middle.
    tops: dict[int, int] = {}
    weaker: set[tuple[int, int]] = set()
    for rules, before, move, _ in plies("kings", games=10):
        if not any(before[rules._MINES : rules._MINES + 2]) and before[rules._IN_DECK] == 80 - 12 - 4 - 4:
            tops.clear()
        text = notation.move_text(before, move).split()
        if text[0] == "attack":
            place, strength = int(text[2]), int(text[1][1])
            if tops.get(place, -1) >= strength:
                weaker.add((strength, tops[place]))
            tops[place] = strength
            if any(step[0] == rules.CONQUERED for step in steps(rules)):
                del tops[place]
    # The picture is a mine of the game as it stands in the middle: a square for each card of the defence.
    profiles = {
        tuple(rules.TABLE[at + profile] for at in (rules._WORTH, rules._NEED, rules._DEFENCE)) for profile in range(20)
    }
    drawn = pictures()["places"][2]
    places = [int(line.split()[0]) for line in drawn if line[0].isdigit()]
    assert (*places, sum(line.startswith("kings.FREE") for line in drawn)) in profiles
    return [
        [6],
        [len(cards), strengths[0], strengths[-1], len(hand)],
        [],
        [*next(iter(weaker)), 8, 5, 3] if len(weaker) == 1 else [],
        places,
        [],
        [],
        [],
        [],
    ]


def horses() -> list[list[int]]:
    from games.horses.tables import TRACK

    rules, state = start("horses")
    gains: set[int] = set()
    pays: set[int] = set()
    for rules, before, _, after in plies("horses"):
        for step in steps(rules):
            if step[0] == rules.BLUE:
                gains.add((step[2] & 7) - 4)
            if step[0] == rules.RED and step[2] & 7 in (1, 2):
                pays.add(step[2] & 7)
        if after[2] == rules.OVER:
            assert before[rules._ROUND] < rules._ROUNDS
    begin = state[rules._SEAT + rules._TOKENS]
    galloping, sleeping = rules._GALLOPING, rules._SLEEPING
    return [
        [len(TRACK)],
        [min(gains), max(gains), begin],
        sorted(pays),
        [],
        [galloping + sleeping, galloping, sleeping, galloping, sleeping],
        [],
        [rules._ROUNDS],
    ]


@pytest.mark.parametrize("language", texts.there())
@pytest.mark.parametrize(
    ("game", "expected"), [("goats", goats), ("goblins", goblins), ("kings", kings), ("horses", horses)]
)
def test_every_number_is_the_rules_own(language: str, game: str, expected) -> None:
    known = pictures()
    for (title, picture, text), numbers in zip(pages(language)[game], expected(), strict=True):
        words = [line.split() for line in known[picture][2]] if picture else []
        drawn = [int(w[0]) for w in words if w[0].isdigit()] + [int(w[3]) for w in words if w[0] == "card"]
        for i in range(len(words)):
            # Steps are drawn as many as the number beside them says.
            assert words[i][0] != "pile" or words[i][3] == words[i + 1][0]
        assert sorted([int(n) for n in re.findall(r"\d+", text)] + drawn) == sorted(numbers), title
