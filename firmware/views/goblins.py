"""How the goblin pig race looks, and how a card, its lane, an action or a purchase is chosen.

From the top: the seats with their ducats and hats, below each a stroke for every card that it has left; the lanes
with the penalty zone left of the start line and the track right of it, at the end of each who leads in it; below
the hand of the seat to move. A card is its owner's mark, its value, and a star if it has one.
"""

from micropython import const

from firmware import ui
from firmware.art import goblins as art
from firmware.screen import number_width
from firmware.texts import t
from hal.device import DOWN, RIGHT, UP, A, B

# Offsets of games/goblins/rules.py, repeated since a const stays in its file; a test holds them equal.
_SEATS = const(0)
_OPTIONS = const(1)
_TO_MOVE = const(2)
_PHASE = const(3)
_PLAY = const(0)
_TRIP = const(1)
_SWITCH = const(2)
_BUY = const(5)
_RACE = const(4)
_PLACE = const(6)
_LANE = const(8)
_TRACK = const(1)
_ZONE = const(6)
_SEAT = const(63)
_TWICE = const(1)
_STAR = const(2)
_DUCATS = const(6)
_MC = const(7)

# Rows and columns of the picture. Each lane lies in a page of the panel, so that little is sent when a card moves.
_LANES = const(16)
_PLACES = const(11)  # columns from card to card
_FALL = const(44)
_LINE = const(48)
_FIRST = const(50)  # the oldest card of a track
_HERE = const(95)
_LEADER = const(102)
_SIDE = const(114)
_ACTION = const(36)
_BUTTON = const(48)
_HAND_Y = const(57)

_CARD_MS = const(250)
_SHORT_MS = const(300)
_RACE_MS = const(800)

# The answer to a B that was of use here, and opens no menu.
_USED = const(-3)

# Groups of moves: a kind of card 0..15 to play, a value to switch from here on, then each move by itself.
_VALUES = const(16)
_SINGLE = const(24)

_ACTIONS = (None, art.TRIP, art.SWITCH, art.RESCUE, None, art.BUY)

# Beside the tie-break.
TIE_PICTURES = (art.CARDS,)
TIE_TEXT = "tie.goblins"


def roller(state):
    """There is no chance in this game."""
    return -1


def tie_breaks(state, seat):
    """What decides between equal ducats: the sum of the cards in hand."""
    total = 0
    for i in range(3):
        hand = state[_SEAT + 11 * seat + i]
        for value in range(7):
            total += value * (hand >> value & 1)
    return (total,)


def leader(state, lane):
    """The seat that a lane would pay now, -1 none."""
    at = _LANE + 11 * lane + _TRACK
    # 7 bits for each seat, 4 * the sum of its cards + their number: no two that are not 0 are equal.
    ranks = 0
    for i in range(at + 1, at + 1 + state[at]):
        card = state[i]
        ranks += 4 * (card & 7) + 1 << 7 * (card >> 4) - 7
    best = rivals = seat = 0
    first = -1
    while ranks:
        rank = ranks & 127
        if rank:
            rivals += 1
            if rank > best:
                best = rank
                first = seat
        seat += 1
        ranks >>= 7
    return -1 if rivals == 1 and state[_OPTIONS] & 2 else first


def why(rules, state, move):
    """What speaks for a move, in a few words."""
    me = state[_TO_MOVE]
    after = bytearray(state)
    rules.apply(after, move)
    if move >= rules.RESCUE:
        return t("why.goblins.back").format(move & 7)
    if move == rules.NO or move == rules.DONE:
        return t("why.goblins.no")
    taken = lost = -1
    for lane in range(state[_SEATS] + 1):
        before = leader(state, lane)
        now = leader(after, lane)
        if now != before:
            if now == me:
                taken = lane
            elif before != me:
                lost = lane
    if taken >= 0:
        return t("why.goblins.lead").format(taken + 1)
    if after[_RACE] > state[_RACE]:
        return t("why.goblins.end")
    if lost >= 0:
        return t("why.goblins.spoil").format(lost + 1)
    return t("why.goblins.save")


