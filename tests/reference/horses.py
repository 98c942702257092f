"""The carrot race a second time, slow and plain, written from the rules page alone; the product never imports it.

A race is played in whole moves: `Race.play(move, luck)` asks `luck` for dice and tokens whenever the rules need some.
"""

from __future__ import annotations

import random

SPACES = "BMHBHM~MBHHMB~HMBMHB~BHMMBH~MHBHMB~HBMBHM~MHBBHM"
FINISH = 49
ROUNDS = 60
SYMBOLS = ["B", "B", "M", "M", "H", "H"]
EFFECTS = {
    "trot": ["1", "1", "2", "2", "2", "3"],
    "gallop": ["pay1", "pay1", "pay2", "jump", "jump", "free"],
}


class RandomLuck:
    """True dice and a true bag."""

    def __init__(self, source: random.Random) -> None:
        self.source = source

    def roll(self, gait: str) -> tuple[str, str]:
        return self.source.choice(SYMBOLS), self.source.choice(EFFECTS[gait])

    def token(self, faces: list[str]) -> str:
        return self.source.choice(faces)


class GivenLuck:
    """What a record says: {"move": "B", "effect": "2", "tokens": "gs"}."""

    def __init__(self, chance: dict[str, str]) -> None:
        self.chance = chance
        self.used: dict[str, str] = {}

    def roll(self, gait: str) -> tuple[str, str]:
        self.used["move"] = self.chance["move"]
        self.used["effect"] = self.chance["effect"]
        if self.used["move"] not in SYMBOLS or self.used["effect"] not in EFFECTS[gait]:
            raise ValueError("no such dice")
        return self.used["move"], self.used["effect"]

    def token(self, faces: list[str]) -> str:
        used = self.used.get("tokens", "")
        face = self.chance["tokens"][len(used)]
        if face not in faces:
            raise ValueError("no such token")
        self.used["tokens"] = used + face
        return face

    def spent(self) -> bool:
        """Whether all that was given was needed."""
        return self.used == self.chance


class Token:
    def __init__(self, face: str, generation: int) -> None:
        self.face = face
        self.generation = generation


class Race:
    def __init__(self, seats: int, luck) -> None:
        self.spaces = [0] * seats
        self.hands: list[list[Token]] = [[] for _ in range(seats)]
        self.stock = [Token(face, 0) for face in "g" * 18 + "s" * 12]
        self.discard: list[str] = []
        self.generation = 0
        self.seat = 0
        self.rounds = 0
        self.over = False
        self.aim: int | None = None  # where a horse wants to jump while its seat thinks about the stake
        for seat in range(seats):
            self.take(seat, luck)
            self.take(seat, luck)

    def legal(self) -> list[str]:
        """All legal moves of the seat to move."""
        if self.over:
            return []
        if self.aim is not None:
            return [f"stake {k}" for k in range(1, len(self.hands[self.seat]) + 1)]
        return ["trot", "gallop"]

    def play(self, move: str, luck) -> None:
        if move not in self.legal():
            raise ValueError("illegal move")
        if move == "trot":
            self.trot(luck)
        elif move == "gallop":
            self.gallop(luck)
        else:
            self.jump(int(move.split()[1]), luck)

    def trot(self, luck) -> None:
        symbol, effect = luck.roll("trot")
        self.spaces[self.seat] = self.ahead(symbol, 1)
        for _ in range(int(effect)):
            self.take(self.seat, luck)
        self.end_turn()

    def gallop(self, luck) -> None:
        symbol, effect = luck.roll("gallop")
        hand = self.hands[self.seat]
        aim = self.ahead(symbol, 2)
        if effect == "jump" and hand:
            self.aim = aim
            return
        if effect == "free":
            self.spaces[self.seat] = aim
        if effect in ("pay1", "pay2"):
            price = int(effect[3])
            if len(hand) >= price:
                for _ in range(price):
                    self.lay_down(luck)
                self.spaces[self.seat] = aim
        self.end_turn()

    def jump(self, stake: int, luck) -> None:
        assert self.aim is not None
        faces = [self.lay_down(luck) for _ in range(stake)]
        if "g" in faces:
            self.spaces[self.seat] = self.aim
        else:
            ditches = [space for space in range(1, self.aim) if SPACES[space - 1] == "~"]
            self.spaces[self.seat] = max(ditches, default=0)
        self.aim = None
        self.end_turn()

    def ahead(self, symbol: str, which: int) -> int:
        """The first (1) or second (2) space ahead of the horse that shows the symbol, else the finish."""
        found = [n for n in range(self.spaces[self.seat] + 1, FINISH) if SPACES[n - 1] == symbol]
        return found[which - 1] if len(found) >= which else FINISH

    def take(self, seat: int, luck) -> None:
        """A token from the stock; if it is empty, from the shuffled discard; if there is none, nothing."""
        if not self.stock:
            if not self.discard:
                return
            self.generation += 1
            self.stock = [Token(face, self.generation) for face in self.discard]
            self.discard = []
        face = luck.token([token.face for token in self.stock])
        self.hands[seat].append(self.remove(self.stock, face))

    def lay_down(self, luck) -> str:
        """Discard a token of the seat's oldest generation."""
        hand = self.hands[self.seat]
        oldest = min(token.generation for token in hand)
        choice = [token for token in hand if token.generation == oldest]
        face = luck.token([token.face for token in choice])
        hand.remove(self.remove(choice, face))
        self.discard.append(face)
        return face

    @staticmethod
    def remove(tokens: list[Token], face: str) -> Token:
        """Remove one token of that face from the list."""
        for token in tokens:
            if token.face == face:
                tokens.remove(token)
                return token
        raise ValueError("no such token")

    def end_turn(self) -> None:
        self.seat += 1
        if self.seat == len(self.spaces):
            self.seat = 0
            self.rounds += 1
            self.over = FINISH in self.spaces or self.rounds == ROUNDS

    def winners(self) -> list[int]:
        """Furthest, then most tokens, then shared."""
        seats = range(len(self.spaces))
        results = [(self.spaces[seat], len(self.hands[seat])) for seat in seats]
        return [seat for seat in seats if results[seat] == max(results)]

    def generations(self) -> list[int]:
        """The generations of which a token is still unseen, oldest first."""
        unseen = self.stock + [token for hand in self.hands for token in hand]
        return sorted({token.generation for token in unseen})


def play_at_random(seats: int, source: random.Random) -> Race:
    """A whole race, every legal move equally likely."""
    luck = RandomLuck(source)
    race = Race(seats, luck)
    while not race.over:
        race.play(source.choice(race.legal()), luck)
    return race


def random_game(seats: int, options: dict[str, int], chance: random.Random) -> tuple[list[int], list[int]]:
    """A whole race at random; its scores, the final spaces, and winners. There are no options."""
    race = play_at_random(seats, chance)
    return list(race.spaces), race.winners()
