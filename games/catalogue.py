"""The games: their ids, seats and options, and the loading of one at a time."""

import sys

# Id, fewest seats, most seats, options, most seats with the options (None: no difference). No dictionary, as
# MicroPython's keep no order.
_GAMES = (
    ("goats", 2, 4, ("big",), (5,)),
    ("goblins", 2, 4, ("actions", "contested"), (None, None)),
    ("kings", 2, 4, (), ()),
    ("horses", 2, 4, (), ()),
)
_PARTS = ("rules", "notation", "bot", "weights", "tables")


def ids():
    """The ids of all games, in the order of the menu."""
    return tuple([entry[0] for entry in _GAMES])


def _entry(game):
    for entry in _GAMES:
        if entry[0] == game:
            return entry
    raise KeyError(game)


def options(game):
    """The names of a game's options; bit i of an option mask stands for the i-th. KeyError for an unknown game."""
    return _entry(game)[3]


def seats(game, mask):
    """(fewest, most) seats of a game with the options in `mask`. KeyError for an unknown game."""
    _, fewest, most, names, more = _entry(game)
    for i in range(len(names)):
        if mask >> i & 1 and more[i] is not None:
            most = more[i]
    return fewest, most


def load(game, part="rules"):
    """The module games.GAME.PART, imported if need be. KeyError for an unknown game."""
    name = "games." + _entry(game)[0] + "." + part
    __import__(name)
    module = sys.modules[name]
    if part == "rules":
        # Rules that keep their table in a buffer of their own need the made one no longer: goats 4.7 KB.
        _forget(game, ("tables",))
    return module


def unload(game):
    """Forget the modules of a game, so that their memory can be collected."""
    _forget(game, _PARTS)


def _forget(game, parts):
    """Take modules of a game out of `sys.modules` and, as both Pythons keep them there too, out of its package."""
    package = sys.modules.get("games." + game)
    for part in parts:
        sys.modules.pop("games." + game + "." + part, None)
        if hasattr(package, part):
            delattr(package, part)
