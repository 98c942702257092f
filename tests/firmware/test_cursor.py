"""A move of the cursor is a few bytes for the panel, in every scene that has one; a page of a list turned over is more."""

import pytest

from firmware import modules, texts
from games import catalogue
from tests.firmware.hand import Hand

BYTES = 100
# A page that is turned over: less than the heading leaves of the panel.
PAGE_BYTES = 700
PERSON, EASY = 1, 2
KEYS = "DDDDDDDDDDUUUUUUUUUURRRRRRRRRRRRLLLLLLLLLLLL"


def opened(name, *given):
    return lambda hand: hand.app.home(name, *given)


def pause(hand):
    hand.start([PERSON, EASY])
    hand.until("roll")
    hand.press("A")
    hand.until("choice")
    hand.press("B")


def after(hand):
    hand.start([PERSON, EASY])
    hand.until("roll")
    hand.app.open("after", hand.app.top().saved)


def sure(hand):
    hand.app.home("statistics")
    hand.press("LA")


def word(hand):
    hand.app.home("setup", "goats")
    hand.app.open("word", hand.app.top())


SCENES = {
    "title": lambda hand: None,
    "games": opened("games"),
    "settings": opened("settings"),
    "help": opened("help"),
    "language": opened("language"),
    "pause": pause,
    "after": after,
    "statistics": sure,
    "word": word,
    **{"setup-" + game: opened("setup", game) for game in modules.GAMES},
}


def top(scene):
    """The first line that is seen of the list of a scene, None where it has no list."""
    if hasattr(scene, "_top"):
        return scene._top
    return getattr(getattr(scene, "_ask", None) or getattr(scene, "_list", None), "top", None)


@pytest.mark.parametrize("language", texts.there())
@pytest.mark.parametrize("name", SCENES)
def test_the_cursor_of_a_scene(name, language):
    hand = Hand(seed=11, language=language)
    SCENES[name](hand)
    scene = hand.app.top()
    alone = 0
    for key in KEYS:
        hand.wait(300)
        before = top(scene)
        hand.press(key)
        if top(scene) == before:
            assert 0 < hand.sent < BYTES, key
            alone += 1
        else:
            assert hand.sent < PAGE_BYTES, key
    assert hand.app.top() == scene
    assert alone > len(KEYS) // 3


TABLES = [
    (game, mask, seats)
    for game in modules.GAMES
    for mask in range(1 << len(catalogue.options(game)))
    for seats in range(catalogue.seats(game, mask)[0], catalogue.seats(game, mask)[1] + 1)
]


@pytest.mark.parametrize(("game", "options", "seats"), TABLES)
def test_the_cursor_of_a_game(game, options, seats):
    hand = Hand(seed=11)
    hand.start([PERSON] + [EASY] * (seats - 1), options, game)
    moves = 0
    for _ in range(4):
        while hand.waits_for() != "choice":
            hand.press("A")
            hand.wait(100)
        for key in "RRRRRRRRLLLLLLLL":
            hand.wait(300)
            hand.press(key)
            assert hand.sent < BYTES
            moves += hand.sent > 0
        hand.press("A")
    assert moves > 16