class View:
    """The table of one game. `shown` is the state that is drawn; an animation leads from one to the next."""

    def __init__(self, rules, seats):
        self._rules = rules
        self.shown = bytearray(rules.STATE_BYTES)
        # Nothing here is secret.
        self.viewer = 0
        self._next = b""
        # Rows from lane to lane.
        self._pitch = 16 if seats == 2 else 8
        self._trace = bytearray(len(rules.TRACE))
        self._told = 0
        self._at = 0
        self._clock = 0
        # The choice: stops of the cursor (groups of moves), and the move; whether its lane is chosen, not its card, and the one
        # that this began with.
        self._stops = bytearray(24)
        self._n_stops = 0
        self._stop = 0
        self._legal = ()
        self._n_legal = 0
        self._move = 0
        self._deep = False
        self._entry = 0
        # What it would do: the state after it, the first steps towards it, and of which move.
        self._after = bytearray(rules.STATE_BYTES)
        self._steps = bytearray(9)
        self._imagined = -1

    # --- Following the game

    def sync(self, state):
        """Show `state` at once."""
        self.shown[:] = state
        self._told = 0
        self._imagined = -1
        # Nobody chooses any more.
        self._n_legal = 0

    def moved(self, state):
        """`state` follows the shown one by what TRACE tells: let it happen."""
        self._trace[:] = self._rules.TRACE
        self._told = self._trace[0]
        self._at = 0
        self._clock = 0
        self._next = state
        self._imagined = -1
        if not self._told:
            self.sync(state)

    def busy(self):
        """Whether something moves."""
        return self._told > 0

    def skip(self):
        """Bring what moves to its end."""
        if self._told:
            self.sync(self._next)

    def tick(self, ms):
        """Let what moves go on by `ms`."""
        self._clock += ms
        while self._told:
            span = self._span()
            if self._clock < span:
                return
            self._clock -= span
            self._settle()
            self._at += 1
            if self._at == self._told:
                self.sync(self._next)

    def _span(self):
        """How long the present step of the trace takes."""
        i = 1 + 4 * self._at
        kind = self._trace[i]
        if kind == self._rules.RACE:
            return _RACE_MS
        if kind == self._rules.PAID and not self._trace[i + 3]:
            return 0
        return _SHORT_MS if kind > self._rules.BACK else _CARD_MS

    def _settle(self):
        """Carry the present step of the trace over into the shown state."""
        rules = self._rules
        trace = self._trace
        s = self.shown
        i = 1 + 4 * self._at
        kind = trace[i]
        a = trace[i + 1]
        b = trace[i + 2]
        c = trace[i + 3]
        lane = _LANE + 11 * b
        mine = _SEAT + 11 * a
        if kind == rules.PUT:
            bit = 1 << (c & 7)
            p = mine + (_STAR if c & 8 else _TWICE if s[mine + _TWICE] & bit else 0)
            s[p] &= ~bit
            _add(s, lane + _TRACK, c)
        elif kind == rules.THROWN:
            _drop(s, lane + _TRACK, c)
            _add(s, lane + _ZONE, c)
        elif kind == rules.MOVED:
            _drop(s, _LANE + 11 * a + _TRACK, c)
            _add(s, lane + _TRACK, c)
        elif kind == rules.BACK:
            _drop(s, lane + _ZONE, c)
            bit = 1 << (c & 7)
            p = mine + (_STAR if c & 8 else _TWICE if s[mine] & bit else 0)
            s[p] |= bit
            if s[_PHASE] == _BUY:
                s[mine + _DUCATS] -= 1
        elif kind == rules.RACE:
            s[_RACE] = a
            if b < s[_SEATS]:
                s[_SEAT + 11 * b + _MC] += 1
        elif kind == rules.PRIZE:
            s[mine + _DUCATS] += c
        elif kind == rules.PAID:
            s[mine + _DUCATS] -= b

    # --- Choosing

    def show_choice(self, move):
        """Show a move of the seat that decides."""
        self._move = move
        self._deep = True
        self._imagined = -1

    def choose(self, legal, n):
        """Let a person choose among the n moves in `legal`; the one that brings most is chosen to begin with."""
        self._legal = legal
        self._n_legal = n
        self._n_stops = 0
        for i in range(n):
            self._add_stop(_group(legal[i]))
        self._take(-1)
        self._stop = 0
        while self._stops[self._stop] != _group(self._move):
            self._stop += 1

    def _add_stop(self, group):
        """Put a group into its place among the stops, unless it is there: values ascending, to do nothing last."""
        rank = _rank(group)
        i = self._n_stops
        while i and _rank(self._stops[i - 1]) > rank:
            i -= 1
        if i and self._stops[i - 1] == group:
            return
        for k in range(self._n_stops, i, -1):
            self._stops[k] = self._stops[k - 1]
        self._stops[i] = group
        self._n_stops += 1

    def _take(self, group):
        """Make the move of a group (of any, if it is -1) the choice that brings most."""
        most = -99
        best = 0
        for i in range(self._n_legal):
            move = self._legal[i]
            if group < 0 or _group(move) == group:
                worth = self._worth(move)
                if worth > most:
                    most = worth
                    best = move
        self.show_choice(best)
        self._deep = False

    def _worth(self, move):
        """What a move brings at once: lanes led, less what the card is good for later."""
        self._imagine(move)
        worth = 0
        me = self.shown[_TO_MOVE]
        if self._steps[0]:
            lane = self._steps[3]
            before = leader(self.shown, lane)
            now = leader(self._after, lane)
            worth = 16 * ((now == me) - (before == me)) + 4 * ((now < 0) - (before < 0))
        if move < self._rules.NO:
            worth -= move & 7
        elif move >= self._rules.RESCUE:
            worth += (move & 7) - 1
        if self._after[_RACE] != self.shown[_RACE]:
            worth -= 8
        return worth

    def _imagine(self, move):
        """Work out what a move would do. This overwrites TRACE, so nothing may wait there to be shown."""
        self._after[:] = self.shown
        self._rules.apply(self._after, move)
        trace = self._rules.TRACE
        self._steps[0] = min(trace[0], 2)
        for i in range(1, 9):
            self._steps[i] = trace[i]
        self._imagined = move

    def key(self, k):
        """A press while a person chooses. Returns the move to make, or -1, or _USED."""
        group = self._stops[self._stop]
        if k == A:
            if self._deep or group >= _SINGLE:
                return self._move
            self._deep = True
            self._entry = self._move
            return -1
        if k == B:
            if self._deep:
                self._deep = False
                return _USED
            return -1
        by = 1 if k in (RIGHT, DOWN) else -1
        if not self._deep:
            self._stop = (self._stop + by) % self._n_stops
            self._take(self._stops[self._stop])
            return -1
        # The next lane, round the ends; once all were seen back to the cards, as few keys can do no other.
        i = 0
        while self._legal[i] != self._move:
            i += 1
        while True:
            i = (i + by) % self._n_legal
            if _group(self._legal[i]) == group:
                break
        self.show_choice(self._legal[i])
        self._deep = k == UP or k == DOWN or self._move != self._entry
        return -1

    def at_go(self):
        """Whether up and down do not choose."""
        if self._deep:
            return False
        return self.shown[_PHASE] == _PLAY or self._stop == self._n_stops - 1

    # --- Drawing

    def draw(self, screen, ghosts):
        """The table; `ghosts`: show what the choice would do."""
        s = self.shown
        if ghosts and self._imagined != self._move:
            self._imagine(self._move)
        phase = s[_PHASE]
        card = ghosts and not self._deep and _group(self._move) < _SINGLE
        self._draw_seats(screen)
        screen.picture(art.FLAG, _SIDE, _LANES)
        screen.number(min(s[_RACE] + 1, 4), _SIDE + 9, _LANES)
        lanes = s[_SEATS] + 1
        for lane in range(lanes):
            self._draw_lane(screen, lane, ghosts and not card)
        screen.frame.vline(_LINE, _LANES - 1, self._pitch * (lanes - 1) + 9, 1)
        if ghosts:
            self._draw_targets(screen)
            if not card:
                self._draw_ghosts(screen)
        if s[_TO_MOVE] != self._rules.OVER:
            self._draw_hand(screen, ghosts)
        if ghosts and phase:
            self._draw_button(screen)
        if self._told:
            self._draw_moving(screen)

    def _draw_seats(self, screen):
        s = self.shown
        for k in range(s[_SEATS]):
            x = 32 * k
            p = _SEAT + 11 * k
            ink = 1
            if k == s[_TO_MOVE]:
                screen.frame.fill_rect(x, 0, 32, 9, 1)
                ink = 0
            screen.picture(ui.MARKS_5[k], x + 1, 2, ink)
            screen.number(s[p + _DUCATS], x + 8, 1, ink)
            if s[p + _MC]:
                screen.picture(art.HAT, x + 20, 1, ink)
                screen.number(s[p + _MC], x + 27, 1, ink)
            x += 2
            for i in range(p, p + 3):
                hand = s[i]
                while hand:
                    if hand & 1:
                        screen.frame.vline(x, 10, 4, 1)
                        x += 2
                    hand >>= 1

    def _y(self, lane):
        """First row of a lane."""
        return _LANES + self._pitch * lane

    def _draw_lane(self, screen, lane, ghosts):
        """A lane with its cards and its leader; `ghosts`: the one that the choice would make leader."""
        s = self.shown
        y = self._y(lane)
        at = _LANE + 11 * lane
        for i in range(4):
            card = s[at + _ZONE + 1 + i]
            if i < s[at + _ZONE]:
                self._draw_tile(screen, card, _zone(i), y)
            else:
                screen.frame.pixel(_zone(i) + 5, y + 3, 1)
        for i in range(s[at + _TRACK]):
            self._draw_tile(screen, s[at + _TRACK + 1 + i], _track(i), y)
        first = leader(s, lane)
        ink = 1
        if ghosts:
            now = leader(self._after, lane)
            if now != first:
                screen.frame.fill_rect(_LEADER, y, 7, 7, 1)
                first = now
                ink = 0
        if first >= 0:
            screen.picture(ui.MARKS_5[first], _LEADER + 1, y + 1, ink)

    def _draw_tile(self, screen, card, x, y, lit=False):
        """A card in its place of eleven columns."""
        ink = 1
        if lit:
            screen.frame.fill_rect(x, y, 11, 7, 1)
            ink = 0
        screen.picture(ui.MARKS_3[(card >> 4) - 1], x + 1, y + (0 if card & 8 else 2), ink)
        if card & 8:
            screen.picture(art.STAR, x + 1, y + 4, ink)
        screen.number(card & 7, x + 5, y, ink)

    def _draw_targets(self, screen):
        """The lanes that the card can go to; while it is chosen from a track, the card."""
        rules = self._rules
        group = _group(self._move)
        for i in range(self._n_legal if group < _SINGLE else 0):
            move = self._legal[i]
            if _group(move) == group:
                lane = move >> 4 if move < rules.NO else move - rules.SWITCH >> 3
                screen.picture(art.HERE, _HERE, self._y(lane) + 1)
        if _VALUES <= group < _SINGLE and not self._deep:
            lane = self.shown[_PLACE]
            at = _LANE + 11 * lane + _TRACK + 1
            i = 0
            while self.shown[at + i] & 7 != group - _VALUES:
                i += 1
            self._draw_tile(screen, self.shown[at + i], _track(i), self._y(lane), True)

    def _draw_ghosts(self, screen):
        """What the choice would do: the card lit where it would come to lie, or which is taken; and whether another one
        falls."""
        rules = self._rules
        s = self.shown
        for j in range(self._steps[0]):
            kind = self._steps[1 + 4 * j]
            lane = self._steps[3 + 4 * j]
            card = self._steps[4 + 4 * j]
            y = self._y(lane)
            at = _LANE + 11 * lane
            if kind == rules.PUT or kind == rules.MOVED:
                self._draw_tile(screen, card, _track(s[at + _TRACK]), y, True)
            elif kind == rules.THROWN:
                screen.picture(art.FULL if s[at + _ZONE] == 3 else art.HERE, _FALL, y + (s[at + _ZONE] < 3))
                if not j:
                    self._draw_tile(screen, card, _FIRST, y, True)
            elif kind == rules.BACK:
                self._draw_tile(screen, card, _zone(_find(s, at + _ZONE, card)), y, True)
            if kind == rules.MOVED:
                lane = self._steps[2 + 4 * j]
                at = _LANE + 11 * lane + _TRACK
                screen.shade(_track(_find(s, at, card)), self._y(lane), 11, 7)

    def _draw_hand(self, screen, ghosts):
        """The cards of the seat to move; those that would be left, or lit the one that is chosen."""
        s = self.shown
        lit = -1
        hand = _SEAT + 11 * s[_TO_MOVE]
        if ghosts and self._move < self._rules.NO:
            if self._deep:
                s = self._after
            else:
                lit = self._move & 15
        starred = s[_OPTIONS] & 1
        for value in range(7):
            plain = (s[hand] >> value & 1) + (s[hand + _TWICE] >> value & 1)
            self._draw_held(screen, value, plain, value == lit)
            if starred and 1 <= value <= 4:
                self._draw_held(screen, value + 8, s[hand + _STAR] >> value & 1, value + 8 == lit)

    def _draw_held(self, screen, kind, count, lit):
        """A kind of card in hand: its value, a dot for each copy, or its star."""
        x = self._hand_x(kind)
        ink = 1
        frame = screen.frame
        if lit:
            frame.fill_rect(x, _HAND_Y - 1, 11, 8, 1)
            ink = 0
        if not count:
            frame.pixel(x + 3, _HAND_Y + 3, 1)
            return
        screen.number(kind & 7, x + 1, _HAND_Y, ink)
        if kind & 8:
            screen.picture(art.STAR, x + 7, _HAND_Y, ink)
        else:
            for i in range(count):
                frame.fill_rect(x + 7, _HAND_Y + 5 - 3 * i, 2, 2, ink)

    def _hand_x(self, kind):
        """First column of a kind of card in the hand."""
        value = kind & 7
        if self.shown[_OPTIONS] & 1:
            value = value + 4 if value > 4 else 2 * value - (value > 0) + (kind >> 3)
        return 11 * value

    def _draw_button(self, screen):
        """What is decided, and the button that leaves it."""
        phase = self.shown[_PHASE]
        screen.picture(_ACTIONS[phase], _SIDE, _ACTION)
        ink = 1
        if self._move == self._rules.NO or self._move == self._rules.DONE:
            screen.frame.fill_rect(_SIDE - 1, _BUTTON, 11, 8, 1)
            ink = 0
        screen.picture(art.DONE if phase == _BUY else art.NO, _SIDE, _BUTTON + 1, ink)

    def draw_cursor(self, screen):
        """What a press would act on: it is drawn with the choice."""

    def draw_thinking(self, screen, beat):
        """A small moving mark: the computer thinks."""
        for i in range(3):
            if i == beat % 3:
                screen.frame.fill_rect(_SIDE + 5 * i, _ACTION + 2, 3, 3, 1)
            else:
                screen.frame.pixel(_SIDE + 1 + 5 * i, _ACTION + 3, 1)

    def _draw_moving(self, screen):
        """The present step of the trace, somewhere between before and after."""
        rules = self._rules
        s = self.shown
        trace = self._trace
        i = 1 + 4 * self._at
        kind = trace[i]
        a = trace[i + 1]
        b = trace[i + 2]
        card = trace[i + 3]
        if kind > rules.BACK:
            self._draw_told(screen, kind, a, b, card)
            return
        y = self._y(b)
        end = y
        at = _LANE + 11 * b
        x = _track(s[at + _TRACK])
        if kind == rules.PUT:
            start = self._hand_x(card & 15)
            y = _HAND_Y
        elif kind == rules.MOVED:
            start = _track(_find(s, _LANE + 11 * a + _TRACK, card))
            y = self._y(a)
        elif kind == rules.THROWN:
            start = _FIRST
            x = _zone(s[at + _ZONE])
        else:
            start = _zone(_find(s, at + _ZONE, card))
            x = self._hand_x(card & 15)
            end = _HAND_Y
        if kind != rules.PUT:
            screen.frame.fill_rect(start, y, 11, 7, 0)
        span = self._span()
        x = start + (x - start) * self._clock // span
        y += (end - y) * self._clock // span
        screen.frame.fill_rect(x - 1, y - 1, 12, 9, 0)
        self._draw_tile(screen, card, x, y)

    def _draw_told(self, screen, kind, a, b, c):
        """What happens to seats: skipped, a race over, paid."""
        rules = self._rules
        frame = screen.frame
        if kind == rules.PRIZE:
            y = self._y(b)
            frame.fill_rect(_LEADER, y, 7, 7, 1)
            screen.picture(ui.MARKS_5[a], _LEADER + 1, y + 1, 0)
            span = self._span()
            x = _LEADER - 15 + (32 * a + 23 - _LEADER) * self._clock // span
            y -= y * self._clock // span
            frame.fill_rect(x - 1, y - 1, 13, 9, 0)
            screen.number(c, x, y)
            screen.picture(art.DUCAT, x + 6, y)
            return
        frame.fill_rect(0, _HAND_Y - 1, 128, 8, 0)
        seat = b if kind == rules.RACE else a
        if seat < self.shown[_SEATS]:
            screen.picture(ui.MARKS_5[seat], 32, _HAND_Y + 1)
        if kind == rules.SKIPPED:
            screen.picture(art.NO, 44, _HAND_Y)
            return
        if kind == rules.RACE:
            screen.picture(art.FLAG, 0, _HAND_Y)
            screen.number(a, 10, _HAND_Y)
            if seat < self.shown[_SEATS]:
                screen.picture(art.HAT, 41, _HAND_Y)
            return
        for i in range(c):
            screen.picture(art.HAT, 41 + 9 * i, _HAND_Y)
        frame.hline(82, _HAND_Y + 3, 4, 1)
        screen.picture(art.DUCAT, screen.number(b, 89, _HAND_Y) + 1, _HAND_Y)

    def draw_sheet(self, screen):
        """What each seat has: how many cards of each value in hand (a star beside them if one has it), ducats, hats."""
        s = self.shown
        frame = screen.frame
        frame.fill_rect(0, 0, 128, 9, 1)
        for value in range(7):
            screen.number(value, 11 + 11 * value, 1, 0)
        screen.picture(art.DUCAT, 99, 1, 0)
        screen.picture(art.HAT, 119, 1, 0)
        for k in range(s[_SEATS]):
            y = 13 + 12 * k
            p = _SEAT + 11 * k
            screen.picture(ui.MARKS_5[k], 1, y + 1)
            for value in range(7):
                star = s[p + _STAR] >> value & 1
                count = star + (s[p] >> value & 1) + (s[p + _TWICE] >> value & 1)
                x = 11 + 11 * value
                if count:
                    screen.number(count, x, y)
                    if star:
                        screen.picture(art.STAR, x + 6, y)
                else:
                    frame.hline(x + 1, y + 3, 3, 1)
            ducats = s[p + _DUCATS]
            screen.number(ducats, 104 - number_width(ducats), y)
            screen.number(s[p + _MC], 120, y)


