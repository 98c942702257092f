"""More of Kings under Mountains than fits onto the table: what lies on the mines, the other seats' mines, where all
cards are; and the score sheet. In memory while it is looked at.
"""

from micropython import const

from firmware import ui
from firmware.art import kings as art
from firmware.screen import number_width
from firmware.views import kings
from hal.device import DOWN, LEFT, RIGHT

# Offsets of games/kings/rules.py, repeated since a const stays in its file; a test holds them equal.
_SEATS = const(0)
_TO_MOVE = const(2)
_KINGS = const(4)
_MINES = const(12)
_PILE = const(16)
_UNDER = const(25)
_LINK = const(56)
_LEFT = const(216)
_OVER = const(255)
_PROFILE = const(81)
_DEFENCE = const(162)
_NEED = const(182)
_WORTH = const(202)

_STACKS = const(0)
_OTHERS = const(1)
_CARDS = const(2)


class Pages:
    """The pages over the table of a view: `page` is the one that is seen, 0..2."""

    def __init__(self, view):
        self._view = view
        self._seen = bytearray(view._rules.VIEW_BYTES)
        self.page = _STACKS
        # How often it has been scrolled.
        self._scroll = 0

    def turn(self, k):
        """A press: more of the page, or another one. False for a key that leads back to the table."""
        if k == DOWN and self._more():
            self._scroll += 1
        elif k == LEFT or k == RIGHT or k == DOWN:
            self.page = (self.page + (2 if k == LEFT else 1)) % 3
            self._scroll = 0
        else:
            return False
        return True

    def _more(self):
        """Whether the page goes on."""
        s = self._view.shown
        whose = self._view._whose()
        most = 0
        for k in range(s[_SEATS]):
            if self.page == (_STACKS if k == whose else _OTHERS):
                most = max(most, s[_MINES + k])
        return most > (self._scroll + 1) * (4 if self.page == _STACKS else self._per_seat())

    def _per_seat(self):
        """Mines of each other seat that a page shows, in lines of four; of up to two there is room for the hands."""
        return 12 // (self._view.shown[_SEATS] - 1) & 12

    def draw(self, screen):
        if self.page == _STACKS:
            self._stacks(screen)
        elif self.page == _OTHERS:
            self._others(screen)
        else:
            self._cards(screen)

    def _stacks(self, screen):
        """What lies on the mines, those of the centre on the left: the first card at the bottom."""
        view = self._view
        s = view.shown
        table = view._table
        seat = view._whose()
        mines = s[_MINES + seat]
        for i in range(8):
            place = i if i < 4 else i + 4 * self._scroll
            if place >= 4 + mines:
                break
            mine = kings._mine(s, place, seat)
            x = 16 * i + (0 if i < 4 else 3)
            profile = table[_PROFILE + mine] & 31
            foreman = table[_WORTH + profile] > 15
            screen.picture(art.MINE_FOREMAN if foreman else art.MINE, x, 49)
            screen.number(table[_WORTH + profile] & 15, x + 3, 56, 0)
            need = table[(_DEFENCE if i < 4 else _NEED) + profile]
            laid = need - s[_LEFT + mine]
            card = s[_LINK + mine]
            for k in range(need - 1, -1, -1):
                y = 41 - 8 * k
                if k < laid:
                    view._draw_card(screen, card, x, y)
                    card = s[_LINK + card]
                else:
                    last = i > 3 and foreman and k == need - 1
                    screen.picture(art.FOREMAN if last else art.FREE, x + 4, y + 3)
        screen.frame.vline(64, 0, 64, 1)

    def _others(self, screen):
        """The other seats' mines, and their hands as far as they are known."""
        view = self._view
        s = view.shown
        seat = view._whose()
        per_seat = self._per_seat()
        y = 0
        for k in range(s[_SEATS]):
            if k == seat:
                continue
            screen.picture(ui.MARKS_5[k], 0, y + 1)
            screen.picture(kings._RACES[s[_KINGS + k]], 7, y)
            screen.number(view._open_score(k), 0, y + 8)
            mines = s[_MINES + k]
            first = per_seat * self._scroll
            for i in range(first, min(first + per_seat, mines)):
                at = i - first
                view._draw_mine(screen, kings._mine(s, i + 4, k), 20 + 27 * (at & 3), y + 16 * (at >> 2), k, 0, 0)
            y += 64 // (s[_SEATS] - 1)
            if s[_SEATS] < 4:
                view._draw_hand(screen, k, 0, 20, y - 14)

    def _cards(self, screen):
        """Where all cards are. Small and full: not seen yet; hollow: on the table; a mark: in that seat's hand; a dot:
        out of the game. Below those of each race its pile, the top card first."""
        view = self._view
        s = view.shown
        table = view._table
        seen = self._seen
        view._rules.view(s, view.viewer if view.viewer >= 0 else 4, seen)
        for strength in range(10):
            screen.number(strength, 12 + 12 * strength, 0)
        for card in range(1, 81):
            race = table[_PROFILE + card] >> 5
            x = 9 + 12 * table[card] + 6 * (card - 1 & 1)
            y = 8 + 14 * race
            where = seen[21 + card]
            if where >= 110:
                screen.picture(ui.MARKS_5[view.viewer], x, y)
            elif where >= 100:
                screen.picture(ui.MARKS_5[where - 100], x, y)
            elif where == 0:
                screen.picture(art.LAID, x + 1, y + 1)
            elif where == 1:
                screen.frame.pixel(x + 2, y + 2, 1)
            else:
                screen.picture(art.FREE, x + 1, y + 1)
        for race in range(4):
            y = 8 + 14 * race
            screen.picture(kings._RACES[race], 0, y)
            card = s[_PILE + race]
            x = 9
            pitch = 8 if kings._chain(s, card) < 15 else 6
            while card:
                screen.number(table[card], x, y + 6)
                x += pitch
                card = s[_LINK + card]


def draw_sheet(view, screen):
    """Mines exploited and their worth, mines in the areas and theirs, scores."""
    s = view.shown
    screen.frame.fill_rect(0, 0, 128, 9, 1)
    screen.picture(art.PICK, 28, 1, 0)
    screen.picture(art.PLUS, 48, 0, 0)
    screen.picture(art.PEAK, 70, 1, 0)
    screen.frame.hline(90, 4, 5, 0)
    screen.frame.hline(121, 3, 5, 0)
    screen.frame.hline(121, 5, 5, 0)
    for k in range(s[_SEATS]):
        y = 14 + 12 * k
        screen.picture(ui.MARKS_5[k], 1, y + 1)
        screen.picture(kings._RACES[s[_KINGS + k]], 9, y)
        burden = view._burden(k)
        screen.number(s[_MINES + k], 70, y)
        screen.number(burden, 88, y)
        if k == view.viewer or s[_TO_MOVE] == _OVER:
            screen.number(kings._chain(s, s[_UNDER + k]), 28, y)
            screen.number(view._ruled(k), 46, y)
            burden = view._ruled(k) - burden
            screen.number(burden, 127 - number_width(burden), y)
        else:
            screen.picture(art.BACK, 28, y)
            screen.picture(art.BACK, 46, y)
            screen.picture(art.BACK, 120, y)
