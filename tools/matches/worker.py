"""A process that plays games: JSON lines on standard input and output. Runs on MicroPython, else on CPython.

    {"game", "seats", "mask", "players": [name or null, ...], "weights": [hex or null, ...]}    the table, first of all
    {"id", "seated": [player of seat 0, ...], "chance", "thought"}                              a game to play, answered by
    {"id", "winners": bit mask, "moves": [...], "us": [...], "playouts": [...], "plies": [...]} the result, by player

A player null is not here. When it is to move, {"ask": seat, "plies": [...]} tells all codes since the last line, and the
next line of input is its move, {"move": code}, or {"lost": 1}: the game ends and all others win it.
"""

import json
import sys

try:
    from time import ticks_diff, ticks_us  # type: ignore[attr-defined]
except ImportError:
    # CPython: tools/matches/crew.py runs this as a module.
    from time import perf_counter_ns

    from tools import standins

    standins.install()

    def ticks_us():
        """A clock in microseconds."""
        return perf_counter_ns() // 1000

    def ticks_diff(end, start):
        """Microseconds from start to end."""
        return end - start


from array import array

from games import catalogue
from games.rng import Rng
from tools.matches.movers import mover

CHANCE = 254
OVER = 255


def bot_of(game, names):
    """The bot module of a game, None if none of these players needs it: the others play games that have no bot yet."""
    for name in names:
        if name is not None and name.split(":")[0] not in ("random", "greedy", "plain", "reference"):
            return catalogue.load(game, "bot")
    return None


class Table:
    """A game with its players, for one match."""

    def __init__(self, asked):
        game = asked["game"]
        self.rules = catalogue.load(game)
        self.seats = asked["seats"]
        self.mask = asked["mask"]
        self.bot = bot_of(game, asked["players"])
        self.players = [None if name is None else mover(self.rules, self.bot, name) for name in asked["players"]]
        self.external = None in asked["players"]
        self.weights = []
        for text in asked["weights"]:
            # Who has none plays with the bot's own, also after the others.
            self.weights.append(getattr(self.bot, "WEIGHTS", None) if text is None else bytes.fromhex(text))
        self.state = bytearray(self.rules.STATE_BYTES)
        self.buf = array("H", [0] * self.rules.MAX_LEGAL)

    def play(self, asked, ask):
        """Play a game; its result. `ask(seat, plies)` gives the move of a player that is not here, or None."""
        rules, s, buf, players = self.rules, self.state, self.buf, self.players
        seated = asked["seated"]
        chance = Rng(asked["chance"])
        moves = [0] * len(players)
        spent = [0] * len(players)
        # A generator for each player, so that what one draws moves no other's.
        own = [Rng(asked["thought"] + 104729 * player) for player in range(len(players))]
        before = [player.playouts if player else 0 for player in players]
        plies = []
        rules.new(s, self.seats, self.mask, chance)
        who = rules.seat(s)
        while who != OVER:
            if who == CHANCE:
                move = rules.sample(s, chance)
            else:
                at = seated[who]
                n = rules.legal(s, buf)
                began = ticks_us()
                if n == 1 and players[at]:
                    move = buf[0]
                elif players[at]:
                    if self.weights[at] is not None:
                        self.bot.WEIGHTS = self.weights[at]
                    move = players[at].choose(s, buf, n, own[at])
                else:
                    move = ask(who, plies)
                    plies = []
                    if move is None:
                        break
                # A forced move needs no thought and would only make the mean look better.
                if n > 1:
                    spent[at] += ticks_diff(ticks_us(), began)
                    moves[at] += 1
            if self.external:
                plies.append(move)
            who = rules.apply(s, move)
        winners = rules.winners(s) if who == OVER else (1 << self.seats) - 1 - (1 << who)
        playouts = [player.playouts - was if player else 0 for player, was in zip(players, before)]
        result = {"id": asked["id"], "winners": winners, "moves": moves, "us": spent, "playouts": playouts}
        result["plies"] = plies
        return result


def _ask(seat, plies):
    """Ask for a move of a player that is elsewhere; None if it lost."""
    _say({"ask": seat, "plies": plies})
    return json.loads(sys.stdin.readline()).get("move")


def _say(values):
    sys.stdout.write(json.dumps(values) + "\n")
    # MicroPython's standard output is not buffered.
    if hasattr(sys.stdout, "flush"):
        sys.stdout.flush()


def serve(begin):
    """Play what is asked for until the input ends: `begin` makes of the first line what plays the games of the others."""
    play = None
    while True:
        text = sys.stdin.readline()
        if not text:
            return
        asked = json.loads(text)
        if play is None:
            play = begin(asked)
        else:
            _say(play(asked))


def main():
    """Play games of a match."""

    def begin(asked):
        table = Table(asked)
        return lambda game: table.play(game, _ask)

    serve(begin)


if __name__ == "__main__":
    main()
