"""Modules that come and go: a Pico holds the code of one game and of the scenes on the stack, no more.

What is imported here by a name made at run time is what tools/image/contents.py knows to pack.
"""

import sys

# The games that have a view, in the order of the menu.
GAMES = ("goats", "goblins", "kings", "horses")


def scene(name):
    """The module of a scene, imported if need be."""
    scene = "firmware.scenes." + name
    __import__(scene)
    return sys.modules[scene]


def forget_scene(name):
    _forget("firmware.scenes", name)


def view(game):
    """The module that draws a game."""
    view = "firmware.views." + game
    __import__(view)
    return sys.modules[view]


def forget_view(game):
    """Drop what draws a game, with its pictures."""
    _forget("firmware.views", game)
    forget_art(game)


def art(name):
    """The module with the pictures of a game; whoever keeps it in memory keeps its memory."""
    art = "firmware.art." + name
    __import__(art)
    return sys.modules[art]


def forget_art(name):
    _forget("firmware.art", name)


def forget_undo():
    _forget("firmware", "undo")


def forget_reading():
    _forget("firmware", "reading")


def levels():
    """The levels of the computer players, with the search."""
    from games import levels

    return levels


def forget_levels():
    _forget("games", "levels")
    _forget("games", "search")


def texts(language):
    """The texts of a language by their keys; their module is not kept."""
    text = "firmware.text." + language
    __import__(text)
    found = sys.modules[text].TEXTS
    _forget("firmware.text", language)
    return found


def _forget(package, leaf):
    """Drop a module, so that its memory can be collected once nothing refers to it."""
    sys.modules.pop(package + "." + leaf, None)
    package = sys.modules.get(package)
    # A package keeps its submodules as attributes too.
    if hasattr(package, leaf):
        delattr(package, leaf)
