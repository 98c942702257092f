"""The goblin pig race, slow and plain, written from the rules page alone: what the fast version is compared with."""

from __future__ import annotations

import random
from typing import NamedTuple

DECK = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6)
STARRED = (1, 2, 3, 4)
RACES = 4
PRIZE = 3
MC_COST = (0, 1, 3, 6, 10)


class Card(NamedTuple):
    """A card of a seat's colour."""

    seat: int
    value: int
    star: bool

    def __str__(self) -> str:
        return f"{self.value}*" if self.star else str(self.value)


class Lane:
    """Left of the start line the penalty zone, right of it the track; in both the oldest card comes first."""

    def __init__(self) -> None:
        self.zone: list[Card] = []
        self.track: list[Card] = []

    def takes(self, value: int) -> bool:
        """Whether a card of this value may be put onto the track."""
        return all(card.value != value for card in self.track)


class Game:
    """A game from its set-up on. `legal()` lists the moves as texts, `play(text)` carries one out."""

    def __init__(self, seats: int, actions: bool = False, contested: bool = False) -> None:
        self.seats = seats
        self.contested = contested
        self.lanes = [Lane() for _ in range(seats + 1)]
        self.hands: list[list[Card]] = []
        for seat in range(seats):
            hand = [Card(seat, value, False) for value in DECK]
            if actions:
                for value in STARRED:
                    hand.remove(Card(seat, value, False))
                    hand.append(Card(seat, value, True))
            self.hands.append(hand)
        self.ducats = [6] * seats
        self.mc = [0] * seats
        self.paid_for_mc = [0] * seats
        self.prizes = [0] * seats
        self.bought = [0] * seats
        self.out: list[Card] = []
        self.race = 1
        self.to_move = 0
        self.deciding = "play"
        self.lane_played = 0
        self.next_starter = 0
        self.over = False

    # --- What may be done

    def plays_of(self, seat: int) -> list[str]:
        """The plays of a seat; two equal cards are one."""
        texts = set()
        for card in self.hands[seat]:
            for number, lane in enumerate(self.lanes, start=1):
                if lane.takes(card.value):
                    texts.add(f"play {number} {card}")
        return sorted(texts)

    def targets(self) -> list[str]:
        """What the action that is being decided may do."""
        texts = set()
        if self.deciding == "trip":
            for number, lane in enumerate(self.lanes):
                if number != self.lane_played and lane.track:
                    texts.add(f"trip {number + 1}")
        elif self.deciding == "switch":
            for card in self.lanes[self.lane_played].track[:-1]:
                for number, lane in enumerate(self.lanes):
                    if number != self.lane_played and lane.takes(card.value):
                        texts.add(f"switch {card.value} {number + 1}")
        elif self.deciding == "rescue":
            for card in self.own_in_zones(self.to_move):
                texts.add(f"rescue {card}")
        return sorted(texts)

    def own_in_zones(self, seat: int) -> list[Card]:
        return [card for lane in self.lanes for card in lane.zone if card.seat == seat]

    def can_buy(self, seat: int) -> bool:
        return self.ducats[seat] >= 1 and len(self.own_in_zones(seat)) > 0

    def legal(self) -> list[str]:
        """All legal moves of the seat to move, sorted by character code; empty at the end."""
        if self.over:
            return []
        if self.deciding == "play":
            return self.plays_of(self.to_move)
        if self.deciding == "buy":
            return sorted({f"buy {card}" for card in self.own_in_zones(self.to_move)} | {"done"})
        return sorted([*self.targets(), "no"])

    # --- Doing it

    def play(self, text: str) -> None:
        """Carry out a legal move."""
        assert text in self.legal(), text
        verb, *words = text.split()
        me = self.to_move
        if verb == "play":
            self.play_card(int(words[0]) - 1, words[1])
        elif verb == "trip":
            if self.throw_out(int(words[0]) - 1):
                self.end_race(me)
            else:
                self.next_turn(me)
        elif verb == "switch":
            here = self.lanes[self.lane_played].track
            card = next(card for card in here if card.value == int(words[0]))
            here.remove(card)
            if self.put(int(words[1]) - 1, card):
                self.end_race(me)
            else:
                self.next_turn(me)
        elif verb == "rescue":
            self.take_back(me, words[0])
            self.next_turn(me)
        elif verb == "no":
            self.next_turn(me)
        elif verb == "buy":
            self.ducats[me] -= 1
            self.bought[me] += 1
            self.take_back(me, words[0])
            if not self.can_buy(me):
                self.ask_next_buyer((me + 1) % self.seats)
        elif verb == "done":
            self.ask_next_buyer((me + 1) % self.seats)

    def play_card(self, lane: int, name: str) -> None:
        me = self.to_move
        card = next(card for card in self.hands[me] if str(card) == name)
        self.hands[me].remove(card)
        if self.put(lane, card):
            self.end_race(me)
            return
        if card.star and card.value == 4:
            if not self.plays_of(me):
                self.next_turn(me)
            return
        if card.star:
            self.deciding = {1: "trip", 2: "switch", 3: "rescue"}[card.value]
            self.lane_played = lane
            if self.targets():
                return
        self.next_turn(me)

    def put(self, lane: int, card: Card) -> bool:
        """Put a card to the right end of a track; whether that ended the race."""
        self.lanes[lane].track.append(card)
        if len(self.lanes[lane].track) == 4:
            return self.throw_out(lane)
        return False

    def throw_out(self, lane: int) -> bool:
        """Throw the leftmost card of a track into the penalty zone; whether that ended the race."""
        card = self.lanes[lane].track.pop(0)
        self.lanes[lane].zone.append(card)
        return len(self.lanes[lane].zone) == 4

    def take_back(self, seat: int, name: str) -> None:
        """Move a seat's own card from the lowest lane that has it back to hand, there the oldest."""
        for lane in self.lanes:
            for card in lane.zone:
                if card.seat == seat and str(card) == name:
                    lane.zone.remove(card)
                    self.hands[seat].append(card)
                    return
        raise AssertionError(name)

    # --- The order of things

    def next_turn(self, after: int) -> None:
        self.start_turn((after + 1) % self.seats)

    def start_turn(self, seat: int) -> None:
        """The turn of a seat, or of the first one after it that can play; the end of the race if none can."""
        self.deciding = "play"
        for i in range(self.seats):
            candidate = (seat + i) % self.seats
            if self.plays_of(candidate):
                self.to_move = candidate
                return
        self.to_move = seat
        self.end_race(None)

    def end_race(self, ender: int | None) -> None:
        """MC card, prizes, and what comes after the race; `ender` is the seat that caused the end."""
        if ender is not None:
            self.mc[ender] += 1
            self.next_starter = (ender + 1) % self.seats
        else:
            self.next_starter = self.to_move
        for lane in self.lanes:
            winner = self.winner_of(lane)
            if winner is not None:
                self.ducats[winner] += PRIZE
                self.prizes[winner] += 1
        if self.race == RACES:
            for seat in range(self.seats):
                self.paid_for_mc[seat] = min(MC_COST[self.mc[seat]], self.ducats[seat])
                self.ducats[seat] -= self.paid_for_mc[seat]
            self.over = True
            return
        self.deciding = "buy"
        if self.can_buy(self.next_starter):
            self.to_move = self.next_starter
        else:
            self.ask_next_buyer((self.next_starter + 1) % self.seats)

    def winner_of(self, lane: Lane) -> int | None:
        """The seat that the lane pays, if any."""
        on_track = {card.seat for card in lane.track}
        if not on_track:
            return None
        if self.contested and len(on_track) == 1:
            return None
        ranks = {}
        for seat in on_track:
            values = [card.value for card in lane.track if card.seat == seat]
            ranks[seat] = (sum(values), len(values))
        best = max(ranks.values())
        leaders = [seat for seat in on_track if ranks[seat] == best]
        return leaders[0] if len(leaders) == 1 else None

    def ask_next_buyer(self, seat: int) -> None:
        """Ask this seat or the first after it that can buy; when the round is complete, start the next race."""
        while seat != self.next_starter:
            if self.can_buy(seat):
                self.to_move = seat
                return
            seat = (seat + 1) % self.seats
        for lane in self.lanes:
            self.out += lane.zone
            lane.zone = []
        self.race += 1
        self.start_turn(self.next_starter)

    # --- The end

    def scores(self) -> list[int]:
        return list(self.ducats)

    def winners(self) -> list[int]:
        ranks = [(self.ducats[seat], sum(card.value for card in self.hands[seat])) for seat in range(self.seats)]
        return [seat for seat in range(self.seats) if ranks[seat] == max(ranks)]


def random_game(seats: int, options: dict[str, int], chance: random.Random) -> tuple[list[int], list[int]]:
    """A whole game at random; its scores and winners."""
    game = Game(seats, bool(options.get("actions")), bool(options.get("contested")))
    while not game.over:
        game.play(chance.choice(game.legal()))
    return game.scores(), game.winners()
