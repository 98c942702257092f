"""How Mountain Goats looks, and how a move is chosen: by pointing at mountains.

From the top: the seats with their scores; six mountains with the tokens left above their summits and their
numbers below, a goat's place on a step telling whose it is; the dice, the groups of the choice with their
sums. With the Big Mountain its steps 11 (lowest) to 24 stand at the right edge.
"""

from array import array

from micropython import const

from firmware import ui
from firmware.art import goats as art
from firmware.art import shell
from firmware.screen import number_width
from firmware.texts import t
from hal.device import DOWN, LEFT, RIGHT, UP, A

# Offsets of games/goats/rules.py, repeated since a const stays in its file; a test holds them equal.
_SEATS = const(0)
_OPTIONS = const(1)
_TO_MOVE = const(2)
_PLAYER = const(3)
_ROLL = const(4)
_BONUS = const(6)
_LEFT = const(9)
_BIG = const(10)
_SEAT = const(37)
_TAKEN = const(6)
_BONUSES = const(14)

_HEIGHT = b"\x04\x04\x03\x03\x02\x02"

# Rows and columns of the picture.
_PITCH = const(20)  # of the mountains, the first at column 1
_BASE = const(40)  # the lowest ledge
_STEP = const(6)  # rows from ledge to ledge
_STAND = const(4)  # rows from a ledge up to the first of a goat on it
_NAMES = const(41)  # the band with the mountains' numbers, 8 rows
_CURSOR = const(50)
_DICE = const(54)
_STRIP = const(122)  # the Big Mountain's left edge
_GO = const(97)

_ROLL_MS = const(500)
_MOVE_MS = const(600)
_ONE_MS = const(200)

_DICE_ART = (art.DIE_1, art.DIE_2, art.DIE_3, art.DIE_4, art.DIE_5, art.DIE_6)
_MARKS_4 = (shell.MARK4_0, shell.MARK4_1, shell.MARK4_2)

# Beside each of the tie-breaks.
TIE_PICTURES = (art.SUMMITS, art.HIGHEST)
# What they are called together.
TIE_TEXT = "tie.goats"


def roller(state):
    """The seat that rolls the dice next, at a chance ply."""
    return state[_PLAYER]


def tie_breaks(state, seat):
    """What decides between equal scores, the first first: goats on summits, the highest such mountain (0:
    none)."""
    summits = highest = 0
    for m in range(6):
        if state[_SEAT + 16 * seat + m] == 0:
            summits += 1
            highest = m + 5
    return summits, highest


def why(rules, state, move):
    """What speaks for a move, in a few words."""
    rules.apply(bytearray(state), move)
    trace = rules.TRACE
    bonus = points = steps = place = 0
    down = False
    for i in range(1, 1 + 4 * trace[0], 4):
        kind = trace[i]
        if kind == rules.BONUS:
            bonus = trace[i + 3]
        elif kind == rules.TOKEN:
            points += trace[i + 2]
        elif kind == rules.KNOCK:
            down = True
        elif kind == rules.PLACE:
            place = trace[i + 2]
        else:
            steps += 1
    if bonus:
        return t("why.goats.bonus").format(bonus)
    if down:
        return t("why.goats.down")
    if points:
        return t("why.goats.points").format(points)
    if place:
        return t("why.goats.place").format(place)
    return t("why.goats.steps").format(steps) if steps else t("why.goats.nothing")


