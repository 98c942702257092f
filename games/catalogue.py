"""The games: their ids, seats and options, and the loading of one at a time."""

import sys

# id: fewest seats, most seats, options, most seats with the options (None: no difference).
_GAMES = {
    "goats": (2, 4, ("big",), (5,)),
    "goblins": (2, 4, ("actions", "contested"), (None, None)),
    "kings": (2, 4, (), ()),
    "horses": (2, 4, (), ()),
}
_PARTS = ("rules", "notation", "bot", "weights", "tables")


def ids():
    """The ids of all games, in the order of the menu."""
    return tuple(_GAMES)


def options(game):
    """The names of a game's options; bit i of an option mask stands for the i-th. KeyError for an unknown game."""
    return _GAMES[game][2]


def seats(game, mask):
    """(fewest, most) seats of a game with the options in `mask`. KeyError for an unknown game."""
    fewest, most, names, more = _GAMES[game]
    for i in range(len(names)):
        if mask >> i & 1 and more[i] is not None:
            most = more[i]
    return fewest, most


def load(game, part="rules"):
    """The module games.GAME.PART, imported if need be. KeyError for an unknown game."""
    if game not in _GAMES:
        raise KeyError(game)
    name = "games." + game + "." + part
    __import__(name)
    return sys.modules[name]


def unload(game):
    """Forget the modules of a game, so that their memory can be collected."""
    for part in _PARTS:
        sys.modules.pop("games." + game + "." + part, None)
    package = sys.modules.get("games." + game)
    for part in _PARTS:
        # CPython and MicroPython both keep a submodule as an attribute of its package too.
        if hasattr(package, part):
            delattr(package, part)
