"""How Kings under Mountains looks, and how a move is chosen: by pointing at a card, then at a mine or a pile.

In columns, from the top: the seats with their kings and the points that are no secret; the mines in the centre; the
market; the mines of one area; a hand and the deck. DOWN opens the pages of firmware/views/kings_pages.py.
"""

from micropython import const

from firmware import modules, ui
from firmware.art import kings as art
from firmware.texts import t
from hal.device import DOWN, RIGHT, UP, A, B

# Offsets of games/kings/rules.py, repeated since a const stays in its file; a test holds them equal.
_SEATS = const(0)
_TO_MOVE = const(2)
_DRAWING = const(3)
_KINGS = const(4)
_OWNER = const(8)
_MINES = const(12)
_PILE = const(16)
_IN_DECK = const(20)
_CENTRE = const(21)
_UNDER = const(25)
_HAND = const(30)
_LINK = const(56)
_TAKES = const(136)
_LEFT = const(216)
_AREA = const(357)
_OVER = const(255)
_FOREMAN = const(32)
_DROP = const(5120)
_TAKE = const(5200)
_PROFILE = const(81)
_DEFENCE = const(162)
_NEED = const(182)
_WORTH = const(202)

# What choosing has come to: nothing is chosen; which card; where to; what to draw.
_WATCH = const(0)
_CARD = const(1)
_PLACE = const(2)
_DRAW = const(3)

# Rows, each of 7 and in one page of the panel, so that a step of the cursor sends little.
_CENTRE_Y = const(17)
_MARKET_Y = const(33)
_AREA_Y = const(41)
_HAND_Y = const(57)
# Columns: of mines and piles, of cards in a hand, the deck.
_PITCH = const(32)
_HAND_PITCH = const(17)
_DECK_X = const(108)
# Where a dropped card goes, between the seats and the mines.
_BIN_X = const(76)
_BIN_Y = const(10)

_MOVE_MS = const(600)
_ONE_MS = const(250)

# What `key` answers when the last moves are asked for; when B was of use here.
_AGAIN = const(-2)
_USED = const(-3)

_RACES = (art.RACE_0, art.RACE_1, art.RACE_2, art.RACE_3)

# A hand is for its owner's eyes.
SECRETS = True
# Beside the tie-break, and what it is called.
TIE_PICTURES = (art.PICK,)
TIE_TEXT = "tie.kings"

# What speaks for a move, by what `_kind` says of it.
_WHY = (
    "why.kings.drop",
    "why.kings.attack",
    "why.kings.give",
    "why.kings.get",
    "why.kings.work",
    "why.kings.exploit",
    "why.kings.spare",
    "why.kings.deck",
    "why.kings.fits",
)
_GIVE = const(2)
_GET = const(3)
_WORK = const(4)
_EXPLOIT = const(5)
_SPARE = const(6)
_FITS = const(8)


def roller(state):
    """Nobody: after the set-up there is no chance."""
    return -1


def tie_breaks(state, seat):
    """What decides between equal scores: mines exploited."""
    return (_chain(state, state[_UNDER + seat]),)


def why(rules, state, move):
    """A few words that speak for a move."""
    text = t(_WHY[_kind(rules.TABLE, state, move)])
    if move < _DROP and move & 63 > 3:
        return text.format(2 * (rules.TABLE[_WORTH + (rules.TABLE[_PROFILE + _mine(state, move & 63)] & 31)] & 15))
    return text


def _chain(s, card):
    """How many cards lie from this one down; 0 if it is none."""
    n = 0
    while card:
        n += 1
        card = s[_LINK + card]
    return n


def _mine(s, place, seat=-1):
    """The mine in a place: 0..3 in the centre, from 4 in the area of a seat (-1: of the one to move)."""
    if place < 4:
        return s[_CENTRE + place]
    if seat < 0:
        seat = s[_TO_MOVE]
    return s[_AREA + (72 - 6 * s[_SEATS]) * seat + place - 4]


def _fits(table, s, card, mine, king):
    """Whether a card may be laid on a mine: of the centre (king -1) or of the area of a king of this race."""
    takes = s[_TAKES + mine]
    if table[card] - takes & 16:
        return False
    return king < 0 or (table[_PROFILE + card] >> 5 == king) == (takes >= _FOREMAN)