def _group(move):
    """Which stop a move belongs to: its kind of card, the value that it switches, or it stands alone."""
    if move < 80:
        return move & 15
    if 96 <= move < 144:
        return _VALUES + (move & 7)
    return _SINGLE - 80 + move


def _rank(group):
    """Order of the stops."""
    if group < _VALUES:
        return 2 * (group & 7) + (group >> 3)
    # To decline, or to be done.
    return 255 if _SINGLE <= group < _SINGLE + 8 else group


def _zone(i):
    """First column of the place i of a penalty zone: it fills from the line to the left."""
    return 33 - _PLACES * i


def _track(i):
    """First column of the place i of a track."""
    return _FIRST + _PLACES * i


def _find(s, at, card):
    """Place of the oldest such card in the track or zone at the offset `at`."""
    i = 0
    while s[at + 1 + i] != card:
        i += 1
    return i


def _add(s, at, card):
    """Lay a card into the track or zone at the offset `at`."""
    s[at + 1 + s[at]] = card
    s[at] += 1


def _drop(s, at, card):
    """Take a card out of the track or zone at the offset `at`."""
    i = at + 1 + _find(s, at, card)
    while i < at + s[at]:
        s[i] = s[i + 1]
        i += 1
    s[i] = 0
    s[at] -= 1