class View:
    """The table of one game. `shown` is the state that is drawn; an animation leads from one to the next."""

    def __init__(self, rules, seats):
        self._rules = rules
        self.shown = bytearray(rules.STATE_BYTES)
        self._next = None
        self._scores = array("h", [0] * 5)
        self._sums = bytearray(4)
        self._dice = bytearray(4)
        self._n_sums = 0
        # Which group each die is in, 4: none; what each die shows.
        self._groups = bytearray(4)
        self._faces = bytearray(4)
        self._clock = 0
        self._rolling = False
        self._trace = bytearray(len(rules.TRACE))
        self._told = 0
        self._at = 0
        self._one_ms = _ONE_MS
        # The goats' marks: all seats side by side in 19 columns, and what that leaves for the walls on each
        # side.
        if seats < 4:
            self._marks = _MARKS_4
            self._place = 8 - seats
            self._size = 4
        else:
            self._marks = ui.MARKS_3
            self._place = 4
            self._size = 3
        self._first = 19 - self._place * (seats - 1) - self._size + 1 >> 1
        # A dark column between goats and walls.
        self._room = min(self._first - 2, 17 - self._first - self._place * (seats - 1) - self._size)
        # The choice: stops of the cursor (sums that can be formed, the last one stands for the go), sums
        # chosen.
        self._stops = bytearray(21)
        self._n_stops = 0
        self._cursor = -1
        self._chosen = bytearray(25)

    # --- Following the game

    def sync(self, state):
        """Show `state` at once."""
        self.shown[:] = state
        self._told = 0
        self._rolling = False
        self._n_sums = 0
        self._cursor = -1
        self._set_dice()

    def rolled(self, state):
        """`state` follows the shown one by a roll: let the dice roll."""
        self.sync(state)
        self._rolling = True
        self._clock = 0

    def show_choice(self, move):
        """Show the groups of a move of the seat that decides."""
        self._n_sums = self._rules.sums(move, self._sums)
        chosen = self._chosen
        for v in range(25):
            chosen[v] = 0
        for k in range(self._n_sums):
            chosen[self._sums[k]] += 1
        self._assign()

    def moved(self, state):
        """`state` follows the shown one by the move last applied: let the goats move as TRACE tells."""
        trace = self._rules.TRACE
        self._trace[:] = trace
        self._told = trace[0]
        self._at = 0
        self._clock = 0
        self._cursor = -1
        self._next = state
        if self._told:
            self._one_ms = min(_ONE_MS, _MOVE_MS // self._told)
        else:
            self.sync(state)

    def busy(self):
        """Whether something moves."""
        return self._rolling or self._told > 0

    def skip(self):
        """Bring what moves to its end."""
        self._rolling = False
        if self._told:
            self.sync(self._next)

    def tick(self, ms):
        """Let what moves go on by `ms`."""
        self._clock += ms
        if self._rolling:
            self._rolling = self._clock < _ROLL_MS
            return
        while self._told and self._clock >= self._one_ms:
            self._clock -= self._one_ms
            self._settle(1 + 4 * self._at)
            self._at += 1
            if self._at == self._told:
                self.sync(self._next)

    def _settle(self, i):
        """Carry one step of the trace over into the shown state."""
        rules = self._rules
        trace = self._trace
        s = self.shown
        kind = trace[i]
        seat = trace[i + 1]
        m = trace[i + 2] - 5
        mine = _SEAT + 16 * seat
        if kind == rules.STEP:
            s[mine + m] = _HEIGHT[m] - trace[i + 3]
        elif kind == rules.KNOCK:
            s[mine + m] = _HEIGHT[m]
        elif kind == rules.TOKEN:
            s[_LEFT + m] = trace[i + 3]
            s[mine + _TAKEN + m] += 1
        elif kind == rules.BONUS:
            s[_BONUS] -= 1
            s[mine + _BONUSES] |= 1 << s[_BONUS]
        elif kind == rules.PLACE:
            s[_BIG + m + 5] = mine

    def _set_dice(self):
        if self.shown[_TO_MOVE] < self._rules.CHANCE:
            self._rules.dice(self.shown[_ROLL], self._dice)
        self._faces[:] = self._dice
        for i in range(4):
            self._groups[i] = 4

    def _assign(self):
        """Share the dice out to the groups `_sums`: which die is in which group, and what turned ones
        show."""
        self._faces[:] = self._dice
        for i in range(4):
            self._groups[i] = 4
        ones = self._dice.count(b"\x01")
        if not self._fit(0, ones > 0):
            # One of the ones has to stay a one in a group.
            self._fit(0, False)

    def _fit(self, group, spare):
        """Find dice for the groups from `group` on; `spare`: a 1 has still to stay a 1 (a die that is left
        over will do). Depth is at most four."""
        groups = self._groups
        if group == self._n_sums:
            return not spare or self._left_one()
        for mask in range(1, 16):
            free = True
            rest = self._sums[group]
            ones = 0
            for i in range(4):
                if mask >> i & 1:
                    free = free and groups[i] == 4
                    if self._dice[i] == 1:
                        ones += 1
                    else:
                        rest -= self._dice[i]
            if not free or not ones <= rest <= 6 * ones:
                continue
            # A group whose ones make their sum with one of them unturned sets the others free.
            keeps = ones > 0 and rest <= 1 + 6 * (ones - 1)
            for i in range(4):
                if mask >> i & 1:
                    groups[i] = group
            if self._fit(group + 1, spare and not keeps):
                self._turn(mask, ones, rest)
                return True
            for i in range(4):
                if mask >> i & 1:
                    groups[i] = 4
        return False

    def _left_one(self):
        """Whether a die that shows 1 is in no group."""
        return any(self._dice[i] == 1 and self._groups[i] == 4 for i in range(4))

    def _turn(self, mask, ones, rest):
        """Turn the ones of a group so that they make `rest` together, as few of them as can be."""
        for i in range(4):
            if mask >> i & 1 and self._dice[i] == 1:
                ones -= 1
                self._faces[i] = min(rest - ones, 6)
                rest -= self._faces[i]

    # --- Choosing

    def choose(self, legal, n):
        """Let a person choose among the n moves in `legal`; the one that brings most is chosen to begin
        with."""
        self._legal = legal
        self._n_legal = n
        found = bytearray(25)
        best = -1
        for i in range(n):
            self._n_sums = self._rules.sums(legal[i], self._sums)
            for k in range(self._n_sums):
                found[self._sums[k]] = 1
            worth = self._worth()
            if worth > best:
                best = worth
                self._move = legal[i]
        self._n_stops = 0
        for v in range(5, 25):
            if found[v]:
                self._stops[self._n_stops] = v
                self._n_stops += 1
        self._cursor = self._n_stops
        self._take(self._move)

    def _worth(self):
        """What the groups `_sums` bring at once: in twelfths of a point, a step its share of the mountain's
        token."""
        s = self.shown
        mine = _SEAT + 16 * s[_PLAYER]
        worth = 0
        last = 0
        for k in range(self._n_sums):
            v = self._sums[k]
            if v > 10:
                worth += v
                continue
            m = v - 5
            if v != last:
                left = s[mine + m]
                tokens = s[_LEFT + m]
                last = v
            if left:
                worth += v * 12 // _HEIGHT[m]
                left -= 1
            if not left and tokens:
                worth += v * 12
                tokens -= 1
        return worth

    def _take(self, move):
        """Make `move` the choice."""
        self._move = move
        self.show_choice(move)

    def key(self, k):
        """A press while a person chooses. Returns the move to make, or -1."""
        if k in (LEFT, RIGHT):
            self._cursor = (self._cursor + (1 if k == RIGHT else -1)) % (self._n_stops + 1)
        elif self._cursor == self._n_stops:
            if k == A:
                return self._move
        else:
            v = self._stops[self._cursor]
            if k == DOWN:
                if self._chosen[v]:
                    self._change(v, self._chosen[v] - 1)
            elif k == UP:
                self._change(v, self._chosen[v] + 1)
            elif k == A and not self._change(v, self._chosen[v] + 1):
                self._change(v, 0)
        return -1

    def at_go(self):
        """Whether the cursor is on the button that carries the choice out."""
        return self._cursor == self._n_stops

    def _change(self, v, count):
        """Choose `count` groups of sum v, and of the others as many as still go with them. False if none
        does."""
        best = -1
        for i in range(self._n_legal):
            n = self._rules.sums(self._legal[i], self._sums)
            here = kept = 0
            at = 0
            while at < n:
                w = self._sums[at]
                same = 0
                while at < n and self._sums[at] == w:
                    same += 1
                    at += 1
                if w == v:
                    here = same
                elif same > self._chosen[w]:
                    kept = -9
                else:
                    kept += same
            if here == count and kept > best:
                best = kept
                move = self._legal[i]
        if best < 0:
            return False
        self._take(move)
        return True

    # --- Drawing

    def draw(self, screen, ghosts):
        """The table; `ghosts`: show where the choice would lead."""
        self._draw_seats(screen)
        s = self.shown
        mine = _SEAT + 16 * s[_PLAYER]
        for m in range(6):
            more = self._chosen[m + 5] if ghosts else 0
            self._draw_mountain(screen, m, s[mine + m], more)
        self._draw_bonus(screen)
        if s[_OPTIONS]:
            self._draw_big(screen, ghosts)
        if self._told:
            self._draw_moving(screen)
        elif self._rolling:
            self._draw_rolling(screen)
        if not self._rolling and (self._told or s[_TO_MOVE] < self._rules.CHANCE):
            self._draw_dice(screen)

    def _draw_seats(self, screen):
        s = self.shown
        seats = s[_SEATS]
        self._rules.scores(s, self._scores)
        pitch = 128 // max(seats, 4)
        for k in range(seats):
            x = pitch * k
            ink = 1
            if k == s[_PLAYER] and s[_TO_MOVE] != self._rules.OVER:
                screen.frame.fill_rect(x, 0, pitch, 9, 1)
                ink = 0
            screen.picture(ui.MARKS_5[k], x + 1, 2, ink)
            screen.number(self._scores[k], x + 8, 1, ink)

    def _x(self, m, seat, steps):
        """First column of a goat on the mountain m; on the summit, which holds one goat, it is in the
        middle."""
        if steps == _HEIGHT[m]:
            return _PITCH * m + 10 - (self._size >> 1)
        return _PITCH * m + 1 + self._first + self._place * seat

    def _y(self, steps):
        """Row of the ledge that many steps up."""
        return _BASE - _STEP * (steps - 1)

    def _stand(self, screen, seat, m, steps, ink=1):
        """Draw a goat that has climbed `steps`."""
        screen.picture(self._marks[seat], self._x(m, seat, steps), self._y(steps) - _STAND, ink)

    def _draw_mountain(self, screen, m, left, more):
        """A mountain with its goats and tokens; `more`: steps that the choice adds to the mover's, `left`
        to go."""
        frame = screen.frame
        s = self.shown
        x = _PITCH * m + 1
        height = _HEIGHT[m]
        self._draw_rock(frame, x, height)
        frame.fill_rect(x, _NAMES, 19, 8, 1)
        name = m + 5
        screen.number(name, x + 10 - (number_width(name) + 1 >> 1), _NAMES, 0)
        mover = s[_PLAYER]
        arrives = more >= left > 0
        reached = height - max(left - more, 0)
        if more:
            # The step that would be reached is lit, and who is there dark.
            inset = 5 if reached == height else 0
            frame.fill_rect(x - 1 + inset, self._y(reached) - 5, 21 - 2 * inset, 5, 1)
            self._stand(screen, mover, m, reached, 0)
        for k in range(s[_SEATS]):
            steps = height - s[_SEAT + 16 * k + m]
            if steps and not (steps == height and arrives) and not (k == mover and more and steps == reached):
                self._stand(screen, k, m, steps, 0 if more and steps == reached else 1)
        tokens = s[_LEFT + m]
        gain = min(more - left + (1 if left else 0), tokens) if more else 0
        if gain > 0:
            self._draw_tokens(screen, m, tokens - gain, 0)
        elif tokens:
            self._draw_tokens(screen, m, tokens, 1)

    def _draw_tokens(self, screen, m, tokens, ink):
        """The number of tokens above a summit; ink 0: dark on a lit field, as something happens to it."""
        width = number_width(tokens)
        x = _PITCH * m + 11 - (width + 1 >> 1)
        y = self._y(_HEIGHT[m]) - 12
        if not ink:
            screen.frame.fill_rect(x - 1, y - 1, width + 2, 9, 1)
        screen.number(tokens, x, y, ink)

    def _draw_rock(self, frame, x, height):
        """Ledges and walls of a mountain; the walls stand in as far as the goats leave room."""
        room = self._room
        y = _BASE
        wall = 0
        for step in range(1, height):
            frame.hline(x + wall, y, 19 - 2 * wall, 1)
            if room > 0 and height > 2:
                wall = room * min(step, height - 2) // (height - 2)
            if room >= 0:
                rows = 5 if step < height - 1 else 3
                frame.vline(x + wall, y - rows, rows, 1)
                frame.vline(x + 18 - wall, y - rows, rows, 1)
            y -= _STEP
        if room < 0:
            frame.hline(x + 5, y, 9, 1)
            return
        # Its corners leave free what is above the outer goats of the step below.
        frame.hline(x + wall + 2, y, 15 - 2 * wall, 1)
        frame.pixel(x + wall + 1, y + 1, 1)
        frame.pixel(x + 17 - wall, y + 1, 1)
        frame.pixel(x + wall, y + 2, 1)
        frame.pixel(x + 18 - wall, y + 2, 1)

    def _draw_bonus(self, screen):
        """The highest bonus token that is left, and a dot for each after it."""
        left = self.shown[_BONUS]
        if left:
            screen.picture(art.STAR, 84, 11)
            screen.number(3 * left + 3, 93, 11)
            for i in range(left - 1):
                screen.frame.fill_rect(108 + 4 * i, 16, 2, 2, 1)

    def _draw_big(self, screen, ghosts):
        frame = screen.frame
        s = self.shown
        frame.vline(_STRIP, 9, 55, 1)
        for v in range(11, 25):
            y = self._strip_y(v)
            owner = s[_BIG + v]
            if ghosts and self._chosen[v]:
                frame.fill_rect(_STRIP + 1, y - 1, 5, 5, 1)
                screen.picture(ui.MARKS_3[s[_PLAYER]], _STRIP + 2, y, 0)
            elif owner:
                screen.picture(ui.MARKS_3[owner - _SEAT >> 4], _STRIP + 2, y)
            else:
                frame.pixel(_STRIP + 3, y + 1, 1)

    def _strip_y(self, v):
        return 10 + (24 - v) * 4 - (24 - v) // 7

    def _draw_moving(self, screen):
        """The present step of the trace, somewhere between before and after."""
        rules = self._rules
        trace = self._trace
        i = 1 + 4 * self._at
        kind = trace[i]
        seat = trace[i + 1]
        m = trace[i + 2] - 5
        frame = screen.frame
        size = self._size
        if kind == rules.STEP:
            steps = trace[i + 3]
            if steps == 1:
                # From the foot, which is not seen.
                self._stand(screen, seat, m, steps)
                return
            # It is still drawn where it was: it goes dark there.
            self._stand(screen, seat, m, steps - 1, 0)
            x = self._x(m, seat, steps)
            y = self._y(steps) + _STEP - _STEP * self._clock // self._one_ms - _STAND
            frame.fill_rect(x - 1, y - 1, size + 2, size + 1, 0)
            screen.picture(self._marks[seat], x, y)
        elif kind == rules.KNOCK:
            # It is still drawn on the summit, where the other one has arrived: it falls beside the mountain.
            height = _HEIGHT[m]
            x = self._x(m, seat, height)
            y = self._y(height) - _STAND
            frame.fill_rect(x, y, size, size, 0)
            self._stand(screen, self.shown[_PLAYER], m, height)
            x += 5
            y += (_BASE - y) * self._clock // self._one_ms
            frame.fill_rect(x - 1, y - 1, size + 2, size + 2, 0)
            screen.picture(self._marks[seat], x, y)
        elif kind == rules.TOKEN:
            self._draw_tokens(screen, m, trace[i + 3], 0)
        elif kind == rules.BONUS:
            frame.fill_rect(83, 10, 22, 9, 1)
            screen.picture(art.STAR, 84, 11, 0)
            screen.number(trace[i + 3], 93, 11, 0)
        elif kind == rules.PLACE:
            y = self._strip_y(trace[i + 2])
            x = _STRIP - 16 + 18 * self._clock // self._one_ms
            frame.fill_rect(x - 1, y - 1, 5, 5, 0)
            screen.picture(ui.MARKS_3[seat], x, y)

    def _draw_rolling(self, screen):
        """Dice that tumble, one after the other coming to rest."""
        for i in range(4):
            rest = _ROLL_MS * (i + 5) // 9
            if self._clock >= rest:
                face = self._dice[i] - 1
                y = _DICE
            else:
                beat = self._clock // 60
                face = (beat * 5 + i * 3 + self._dice[i]) % 6
                y = _DICE - 2 + (beat + i) % 3
            screen.picture(_DICE_ART[face], 10 * i, y)

    def _draw_dice(self, screen):
        """The dice of each group with the sum they make, then those that are left over."""
        x = 0
        for group in range(self._n_sums + 1):
            here = group if group < self._n_sums else 4
            some = False
            for i in range(4):
                if self._groups[i] == here:
                    screen.picture(_DICE_ART[self._faces[i] - 1], x, _DICE)
                    if here < 4:
                        screen.picture(art.DIE_LIT, x, _DICE, 2)
                    x += 10
                    some = True
            if some and here < 4:
                x = screen.number(self._sums[group], x + 1, _DICE + 1) + 3

    def draw_cursor(self, screen):
        """What a press would act on, and the button."""
        screen.picture(art.GO, _GO, 54)
        if self.at_go():
            screen.picture(shell.POINTER, _GO - 7, 56)
            return
        v = self._stops[self._cursor]
        if v <= 10:
            screen.picture(art.POINT_UP, _PITCH * (v - 5) + 8, _CURSOR)
        else:
            screen.picture(art.POINT_RIGHT, _STRIP - 3, self._strip_y(v))
            # Lit as the mountains' numbers are, not to be taken for one more sum of the choice.
            screen.frame.fill_rect(_GO - 16, 54, 15, 9, 1)
            screen.number(v, _GO - 14, 55, 0)

    def draw_thinking(self, screen, beat):
        """A small moving mark: the computer thinks."""
        for i in range(3):
            if i == beat % 3:
                screen.frame.fill_rect(_GO + 5 * i, 57, 3, 3, 1)
            else:
                screen.frame.pixel(_GO + 1 + 5 * i, 58, 1)

    def draw_sheet(self, screen):
        """What each seat has taken: tokens of each mountain, bonus tokens, points of the Big Mountain, score."""
        s = self.shown
        self._rules.scores(s, self._scores)
        frame = screen.frame
        frame.fill_rect(0, 0, 128, 9, 1)
        for m in range(6):
            screen.number(m + 5, 13 + 12 * m, 1, 0)
        screen.picture(art.STAR, 88, 1, 0)
        if s[_OPTIONS]:
            for y in range(6):
                frame.hline(103 - y, 2 + y, 2 * y + 1, 0)
        for k in range(s[_SEATS]):
            y = 13 + 11 * k
            p = _SEAT + 16 * k
            screen.picture(ui.MARKS_5[k], 1, y + 1)
            rest = self._scores[k]
            for m in range(6):
                taken = s[p + _TAKEN + m]
                rest -= taken * (m + 5)
                if taken:
                    screen.number(taken, 13 + 12 * m, y)
                else:
                    frame.hline(14 + 12 * m, y + 3, 3, 1)
            bonus = s[p + _BONUSES]
            points = 15 * (bonus >> 3) + 12 * (bonus >> 2 & 1) + 9 * (bonus >> 1 & 1) + 6 * (bonus & 1)
            rest -= points
            if points:
                screen.number(points, 86, y)
            if rest:
                screen.number(rest, 98, y)
            score = self._scores[k]
            screen.number(score, 128 - number_width(score), y)
