"""Kings under Mountains in ordinary Python, written from the rules page alone; slow, and independent of games/kings."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

RACES = "ODGI"

# defence, capacity, worth, foreman
PROFILES = [
    (2, 2, 2, False),
    (2, 2, 1, True),
    (2, 3, 3, False),
    (2, 3, 2, True),
    (2, 4, 4, False),
    (3, 2, 3, False),
    (3, 3, 4, False),
    (3, 3, 3, True),
    (3, 4, 5, False),
    (3, 4, 6, True),
    (3, 2, 2, True),
    (4, 3, 5, False),
    (4, 3, 4, True),
    (4, 4, 6, False),
    (4, 4, 7, True),
    (4, 5, 8, False),
    (5, 4, 7, False),
    (5, 4, 6, True),
    (5, 5, 9, True),
    (5, 5, 8, False),
]


@dataclass(frozen=True)
class Card:
    """One of the 80 two-sided cards, by its number 0..79."""

    number: int

    @property
    def race(self) -> str:
        return RACES[self.number // 20]

    @property
    def strength(self) -> int:
        return self.number % 20 // 2

    @property
    def profile(self) -> int:
        return (7 * (self.number % 20) + 5 * (self.number // 20)) % 20

    @property
    def defence(self) -> int:
        return PROFILES[self.profile][0]

    @property
    def capacity(self) -> int:
        return PROFILES[self.profile][1]

    @property
    def worth(self) -> int:
        return PROFILES[self.profile][2]

    @property
    def foreman(self) -> bool:
        return PROFILES[self.profile][3]

    def __str__(self) -> str:
        return f"{self.race}{self.strength}{'ab'[self.number % 2]}"


CARDS = {str(Card(number)): Card(number) for number in range(80)}


@dataclass
class Mine:
    """A card lying as a mine, and the creatures on it from the first to the last."""

    card: Card
    stack: list[Card] = field(default_factory=list)

    def takes(self, card: Card) -> bool:
        """Whether the strength of `card` lets it be laid here."""
        if not self.stack:
            return True
        top = self.stack[-1].strength
        return card.strength > top or (card.strength == 0 and top == 9)


class Game:
    """A game from the order of the deck (80 names) and the kings' races by seat."""

    def __init__(self, deck: list[str], kings: list[str]):
        cards = [CARDS[name] for name in deck]
        self.seats = len(kings)
        self.kings = list(kings)
        self.hands: list[list[Card]] = []
        for _ in range(self.seats):
            self.hands.append(cards[:6])
            cards = cards[6:]
        self.centre: list[Mine | None] = [Mine(card) for card in cards[:4]]
        self.market: dict[str, list[Card]] = {race: [] for race in RACES}
        for card in cards[4:8]:
            self.market[card.race].append(card)
        self.deck = cards[8:]
        self.areas: list[list[Mine]] = [[] for _ in range(self.seats)]
        self.exploited: list[list[Card]] = [[] for _ in range(self.seats)]
        self.gone: list[Card] = []
        self.seat = 0
        self.drawing = False
        self.over = False

    def legal(self) -> list[str]:
        """All legal moves as text, sorted."""
        if self.over:
            return []
        if self.drawing:
            return sorted(self._draws())
        return sorted(self._plays() or [f"drop {card}" for card in self.hands[self.seat]])

    def _plays(self) -> list[str]:
        moves = []
        for card in self.hands[self.seat]:
            for place, mine in enumerate(self.centre):
                if mine is not None and mine.takes(card):
                    moves.append(f"attack {card} {place + 1}")
            for place, mine in enumerate(self.areas[self.seat]):
                if mine.takes(card) and self._may_work(card, mine):
                    moves.append(f"work {card} {place + 1}")
        return moves

    def _may_work(self, card: Card, mine: Mine) -> bool:
        """Slaves are foreign; once the mine is full only its foreman, of the own race, is missing."""
        own = card.race == self.kings[self.seat]
        full = len(mine.stack) == mine.card.capacity
        return own if full else not own

    def _draws(self) -> list[str]:
        moves = [f"take {race}" for race in RACES if self.market[race]]
        return moves + ["deck"] if self.deck else moves

    def play(self, move: str) -> None:
        """Carry out a legal move."""
        what, *rest = move.split()
        if what == "take":
            self.hands[self.seat].append(self.market[rest[0]].pop())
            self._end_turn()
        elif what == "deck":
            self.hands[self.seat].append(self.deck.pop(0))
            self._end_turn()
        else:
            card = CARDS[rest[0]]
            self.hands[self.seat].remove(card)
            if what == "attack":
                self._attack(card, int(rest[1]) - 1)
            elif what == "work":
                self._work(card, int(rest[1]) - 1)
            else:
                self.gone.append(card)
            self.drawing = True
            if not self._draws():
                self._end_turn()

    def _attack(self, card: Card, place: int) -> None:
        mine = self.centre[place]
        mine.stack.append(card)
        if len(mine.stack) < mine.card.defence:
            return
        owner = self.kings.index(card.race) if card.race in self.kings else self.seat
        for creature in reversed(mine.stack):
            self.market[creature.race].append(creature)
        self.areas[owner].append(Mine(mine.card))
        self.centre[place] = Mine(self.deck.pop(0)) if self.deck else None

    def _work(self, card: Card, place: int) -> None:
        mine = self.areas[self.seat][place]
        mine.stack.append(card)
        if len(mine.stack) == mine.card.capacity + mine.card.foreman:
            self.gone += mine.stack
            self.exploited[self.seat].append(mine.card)
            del self.areas[self.seat][place]

    def _end_turn(self) -> None:
        self.drawing = False
        self.over = not self.deck
        if not self.over:
            self.seat = (self.seat + 1) % self.seats

    def scores(self) -> list[int]:
        """Worth of the exploited mines less that of the others in the area, by seat."""
        return [
            sum(card.worth for card in self.exploited[seat]) - sum(mine.card.worth for mine in self.areas[seat])
            for seat in range(self.seats)
        ]

    def winners(self) -> list[int]:
        """The seats that share the win: most points, then most exploited mines."""
        ranks = [(score, len(mines)) for score, mines in zip(self.scores(), self.exploited)]
        return [seat for seat in range(self.seats) if ranks[seat] == max(ranks)]

    def cards(self) -> list[Card]:
        """Every card of the game, wherever it is."""
        mines = [mine for mine in self.centre if mine is not None]
        mines += [mine for area in self.areas for mine in area]
        found = self.gone + self.deck
        for group in (*self.hands, *self.exploited, *self.market.values()):
            found = found + group
        for mine in mines:
            found = found + [mine.card] + mine.stack
        return found


def deal(seats: int, chance: random.Random) -> Game:
    """A game with a shuffled deck and random kings."""
    deck = list(CARDS)
    chance.shuffle(deck)
    return Game(deck, chance.sample(RACES, seats))


def random_game(seats: int, options: dict[str, int], chance: random.Random) -> tuple[list[int], list[int]]:
    """Deal and play a game at random; returns scores and winners. There are no options."""
    game = deal(seats, chance)
    while not game.over:
        game.play(chance.choice(game.legal()))
    return game.scores(), game.winners()
