"""Tables of games that their views draw, with choices and movements, the same on every platform; portable."""

import binascii
from array import array

from firmware.screen import Screen
from firmware.views import goblins as goblins_view
from firmware.views import horses as horses_view
from firmware.views import kings as kings_view
from games.goblins import rules as goblins
from games.horses import rules as horses
from games.kings import rules as kings
from games.rng import Rng
from hal.device import DOWN, LEFT, RIGHT, A
from hal.host import HostDevice


class Table:
    """A game played at random, drawn by its view: `shown` is the glass, `digest` the CRC-32 of all `frames`."""

    def __init__(self, rules, views, seats, options, seed):
        self.rules = rules
        self.rng = Rng(seed)
        self.state = bytearray(rules.STATE_BYTES)
        rules.new(self.state, seats, options, self.rng)
        self.view = views.View(rules, seats)
        self.view.sync(self.state)
        self.legal = array("H", [0] * rules.MAX_LEGAL)
        display = HostDevice().display
        self.screen = Screen(display)
        self.shown = display.shown
        self._show = display.show
        self.digest = 0
        self.frames = 0

    def draw(self, how=None, choosing=False, cursor=False):
        """Draw, by `how` if that is given, and show it."""
        self.screen.clear()
        if how:
            how(self.screen)
        else:
            self.view.draw(self.screen, choosing)
        if cursor:
            self.view.draw_cursor(self.screen)
        self._show()
        self.digest = binascii.crc32(self.shown, self.digest)
        self.frames += 1
        return self.shown

    def choice(self, keys=()):
        """What a person sees who is to choose, after some keys."""
        n = self.rules.legal(self.state, self.legal)
        self.view.choose(self.legal, n)
        for k in keys:
            self.view.key(k)
        return self.draw(None, True, True)

    def ply(self, ms=0):
        """The next event, or a move at random; if `ms` is given draw what moves, so much further each time."""
        rules = self.rules
        if rules.seat(self.state) == rules.CHANCE:
            rules.apply(self.state, rules.sample(self.state, self.rng))
            self.view.rolled(self.state)
        else:
            move = self.legal[self.rng.below(rules.legal(self.state, self.legal))]
            self.view.show_choice(move)
            if ms:
                self.draw(None, True)
            rules.apply(self.state, move)
            self.view.moved(self.state)
        while ms and self.view.busy():
            self.draw()
            self.view.tick(ms)
        self.view.skip()

    def until(self, test):
        """Plies until `test(state)` holds."""
        while not test(self.state):
            self.ply()
        return self


def _gait(state):
    return state[2] < 4 and state[4] == 0


def _stake(state):
    return state[2] < 4 and state[4] == 4


def pictures_of_horses():
    """Yields (name, frame), then ('', digest of all frames)."""
    digest = 0
    for seats in (2, 3, 4):
        table = Table(horses, horses_view, seats, 0, 5)
        for _ in range(18 * seats):
            table.ply()
        table.until(_gait)
        yield "horses-{}".format(seats), table.choice()
        table.choice([RIGHT])
        digest ^= table.digest
    yield "horses-trot", table.choice([LEFT])
    yield "horses-sheet", table.draw(table.view.draw_sheet)
    yield (
        "horses-thinking",
        table.draw(lambda screen: (table.view.draw(screen, False), table.view.draw_thinking(screen, 1))),
    )
    table.until(_stake)
    yield "horses-stake", table.choice([RIGHT])
    table.until(lambda state: state[4] == 2)
    table.ply()
    table = Table(horses, horses_view, 3, 0, 12).until(lambda state: state[4] == 1)
    horses.apply(table.state, horses.sample(table.state, table.rng))
    table.view.rolled(table.state)
    table.view.tick(130)
    yield "horses-rolling", table.draw()
    table.view.tick(600)
    yield "horses-running", table.draw()
    table.view.skip()
    table.until(_stake)
    table.until(lambda state: state[4] == 6 and state[6] > 2)
    table.ply()
    horses.apply(table.state, horses.sample(table.state, table.rng))
    table.view.rolled(table.state)
    table.view.tick(200)
    yield "horses-turning", table.draw()
    table = Table(horses, horses_view, 4, 0, 3)
    while table.state[2] != horses.OVER:
        table.ply(110)
    digest ^= table.digest
    yield "horses-over", table.draw()
    yield "", (digest, table.frames)


