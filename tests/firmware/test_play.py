"""Around a game: set-up, levels, the pass screen, taking back, hints, saves of every version, kept games, replays."""

from __future__ import annotations

import random
from array import array
from pathlib import Path

import pytest

from firmware import modules, reading, records, saves, settings
from firmware.app import TICK_MS
from firmware.course import Course
from firmware.scenes import game as game_scene
from firmware.scenes import replay as replay_scene
from games import catalogue, levels
from games.goats import rules as goats
from games.rng import Rng, seed_of
from hal.host import MemoryStore
from tests.firmware.hand import Hand, LastMove

SAVES = Path(__file__).parent / "saves"
PERSON, EASY, NORMAL, HARD, EXPERT = saves.PERSON, saves.EASY, saves.NORMAL, saves.HARD, saves.EXPERT


def play(hand: Hand, plies: int = 10**6) -> None:
    """Press A through the game, pass screens too."""
    while hand.scene() == "game" and hand.app.top().plies < plies:
        if hand.waits_for() in ("roll", "choice", "pass"):
            hand.press("A")
        else:
            hand.wait(300)


def played(
    game: str, kinds: list[int], options: int = 0, word: str = "GOAT", seed: int = 1
) -> tuple[saves.Saved, bytes]:
    """A game of random moves as it is kept at its end, and its last state."""
    rules = catalogue.load(game)
    saved = saves.Saved(game, options, bytearray(kinds), word, Rng(seed_of(word)).state[0])
    course = Course(rules, saved)
    rng = Rng(seed)
    while rules.seat(course.state) != rules.OVER:
        if rules.seat(course.state) == rules.CHANCE:
            course.chance()
        else:
            course.make(course.legal[rng.below(rules.legal(course.state, course.legal))])
    saved.winners = rules.winners(course.state)
    return course.kept(), bytes(course.state)


# --- The course of a game