def _owner(table, s, card):
    """The seat that a mine goes to which the seat to move conquers with this card."""
    owner = s[_OWNER + (table[_PROFILE + card] >> 5)]
    return owner - 1 if owner else s[_TO_MOVE]


def _kind(table, s, move):
    """What a move is, an index of _WHY."""
    if move < _DROP:
        place = move & 63
        last = s[_LEFT + _mine(s, place)] == 1
        if place > 3:
            return _EXPLOIT if last else _WORK
        if not last:
            return 1
        return _GET if _owner(table, s, (move >> 6) + 1) == s[_TO_MOVE] else _GIVE
    if move < _TAKE:
        return 0
    pile = move - _TAKE
    if pile == 4:
        return 7
    me = s[_TO_MOVE]
    for i in range(s[_MINES + me]):
        if _fits(table, s, s[_PILE + pile], _mine(s, 4 + i), s[_KINGS + me]):
            return _FITS
    return _SPARE


def _pages():
    """The code of the pages and the sheet, which whoever keeps it keeps in memory."""
    module = modules.view("kings_pages")
    modules.forget_view("kings_pages")
    return module


class View:
    """The table of one game. `shown` is the state that is drawn; an animation leads from one to the next. `viewer`: the
    seat whose hand may be seen, -1 none."""

    def __init__(self, rules, seats):
        self._rules = rules
        self._table = rules.TABLE
        self.shown = bytearray(rules.STATE_BYTES)
        self.viewer = 0
        self._next = None
        self._trace = bytearray(len(rules.TRACE))
        self._told = 0
        self._at = 0
        self._clock = 0
        self._one_ms = _ONE_MS
        # The move that is shown, -1 none.
        self._aim = -1
        self._stage = _WATCH
        self._cursor = 0
        # The cards of the hand that can be played, a bit each; the chosen card's moves among the legal ones.
        self._playable = 0
        self._first = 0
        self._count = 0
        # The first mine of the area that is seen; the pages while they lie over the table.
        self._window = 0
        self._pages = None
        # A picture of 11x7.
        self._pips = bytearray(13)
        self._pips[0] = 11
        self._pips[1] = 7
        # A corner that was asked for.
        self._x = self._y = 0

    # --- Following the game

    def sync(self, state):
        """Show `state` at once."""
        self.shown[:] = state
        self._told = 0
        self._aim = -1
        self._stage = _WATCH
        self._window = 0
        self._pages = None

    def show_choice(self, move):
        """Show a move of the seat that decides."""
        self._aim = move
        self._pages = None
        if move < _DROP and move & 63 > 3:
            self._uncover(move & 63)

    def moved(self, state):
        """`state` follows the shown one by the move last applied: let things move as TRACE tells."""
        self._trace[:] = self._rules.TRACE
        self._told = self._trace[0]
        self._at = 0
        self._clock = 0
        self._aim = -1
        self._stage = _WATCH
        self._pages = None
        self._next = state
        self._one_ms = min(_ONE_MS, _MOVE_MS // self._told)
        self._begin()

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
        while self._told and self._clock >= self._one_ms:
            self._clock -= self._one_ms
            self._at += 1
            if self._at == self._told:
                self.sync(self._next)
            else:
                self._begin()

    def _begin(self):
        """A step of the trace: a new mine, and a card on its way to a hand, are of the next state."""
        rules = self._rules
        kind = self._trace[1 + 4 * self._at]
        if kind == rules.REFILLED or kind >= rules.TAKEN:
            self.shown[:] = self._next

    def _uncover(self, place):
        """Scroll the area so that a place of it is seen."""
        self._window = max(min(self._window, place - 4), place - 7)

    def _whose(self):
        """The seat whose hand is seen, and its area unless a move in another is shown."""
        return self.viewer if self.viewer >= 0 else self._mover()

    def _mover(self):
        """The seat that moves or moved."""
        if self._told:
            return self._trace[2]
        mover = self.shown[_TO_MOVE]
        return 0 if mover == _OVER else mover

    # --- Choosing

    def choose(self, legal, n):
        """Let a person choose among the n moves in `legal`."""
        self._legal = legal
        self._n_legal = n
        self._pages = None
        s = self.shown
        most = -1
        at = 0
        for i in range(n):
            move = legal[i]
            worth = 16 * _kind(self._table, s, move)
            if move < _DROP:
                # In small steps.
                worth += 9 - self._table[(move >> 6) + 1]
            if worth > most:
                most = worth
                at = i
        self._proposed = legal[at]
        self._playable = 0
        for i in range(6):
            self._find(s[_HAND + 7 * self._mover() + i])
            if self._count:
                self._playable |= 1 << i
        if s[_DRAWING]:
            self._stage = _DRAW
            self._cursor = at
        else:
            self._pick_up(at)
        self._point()

    def _pick_up(self, at):
        """Choose among the cards, beginning with that of the legal move `at`."""
        self._stage = _CARD
        card = self._card_of(self._legal[at])
        self._cursor = 0
        while self.shown[_HAND + 7 * self._mover() + self._cursor] != card:
            self._cursor += 1

    def _card_of(self, move):
        return (move >> 6) + 1 if move < _DROP else move - _DROP + 1 if move < _TAKE else 0

    def _find(self, card):
        """Find the moves of a card among the legal ones, which are in the order of the cards."""
        self._count = 0
        for i in range(self._n_legal):
            if self._card_of(self._legal[i]) == card:
                if not self._count:
                    self._first = i
                self._count += 1

    def _point(self):
        """Show where the cursor is."""
        self._aim = -1
        if self._stage == _CARD:
            if self._cursor < 6:
                self._find(self.shown[_HAND + 7 * self._mover() + self._cursor])
        elif self._stage == _PLACE:
            if self._cursor < self._count:
                self.show_choice(self._legal[self._first + self._cursor])
        elif self._cursor < self._n_legal:
            self.show_choice(self._legal[self._cursor])

    def key(self, k):
        """A press while a person chooses. Returns the move to make, -1, _AGAIN or _USED."""
        if self._pages:
            if self._pages.turn(k):
                return -1
            self._pages = None
            return _USED if k == B else -1
        if k == UP:
            return _AGAIN
        if k == B:
            if self._stage != _PLACE:
                return -1
            self._put_back()
            return _USED
        if k == DOWN:
            self._open()
        elif k != A:
            stops = 7 if self._stage == _CARD else (self._count if self._stage == _PLACE else self._n_legal) + 1
            self._cursor = (self._cursor + (1 if k == RIGHT else -1)) % stops
            self._point()
        elif self._aim >= 0:
            return self._aim
        elif self._stage == _PLACE:
            self._put_back()
        elif self._stage == _DRAW or self._cursor == 6:
            self._open()
        elif self._count:
            self._stage = _PLACE
            self._cursor = 0
            for i in range(self._count):
                if self._legal[self._first + i] == self._proposed:
                    self._cursor = i
            self._point()
        return -1

    def _put_back(self):
        """The chosen card goes back into the hand."""
        self._pick_up(self._first)
        self._point()

    def at_go(self):
        """UP and DOWN are this view's own, wherever the cursor is."""
        return False

    def _open(self):
        self._pages = _pages().Pages(self)

    # --- Drawing

    def draw(self, screen, ghosts):
        """The table, or a page; `ghosts`: show where the choice would lead."""
        if ghosts and self._pages:
            self._pages.draw(screen)
        else:
            self._draw_table(screen, self._aim if ghosts else -1)

    def _draw_table(self, screen, aim):
        s = self.shown
        rules = self._rules
        mover = self._mover()
        # What is drawn on its way elsewhere, not in its place: a card of a hand, the mine in a place. A new mine rises
        # so many rows.
        away = 0
        no_mine = -1
        rises = 0
        card = 0
        place = -1
        if aim >= 0:
            card = self._card_of(aim)
            if aim < _DROP:
                place = aim & 63
        if self._told:
            i = 1 + 4 * self._at
            kind = self._trace[i]
            if kind == rules.REFILLED:
                rises = 15 - 15 * self._clock // self._one_ms
            elif kind == rules.CONQUERED or kind == rules.EXPLOITED:
                no_mine = self._trace[i + 2]
            else:
                away = self._trace[i + 3]
            if self._trace[1] == rules.WORKED:
                place = self._trace[3]
        else:
            away = card
        whose = self._whose()
        area = mover if place > 3 else whose
        self._draw_bar(screen, mover)
        for i in range(4):
            if i != no_mine:
                y = _CENTRE_Y
                if rises and i == self._trace[3]:
                    y += rises
                self._draw_mine(screen, s[_CENTRE + i], _PITCH * i, y, -1, card if i == place else 0)
            if self._stage == _PLACE and not self._reaches(i):
                screen.picture(art.VEIL, _PITCH * i, _CENTRE_Y, 0)
        if rises:
            screen.frame.fill_rect(0, _MARKET_Y - 1, 128, 16, 0)
        for i in range(self._window, min(self._window + 4, s[_MINES + area])):
            if i + 4 != no_mine:
                laid = card if i + 4 == place else 0
                x = _PITCH * (i - self._window)
                self._draw_mine(screen, _mine(s, i + 4, area), x, _AREA_Y, area, laid)
                if self._stage == _PLACE and not self._reaches(i + 4):
                    screen.picture(art.VEIL, x, _AREA_Y, 0)
        if self._window + 4 < s[_MINES + area]:
            screen.picture(art.POINT, 126, _AREA_Y + 1)
        for race in range(4):
            self._draw_pile(screen, race)
        self._draw_hand(screen, whose, away, 4, _HAND_Y)
        screen.picture(art.BACK, _DECK_X, _HAND_Y)
        screen.number(s[_IN_DECK], _DECK_X + 8, _HAND_Y)
        if _DROP <= aim < _TAKE:
            self._draw_card(screen, card, _BIN_X - 14, _BIN_Y)
            screen.picture(art.BIN, _BIN_X, _BIN_Y)
        if self._told:
            self._draw_moving(screen)
        elif aim >= 0:
            self._draw_pointer(screen, aim)

    def _worth(self, mine):
        return self._table[_WORTH + (self._table[_PROFILE + mine] & 31)] & 15

    def _burden(self, seat):
        """Worth of the mines in an area."""
        s = self.shown
        points = 0
        for i in range(s[_MINES + seat]):
            points += self._worth(_mine(s, i + 4, seat))
        return points

    def _ruled(self, seat):
        """Worth of the mines under a king."""
        s = self.shown
        points = 0
        mine = s[_UNDER + seat]
        while mine:
            points += self._worth(mine)
            mine = s[_LINK + mine]
        return points

    def _open_score(self, seat):
        """What may be seen of a seat's score: its mines under the king are for its own eyes."""
        return (self._ruled(seat) if seat == self.viewer else 0) - self._burden(seat)

    def _draw_bar(self, screen, mover):
        s = self.shown
        for k in range(s[_SEATS]):
            x = _PITCH * k
            ink = 1
            if k == mover and s[_TO_MOVE] != _OVER:
                screen.frame.fill_rect(x, 0, _PITCH - 1, 9, 1)
                ink = 0
            screen.picture(ui.MARKS_5[k], x + 1, 2, ink)
            screen.picture(_RACES[s[_KINGS + k]], x + 7, 1, ink)
            screen.number(max(self._open_score(k), -99), x + 15, 1, ink)

    def _draw_card(self, screen, card, x, y):
        screen.picture(_RACES[self._table[_PROFILE + card] >> 5], x, y)
        screen.number(self._table[card], x + 8, y)

    def _draw_mine(self, screen, mine, x, y, area, card, gap=3):
        """A mine of the centre (area -1) or of a seat's area; `card`: what the shown move would lay on it; `gap`: room
        for the pointer, and for whose it is if that is not the viewer."""
        table = self._table
        s = self.shown
        profile = table[_PROFILE + mine] & 31
        left = s[_LEFT + mine]
        foreman = table[_WORTH + profile] > 15
        worth = table[_WORTH + profile] & 15
        screen.picture(art.MINE_FOREMAN if foreman else art.MINE, x, y)
        screen.number(worth, x + 3, y + 7, 0)
        x += 13
        if card:
            left -= 1
        card = card or s[_LINK + mine]
        if card:
            self._draw_card(screen, card, x + gap, y)
        y += 8
        if area < 0:
            screen.number(table[_NEED + profile] - (1 if foreman else 0), x + 12, y)
        if left:
            need = table[(_DEFENCE if area < 0 else _NEED) + profile]
            self._draw_pips(screen, need, left, foreman and area >= 0, x, y)
            if area >= 0 and area != self.viewer and gap:
                screen.picture(ui.MARKS_5[area], x + 13, y + 1)
        elif area < 0:
            # It is conquered: for whom.
            screen.picture(ui.MARKS_5[_owner(table, s, card)], x, y + 1)
            screen.picture(art.KING, x + 6, y + 1)
        else:
            # What it no longer costs and what it brings.
            screen.picture(art.PLUS, x, y)
            screen.number(2 * worth, x + 4, y)

    def _draw_pips(self, screen, need, left, foreman, x, y):
        """The places of a mine in rows of three, those that are taken first; a foreman's is the last. In one picture,
        as there are dozens: columns of 3 pixels and a dark one, as in art.LAID, FREE and FOREMAN."""
        pips = self._pips
        for i in range(2, 13):
            pips[i] = 0
        for i in range(need):
            at = 2 + 4 * (i % 3)
            edge = 7
            middle = 7 if i < need - left else 5
            if foreman and i == need - 1:
                edge = 6
                middle = 3
            if i > 2:
                edge <<= 4
                middle <<= 4
            pips[at] |= edge
            pips[at + 1] |= middle
            pips[at + 2] |= edge
        screen.picture(pips, x, y)

    def _draw_pile(self, screen, race):
        s = self.shown
        x = _PITCH * race + 13
        card = s[_PILE + race]
        if not card:
            screen.picture(_RACES[race], x, _MARKET_Y)
            screen.picture(art.VEIL_CARD, x, _MARKET_Y, 0)
            return
        self._draw_card(screen, card, x, _MARKET_Y)
        # A dot for each card below.
        for i in range(min(_chain(s, card) - 1, 12)):
            screen.frame.pixel(x + 14 + 2 * (i >> 2), _MARKET_Y + 6 - 2 * (i & 3), 1)

    def _draw_hand(self, screen, seat, away, x, y):
        """A seat's hand without the card `away`: its own for the viewer, of another what came from the market."""
        s = self.shown
        hand = _HAND + 7 * seat
        mine = seat == self.viewer
        hidden = 0
        for i in range(6):
            card = s[hand + i]
            if card and card != away:
                if not mine and not self._rules.known(s, card):
                    hidden += 1
                    continue
                self._draw_card(screen, card, x, y)
                if self._stage == _CARD and mine and not self._playable >> i & 1:
                    screen.picture(art.VEIL_CARD, x, y, 0)
            elif not mine:
                continue
            x += _HAND_PITCH
        while hidden:
            screen.picture(art.BACK, x, y)
            x += _HAND_PITCH
            hidden -= 1

    def _reaches(self, place):
        """Whether the chosen card may be laid there."""
        for i in range(self._first, self._first + self._count):
            if self._legal[i] & 63 == place and self._legal[i] < _DROP:
                return True
        return False

    def _spot(self, place):
        """Corner of the mine in a place, into _x and _y."""
        self._y = _CENTRE_Y
        if place > 3:
            place -= 4 + self._window
            self._y = _AREA_Y
        self._x = _PITCH * place

    def _home(self, seat, card):
        """Where a seat's card comes from or goes to: its place in the hand that is seen, else the seat above."""
        self._x = _PITCH * seat + 8
        self._y = 1
        if seat == self.viewer:
            hand = _HAND + 7 * seat
            for i in range(6):
                if self.shown[hand + i] == card:
                    self._x = 4 + _HAND_PITCH * i
                    self._y = _HAND_Y

    def _draw_moving(self, screen):
        """The present step of the trace, somewhere between before and after."""
        rules = self._rules
        trace = self._trace
        i = 1 + 4 * self._at
        kind = trace[i]
        seat = trace[i + 1]
        place = trace[i + 2]
        value = trace[i + 3]
        mine = 0
        if kind == rules.REFILLED:
            return
        if kind == rules.CONQUERED or kind == rules.EXPLOITED:
            self._spot(place)
            x = self._x
            y = self._y
            mine = _mine(self.shown, place, seat)
            self._x = _PITCH * seat
            self._y = 1
            if kind == rules.CONQUERED and seat == self._whose() and value - 4 < 4 + self._window:
                self._spot(value)
        else:
            self._home(seat, value)
            x = self._x
            y = self._y
            if kind == rules.DROPPED:
                self._x = _BIN_X
                self._y = _BIN_Y
            elif kind < rules.TAKEN:
                self._spot(place)
                self._x += 16
            else:
                # The other way.
                self._x = x
                self._y = y
                x = _PITCH * place + 13
                y = _MARKET_Y
                if kind == rules.DRAWN:
                    x = _DECK_X
                    y = _HAND_Y
                    if seat != self.viewer:
                        value = 0
        x += (self._x - x) * self._clock // self._one_ms
        y += (self._y - y) * self._clock // self._one_ms
        frame = screen.frame
        if mine:
            frame.fill_rect(x - 1, y - 1, 33, 17, 0)
            self._draw_mine(screen, mine, x, y, seat if kind == rules.EXPLOITED else -1, trace[4])
            return
        frame.fill_rect(x - 1, y - 1, 15, 9, 0)
        if value:
            self._draw_card(screen, value, x, y)
        else:
            screen.picture(art.BACK, x, y)

    def draw_cursor(self, screen):
        """What a press would act on, and where the card that it is about would fit."""
        if self._pages:
            return
        screen.picture(art.EYE, 119, 11)
        s = self.shown
        stage = self._stage
        cursor = self._cursor
        mover = self._mover()
        hand = _HAND + 7 * mover
        card = 0
        if stage == _DRAW:
            if cursor == self._n_legal:
                screen.picture(art.POINT, 116, 11)
            elif self._aim < _TAKE + 4:
                card = s[_PILE + self._aim - _TAKE]
        elif stage == _CARD:
            if cursor < 6:
                card = s[hand + cursor]
                screen.picture(art.POINT, _HAND_PITCH * cursor + 1, _HAND_Y + 1)
            else:
                screen.picture(art.POINT, 116, 11)
        else:
            card = self._card_of(self._legal[self._first])
            if cursor == self._count:
                for i in range(6):
                    if s[hand + i] == card:
                        screen.picture(art.POINT, _HAND_PITCH * i + 1, _HAND_Y + 1)
        if not card:
            return
        for i in range(4):
            if _fits(self._table, s, card, s[_CENTRE + i], -1):
                screen.picture(art.FITS_UP, _PITCH * i + 3, _MARKET_Y)
            place = i + self._window + 4
            if place < 4 + s[_MINES + mover] and _fits(self._table, s, card, _mine(s, place), s[_KINGS + mover]):
                screen.picture(art.FITS_DOWN, _PITCH * i + 3, _MARKET_Y + 4)

    def _draw_pointer(self, screen, aim):
        """The pointer at what a move acts on."""
        x = _DECK_X - 3
        y = _HAND_Y
        if aim < _DROP:
            self._spot(aim & 63)
            x = self._x + 13
            y = self._y
        elif aim < _TAKE:
            x = _BIN_X - 17
            y = _BIN_Y
        elif aim < _TAKE + 4:
            x = _PITCH * (aim - _TAKE) + 10
            y = _MARKET_Y
        screen.picture(art.POINT, x, y + 1)

    def draw_thinking(self, screen, beat):
        """A small moving mark below its seat: the computer thinks."""
        x = _PITCH * self._mover() + 10
        for i in range(3):
            if i == beat % 3:
                screen.frame.fill_rect(x + 5 * i, 11, 3, 3, 1)
            else:
                screen.frame.pixel(x + 1 + 5 * i, 12, 1)

    def draw_sheet(self, screen):
        """The score sheet."""
        _pages().draw_sheet(self, screen)
