"""What a seat may see of a game: the lines of its record without what is hidden, and the table as JSON.

The offsets are those of the games' rules files, read from there.
"""

from __future__ import annotations

from typing import Any

from tools.games import Game

# Keys of `chance` that nobody or not everybody saw: in the header, and in the line of a move.
SECRET_SET_UP = {"kings": ("deck",), "horses": ("tokens",)}
SECRET_EVENTS = {("horses", "trot"): ("tokens",)}

RACES = "ODGI"


def seen(game: Game, values: dict, seat: int) -> dict:
    """A line of a record as this seat may see it."""
    if "record" in values:
        secret = SECRET_SET_UP.get(game.name, ())
    elif "move" in values:
        secret = SECRET_EVENTS.get((game.name, values["move"]), ())
        if values["seat"] != seat:
            values = {key: value for key, value in values.items() if key != "legal"}
    else:
        return values
    return {**values, "chance": {key: value for key, value in values["chance"].items() if key not in secret}}


def table(game: Game, s: bytearray, seat: int) -> dict[str, Any]:
    """What this seat sees of the table, as docs/players.md says."""
    return TABLES[game.name](game, s, seat)


def _goats(game: Game, s: bytearray, _seat: int) -> dict[str, Any]:
    rules = game.rules
    chance: dict[str, Any] = {}
    game.notation.put_event(chance, s, s[rules._ROLL])
    scores = game.scores(s)
    seats = []
    for k in range(game.seats):
        p = rules._SEAT + 16 * k
        bonuses = s[p + rules._BONUSES]
        seats.append(
            {
                "score": scores[k],
                "steps": {str(m + 5): rules.TABLE[m] - s[p + m] for m in range(6)},
                "tokens": {str(m + 5): s[p + rules._TAKEN + m] for m in range(6)},
                "bonus": [3 * bit + 6 for bit in range(4) if bonuses >> bit & 1],
            }
        )
    found = {
        "dice": chance["dice"],
        "round": s[rules._ROUND] + 1,
        "tokens": {str(m + 5): s[rules._LEFT + m] for m in range(6)},
        "bonus": [3 * bit + 6 for bit in range(s[rules._BONUS])],
        "seats": seats,
    }
    if s[rules._OPTIONS]:
        owners = {step: s[rules._BIG + step] for step in range(11, 25)}
        found["big"] = {str(step): (p - rules._SEAT) // 16 for step, p in owners.items() if p}
        for k in range(game.seats):
            seats[k]["pool"] = s[rules._SEAT + 16 * k + rules._POOL]
    return found


def _goblins(game: Game, s: bytearray, _seat: int) -> dict[str, Any]:
    rules = game.rules

    def text(kind: int) -> str:
        return str(kind & 7) + ("*" if kind & 8 else "")

    def cards(first: int, count: int) -> list[dict]:
        return [{"seat": (card >> 4) - 1, "card": text(card & 15)} for card in s[first : first + count]]

    lanes = []
    for lane in range(game.seats + 1):
        p = rules._LANE + 11 * lane
        track = cards(p + rules._TRACK + 1, s[p + rules._TRACK])
        lanes.append({"track": track, "penalty": cards(p + rules._ZONE + 1, s[p + rules._ZONE])})
    seats = []
    for k in range(game.seats):
        p = rules._SEAT + 11 * k
        kinds = [value for mask in (0, 1) for value in range(7) if s[p + mask] >> value & 1]
        kinds += [value + 8 for value in range(7) if s[p + rules._STAR] >> value & 1]
        hand = sorted(text(kind) for kind in kinds)
        seats.append({"ducats": s[p + rules._DUCATS], "mc": s[p + rules._MC], "hand": hand})
    return {"race": s[rules._RACE] + 1, "lanes": lanes, "seats": seats}


def _horses(game: Game, s: bytearray, seat: int) -> dict[str, Any]:
    # All of it stands in the view, which is a list of numbers for any seat (games/horses/rules.py: view).
    out = bytearray(game.rules.VIEW_BYTES)
    seen = out[: game.rules.view(s, seat, out)]
    first = 12 + 2 * game.seats
    unseen = []
    for p in range(first, len(seen), 2 + game.seats):
        held = list(seen[p + 2 : p + 2 + game.seats])
        unseen.append({"galloping": seen[p], "sleeping": seen[p + 1], "held": held})
    return {
        "round": seen[5] + 1,
        "aim": seen[7],
        "stock": seen[11],
        "discard": {"galloping": seen[9], "sleeping": seen[10]},
        "seats": [{"space": seen[12 + 2 * k], "tokens": seen[13 + 2 * k]} for k in range(game.seats)],
        "unseen": unseen,
    }


def _kings(game: Game, s: bytearray, seat: int) -> dict[str, Any]:
    rules, name = game.rules, game.notation.card_text
    gone = set(range(1, 81))

    def stack(card: int) -> list[str]:
        found = []
        while card:
            found.insert(0, name(card - 1))
            gone.discard(card)
            card = s[rules._LINK + card]
        return found

    def mine(card: int) -> dict[str, Any]:
        gone.discard(card)
        profile = rules.TABLE[rules._PROFILE + card] & 31
        worth = rules.TABLE[rules._WORTH + profile]
        return {
            "defence": rules.TABLE[rules._DEFENCE + profile],
            "capacity": rules.TABLE[rules._NEED + profile] - (worth >> 4),
            "worth": worth & 15,
            "foreman": worth >> 4,
            "cards": stack(s[rules._LINK + card]),
        }

    hands = [[card for card in s[p : p + 6] if card] for p in (rules._HAND + 7 * k for k in range(game.seats))]
    areas = []
    for k in range(game.seats):
        # An area has room for each card that was dealt into the deck.
        p = rules._AREA + (72 - 6 * game.seats) * k
        areas.append([mine(card) for card in s[p : p + s[rules._MINES + k]]])
    exploited = []
    for k in range(game.seats):
        worths = []
        card = s[rules._UNDER + k]
        while card:
            gone.discard(card)
            worths.insert(0, rules.TABLE[rules._WORTH + (rules.TABLE[rules._PROFILE + card] & 31)] & 15)
            card = s[rules._LINK + card]
        exploited.append(worths)
    market = {race: stack(s[rules._PILE + i]) for i, race in enumerate(RACES)}
    centre = [mine(card) if card else None for card in s[rules._CENTRE : rules._CENTRE + 4]]
    for held in (*hands, s[rules._DECK : rules._DECK + s[rules._IN_DECK]]):
        gone.difference_update(held)
    known = [[name(card - 1) for card in hand if rules.known(s, card)] for hand in hands]
    return {
        "hand": [name(card - 1) for card in hands[seat]],
        "known": known,
        "kings": [RACES[s[rules._KINGS + k]] for k in range(game.seats)],
        "market": market,
        "centre": centre,
        "areas": areas,
        "exploited": exploited,
        "scores": game.scores(s),
        "deck": s[rules._IN_DECK],
        "gone": [name(card - 1) for card in sorted(gone)],
    }


TABLES = {"goats": _goats, "goblins": _goblins, "horses": _horses, "kings": _kings}