def _to_play(state):
    return state[2] == 0 and state[3] == 0


def _to_draw(state):
    return state[2] == 0 and state[3] == 1


def _conquers(table):
    """The legal move of a table of kings that conquers a mine, -1 if there is none."""
    n = kings.legal(table.state, table.legal)
    for i in range(n):
        move = table.legal[i]
        if move < kings.DROP and move & 63 < 4 and table.state[216 + table.state[21 + (move & 63)]] == 1:
            return move
    return -1


def pictures_of_kings():
    """Yields (name, frame), then ('', digest of all frames). Seat 0 is the one who looks on."""
    digest = 0
    for seats in (2, 3, 4):
        table = Table(kings, kings_view, seats, 0, 5)
        for _ in range(26 * seats):
            table.ply()
        table.until(_to_play)
        yield "kings-{}".format(seats), table.choice()
        yield "kings-place-{}".format(seats), table.choice([A])
        yield "kings-stacks-{}".format(seats), table.choice([DOWN])
        yield "kings-others-{}".format(seats), table.choice([DOWN, RIGHT])
        digest ^= table.digest
    yield "kings-cards", table.choice([DOWN, LEFT])
    yield "kings-back", table.choice([A, LEFT])
    yield "kings-sheet", table.draw(table.view.draw_sheet)
    table.until(_to_draw)
    yield "kings-draw", table.choice([RIGHT])
    yield "kings-deck", table.choice([LEFT, LEFT, LEFT, LEFT])
    table.until(lambda state: state[2] == 2)
    yield (
        "kings-thinking",
        table.draw(lambda screen: (table.view.draw(screen, False), table.view.draw_thinking(screen, 1))),
    )
    # Another conquers: what is announced, the card on its way, the mine on its way, the next mine.
    table.until(lambda _state: table.state[2] and _conquers(table) >= 0)
    move = _conquers(table)
    table.view.show_choice(move)
    yield "kings-look", table.draw(None, True)
    kings.apply(table.state, move)
    table.view.moved(table.state)
    for name in ("attacked", "conquered", "refilled"):
        table.view.tick(100)
        yield "kings-" + name, table.draw()
        table.view.tick(100)
    table.view.skip()
    digest ^= table.digest
    # A card that fits nowhere.
    table = Table(kings, kings_view, 2, 0, 2).until(
        lambda state: (
            state[2] == 0 and kings.legal(state, table.legal) == 6 and kings.DROP <= table.legal[0] < kings.TAKE
        )
    )
    yield "kings-drop", table.choice([A])
    digest ^= table.digest
    table = Table(kings, kings_view, 4, 0, 3)
    while table.state[2] != kings.OVER:
        table.ply(110)
    digest ^= table.digest
    # For nobody's eyes.
    table.view.viewer = -1
    yield "kings-over", table.draw()
    yield "", (digest, table.frames)


def pictures_of_goblins():
    """Yields (name, frame), then ('', digest of all frames)."""
    digest = 0
    for seats, options in ((2, 0), (3, 0), (4, 1)):
        table = Table(goblins, goblins_view, seats, options, 8)
        if seats == 2:
            yield "goblins-start", table.choice([RIGHT])
        for _ in range(6 * seats):
            table.ply()
        table.until(lambda state: state[3] == 0)
        name = "goblins-{}".format(seats)
        yield name, table.choice()
        yield name + "-lane", table.choice([A])
        table.choice([RIGHT, A, DOWN])
        digest ^= table.digest
    yield "goblins-sheet", table.draw(table.view.draw_sheet)
    yield (
        "goblins-thinking",
        table.draw(lambda screen: (table.view.draw(screen, False), table.view.draw_thinking(screen, 2))),
    )
    for phase, name in ((1, "trip"), (2, "switch"), (3, "rescue"), (5, "buy")):
        table.until(lambda state, phase=phase: state[3] == phase)
        yield "goblins-" + name, table.choice([RIGHT])
    table = Table(goblins, goblins_view, 4, 1, 4)
    while table.state[2] != goblins.OVER:
        table.ply(110)
    digest ^= table.digest
    yield "goblins-over", table.draw()
    yield "", (digest, table.frames)


GAMES = (("goblins", pictures_of_goblins), ("horses", pictures_of_horses), ("kings", pictures_of_kings))
