"""How the carrot race looks, and how a gait or a stake is chosen.

From the top: the start in the corner, the seats with their carrots; the 48 spaces in three rows, the second from
right to left, horses as marks above the symbols, a place of its own for each seat; below the choice, or the dice and
the tokens that they move, and in the corner the finish.
"""

from array import array

from micropython import const

from firmware import ui
from firmware.art import horses as art
from firmware.screen import number_width
from firmware.texts import t
from hal.device import LEFT, RIGHT, A

# Offsets of games/horses/rules.py, repeated since a const stays in its file; a test holds them equal.
_SEATS = const(0)
_TO_MOVE = const(2)
_PLAYER = const(3)
_PHASE = const(4)
_COUNT = const(6)
_AIM = const(7)
_STOCK = const(9)
_DISCARD = const(11)
_SEAT = const(15)
_TOKENS = const(1)
_GAIT = const(0)
_TAKE = const(3)
_STAKE = const(4)
_BEHIND = const(150)

_START = const(0)
_FINISH = const(49)
# Bytes of rules.view() before the seats, and of a seat.
_TABLE = const(12)
_SURE = const(16384)

# Rows and columns of the picture: a space is 8 columns and 15 rows, its horses in the first 7 of them.
_TOP = const(10)
_ROW = const(15)
_SYMBOL = const(9)  # rows from the top of a space to its symbol
_PANEL = const(10)  # first column of the seats' panels
_PANELS = const(29)  # their width
_FOOT = const(55)
_DIE = const(12)  # columns from die to die
_COINS = const(26)
_SIGHT = const(7)  # tokens that are seen at once
_ODDS = const(81)  # of a stake
_THINK = const(98)

# The dice roll, and then lie to be read; if nothing comes of them they lie longer.
_ROLL_MS = const(400)
_READ_MS = const(250)
_REFUSED_MS = const(700)
_TAKE_MS = const(250)
_TURN_MS = const(350)
_EDGE_MS = const(80)
_SPACE_MS = const(50)
_RUN_MS = const(400)

_SYMBOLS = (art.BOOT, art.MEDAL, art.HELMET, art.DITCH)
# By the low three bits of an event.
_EFFECTS = (art.FREE, art.PAY_1, art.PAY_2, art.JUMP, None, art.GAIN_1, art.GAIN_2, art.GAIN_3)
_SIDES = (art.AWAKE, art.ASLEEP, art.COIN)
_RIGHT = (art.RIGHT_1, art.RIGHT_2)
_LEFT = (art.LEFT_1, art.LEFT_2)

# Beside the tie-break.
TIE_PICTURES = (art.CARROT,)
TIE_TEXT = "tie.horses"


def roller(state):
    """Nobody is asked to roll: a gait that was chosen rolls its dice, and tokens go by themselves."""
    return -1


def tie_breaks(state, seat):
    """What decides between horses that are equally far: tokens."""
    return (state[_SEAT + 32 * seat + _TOKENS],)


def odds(rules, state, seat, out):
    """Write into out[K], array('H') of 31, for each stake K that the seat has: the chance, in 16384ths, that all of them
    sleep, by what all know. Returns how many tokens it has."""
    known = bytearray(rules.VIEW_BYTES)
    length = rules.view(state, seat, known)
    seats = state[_SEATS]
    i = _TABLE + 2 * seats
    p = _SURE
    k = 0
    out[0] = p
    while i < length:
        asleep = known[i + 1]
        unseen = known[i] + asleep
        for _ in range(known[i + 2 + seat]):
            p = p * asleep // unseen
            asleep -= 1
            unseen -= 1
            k += 1
            out[k] = p
        i += 2 + seats
    return k


def percent(p):
    """Of a chance `p` in 16384ths of failing: that of success, in percent; 100 only if nothing can fail."""
    return (_SURE - p) * 100 // _SURE


