"""Text of the moves and of the dealt cards of kings, as in game records (rules page of kings, Notation)."""

from micropython import const

from games.kings import rules

# There is no chance after the set-up.
CHANCE_BEFORE = False

_RACES = "ODGI"
# Offsets of games/kings/rules.py; a test holds them equal.
_SEATS = const(0)
_KINGS = const(4)
_PILE = const(16)
_IN_DECK = const(20)
_CENTRE = const(21)
_HAND = const(30)
_LINK = const(56)
_DECK = const(297)


def card_text(card):
    """Race, strength and copy of the card 0..79: `O7a`."""
    return _RACES[card // 20] + str(card % 20 // 2) + "ab"[card % 2]


def card_code(text):
    """The card 0..79 of a text. ValueError if it is not one."""
    if isinstance(text, str) and len(text) == 3:
        race = _RACES.find(text[0])
        strength = "0123456789".find(text[1])
        copy = "ab".find(text[2])
        if race >= 0 and strength >= 0 and copy >= 0:
            return 20 * race + 2 * strength + copy
    raise ValueError("no such card: " + str(text))


def move_text(s, move):
    """`attack O7a 2`, `work G3b 1`, `drop O7a`, `take G` or `deck`."""
    if move == rules.DECK:
        return "deck"
    if move >= rules.TAKE:
        return "take " + _RACES[move - rules.TAKE]
    if move >= rules.DROP:
        return "drop " + card_text(move - rules.DROP)
    place = move & 63
    if place < 4:
        return "attack " + card_text(move >> 6) + " " + str(place + 1)
    return "work " + card_text(move >> 6) + " " + str(place - 3)


def move_code(s, text):
    """The move of a text. ValueError if it is not one."""
    words = text.split(" ")
    if text == "deck":
        return rules.DECK
    if len(words) == 2 and words[0] == "take" and len(words[1]) == 1 and words[1] in _RACES:
        return rules.TAKE + _RACES.find(words[1])
    if len(words) == 2 and words[0] == "drop":
        return rules.DROP + card_code(words[1])
    if len(words) == 3 and words[0] in ("attack", "work"):
        for place in range(4) if words[0] == "attack" else range(4, 64):
            if words[2] == str(place + 1 if place < 4 else place - 3):
                return card_code(words[1]) * 64 + place
    raise ValueError("no such move: " + text)


def header(s):
    """The chance of the set-up, from the state right after it: {"deck": 80 names in an order that deals this state,
    "kings": races by seat}. Within a hand, and between the piles of the market, the order of dealing leaves no trace;
    here it is ascending."""
    seats = s[_SEATS]
    cards = []
    for k in range(seats):
        cards += list(s[_HAND + 7 * k : _HAND + 7 * k + 6])
    cards += list(s[_CENTRE : _CENTRE + 4])
    for race in range(4):
        pile = []
        card = s[_PILE + race]
        while card:
            pile.insert(0, card)
            card = s[_LINK + card]
        cards += pile
    deck = s[_IN_DECK]
    cards += [s[_DECK + i] for i in range(deck - 1, -1, -1)]
    kings = [_RACES[s[_KINGS + k]] for k in range(seats)]
    return {"deck": [card_text(card - 1) for card in cards], "kings": kings}


def set_up(s, seats, options, chance):
    """The state that `rules.new` makes, from the recorded chance (which is emptied as it is used). ValueError if it is
    missing or wrong."""
    deck = chance.pop("deck", None)
    kings = chance.pop("kings", None)
    if not isinstance(deck, list) or len(deck) != 80:
        raise ValueError("deck must be the names of the 80 cards")
    cards = bytes([card_code(text) + 1 for text in deck])
    if len(set(cards)) != 80:
        raise ValueError("deck has a card twice")
    if not isinstance(kings, list) or len(kings) != seats:
        raise ValueError("kings must be one race for each seat")
    for race in kings:
        if not isinstance(race, str) or len(race) != 1 or race not in _RACES:
            raise ValueError("no such race: " + str(race))
    if len(set(kings)) != seats:
        raise ValueError("two equal kings")
    rules.deal(s, seats, cards, bytes([_RACES.find(race) for race in kings]))


def put_event(chance, s, event):
    """Never asked for: there are no events of chance after the set-up."""
    raise ValueError("kings has no events of chance")


def take_event(chance, s):
    """Never asked for: there are no events of chance after the set-up."""
    raise ValueError("kings has no events of chance")
