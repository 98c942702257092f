"""Text of goblins' moves, as in game records (rules page of goblins, Notation)."""

from games.goblins import rules

# There are no chance events.
CHANCE_BEFORE = False


def _card(kind):
    """A card's text: its value, with `*` if it is starred."""
    return str(kind & 7) + ("*" if kind & 8 else "")


def move_text(s, move):
    """The text of a move: `play 2 3*`, `no`, `done`, `trip 1`, `switch 4 2`, `rescue 5`, `buy 6`."""
    if move < rules.NO:
        return "play " + str((move >> 4) + 1) + " " + _card(move & 15)
    if move == rules.NO:
        return "no"
    if move == rules.DONE:
        return "done"
    if move < rules.SWITCH:
        return "trip " + str(move - rules.TRIP + 1)
    if move < rules.RESCUE:
        return "switch " + str(move & 7) + " " + str((move - rules.SWITCH >> 3) + 1)
    if move < rules.BUY:
        return "rescue " + _card(move - rules.RESCUE)
    return "buy " + _card(move - rules.BUY)


def move_code(s, text):
    """The move of a text. ValueError if it is not one."""
    code = _TEXTS.get(text)
    if code is None:
        raise ValueError("no such move: " + text)
    return code


def header(s):
    """The chance of the set-up: goblins has none."""
    return {}


def set_up(s, seats, options, chance):
    """The state that `rules.new` makes."""
    rules.new(s, seats, options, None)


def put_event(chance, s, event):
    """There are no chance events: ValueError."""
    raise ValueError("goblins has no chance events")


def take_event(chance, s):
    """There are no chance events: ValueError."""
    raise ValueError("goblins has no chance events")


def _texts():
    """Text to move of all moves."""
    codes = [rules.NO, rules.DONE]
    for kind in (0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12):
        codes += [rules.RESCUE + kind, rules.BUY + kind] + [16 * lane + kind for lane in range(5)]
    for lane in range(5):
        codes += [rules.TRIP + lane] + [rules.SWITCH + 8 * lane + value for value in range(7)]
    texts = {}
    for code in codes:
        texts[move_text(None, code)] = code
    return texts


_TEXTS = _texts()