def why(rules, state, move):
    """What speaks for a move, in a few words."""
    if move > 1:
        chances = array("H", [0] * 31)
        odds(rules, state, state[_PLAYER], chances)
        return t("why.horses.stake").format(percent(chances[move - 1]))
    here = state[_SEAT + 32 * state[_PLAYER]]
    far = 0
    for symbol in range(3):
        far += reach(rules, here, symbol, move) - here
    return t("why.horses.gallop" if move else "why.horses.trot").format((far + 1) // 3)


def reach(rules, space, symbol, gait):
    """Where a horse on `space` gets with a rolled symbol 0..2: by a trot (0) or a gallop (1)."""
    table = rules.TABLE
    space = table[50 * symbol + space]
    return table[50 * symbol + space] if gait else space


def _to_left(space):
    """Whether the horses on a space run to the left."""
    return 16 < space <= 32


def _x(space):
    """First column of a space. The last row stands one to the right, which leaves room for the turn before it."""
    if space == _START:
        return 0
    if space == _FINISH:
        return 121
    column = space - 1 & 15
    if _to_left(space):
        return 120 - 8 * column
    return 8 * column + (1 if space > 32 else 0)


def _y(space):
    """First row of a space."""
    if space == _START:
        return 1
    if space == _FINISH:
        return 56
    return _TOP + _ROW * (space - 1 >> 4)


class View:
    """The table of one game. `shown` is the state that is drawn; an animation leads from one to the next."""

    def __init__(self, rules, seats):
        self._rules = rules
        self.shown = bytearray(rules.STATE_BYTES)
        # Nothing here is secret.
        self.viewer = 0
        self._next = b""
        self._symbols = bytearray(50)
        for space in range(1, _FINISH):
            symbol = 0
            while symbol < 3 and rules.TABLE[50 * symbol + space - 1] != space:
                symbol += 1
            self._symbols[space] = symbol
        self._trace = bytearray(len(rules.TRACE))
        self._told = 0
        self._at = 0
        self._clock = 0
        # Of the turn: the event of the dice, -1 before they are rolled; which they are; the tokens turned so far.
        self._event = -1
        self._red = False
        self._faces = bytearray(rules.MAX_LEGAL)
        self._n_faces = 0
        # The choice: a move; the tokens that can be staked and their chances.
        self._move = 0
        self._most = 0
        self._odds = array("H", [0] * 31)

    # --- Following the game

    def sync(self, state):
        """Show `state` at once."""
        self._event = -1
        self._n_faces = 0
        self._arrive(state)

    def _arrive(self, state):
        self.shown[:] = state
        self._told = 0

    def moved(self, state):
        """`state` follows the shown one by what TRACE tells: let it happen."""
        self._trace[:] = self._rules.TRACE
        self._told = self._trace[0]
        self._at = 0
        self._clock = 0
        self._next = state
        self.tick(0)

    rolled = moved

    def busy(self):
        """Whether something moves."""
        return self._told > 0

    def skip(self):
        """Bring what moves to its end."""
        while self._told:
            self._settle()

    def tick(self, ms):
        """Let what moves go on by `ms`."""
        self._clock += ms
        while self._told:
            span = self._span()
            if self._clock < span:
                return
            self._clock -= span
            self._settle()

    def _span(self):
        """How long the present step of the trace takes."""
        rules = self._rules
        trace = self._trace
        i = 1 + 4 * self._at
        kind = trace[i]
        if kind in (rules.GAIT, rules.STAKE):
            return 0
        if kind in (rules.BLUE, rules.RED):
            return _ROLL_MS + (_REFUSED_MS if self._refused() else _READ_MS)
        if kind == rules.MOVE:
            return max(_RUN_MS >> 1, min(_RUN_MS, _SPACE_MS * abs(trace[i + 3] - trace[i + 2])))
        return _TURN_MS if kind == rules.TURN else _TAKE_MS

    def _refused(self):
        """Whether nothing comes of the dice."""
        return self._told == 1 and self._next[_PHASE] == _GAIT

    def _settle(self):
        """Carry the present step of the trace over into the shown state; after the last one the next state is there."""
        rules = self._rules
        trace = self._trace
        i = 1 + 4 * self._at
        kind = trace[i]
        mine = _SEAT + 32 * trace[i + 1]
        if kind == rules.GAIT:
            self._event = -1
            self._n_faces = 0
        elif kind in (rules.BLUE, rules.RED):
            self._event = trace[i + 2]
            self._red = kind == rules.RED
        elif kind == rules.MOVE:
            self.shown[mine] = trace[i + 3]
        elif kind in (rules.PAY, rules.TURN):
            self._faces[self._n_faces] = trace[i + 2]
            self._n_faces += 1
        if kind in (rules.TAKE, rules.PAY, rules.TURN):
            self.shown[mine + _TOKENS] = trace[i + 3]
            self.shown[_COUNT] -= 1
        self._at += 1
        if self._at == self._told:
            self._arrive(self._next)

    # --- Choosing

    def show_choice(self, move):
        """Show a move of the seat that decides."""
        self._move = move
        self._most = odds(self._rules, self.shown, self.shown[_PLAYER], self._odds)

    def choose(self, legal, n):
        """Let a person choose among the n moves in `legal`; to begin with it is a gallop if there are tokens to pay for
        it, or the least stake that hardly fails."""
        self.show_choice(legal[0])
        if legal[0]:
            while self._move < self._most + 1 and self._odds[self._move - 1] > _SURE // 6:
                self._move += 1
        elif self._most > 1:
            self._move = 1

    def key(self, k):
        """A press while a person chooses. Returns the move to make, or -1."""
        if k == A:
            return self._move
        if k in (LEFT, RIGHT):
            if self._move < 2:
                self._move ^= 1
            else:
                self._move = (self._move - 2 + (1 if k == RIGHT else -1)) % self._most + 2
        return -1

    def at_go(self):
        """Whether the cursor is on what carries the choice out: always."""
        return True

    # --- Drawing

    def draw(self, screen, ghosts):
        """The table; `ghosts`: show where the choice would lead."""
        s = self.shown
        self._draw_seats(screen)
        self._draw_track(screen)
        jump = ghosts and s[_PHASE] == _STAKE
        runner = -1
        if self._told:
            i = 1 + 4 * self._at
            if self._trace[i] == self._rules.MOVE:
                runner = self._trace[i + 1]
                self._light(screen, self._trace[i + 3])
            elif self._refused() and self._clock >= _ROLL_MS:
                runner = self._trace[i + 1]
        elif jump:
            self._draw_jump(screen)
        elif ghosts:
            here = s[_SEAT + 32 * s[_PLAYER]]
            for symbol in range(3):
                self._light(screen, reach(self._rules, here, symbol, self._move))
        for k in range(s[_SEATS]):
            if k != runner:
                space = s[_SEAT + 32 * k]
                self._stand(screen, k, space, jump and k != s[_PLAYER] and space == s[_AIM])
        if runner >= 0:
            self._draw_running(screen, runner)
        if jump:
            self._draw_stake(screen)
        elif ghosts:
            self._draw_gaits(screen)
        elif self._told or s[_TO_MOVE] == self._rules.CHANCE:
            self._draw_foot(screen)

    def _draw_seats(self, screen):
        s = self.shown
        for k in range(s[_SEATS]):
            x = _PANEL + _PANELS * k
            ink = 1
            if k == s[_PLAYER] and s[_TO_MOVE] != self._rules.OVER:
                screen.frame.fill_rect(x, 0, _PANELS, 9, 1)
                ink = 0
            screen.picture(ui.MARKS_5[k], x + 2, 2, ink)
            screen.picture(art.CARROT, x + 10, 1, ink)
            screen.number(s[_SEAT + 32 * k + _TOKENS], x + 16, 1, ink)

    def _draw_track(self, screen):
        """Start, spaces, the turns from row to row, and the finish."""
        frame = screen.frame
        for space in range(1, _FINISH):
            screen.picture(_SYMBOLS[self._symbols[space]], _x(space) + 1, _y(space) + _SYMBOL)
        frame.vline(8, 0, 9, 1)
        screen.picture(art.FLAG, 113, 56)
        # A turn goes on beside the horses of the space that it leads to, if there are none.
        for turn in range(2):
            x = 0 if turn else 127
            y = _TOP + _ROW + _ROW * turn
            frame.vline(x, y + 7, 5, 1)
            if not turn:
                frame.vline(x, y - 4, 3, 1)
            if self._alone(-1, 33 if turn else 17):
                frame.vline(x, y - 1, 8, 1)

    def _alone(self, seat, space):
        """Whether no other horse is on a space."""
        s = self.shown
        for k in range(s[_SEATS]):
            if k != seat and s[_SEAT + 32 * k] == space:
                return False
        return True

    def _stand(self, screen, seat, space, together, ink=1):
        """Draw a horse on a space, with its seat's mark for a rider; where there are several, or `together`, the marks
        alone, each in its seat's place."""
        if together or not self._alone(seat, space):
            screen.picture(ui.MARKS_3[seat], _x(space) + 4 * (seat & 1), _y(space) + (4 if seat < 2 else 0), ink)
        else:
            self._ride(screen, seat, _x(space), _y(space), _to_left(space), 0, ink)

    def _ride(self, screen, seat, x, y, left, frame, ink=1):
        screen.picture((_LEFT if left else _RIGHT)[frame], x, y, ink)
        screen.picture(ui.MARKS_3[seat], x + (3 if left else 1), y, ink)

    def _light(self, screen, space):
        """Light the symbol of a space, or the finish."""
        if space == _FINISH:
            screen.frame.fill_rect(112, 56, 8, 8, 1)
            screen.picture(art.FLAG, 113, 56, 0)
        elif space:
            screen.frame.fill_rect(_x(space), _y(space) + _SYMBOL - 1, 7, 6, 1)
            screen.picture(_SYMBOLS[self._symbols[space]], _x(space) + 1, _y(space) + _SYMBOL, 0)

    def _draw_jump(self, screen):
        """The space aimed at, with the horse there as it would be, and a frame round the ditch of a jump that fails."""
        s = self.shown
        frame = screen.frame
        aim = s[_AIM]
        x = _x(aim)
        y = _y(aim)
        frame.fill_rect(x - 1, y - 1, 9, _ROW - 5 if aim == _FINISH else _ROW, 1)
        self._light(screen, aim)
        self._stand(screen, s[_PLAYER], aim, False, 0)
        for k in range(s[_SEATS]):
            if s[_SEAT + 32 * k] == aim:
                self._stand(screen, k, aim, True, 0)
        space = self._rules.TABLE[_BEHIND + aim]
        if space:
            x = _x(space) - 1
            y = _y(space) + _SYMBOL - 2
            for i in range(2):
                frame.hline(x, y + 8 * i, 9, 1)
                frame.vline(x + 8 * i, y, 9, 1)

    def _draw_running(self, screen, seat):
        """The horse that moves, somewhere between the space that it leaves and the one that it reaches; one that refuses
        shies where it stands."""
        i = 1 + 4 * self._at
        start = self.shown[_SEAT + 32 * seat]
        by = self._trace[i + 3] - start if self._trace[i] == self._rules.MOVE else 0
        # In 64ths of a space, counted from the start of the track.
        at = 64 * start + 64 * by * self._clock // self._span()
        space = at >> 6
        at &= 63
        beat = self._clock // 80 & 1
        x = _x(space)
        y = _y(space)
        if not by:
            y -= beat
        elif at:
            x += (_x(space + 1) - x) * at >> 6
            y += (_y(space + 1) - y) * at >> 6
        screen.frame.fill_rect(x - 1, y - 1, 9, 9, 0)
        self._ride(screen, seat, x, y, _to_left(space) == (by >= 0), beat)

    def _draw_gaits(self, screen):
        """The two gaits with what they take or cost."""
        for gait in range(2):
            x = 54 * gait
            if gait == self._move:
                screen.picture(art.POINT, x, _FOOT + 1)
            screen.picture(art.GALLOP if gait else art.TROT, x + 6, _FOOT + 2)
            screen.picture(art.FEWER if gait else art.MORE, x + 20, _FOOT + 1)
            # From 1 to 3 carrots, or from 0 to 2.
            screen.number(1 - gait, x + 32, _FOOT + 1)
            screen.frame.hline(x + 38, _FOOT + 4, 3, 1)
            screen.number(3 - gait, x + 42, _FOOT + 1)

    def _draw_stake(self, screen):
        """The tokens, those of the stake lit, and the chance that one of them gallops."""
        pitch = min(8, 56 // self._most)
        for k in range(self._most):
            if pitch == 8:
                screen.picture(art.STAKED if k < self._move - 1 else art.HELD, pitch * k, _FOOT + 1)
            else:
                # As many as stand side by side on their edges.
                rows = 7 if k < self._move - 1 else 2
                screen.frame.fill_rect(pitch * k, _FOOT + 8 - rows, max(pitch - 1, 1), rows, 1)
        chance = percent(self._odds[self._move - 1])
        x = screen.number(chance, _ODDS + 17 - number_width(chance), _FOOT + 1)
        screen.picture(art.PERCENT, x, _FOOT + 1)

    def _draw_foot(self, screen):
        """The dice, and the tokens that they move."""
        s = self.shown
        rules = self._rules
        i = 1 + 4 * self._at
        kind = self._trace[i] if self._told else 0
        if kind == rules.BLUE or kind == rules.RED:
            self._draw_rolling(screen, self._trace[i + 2], kind == rules.RED)
        elif self._event >= 0:
            self._draw_die(screen, 0, _FOOT, _SYMBOLS[self._event >> 3], self._red)
            self._draw_die(screen, _DIE, _FOOT, _EFFECTS[self._event & 7], self._red)
        count = s[_COUNT]
        if s[_PHASE] == _TAKE:
            for k in range(count - (kind == rules.TAKE)):
                screen.picture(art.CARROT, _COINS + 2 + 8 * k, _FOOT + 1)
            if kind == rules.TAKE:
                self._draw_flying(screen)
        elif s[_PHASE] > _STAKE:
            self._draw_tokens(screen, count, kind == rules.PAY or kind == rules.TURN)

    def _draw_tokens(self, screen, count, turning):
        """The tokens that were turned over, the one that is turning if one is, and those to come: as many as fit."""
        seen = self._n_faces
        first = max(min(seen - 3, seen + count - _SIGHT), 0)
        for k in range(first, min(seen + count, first + _SIGHT)):
            x = _COINS + 10 * (k - first)
            face = self._faces[k] if k < seen else 2
            if turning and k == seen and self._clock >= _EDGE_MS:
                # On its edge, then with the other side up.
                face = self._trace[3 + 4 * self._at] if self._clock >= 2 * _EDGE_MS else 3
            if face < 3:
                screen.picture(_SIDES[face], x, _FOOT)
            else:
                screen.frame.fill_rect(x + 3, _FOOT, 3, 9, 1)

    def _draw_flying(self, screen):
        """A carrot on its way to the seat that takes it."""
        to = _PANEL + _PANELS * self._trace[2 + 4 * self._at] + 10
        x = _COINS + 2 + (to - _COINS - 2) * self._clock // _TAKE_MS
        y = _FOOT - _FOOT * self._clock // _TAKE_MS
        screen.frame.fill_rect(x - 1, y, 7, 9, 0)
        screen.picture(art.CARROT, x, y + 1)

    def _draw_die(self, screen, x, y, picture, red):
        """A die that shows a picture, 5 or 7 columns wide; the red ones are lit."""
        screen.picture(art.DIE_LIT if red else art.DIE, x, y)
        screen.picture(picture, x + (11 - picture[0] >> 1), y + 2, 0 if red else 1)

    def _draw_rolling(self, screen, event, red):
        """Dice that tumble, and then lie."""
        symbol = event >> 3
        effect = event & 7
        y = _FOOT
        if self._clock < _ROLL_MS:
            beat = self._clock // 60
            symbol = (symbol + beat * 2) % 3
            effect = (beat if red else 5 + beat % 3) & (3 if red else 7)
            y -= beat & 1
        self._draw_die(screen, 0, y, _SYMBOLS[symbol], red)
        self._draw_die(screen, _DIE, 2 * _FOOT - y - (self._clock < _ROLL_MS), _EFFECTS[effect], red)

    def draw_cursor(self, screen):
        """What a press would act on: it is drawn with the choice."""

    def draw_thinking(self, screen, beat):
        """A small moving mark: the computer thinks."""
        for i in range(3):
            if i == beat % 3:
                screen.frame.fill_rect(_THINK + 5 * i, 58, 3, 3, 1)
            else:
                screen.frame.pixel(_THINK + 1 + 5 * i, 59, 1)

    def draw_sheet(self, screen):
        """Each seat's space, its tokens and the chances of jumps with 1, 2 and 3 of them; stock and discard."""
        s = self.shown
        frame = screen.frame
        frame.fill_rect(0, 0, 128, 9, 1)
        screen.picture(art.FLAG, 16, 1, 0)
        screen.picture(art.CARROT, 41, 1, 0)
        for k in range(1, 4):
            screen.picture(art.AWAKE_SMALL, 37 + 24 * k, 1, 0)
            screen.number(k, 48 + 24 * k, 1, 0)
        for seat in range(s[_SEATS]):
            y = 12 + 10 * seat
            screen.picture(ui.MARKS_5[seat], 1, y + 1)
            space = s[_SEAT + 32 * seat]
            screen.number(space, 26 - number_width(space), y)
            tokens = s[_SEAT + 32 * seat + _TOKENS]
            screen.number(tokens, 47 - number_width(tokens), y)
            odds(self._rules, s, seat, self._odds)
            for k in range(1, 4):
                if k <= tokens:
                    chance = percent(self._odds[k])
                    screen.number(chance, 53 + 24 * k - number_width(chance), y)
                else:
                    frame.hline(46 + 24 * k, y + 3, 3, 1)
        screen.picture(art.STAKED, 16, 56)
        screen.number(s[_STOCK] + s[_STOCK + 1], 26, 56)
        screen.picture(art.AWAKE_SMALL, 61, 56)
        screen.number(s[_DISCARD], 73, 56)
        screen.picture(art.ASLEEP_SMALL, 91, 57)
        screen.number(s[_DISCARD + 1], 97, 56)