@pytest.mark.parametrize("game", catalogue.ids())
def test_a_game_is_made_again_from_its_word_and_moves(game: str) -> None:
    most = catalogue.seats(game, 0)[1]
    for seed, seats in ((1, 2), (2, most), (3, most)):
        saved, end = played(game, [EASY] * seats, seed=seed)
        again = reading.read(saved.pack())
        assert again.pack() == saved.pack()
        course = Course(catalogue.load(game), again)
        course.follow(again.plies)
        assert bytes(course.state) == end
        assert course.at_end()
        # And up to any ply of it.
        course.start()
        course.follow(again.plies // 2)
        assert course.plies == again.plies // 2
        assert not course.at_end()


class Wide:
    """Rules of a game of one seat with 400 legal moves at each ply; its state is the last three moves."""

    STATE_BYTES = 8
    MAX_LEGAL = 400
    CHANCE, OVER = 254, 255

    def new(self, s, seats, options, rng):
        s[:] = bytes(8)

    def seat(self, s):
        return 0

    def legal(self, s, buf):
        for i in range(400):
            buf[i] = 3 * i
        return 400

    def apply(self, s, move):
        s[2:] = s[:6]
        s[0], s[1] = move & 255, move >> 8


def test_moves_of_any_number_are_kept() -> None:
    saved = saves.Saved("goats", 0, b"\x01\x01", "", 1)
    course = Course(Wide(), saved)
    moves = [3 * i for i in (0, 254, 255, 256, 399, 1, 255)]
    for move in moves:
        course.make(move)
    kept = course.kept()
    assert len(kept.moves) == len(moves) + 4
    again = Course(Wide(), kept)
    assert [(again.coming(), again.ply()) for _ in moves] == [(move, 0) for move in moves]
    assert again.at_end()


# --- Saves of every version, and bad ones


def stored(data: bytes, name: str = saves.NAME) -> MemoryStore:
    store = MemoryStore()
    store.save(name, data)
    return store


def test_there_is_a_save_of_every_version() -> None:
    versions = {path.read_bytes()[0] for path in SAVES.glob("*.bin")}
    assert versions == set(range(1, saves.VERSION + 1))


@pytest.mark.parametrize("path", sorted(SAVES.glob("*.bin")), ids=lambda path: path.stem)
def test_a_save_of_every_version_is_gone_on_with(path: Path) -> None:
    data = path.read_bytes()
    saved = reading.read(data)
    hand = Hand(seed=99, store=stored(data))
    assert hand.scene() == "title"
    hand.press("A.")
    assert hand.app.where() == ["title", "game"], "one key resumes it"
    course = Course(catalogue.load(saved.game), reading.read(data))
    course.follow(saved.plies)
    assert course.at_end()
    if data[0] == 1:
        assert bytes(course.state) == data[-len(course.state) :]
    before = saved.plies
    assert before <= hand.app.top().plies <= before + 1
    play(hand, before + 6)
    kept = hand.device.store.load(saves.NAME)
    assert kept[0] == saves.VERSION, "saved as the newest version"
    assert reading.read(kept).plies > before
    # What an old save does not know is where the game began: then it cannot become a record, but is played to its end.
    play(hand)
    assert hand.scene() == "result"
    assert bool(records.load(hand.device.store)[0]) == (saved.base is None)


def good(**changed) -> bytes:
    """A save in the middle of a game, with some of its fields changed."""
    saved, _ = played("goats", [PERSON, EASY, EASY], 1)
    course = Course(goats, saved)
    course.follow(30)
    saved = course.kept()
    saved.winners = 0
    for name, value in changed.items():
        setattr(saved, name, value)
    return saved.pack()


def based(**changed) -> bytes:
    """The same with a state as its base."""
    saved = reading.read(good())
    course = Course(goats, saved)
    course.follow(30)
    rng = Rng(1)
    return good(
        **{
            "base": bytes(course.state),
            "before": 30,
            "generator": rng.state[0],
            "moves": bytearray(),
        }
        | changed
    )


def moves_of(data: bytes) -> bytearray:
    return reading.read(data).moves


BAD = {
    "an option that the game does not have": good(options=2),
    "options that the game was not begun with": good(options=0),
    "options other than those of its base": based(options=0),
    "seats other than those of its base": based(kinds=bytearray((PERSON, EASY))),
    "a seat too many": good(kinds=bytearray((PERSON, EASY, EASY, EASY, EASY, EASY))),
    "a seat that nobody has": good(kinds=bytearray((PERSON, saves.NOBODY, EASY))),
    "a kind that there is not": good(kinds=bytearray((PERSON, saves.KINDS, EASY))),
    "a generator that is 0": good(generator=0),
    "a generator that is too large": good(generator=1073479679),
    "a generator that is no small int": good(generator=0xFFFFFFFF),
    "another generator": good(generator=reading.read(good()).generator + 1),
    "a winner that does not play": good(winners=8),
    "a word of other letters": good(word="go"),
    "fewer plies than before its base": based(plies=29),
    "more plies than moves": good(plies=31 + len(moves_of(good()))),
    "fewer plies than moves": good(plies=28),
    "a move too many": good(moves=moves_of(good()) + b"\x00"),
    "another move": good(moves=bytearray((0,)) + moves_of(good())[1:]),
    "a move that is not legal": good(moves=bytearray((254,)) + moves_of(good())[1:]),
    "a move cut in two": good(moves=moves_of(good())[:-1] + b"\xff"),
    "another check": good(check=reading.read(good()).check ^ 1),
    "a base that is too short": based(base=b"\x03\x01"),
    "a base that cannot be": based(base=bytes(goats.STATE_BYTES)),
    "a version to come": bytes((saves.VERSION + 1,)) + good()[1:],
    "flags to come": good()[:12] + b"\x04" + good()[13:],
}


def test_the_good_ones_are_good() -> None:
    for data in (good(), based(), good(practice=True)):
        hand = Hand(store=stored(data))
        hand.press("A.")
        assert hand.app.where() == ["title", "game"]
    assert good()[12] == 0


@pytest.mark.parametrize("what", BAD)
def test_a_bad_save_is_told_and_put_aside(what: str) -> None:
    hand = Hand(store=stored(BAD[what]))
    if hand.scene() == "title":
        hand.press("A.")
    assert hand.app.where() == ["title", "message"]
    assert hand.device.store.load(saves.ASIDE) == BAD[what]
    assert hand.device.store.load(saves.NAME) is None
    hand.press("A.")
    assert hand.app.where() == ["title"]


@pytest.mark.parametrize(
    "what",
    [
        "an option that the game does not have",
        "a seat too many",
        "a seat that nobody has",
        "a kind that there is not",
        "a generator that is 0",
        "a generator that is too large",
        "a generator that is no small int",
        "a winner that does not play",
        "a word of other letters",
        "fewer plies than before its base",
        "a version to come",
        "flags to come",
    ],
)
def test_what_the_rules_must_not_meet_is_refused_without_them(what: str) -> None:
    """Their fast code trusts what it is given."""
    with pytest.raises(ValueError, match=r"^[a-z]+$"):
        reading.read(BAD[what])


def test_a_bad_save_stays_where_there_is_no_room_to_put_it_aside() -> None:
    class Full(MemoryStore):
        def save(self, name, data):
            self.message = "save_full"
            return False

    for data in (BAD["a generator that is 0"], BAD["another check"]):
        store = Full()
        store.saves[saves.NAME] = data
        hand = Hand(store=store)
        if hand.scene() == "title":
            hand.press("A.")
        assert hand.scene() == "message"
        assert store.saves[saves.NAME] == data


# --- Set-up


def set_up(hand: Hand, game: str = "goats"):
    hand.app.home("setup", game)
    hand.press(".")
    return hand.app.top()


def begin(hand: Hand) -> None:
    """Start what is set up, in the place of a game that may be saved."""
    hand.press("A.")
    if hand.scene() == "confirm":
        hand.press("A.")


def test_levels_and_places_by_keys() -> None:
    hand = Hand(seed=5)
    set_up(hand)
    # The second place: normal, hard, expert; the third: from nobody on to a person.
    hand.press("D" + "RAAA" + "RA" + "U" + "A.")
    assert hand.scene() == "game"
    assert list(hand.app.top().saved.kinds) == [PERSON, EXPERT, PERSON]


def test_start_does_nothing_with_too_few_seats() -> None:
    hand = Hand()
    scene = set_up(hand)
    hand.press("D" + "R" + "AAAA")
    assert list(scene._kinds) == [PERSON, 0, 0, 0, 0]
    hand.press("UA..")
    assert hand.app.where() == ["title", "setup"]


def test_a_seat_that_the_options_no_longer_allow_is_emptied() -> None:
    hand = Hand()
    scene = set_up(hand)
    hand.press("UA")
    assert scene._seats()[2] == 5
    hand.press("DD" + "RRRR" + "AA")
    assert list(scene._kinds) == [PERSON, EASY, 0, 0, EASY]
    # It begins, too, which falls to somebody else.
    scene._first = 5
    hand.press("UUA")
    assert scene._seats()[2] == 4
    assert list(scene._kinds) == [PERSON, EASY, 0, 0, 0]
    assert scene._first == 0
    hand.press("DA..")
    assert hand.scene() == "game"


def test_who_begins() -> None:
    """The others follow in the order of their places."""
    hand = Hand()
    scene = set_up(hand)
    scene._kinds[:] = bytes((PERSON, 0, HARD, EXPERT, 0))
    begun = {}
    for first in (1, 3, 4):
        scene._first = first
        begin(hand)
        begun[first] = list(hand.app.top().saved.kinds)
        scene = set_up(hand)
        assert list(scene._kinds) == [PERSON, 0, HARD, EXPERT, 0], "remembered"
        assert scene._first == first
    assert begun == {
        1: [PERSON, HARD, EXPERT],
        3: [HARD, EXPERT, PERSON],
        4: [EXPERT, PERSON, HARD],
    }


def test_a_lot_falls_on_everybody_and_is_the_same_for_the_same_word() -> None:
    hand = Hand()
    lots = {}
    for word in ("AAAA", "GOAT", "HORN", "ROCK", "PEAK", "SNOW", "TREE", "LAKE", "AAAA", "GOAT"):
        scene = set_up(hand)
        scene._kinds[:] = bytes((PERSON, 0, HARD, EXPERT, 0))
        scene._first = 0
        scene.word = word
        begin(hand)
        kinds = tuple(hand.app.top().saved.kinds)
        assert lots.setdefault(word, kinds) == kinds
    assert {kinds[0] for kinds in lots.values()} == {PERSON, HARD, EXPERT}


def test_the_same_word_deals_the_same_to_everybody() -> None:
    dealt = set()
    for seed, kinds in ((1, (PERSON, EASY)), (2, (EXPERT, PERSON)), (3, (PERSON, PERSON))):
        hand = Hand(seed=seed)
        scene = set_up(hand, "kings")
        hand.press("DDDA" + "A" + "AA" + "RA.")
        assert hand.scene() == "setup"
        assert scene.word == "AAAB"
        scene._kinds[:2] = bytes(kinds)
        hand.press("DA.")
        dealt.add(bytes(hand.app.top().state))
    assert len(dealt) == 1
    hand.start([PERSON, EASY], 0, "kings")
    assert bytes(hand.app.top().state) not in dealt


def test_the_word_is_typed_taken_back_and_dropped() -> None:
    hand = Hand()
    scene = set_up(hand)
    hand.press("DDDA.")
    assert hand.scene() == "word"
    hand.press("A" + "DA" + "RA" + "B" + "B" + "LLA" + "DA")
    assert hand.app.top()._word == "AMZ"
    hand.press("A.")
    assert (hand.scene(), scene.word) == ("setup", "AMZZ")
    # Out of it with B: as it was. With the last line: any word.
    hand.press("A" + "AA" + "BBB.")
    assert (hand.scene(), scene.word) == ("setup", "AMZZ")
    hand.press("A" + "UA.")
    assert (hand.scene(), scene.word) == ("setup", "")


def test_one_key_besides_a_goes_through_all_of_the_set_up() -> None:
    hand = Hand()
    for game in modules.GAMES:
        scene = set_up(hand, game)
        places = scene._seats()[2]
        at = []
        for _ in range(places + len(catalogue.options(game)) + 3):
            hand.press("R")
            at.append(scene._at)
        assert len(set(at)) == len(at)
        assert at[-1] == scene._most + len(catalogue.options(game)) + 2
        hand.press("L" * len(at))
        assert scene._at == at[-1]


@pytest.mark.parametrize(
    "kept",
    [b"", b"\x01", b"\x02\x00\x01\x01\x02\x00\x00\x00", b"\x01\x02\x01\x01\x02\x00\x00\x00",
     b"\x01\x00\x06\x01\x02\x00\x00\x00", b"\x01\x00\x01\x01\x06\x00\x00\x00", b"\x01\x00\x01\x01\x02\x00\x00"],
)  # fmt: skip
def test_a_set_up_that_cannot_be_is_as_at_first(kept: bytes) -> None:
    scene = set_up(Hand(store=stored(kept, "setup-goats")))
    assert (list(scene._kinds), scene._first, scene._options) == ([PERSON, EASY, 0, 0, 0], 1, 0)


def test_a_kept_set_up_is_taken() -> None:
    scene = set_up(Hand(store=stored(b"\x01\x01\x00\x05\x04\x00\x01\x02", "setup-goats")))
    assert (list(scene._kinds), scene._first, scene._options) == ([5, 4, 0, 1, 2], 0, 1)


def test_a_saved_game_is_not_given_up_unasked() -> None:
    hand = Hand(seed=5)
    hand.start([PERSON, EASY])
    decide(hand)
    hand.app.home()
    there = hand.device.store.load(saves.NAME)
    set_up(hand, "goblins")
    hand.press("A.")
    assert hand.scene() == "confirm"
    hand.press("B.")
    assert hand.scene() == "setup"
    assert hand.device.store.load(saves.NAME) == there
    hand.press("A.A.")
    assert hand.scene() == "game"
    assert reading.read(hand.device.store.load(saves.NAME)).game == "goblins"
    # Nothing is asked where there is nothing to lose.
    hand.device.store.remove(saves.NAME)
    set_up(hand, "goblins")
    hand.press("A.")
    assert hand.scene() == "game"


# --- Computer players


@pytest.mark.parametrize("kind", [EASY, NORMAL, HARD])
def test_a_seat_plays_at_its_level(kind: int) -> None:
    """Whatever the levels of the others: they share a search."""
    hand = Hand(seed=8)
    hand.start([PERSON, kind, EXPERT], 0, "horses")
    hand.until("choice")
    hand.press("A")
    hand.until("thinking")
    scene = hand.app.top()
    rules, bot = catalogue.load("horses"), catalogue.load("horses", "bot")
    alone = levels.Player(rules, bot, kind - EASY)
    alone.start(scene.state, (scene.saved.generator ^ 40503 * scene.plies) & 0x3FFFFFFF)
    while not alone.step(100):
        pass
    hand.until("look")
    assert scene._move == alone.best()
    assert scene._player.budget == levels.budget(bot, kind - EASY, 2)


class Slow(LastMove):
    """Needs `ms` of the device's clock for each of `many` iterations."""

    def __init__(self, rules, clock, many: int, ms: int) -> None:
        super().__init__(rules)
        self.many, self.done = many, 0
        self._clock, self._ms = clock, ms

    def start(self, state, seed):
        super().start(state, seed)
        self.done = 0

    def step(self, plies):
        assert plies == 1
        if self.done < self.many:
            self._clock.sleep(self._ms)
            self.done += 1
        return self.done >= self.many


def thinking(many: int, ms: int) -> tuple[Hand, Slow]:
    hand = Hand(seed=8)
    hand.start([PERSON, EXPERT])
    scene = hand.app.top()
    player = scene._player = Slow(goats, hand.device.clock, many, ms)
    hand.until("roll")
    hand.press("A")
    hand.until("choice")
    hand.press("A")
    hand.until("thinking")
    return hand, player


@pytest.mark.parametrize("ms", [1, 7, 15])
def test_a_turn_of_the_loop_thinks_for_20_ms(ms: int) -> None:
    hand, player = thinking(10**4, ms)
    clock = hand.device.clock
    marks = set()
    for _ in range(30):
        began, done, frames = clock.ms(), player.done, hand.frames
        hand.app.step()
        # Where it draws there is time for one iteration.
        drawn = hand.frames > frames
        assert (player.done - done == 1) == (drawn or ms > 17)
        assert clock.since(began) <= (0 if drawn else 18) + ms
        marks.add(bytes(hand.device.display.shown))
        clock.sleep(10)
    assert len(marks) == 3, "a mark moves meanwhile"


def test_b_makes_it_play_the_best_it_has_and_a_only_ends_the_wait() -> None:
    hand, player = thinking(500, 7)
    hand.press("A")
    assert hand.waits_for() == "thinking"
    hand.press("B")
    assert hand.app.where() == ["title", "game"], "no menu"
    assert hand.waits_for() == "look"
    assert 0 < player.done < 500
    hand, player = thinking(2, 7)
    hand.press("A.")
    assert (hand.waits_for(), player.done) == ("look", 2)


def test_a_thought_takes_its_chance_from_the_word_and_the_ply_alone() -> None:
    """The generator of the game stands where the moves alone bring it, and each ply has a seed of its own."""
    hand = Hand(seed=8)
    hand.start([PERSON, NORMAL, EASY], 0, "horses")
    scene = hand.app.top()
    seeds = []
    start = scene._player.start
    scene._player.start = lambda state, seed: (seeds.append((scene.plies, seed)), start(state, seed))
    play(hand, 40)
    assert len(seeds) > 6
    assert seeds == [(ply, (scene.saved.generator ^ 40503 * ply) & 0x3FFFFFFF) for ply, _ in seeds]
    assert len({seed for _, seed in seeds}) == len(seeds)
    alone = Course(catalogue.load("horses"), reading.read(scene.course.kept().pack()))
    alone.follow(scene.course.plies)
    assert alone.rng.state[0] == scene.course.rng.state[0]


# --- Secrets


def viewers(hand: Hand, plies: int) -> list[tuple[str, int, int]]:
    """(what is waited for, seat to move, whose secrets are seen) at each turn of the loop up to a ply."""
    seen = []
    scene = hand.app.top()
    while hand.scene() == "game" and scene.plies < plies:
        seen.append((hand.waits_for(), scene._rules.seat(scene.state), scene.view.viewer))
        hand.press("A") if hand.waits_for() in ("roll", "choice", "pass") else hand.wait(0)
    return seen


def test_between_two_persons_the_device_is_passed_on() -> None:
    hand = Hand(seed=3)
    hand.start([PERSON, EASY, PERSON], 0, "kings")
    seen = viewers(hand, 24)
    assert {viewer for where, _, viewer in seen if where == "pass"} == {-1}
    assert {viewer for where, seat, viewer in seen if seat == 1 and where in ("thinking", "look")} == {-1}
    last = -1
    for where, seat, viewer in seen:
        if where == "choice":
            assert viewer == seat
            assert last in (seat, "passed"), "nobody sees another's hand"
            last = seat
        if where == "pass":
            assert last != seat, "not between two moves of the same"
            last = "passed"
    assert sum(where == "pass" for where, _, _ in seen) >= 4


def test_a_pass_screen_waits_for_a_alone_and_b_is_the_menu() -> None:
    hand = Hand(seed=3)
    hand.start([PERSON, PERSON], 0, "kings")
    hand.until("pass")
    hand.press("UDLR..")
    assert hand.waits_for() == "pass"
    hand.press("B.")
    assert hand.scene() == "menu"
    assert "menu.hint" not in hand.app.top()._keys
    hand.press("B.A.")
    hand.until("choice")
    # After a resume nobody knows who holds it.
    hand.press("b.A.")
    assert hand.waits_for() == "pass"


@pytest.mark.parametrize(
    ("game", "kinds"), [("kings", [EASY, PERSON]), ("goats", [PERSON, PERSON]), ("kings", [EASY] * 2)]
)
def test_there_is_no_pass_screen_where_nothing_is_to_be_hidden(game: str, kinds: list[int]) -> None:
    hand = Hand(seed=3)
    hand.start(kinds, 0, game)
    seen = viewers(hand, 16)
    assert "pass" not in {where for where, _, _ in seen}
    if game == "kings":
        only = kinds.index(PERSON) if PERSON in kinds else -1
        assert {viewer for where, _, viewer in seen if where != "next"} == {only}


# --- Taking back


def decide(hand: Hand) -> tuple[bytes, int]:
    """Go on to the next choice, make it, and return the state and ply before it."""
    while hand.waits_for() != "choice":
        hand.press("A") if hand.waits_for() in ("roll", "pass") else hand.wait(0)
    scene = hand.app.top()
    before = bytes(scene.state), scene.plies
    plies = scene.plies
    while scene.plies == plies:
        hand.press("A")
    return before


def where(hand: Hand) -> tuple[bytes, int]:
    return bytes(hand.app.top().state), hand.app.top().plies


def test_goats_is_taken_back_before_the_next_roll_and_not_after() -> None:
    hand = Hand(seed=5)
    hand.start([PERSON, PERSON])
    before = decide(hand)
    hand.until("roll")
    hand.menu("menu.undo")
    assert where(hand) == before
    hand.until("choice")
    assert reading.read(hand.device.store.load(saves.NAME)).plies == before[1], "saved at once"
    assert not hand.app.top().saved.practice
    before = decide(hand)
    hand.until("roll")
    assert len(hand.app.top()._log) == 1, "what was taken back is not shown again"
    hand.press("A")
    hand.until("choice")
    after = where(hand)
    hand.menu("menu.undo")
    assert hand.scene() == "confirm"
    hand.press("B.")
    assert where(hand) == after
    assert not hand.app.top().saved.practice
    hand.menu("menu.undo")
    hand.press("A.")
    assert where(hand) == before
    assert hand.app.top().saved.practice
    hand.until("choice")
    hand.press("B.")
    assert "menu.undo" not in hand.app.top()._keys, "this was the first choice"
    hand.press("B.")
    # The same dice come again, and from now on it goes back without a question.
    decide(hand)
    hand.until("roll")
    hand.press("A")
    hand.until("choice")
    assert where(hand) == after
    hand.menu("menu.undo")
    assert where(hand) == before


def test_where_nothing_is_hidden_all_can_be_taken_back() -> None:
    hand = Hand(seed=5)
    hand.start([EASY, PERSON, EASY], 1, "goblins")
    made = [decide(hand) for _ in range(6)]
    for before in reversed(made):
        while hand.waits_for() == "thinking":
            hand.wait(0)
        hand.menu("menu.undo")
        assert where(hand) == before
        assert not hand.app.top().saved.practice


def test_what_a_card_told_cannot_be_taken_back() -> None:
    """Kings, by the rules alone: what the person sees after the move depends on cards that it had not seen, or not."""
    hand = Hand(seed=2)
    hand.start([PERSON, EASY], 0, "kings")
    asked = set()
    rng = random.Random(1)
    for _ in range(24):
        while hand.waits_for() != "choice":
            hand.wait(0)
        scene = hand.app.top()
        rules = scene._rules
        before = bytes(scene.state)
        n = rules.legal(scene.state, scene._legal)
        move = rng.choice(list(scene._legal[:n]))
        # A draw from the deck; a mine conquered, whose place is filled from it. No other move turns up a card.
        decks = before[20]
        scene._carry_out(move)
        drew = scene.state[20] != decks
        hand.menu("menu.undo")
        assert (hand.scene() == "confirm") == drew, move
        asked.add((hand.scene() == "confirm", move == rules.DECK))
        if hand.scene() == "confirm":
            hand.press("B.")
        else:
            assert bytes(scene.state) == before
            scene._go_on()
            scene._carry_out(move)
    assert asked >= {(True, True), (False, False)}


@pytest.mark.parametrize("at", ["pass", "choice"])
def test_what_is_taken_back_is_not_shown_to_who_took_it_back(at: str) -> None:
    """Kings, two persons: the device is in the hands of the second, or on the way there."""
    hand = Hand(seed=2)
    hand.start([PERSON, PERSON], 0, "kings")
    hand.until("pass")
    hand.press("A")
    while hand.app.top()._asked != 1:
        if hand.waits_for() == "choice":
            decide(hand)
        hand.wait(0)
    hand.until("pass")
    if at == "choice":
        hand.press("A")
        hand.until("choice")
    hand.menu("menu.undo")
    if hand.scene() == "confirm":
        hand.press("A.")
    scene = hand.app.top()
    hand.until("pass")
    assert (scene._asked, scene.view.viewer) == (0, -1)
    hand.press("A")
    hand.until("choice")
    assert scene.view.viewer == 0


@pytest.mark.parametrize("speed", range(4))
def test_what_the_computer_chose_stays_a_while_at_every_speed(speed: int) -> None:
    hand = Hand(seed=5)
    hand.app.settings.values[settings.SPEED] = speed
    hand.start([EASY, PERSON], 0, "goblins")
    hand.until("look")
    turns = 0
    while hand.waits_for() == "look":
        hand.wait(0)
        turns += 1
    assert turns * TICK_MS >= 270


def test_practice_does_not_count_and_is_told() -> None:
    for practice in (False, True):
        hand = Hand(seed=5)
        hand.start([PERSON, EASY])
        decide(hand)
        decide(hand)
        if practice:
            hand.until("look")
            hand.menu("menu.undo")
            hand.press("A.")
        play(hand)
        assert hand.scene() == "result"
        assert hand.app.statistics.games("goats", 0)[0] == (0 if practice else 1)
        kept = reading.read(records.load(hand.device.store)[0][0])
        assert kept.practice == practice
        # And a game that is resumed stays what it is.
        assert reading.read(kept.pack()).practice == practice


def test_practice_is_seen_as_long_as_it_lasts() -> None:
    """A line of dashes below the seats, in play, in replays, and where the game is chosen for one."""

    def dashed(hand: Hand, row: int) -> bool:
        frame = hand.device.display.shown
        return all(frame[row // 8 * 128 + x] >> row % 8 & 1 for x in range(128) if (x - 1) % 6 < 3)

    hand = Hand(seed=5)
    hand.start([PERSON, EASY])
    decide(hand)
    decide(hand)
    hand.until("look")
    assert not dashed(hand, 9)
    hand.menu("menu.undo")
    hand.press("A.")
    while hand.scene() == "game":
        assert dashed(hand, 9)
        hand.press("A" if hand.waits_for() in ("roll", "choice") else ".")
        hand.wait(200)
    hand.app.home("kept")
    hand.wait(300)
    assert dashed(hand, 52)
    hand.press("A.")
    hand.wait(3000)
    assert hand.scene() == "replay"
    assert dashed(hand, 9)


# --- Hints and last moves


def test_a_hint_changes_nothing_and_says_why() -> None:
    for game in modules.GAMES:
        hand = Hand(seed=6)
        hand.start([PERSON, EASY], 0, game)
        while hand.waits_for() != "choice":
            hand.press("A") if hand.waits_for() == "roll" else hand.wait(0)
        scene = hand.app.top()
        scene._player = LastMove(scene._rules)
        before = where(hand), scene.course.rng.state[0], bytes(hand.device.display.shown)
        hand.menu("menu.hint")
        hand.until("told")
        hand.wait(0)
        assert scene._bar
        hand.press("U.")
        assert hand.waits_for() == "choice"
        assert (where(hand), scene.course.rng.state[0], bytes(hand.device.display.shown)) == before
        # B ends the thinking, and there is a hint all the same.
        scene._player = Slow(scene._rules, hand.device.clock, 10**6, 5)
        hand.menu("menu.hint")
        assert hand.waits_for() == "advising"
        hand.press("B")
        assert hand.waits_for() == "told"


def test_the_last_moves_are_those_since_the_own_one() -> None:
    for kinds in ([PERSON, EASY], [PERSON, EASY, EASY, EASY], [EASY, PERSON, PERSON]):
        hand = Hand(seed=4)
        hand.start(kinds)
        for _ in range(3):
            decide(hand)
        hand.until("roll")
        scene = hand.app.top()
        shown = scene._log[scene._first_again() :]
        asked = scene._asked
        assert len(shown) == len(kinds) - 1
        assert asked not in [entry & 7 for entry in shown]
        looks = []
        hand.press("U")
        while hand.waits_for() != "roll":
            if hand.waits_for() == "look":
                looks.append(scene._again)
            hand.wait(0)
        assert sorted(set(looks)) == list(range(len(scene._log) - len(shown), len(scene._log)))
    # In a game that went on for long no more than these are remembered.
    play(hand, 100)
    assert len(scene._log) <= game_scene._LOG


# --- Kept games


def test_kept_games_are_bounded_and_the_newest_come_first() -> None:
    store = MemoryStore()
    all_of_them = []
    for seed in range(40):
        game = catalogue.ids()[seed % 4]
        saved, _ = played(game, [EASY] * (2 + seed % 3), seed=seed, word="W" + chr(65 + seed % 26) * 3)
        assert records.keep(store, saved)
        all_of_them.insert(0, saved.pack())
        kept, message = records.load(store)
        assert message is None
        assert kept == all_of_them[: len(kept)]
        assert len(kept) == min(len(all_of_them), len(kept)) <= records.MOST
        assert len(store.load(records.NAME)) <= records.BYTES
    assert len(kept) >= 10
    # The same once more is not another one.
    saved = reading.read(all_of_them[0])
    assert records.keep(store, saved)
    assert records.load(store)[0] == kept
    # Nor is one kept whose beginning is not known.
    assert records.keep(store, reading.read(based()))
    assert records.load(store)[0] == kept
    # Small ones: their number is the bound.
    for i in range(30):
        small = saves.Saved("goats", 0, b"\x02\x02", "ABC" + chr(65 + i % 26), 1 + i)
        assert records.keep(store, small)
    assert len(records.load(store)[0]) == records.MOST
    # Long ones: their bytes are.
    for i in range(9):
        long = saves.Saved("goats", 0, b"\x02\x02", "LONG", 1 + i)
        long.moves = bytearray(900)
        assert records.keep(store, long)
        assert len(store.load(records.NAME)) <= records.BYTES
    assert len(records.load(store)[0]) == 4


@pytest.mark.parametrize("data", [b"", b"\x02", b"\x01\x05", b"\x01\x05\x00abcd", b"\x01\x01\x00a\x01"])
def test_kept_games_that_cannot_be_read_are_put_aside(data: bytes) -> None:
    hand = Hand(store=stored(data, records.NAME))
    hand.app.open("kept")
    hand.press("..")
    assert hand.app.where() == ["title", "kept", "message"]
    assert hand.device.store.load(records.ASIDE) == data
    hand.press("A.A.")
    assert hand.app.where() == ["title"]


def test_a_kept_game_that_is_none_is_told() -> None:
    saved, _ = played("goats", [EASY, EASY])
    saved.check ^= 1
    store = MemoryStore()
    records.keep(store, saved)
    hand = Hand(store=store)
    hand.app.open("kept")
    hand.press("A..")
    assert hand.app.where() == ["title", "kept", "message"]
    assert records.load(store)[0]


def test_a_game_that_cannot_be_kept_is_told() -> None:
    hand = Hand(seed=4)
    keep = hand.device.store.save
    hand.device.store.save = lambda name, data: name != records.NAME and keep(name, data)
    hand.start([PERSON, EASY])
    play(hand)
    hand.press("..")
    assert hand.app.where() == ["title", "result", "message"]


@pytest.mark.parametrize("game", modules.GAMES)
def test_a_kept_game_is_gone_through_move_by_move(game: str) -> None:
    saved, end = played(game, [EASY] * 3)
    store = MemoryStore()
    records.keep(store, saved)
    hand = Hand(store=store)
    hand.app.open("kept")
    hand.press("A.")
    scene = hand.app.top()
    states = [bytes(scene._course.state)]
    for i in range(10**4):
        plies = scene._course.plies
        hand.press("R")
        while scene._phase:
            hand.press("R" if i % 2 else ".")
        if scene._course.plies == plies:
            break
        states.append(bytes(scene._course.state))
    assert states[-1] == end
    assert len(states) == len(scene._stops)
    for state in reversed(states[:-1]):
        hand.press("L.")
        assert bytes(scene._course.state) == state
        if len(states) > 60 and scene._at < len(states) - 40:
            break
    # By itself to the end, once around a stop and the sheet.
    scene._go(max(len(states) - 4, 0))
    hand.press("AA")
    hand.wait(5000)
    assert scene._phase == 0
    hand.press("D.")
    assert scene._phase == 3
    hand.press("A.A")
    hand.wait(20000)
    assert bytes(scene._course.state) == end
    assert scene._phase == 0
    hand.press("B.")
    assert hand.app.where() == ["title", "kept"]


def test_after_a_game() -> None:
    hand = Hand(seed=4)
    hand.start([PERSON, NORMAL], 1)
    hand.keep_to_last_moves()
    play(hand)
    # Keys that were meant for the game do not put its result away.
    hand.press(".AAAB.")
    assert hand.app.where() == ["title", "result"]
    hand.wait(600)
    hand.press("A.")
    assert hand.app.where() == ["title", "result", "after"]
    hand.press("DA.")
    assert hand.scene() == "replay"
    hand.press("B.DA.")
    assert hand.app.where() == ["title"]
    hand.start([PERSON, NORMAL], 1)
    hand.keep_to_last_moves()
    play(hand)
    first = hand.app.top()._saved
    hand.wait(600)
    hand.press("A.A.")
    again = hand.app.top().saved
    assert (again.game, again.options, list(again.kinds)) == ("goats", 1, [PERSON, NORMAL])
    assert again.word != first.word


@pytest.mark.parametrize("letter", "UDLRAB")
def test_any_key_puts_the_score_sheet_of_a_replay_away(letter: str) -> None:
    saved, _ = played("goats", [EASY, EASY])
    hand = Hand(seed=4)
    hand.app.home("kept")
    hand.app.open("replay", saved)
    hand.press("RR" + "." * 60)
    hand.wait(3000)
    scene = hand.app.top()
    at = scene._at
    assert at > 0
    hand.press("D.")
    assert scene._phase == replay_scene._SHEET
    hand.press(letter + ".")
    assert (hand.scene(), scene._phase, scene._at) == ("replay", replay_scene._WAIT, at)


def test_every_deal_has_a_word() -> None:
    hand = Hand(seed=9)
    words = set()
    for _ in range(20):
        hand.start([PERSON, EASY])
        words.add(hand.app.top().saved.word)
    assert len(words) == 20
    for word in words:
        assert len(word) == 4
        assert word.isupper()
    buffer = array("H", [0] * goats.MAX_LEGAL)
    assert hand.app.top().course._rules.legal(hand.app.top().state, buffer) == 0, "the dice are not rolled yet"
