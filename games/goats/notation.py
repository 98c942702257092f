"""Text of goats' moves and dice, as in game records (rules page of goats, Notation)."""

from games.goats import rules

# Where TABLE has the classes of ordered rolls.
_CLASS = 70
# The dice of a line were rolled before its decision.
CHANCE_BEFORE = True

_four = bytearray(4)


def move_text(s, move):
    """The sums used, ascending, joined by `+`, or `-` for none: `5+7`."""
    n = rules.sums(move, _four)
    return "+".join([str(v) for v in _four[:n]]) or "-"


def move_code(s, text):
    """The move of a text. ValueError if it is not one."""
    code = _TEXTS.get(text)
    if code is None:
        raise ValueError("no such move: " + text)
    return code


def header(s):
    """The chance of the set-up: goats has none."""
    return {}


def set_up(s, seats, options, chance):
    """The state that `rules.new` makes, from the recorded chance (which is emptied as it is used)."""
    rules.new(s, seats, options, None)


def put_event(chance, s, event):
    """Add the text of a chance event, `"dice": [a, b, c, d]` ascending, to `chance`."""
    rules.dice(event, _four)
    chance["dice"] = list(_four)


def take_event(chance, s):
    """The next chance event of the dictionary, whose text is removed. ValueError if it is missing or wrong."""
    dice = chance.pop("dice", None)
    if dice is None:
        raise ValueError("dice are missing")
    if not isinstance(dice, list) or len(dice) != 4:
        raise ValueError("dice must be four numbers 1 to 6, ascending")
    for i in range(4):
        if type(dice[i]) is not int or not 1 <= dice[i] <= 6 or (i and dice[i] < dice[i - 1]):
            raise ValueError("dice must be four numbers 1 to 6, ascending")
    return rules.TABLE[_CLASS + (dice[0] - 1) * 216 + (dice[1] - 1) * 36 + (dice[2] - 1) * 6 + dice[3] - 1]


def _texts():
    """Text to move of all moves."""
    texts = {}
    for code in range(rules.MOVES):
        texts[move_text(None, code)] = code
    return texts


_TEXTS = _texts()
