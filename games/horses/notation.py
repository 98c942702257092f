"""Text of the carrot race's moves, dice and tokens, as in game records (rules page of horses, Notation)."""

from games.horses import rules
from games.rng import Rng

# The dice and tokens of a line come after its decision.
CHANCE_BEFORE = False

_SYMBOLS = "BMH"
_FACES = "gs"
# By the low three bits of an event.
_EFFECTS = ("free", "pay1", "pay2", "jump", None, "1", "2", "3")


def move_text(s, move):
    """`trot`, `gallop` or `stake K`."""
    if move > 1:
        return "stake " + str(move - 1)
    return "gallop" if move else "trot"


def move_code(s, text):
    """The move of a text. ValueError if it is not one."""
    if text == "trot":
        return 0
    if text == "gallop":
        return 1
    for move in range(2, rules.MAX_LEGAL + 2):
        if text == move_text(s, move):
            return move
    raise ValueError("no such move: " + str(text))


def header(s):
    """The chance of the set-up, from the state that `rules.new` made: `"tokens"` of seat 0, seat 1, ... In which
    order a seat drew its two makes no difference; a galloping one comes first."""
    tokens = ""
    for k in range(s[0]):
        galloping, sleeping = rules.held(s, k)
        tokens += "g" * galloping + "s" * sleeping
    return {"tokens": tokens}


def set_up(s, seats, options, chance):
    """Make in `s` the state that `rules.new` makes, from the recorded chance (which is emptied as it is used).
    ValueError if that is missing or wrong."""
    tokens = _text(chance, "tokens")
    if len(tokens) != 2 * seats or tokens.strip(_FACES):
        raise ValueError("tokens must be " + str(2 * seats) + " letters g or s, two for each seat")
    rules.new(s, seats, options, Rng(1))
    rules.deal(s, bytes([_FACES.find(face) for face in tokens]))


def put_event(chance, s, event):
    """Add the text of a chance event to `chance`; s is the state before it."""
    if rules.coming(s) <= rules.RED:
        chance["move"] = _SYMBOLS[event >> 3]
        chance["effect"] = _EFFECTS[event & 7]
    else:
        chance["tokens"] = chance.get("tokens", "") + _FACES[event]


def take_event(chance, s):
    """The next chance event of the dictionary, whose text is removed. ValueError if it is missing or wrong."""
    kind = rules.coming(s)
    if kind <= rules.RED:
        move = _text(chance, "move")
        effect = _text(chance, "effect")
        codes = (5, 6, 7) if kind == rules.BLUE else (0, 1, 2, 3)
        for code in codes:
            if _EFFECTS[code] == effect and len(move) == 1 and move in _SYMBOLS:
                return 8 * _SYMBOLS.find(move) + code
        raise ValueError("dice cannot show move " + move + " with effect " + effect)
    tokens = _text(chance, "tokens")
    if len(tokens) > 1:
        chance["tokens"] = tokens[1:]
    event = _FACES.find(tokens[:1])
    if not tokens or event < 0:
        raise ValueError("tokens must be letters g or s")
    if not rules.bag(s)[event]:
        raise ValueError("there is no such token: " + tokens[:1])
    return event


def _text(chance, key):
    """Remove and return a text of the dictionary."""
    text = chance.pop(key, None)
    if not isinstance(text, str):
        raise ValueError(key + (" is missing" if text is None else " must be a text"))
    return text
