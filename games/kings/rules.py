"""Kings under Mountains: the rules on one flat bytearray.

A turn is two decisions: a card is played (laid on a mine or dropped), then one is drawn. All chance is in the set-up.
Cards are counted from 1 in the state, so that 0 means none; in the codes of moves they are 0..79 as on the rules page:
card * 64 + place lays a card on a mine (places 0..3 in the centre, from 4 in the seat's area), then the codes of
DROP, TAKE and DECK follow. `apply` holds the rules; everything else prepares for it or reads the state.
"""

import micropython
from array import array
from micropython import const

from games.kings.tables import TABLE

STATE_BYTES = 549
# 21 of the table, the seat, 80 cards, 4 counts, at most 64 mines of 2 bytes; see `view`.
VIEW_BYTES = 234
# Six cards on 4 mines in the centre and those of one area. Each conquest takes a card from the deck, which holds
# 60 at most and never none when a card is to be played (the game would be over): at most 59 mines lie in an area.
MAX_LEGAL = 378
# Two decisions a turn, and in each turn one card is laid or dropped. At most 60 conquests (of 60 cards in the deck)
# of at most 5 attacks, 4 mines with at most 4 attacks left unfinished, and 80 cards that are worked or dropped, as
# those never come back: 396 turns.
MAX_PLIES = 792
SEATS = (2, 4)
OPTIONS = ()
CHANCE = 254
OVER = 255

# Codes of the moves that lay no card on a mine.
DROP = 5120  # + card 0..79
TAKE = 5200  # + race 0..3
DECK = 5204

# What a step of TRACE tells: (kind, seat, place, value). Cards are counted from 1; `place` as in the moves.
ATTACKED = 1  # the seat laid the card `value` on the place 0..3 in the centre
WORKED = 2  # the seat laid the card `value` on the place 4.. in its area
DROPPED = 3  # the seat dropped the card `value`
CONQUERED = 4  # the mine in the place of the centre went to the seat, to the place `value` of its area
REFILLED = 5  # a mine of profile `value` came from the deck to the place in the centre
EXPLOITED = 6  # the mine in the place went under the seat's king; it is worth `value`
TAKEN = 7  # the seat took the card `value` from the pile of race `place`
DRAWN = 8  # the seat drew the card `value` from the deck (only this seat may be shown it)
_TOLD = bytearray(TABLE) + bytearray(1 + 3 * 4)
TRACE = memoryview(_TOLD)[len(TABLE) :]

# The state.
_SEATS = const(0)
_OPTIONS = const(1)
_TO_MOVE = const(2)  # seat or OVER
_DRAWING = const(3)  # 1 when the seat has played and is to draw
_KINGS = const(4)  # + seat: race of its king
_OWNER = const(8)  # + race: seat + 1 of the king of this race, 0 if it is out
_MINES = const(12)  # + seat: mines in its area
_PILE = const(16)  # + race: the top card in the market
_IN_DECK = const(20)  # cards in the deck; after the piles, as what a seat may draw from
_CENTRE = const(21)  # + place 0..3: the mine there
_UNDER = const(25)  # + seat: the mine exploited last
_HAND = const(30)  # + 7 * seat: its cards, ascending, then zeros; the byte before it is 0 and ends a search downwards
# + card: the card beneath on a pile or mine; for a mine the top card on it; for a mine under a king the one that
# was exploited before; for a card in a hand _SEEN if it was taken from the market; else 0.
_LINK = const(56)
# + mine: what it takes. The weakest strength 0..9, or _ONLY_ZERO on a 9; a strength fits when bit 4 of the difference
# strength - weakest is 0. _FOREMAN is added when a foreman is all that is missing.
_TAKES = const(136)
_LEFT = const(216)  # + mine: cards until it is conquered or exploited
_DECK = const(297)  # + i < _IN_DECK: the cards, the top one last; then zeros
_AREA = const(357)  # + cards dealt into the deck * seat: its mines in the order of conquest, then zeros

_OVER = const(255)
_SEEN = const(255)
_ONLY_ZERO = const(17)
_FOREMAN = const(32)

_DROP = const(5120)
_TAKE = const(5200)
_FROM_DECK = const(4)

# A random move is a random place for a random card, drawn until it is legal. After this many failures the whole list
# is searched for one, as there may be none.
_PATIENCE = const(20)

# TABLE, see there.
_PROFILE = const(81)
_DEFENCE = const(162)
_NEED = const(182)
_WORTH = const(202)
# TRACE, behind TABLE in _TOLD: `apply` needs both on every call, and a pointer costs the Pico 400 cycles.
_TRACE = const(222)

# The generator's state after `apply` played at random.
_chance = array("I", [1])
# What `new` deals.
_SHUFFLED = bytearray(80)
_RACES = bytearray(4)


@micropython.viper
def new(state, seats: int, options: int, rng):
    """Set up a game for 2..4 seats in `state` (bytearray of STATE_BYTES), shuffled by `rng`; there are no options."""
    g = ptr32(rng.state)
    x = g[0]
    cards = ptr8(_SHUFFLED)
    # Each card in turn changes places with one of those before it or stays (Fisher and Yates), first the deck, then
    # the kings.
    first = 1
    size = 80
    while size:
        i = 0
        while i < size:
            n = i + 1
            while True:
                x = 16380 * (x & 65535) + (x >> 16)
                k = (x & 65535) * n
                low = k & 65535
                if low >= n or low >= 65536 % n:
                    break
            k >>= 16
            cards[i] = cards[k]
            cards[k] = i + first
            i += 1
        if size == 4:
            break
        cards = ptr8(_RACES)
        first = 0
        size = 4
    g[0] = x
    deal(state, seats, _SHUFFLED, _RACES)


@micropython.viper
def deal(state, seats: int, deck, kings):
    """Set up a game from the 80 cards (1..80) in the order they are dealt and the kings' races (0..3) by seat."""
    s = ptr8(state)
    d = ptr8(deck)
    races = ptr8(kings)
    t = ptr8(TABLE)
    i = 0
    while i < 548:
        s[i] = 0
        s[i + 1] = 0
        s[i + 2] = 0
        s[i + 3] = 0
        i += 4
    s[i] = 0
    s[_SEATS] = seats
    i = 0
    k = 0
    while k < seats:
        s[_KINGS + k] = races[k]
        s[_OWNER + races[k]] = k + 1
        # Hands are kept in order, so that equal hands are equal bytes.
        hand = _HAND + 7 * k
        n = 0
        while n < 6:
            p = hand + n
            while s[p - 1] > d[i]:
                s[p] = s[p - 1]
                p -= 1
            s[p] = d[i]
            n += 1
            i += 1
        k += 1
    k = 0
    while k < 4:
        mine = d[i]
        s[_CENTRE + k] = mine
        s[_LEFT + mine] = t[_DEFENCE + (t[_PROFILE + mine] & 31)]
        i += 1
        k += 1
    while k < 8:
        card = d[i]
        p = _PILE + (t[_PROFILE + card] >> 5)
        s[_LINK + card] = s[p]
        s[p] = card
        i += 1
        k += 1
    k = 80 - i
    s[_IN_DECK] = k
    while k:
        k -= 1
        s[_DECK + k] = d[i]
        i += 1


@micropython.viper
def seat(state) -> int:
    """Whose decision it is: a seat or OVER."""
    s = ptr8(state)
    return s[_TO_MOVE]


@micropython.viper
def apply(s: ptr8, x: int) -> int:
    """Carry out the legal move x; TRACE tells what happened. Returns whose decision it is then, as `seat` does.

    With x < 0 play at random to the end instead, every legal move equally likely; -x is the state of the generator,
    which goes on in _chance (`playout` does both). Returns the number of decisions.

    The Pico keeps the first two parameters in registers; it spends 400 cycles on a pointer, 45 on a division, 15 on a
    comparison, 6 on a truth test: hence the masks."""
    me = s[_TO_MOVE]
    if me == _OVER:
        return 0
    t = ptr8(_TOLD)
    m = x
    playing = 0
    telling = 0
    if x < 0:
        playing = 1
        x = 0 - x
    else:
        telling = 1
    to_play = 1 - s[_DRAWING]
    seats = s[_SEATS]
    area_bytes = 72 - 6 * seats
    plies = 0
    while True:
        hand = _HAND + 7 * me
        area = _AREA - 4 + area_bytes * me
        if to_play:
            plies += 1
            # --- Which card on which mine: drawn until it is legal, as the same tests as in `legal` say.
            places = s[_MINES + me] + 4
            slot = 0
            place = 0
            mine = 0
            if playing:
                king = s[_KINGS + me] << 5
                patience = _PATIENCE
                next_slot = 0
                next_place = 0
                while True:
                    if patience:
                        patience -= 1
                        # A number below 6 * places by its two digits. Refused, as they would favour some, are draws
                        # that leave less than 65536 % (6 * places), which is below 512.
                        while True:
                            x = 16380 * (x & 65535) + (x >> 16)
                            k = (x & 65535) * places
                            place = k >> 16
                            k = (k & 65535) * 6
                            if k & 0xFE00:
                                break
                            if (k & 65535) >= 65536 % (6 * places):
                                break
                        card = s[hand + (k >> 16)]
                    else:
                        if next_place == places:
                            next_place = 0
                            next_slot += 1
                            if next_slot == 6:
                                break
                        place = next_place
                        next_place += 1
                        card = s[hand + next_slot]
                    if place >> 2:
                        # Work: slaves are foreign, a foreman is of the own race.
                        mine = s[area + place]
                        if (t[_PROFILE + card] ^ king) >> 5:
                            if s[_TAKES + mine] & _FOREMAN:
                                continue
                        elif s[_TAKES + mine] & _FOREMAN == 0:
                            continue
                    else:
                        # Attack: any race.
                        mine = s[_CENTRE + place]
                    # Stronger than the top card, or a 0 on a 9.
                    if t[card] - s[_TAKES + mine] & 16:
                        continue
                    if patience:
                        slot = k >> 16
                        break
                    # There is a legal move: go on drawing.
                    patience = 0xFFFF
                    next_slot = 0
                    next_place = 0
                if next_slot == 6:
                    # None can be played anywhere: one is dropped.
                    slot = 6
                    while slot > 5:
                        x = 16380 * (x & 65535) + (x >> 16)
                        slot = x & 7
                    mine = 0
                    card = s[hand + slot]
            elif m < _DROP:
                card = (m >> 6) + 1
                place = m & 63
                if place < 4:
                    mine = s[_CENTRE + place]
                else:
                    mine = s[area + place]
            else:
                card = m - _DROP + 1
            if telling:
                s[_DRAWING] = 1
                while slot ^ 5 and s[hand + slot] ^ card:
                    slot += 1
                t[_TRACE] = 1
                t[_TRACE + 1] = 3
                t[_TRACE + 2] = me
                t[_TRACE + 3] = place
                t[_TRACE + 4] = card
            p = hand + slot
            k = hand + 5
            while p ^ k:
                s[p] = s[p + 1]
                p += 1
            s[p] = 0

            if mine == 0:
                # --- Drop: the card is out of the game.
                s[_LINK + card] = 0
            else:
                # --- Lay the card on the mine.
                s[_LINK + card] = s[_LINK + mine]
                s[_LINK + mine] = card
                low = s[_LEFT + mine] - 1
                s[_LEFT + mine] = low
                if telling:
                    t[_TRACE + 1] = 1
                    if place > 3:
                        t[_TRACE + 1] = 2
                if low:
                    # The next must be stronger. After the capacity a foreman is wanted, of the own race.
                    k = t[card] + 1
                    if k == 10:
                        k = _ONLY_ZERO
                    if low == 1 and place > 3 and t[_WORTH + (t[_PROFILE + mine] & 31)] > 15:
                        k += _FOREMAN
                    s[_TAKES + mine] = k
                elif place < 4:
                    # --- Conquered, by the king of the last card's race; if that is out, by the seat that played it.
                    owner = s[_OWNER + (t[_PROFILE + card] >> 5)]
                    if owner == 0:
                        owner = me + 1
                    owner -= 1
                    # The creatures go to the market, the last-played first.
                    while card:
                        k = s[_LINK + card]
                        p = _PILE + (t[_PROFILE + card] >> 5)
                        s[_LINK + card] = s[p]
                        s[p] = card
                        card = k
                    # The mine, empty, goes to the owner's area, where it takes foreign slaves.
                    s[_LINK + mine] = 0
                    s[_TAKES + mine] = 0
                    s[_LEFT + mine] = t[_NEED + (t[_PROFILE + mine] & 31)]
                    low = s[_MINES + owner]
                    s[_AREA + area_bytes * owner + low] = mine
                    s[_MINES + owner] = low + 1
                    # The place is refilled: before a turn the deck is never empty, or the game would be over.
                    k = s[_IN_DECK] - 1
                    s[_IN_DECK] = k
                    mine = s[_DECK + k]
                    s[_DECK + k] = 0
                    s[_CENTRE + place] = mine
                    k = t[_PROFILE + mine] & 31
                    s[_LEFT + mine] = t[_DEFENCE + k]
                    if telling:
                        t[_TRACE] = 3
                        t[_TRACE + 5] = 4
                        t[_TRACE + 6] = owner
                        t[_TRACE + 7] = place
                        t[_TRACE + 8] = low + 4
                        t[_TRACE + 9] = 5
                        t[_TRACE + 10] = 0
                        t[_TRACE + 11] = place
                        t[_TRACE + 12] = k
                else:
                    # --- Exploited: the creatures leave the game, the mine goes under the king.
                    while card:
                        k = s[_LINK + card]
                        s[_LINK + card] = 0
                        card = k
                    s[_LINK + mine] = s[_UNDER + me]
                    s[_UNDER + me] = mine
                    s[_TAKES + mine] = 0
                    k = s[_MINES + me] - 1
                    s[_MINES + me] = k
                    p = area + place
                    k += area + 4
                    while p < k:
                        s[p] = s[p + 1]
                        p += 1
                    s[p] = 0
                    if telling:
                        t[_TRACE] = 2
                        t[_TRACE + 5] = 6
                        t[_TRACE + 6] = me
                        t[_TRACE + 7] = place
                        t[_TRACE + 8] = t[_WORTH + (t[_PROFILE + mine] & 31)] & 15
            if telling:
                return me

        # --- Draw one card: the top of a pile or of the deck.
        plies += 1
        if playing:
            while True:
                x = 16380 * (x & 65535) + (x >> 16)
                k = (x & 65535) * 5
                # 65536 % 5 is 1. The count of the deck stands for its top card.
                if k & 65535:
                    if s[_PILE + (k >> 16)]:
                        break
            pile = k >> 16
        else:
            pile = m - _TAKE
        if pile == _FROM_DECK:
            k = s[_IN_DECK] - 1
            s[_IN_DECK] = k
            card = s[_DECK + k]
            s[_DECK + k] = 0
        else:
            p = _PILE + pile
            card = s[p]
            s[p] = s[_LINK + card]
            s[_LINK + card] = _SEEN
        # The card goes to its place in the hand, which is ascending.
        p = hand + 5
        while True:
            k = s[p - 1]
            if k < card:
                break
            s[p] = k
            p -= 1
        s[p] = card

        if telling:
            t[_TRACE] = 1
            t[_TRACE + 1] = 7
            if pile == _FROM_DECK:
                t[_TRACE + 1] = 8
            t[_TRACE + 2] = me
            t[_TRACE + 3] = pile
            t[_TRACE + 4] = card

        # --- The turn is over, and with the last card of the deck the game.
        me += 1
        if me == seats:
            me = 0
        if s[_IN_DECK] == 0:
            me = _OVER
        if telling:
            s[_TO_MOVE] = me
            s[_DRAWING] = 0
            return me
        if me == _OVER:
            break
        to_play = 1
    s[_TO_MOVE] = me
    s[_DRAWING] = 0
    g = ptr32(_chance)
    g[0] = x
    return plies


@micropython.viper
def playout(state, rng) -> int:
    """Play at random to the end; returns the number of decisions."""
    g = ptr32(rng.state)
    c = ptr32(_chance)
    c[0] = g[0]
    n = int(apply(state, 0 - g[0]))
    g[0] = c[0]
    return n


@micropython.viper
def legal(s: ptr8, out: ptr16) -> int:
    """Write the legal moves into out, array('H') of MAX_LEGAL, ascending; return how many. 0 when the game is over."""
    me = s[_TO_MOVE]
    n = 0
    if me == _OVER:
        return n
    if s[_DRAWING]:
        if s[_PILE]:
            out[n] = _TAKE
            n += 1
        if s[_PILE + 1]:
            out[n] = _TAKE + 1
            n += 1
        if s[_PILE + 2]:
            out[n] = _TAKE + 2
            n += 1
        if s[_PILE + 3]:
            out[n] = _TAKE + 3
            n += 1
        if s[_IN_DECK]:
            out[n] = _TAKE + 4
            n += 1
        return n
    # The first card of the own race, and that of the race of `card`: found without TABLE, as a hand is ascending.
    own = 20 * s[_KINGS + me] + 1
    first = 1
    area = _AREA + (72 - 6 * s[_SEATS]) * me
    area_end = area + s[_MINES + me]
    # What the four mines in the centre take; a loop over them for each card would cost a fifth of the time.
    place1 = s[_TAKES + s[_CENTRE]]
    place2 = s[_TAKES + s[_CENTRE + 1]]
    place3 = s[_TAKES + s[_CENTRE + 2]]
    place4 = s[_TAKES + s[_CENTRE + 3]]
    waiting = 0
    p = area
    while p ^ area_end:
        waiting |= s[_TAKES + s[p]] & _FOREMAN
        p += 1
    slot = _HAND + 7 * me
    end = slot + 6
    while slot ^ end:
        card = s[slot]
        slot += 1
        code = 64 * card - 64
        # Bit 4 of the difference to what a mine takes is set where the card fits.
        while card > first + 19:
            first += 20
        strength = (card - first >> 1) + 16
        # Any race attacks.
        if strength - place1 & 16:
            out[n] = code
            n += 1
        if strength - place2 & 16:
            out[n] = code + 1
            n += 1
        if strength - place3 & 16:
            out[n] = code + 2
            n += 1
        if strength - place4 & 16:
            out[n] = code + 3
            n += 1
        # Slaves are foreign, a foreman is of the own race.
        foreman = _FOREMAN
        if first ^ own:
            foreman = 0
        elif waiting == 0:
            continue
        code += 4 - area
        p = area
        while p ^ area_end:
            if strength - s[_TAKES + s[p]] & 16:
                if (s[_TAKES + s[p]] ^ foreman) & _FOREMAN:
                    p += 1
                    continue
                out[n] = code + p
                n += 1
            p += 1
    if n == 0:
        while n < 6:
            out[n] = s[end - 6 + n] + _DROP - 1
            n += 1
    return n


def sample(state, rng):
    """Draw an event of chance: never asked for, as all chance of this game is in the set-up."""
    return 0


@micropython.viper
def scores(state, out):
    """Write each seat's score, as if the game ended now, into out, array('h') of at least as many elements: the worth
    of its exploited mines less that of the mines in its area."""
    s = ptr8(state)
    o = ptr16(out)
    t = ptr8(TABLE)
    seats = s[_SEATS]
    area = _AREA
    k = 0
    while k < seats:
        points = 0
        mine = s[_UNDER + k]
        while mine:
            points += t[_WORTH + (t[_PROFILE + mine] & 31)] & 15
            mine = s[_LINK + mine]
        i = s[_MINES + k]
        while i:
            i -= 1
            points -= t[_WORTH + (t[_PROFILE + s[area + i]] & 31)] & 15
        o[k] = points
        area += 72 - 6 * seats
        k += 1


_SCORES = array("h", [0, 0, 0, 0])


@micropython.viper
def winners(state) -> int:
    """Bit mask of the seats that lead: most points, then most exploited mines; all that are still equal share the
    win."""
    s = ptr8(state)
    scores(state, _SCORES)
    points = ptr16(_SCORES)
    seats = s[_SEATS]
    best = 0
    mask = 0
    k = 0
    while k < seats:
        # A score is negative in two's complement, and at least -540 (60 mines of 9).
        rank = (points[k] + 1024 & 0xFFFF) * 128
        mine = s[_UNDER + k]
        while mine:
            rank += 1
            mine = s[_LINK + mine]
        if rank > best:
            best = rank
            mask = 1 << k
        elif rank == best:
            mask |= 1 << k
        k += 1
    return mask


# What `_survey` finds: all mines, in an order that everybody sees (centre, areas, under the kings), and 1 for each
# card whose creature side a seat has not seen.
_FOUND = bytearray(64)
_UNSEEN = bytearray(81)


@micropython.viper
def _survey(state, seat: int) -> int:
    """Fill _FOUND and _UNSEEN for a seat; returns how many mines there are."""
    s = ptr8(state)
    found = ptr8(_FOUND)
    unseen = ptr8(_UNSEEN)
    i = 0
    while i < 81:
        unseen[i] = 0
        i += 1
    i = s[_IN_DECK]
    while i:
        i -= 1
        unseen[s[_DECK + i]] = 1
    n = 0
    while n < 4:
        found[n] = s[_CENTRE + n]
        n += 1
    seats = s[_SEATS]
    area = _AREA
    k = 0
    while k < seats:
        i = 0
        while i < s[_MINES + k]:
            found[n] = s[area + i]
            n += 1
            i += 1
        area += 72 - 6 * seats
        if k != seat:
            # Another's hand is known as far as it was taken from the market.
            p = _HAND + 7 * k
            i = p + 6
            while p < i:
                if s[_LINK + s[p]] != _SEEN:
                    unseen[s[p]] = 1
                p += 1
        k += 1
    k = 0
    while k < seats:
        card = s[_UNDER + k]
        while card:
            found[n] = card
            n += 1
            card = s[_LINK + card]
        k += 1
    i = 0
    while i < n:
        unseen[found[i]] = 1
        i += 1
    # An empty place of a hand is no card.
    unseen[0] = 0
    return n


# What `hide` lifts from each mine: the top card on it, what it takes, how many cards are left.
_LIFTED = bytearray(3 * 64)
_REST = bytearray(80)


@micropython.viper
def hide(state, seat: int, rng):
    """Replace what the seat does not know by one of the worlds that agree with what it saw, each equally likely: the
    creature sides of all mines, the deck, and the others' cards that did not come from the market."""
    s = ptr8(state)
    g = ptr32(rng.state)
    t = ptr8(TABLE)
    found = ptr8(_FOUND)
    unseen = ptr8(_UNSEEN)
    lifted = ptr8(_LIFTED)
    rest = ptr8(_REST)
    x = g[0]
    n = int(_survey(state, seat))
    i = 0
    while i < n:
        mine = found[i]
        k = 3 * i
        lifted[k] = s[_LINK + mine]
        lifted[k + 1] = s[_TAKES + mine]
        lifted[k + 2] = s[_LEFT + mine]
        s[_LINK + mine] = 0
        s[_TAKES + mine] = 0
        s[_LEFT + mine] = 0
        i += 1
    # A profile is on one card of each race: a mine is any of those that were not seen and are no other mine.
    i = 0
    while i < n:
        profile = t[_PROFILE + found[i]] & 31
        k = 0
        race = 0
        while race < 4:
            # 7 * 3 is 1 modulo 20.
            k += unseen[(3 * profile + 5 * race) % 20 + 20 * race + 1]
            race += 1
        while True:
            x = 16380 * (x & 65535) + (x >> 16)
            low = (x & 65535) * k
            if (low & 65535) >= 65536 % k:
                break
        k = low >> 16
        race = 0
        while True:
            mine = (3 * profile + 5 * race) % 20 + 20 * race + 1
            if unseen[mine]:
                if k == 0:
                    break
                k -= 1
            race += 1
        unseen[mine] = 0
        found[i] = mine
        k = 3 * i
        s[_TAKES + mine] = lifted[k + 1]
        s[_LEFT + mine] = lifted[k + 2]
        # Those under a king are linked below.
        if lifted[k + 2]:
            s[_LINK + mine] = lifted[k]
        i += 1
    # Put the mines where they were found.
    n = 0
    while n < 4:
        s[_CENTRE + n] = found[n]
        n += 1
    seats = s[_SEATS]
    area = _AREA
    k = 0
    while k < seats:
        i = 0
        while i < s[_MINES + k]:
            s[area + i] = found[n]
            n += 1
            i += 1
        area += 72 - 6 * seats
        k += 1
    k = 0
    while k < seats:
        p = _UNDER + k
        mine = s[p]
        while mine:
            # `lifted` holds the mine that was here before; only whether there was one counts.
            mine = lifted[3 * n]
            s[p] = found[n]
            p = _LINK + found[n]
            n += 1
        k += 1
    # The rest lies in the others' hands and in the deck.
    n = 0
    i = 1
    while i < 81:
        if unseen[i]:
            rest[n] = i
            n += 1
        i += 1
    # In random order (Fisher and Yates).
    i = n
    while i > 1:
        while True:
            x = 16380 * (x & 65535) + (x >> 16)
            k = (x & 65535) * i
            low = k & 65535
            if low >= i or low >= 65536 % i:
                break
        k >>= 16
        i -= 1
        card = rest[i]
        rest[i] = rest[k]
        rest[k] = card
    g[0] = x
    k = 0
    while k < seats:
        if k != seat:
            # Those that are known move to the front, the others are inserted.
            hand = _HAND + 7 * k
            end = hand
            i = 0
            while i < 6:
                card = s[hand + i]
                if s[_LINK + card] == _SEEN:
                    s[hand + i] = s[end]
                    s[end] = card
                    end += 1
                i += 1
            while end < hand + 6:
                if s[end]:
                    n -= 1
                    card = rest[n]
                    p = end
                    while s[p - 1] > card:
                        s[p] = s[p - 1]
                        p -= 1
                    s[p] = card
                end += 1
        k += 1
    while n:
        n -= 1
        s[_DECK + n] = rest[n]


def view(s, seat, out):
    """Write what the seat knows into out (VIEW_BYTES); return the length. Equal views leave equal worlds.

      0  21  the table as in the state (seats, turn, kings, mines in the areas, tops of the market, cards in the deck)
     21   1  the seat
     22  80  for each card: 0 where its creature side was not seen, 1 out of the game, 2 + the card beneath on a pile or
             mine, 100 + seat for a card in a hand that everybody knows, 110 for one that only this seat knows
    102   4  mines under each king; then for each mine in the order of `_survey` its profile and its top card
    """
    n = _survey(s, seat)
    for i in range(21):
        out[i] = s[i]
    out[21] = seat
    # Whatever is found nowhere below is out of the game.
    for card in range(1, 81):
        out[21 + card] = 1 - _UNSEEN[card]
    for k in range(4):
        for i in range(6):
            card = s[_HAND + 7 * k + i]
            if card and known(s, card):
                out[21 + card] = 100 + k
            elif card and k == seat:
                out[21 + card] = 110
        _view_stack(s, s[_PILE + k], out)
        out[102 + k] = 0
        mine = s[_UNDER + k]
        while mine:
            out[102 + k] += 1
            mine = s[_LINK + mine]
    k = 106
    for i in range(n):
        mine = _FOUND[i]
        out[k] = TABLE[_PROFILE + mine] & 31
        out[k + 1] = 0
        if s[_LEFT + mine]:
            out[k + 1] = s[_LINK + mine]
            _view_stack(s, s[_LINK + mine], out)
        k += 2
    return k


def _view_stack(s, card, out):
    """The part of `view` for a pile or the creatures on a mine, from its top card down."""
    while card:
        out[21 + card] = 2 + s[_LINK + card]
        card = s[_LINK + card]


def known(s, card):
    """Whether this card (1..80) in a hand was taken from the market, so that everybody knows it is there."""
    return s[_LINK + card] == _SEEN


# Roles of cards in `check`; the first two have nothing below them.
_HIDDEN = const(1)
_HELD = const(2)
_LAID = const(3)
_MINE = const(4)
_RULED = const(5)


def check(s):
    """Raise ValueError unless these bytes are a state that could be."""
    if len(s) != STATE_BYTES:
        raise ValueError("length")
    seats = s[_SEATS]
    to_move = s[_TO_MOVE]
    if not 2 <= seats <= 4 or s[_OPTIONS]:
        raise ValueError("seats or options")
    if to_move >= seats and to_move != _OVER or s[_DRAWING] > (to_move != _OVER):
        raise ValueError("turn")
    _check_kings(s, seats)
    # What each card is found to be: 0 nothing yet, then one of these.
    roles = bytearray(81)
    size = 72 - 6 * seats
    deck = s[_IN_DECK]
    if deck > size:
        raise ValueError("deck")
    _claim(roles, s[_DECK : _DECK + deck], _HIDDEN)
    _zeros(s[_DECK + deck : _AREA])
    for k in range(4):
        cards = 6 if k < seats else 0
        if k == to_move:
            cards -= s[_DRAWING]
        p = _HAND + 7 * k
        _claim(roles, s[p : p + cards], _HELD)
        _zeros(s[p - 1 : p] + s[p + cards : p + 6])
        if list(s[p : p + cards]) != sorted(s[p : p + cards]):
            raise ValueError("order of a hand")
    market = 0
    for race in range(4):
        market += _check_pile(s, roles, race)
    if deck == 0 and to_move != _OVER and not (s[_DRAWING] and market) or deck and to_move == _OVER:
        raise ValueError("end")
    worked = _check_mines(s, roles, seats, size)
    for card in range(1, 81):
        role = roles[card]
        link = s[_LINK + card]
        if role == _HELD and link == _SEEN:
            link = 0
        if role <= _HELD and link or role != _MINE and (s[_TAKES + card] or s[_LEFT + card]):
            raise ValueError("marks of a card")
        worked -= role == 0
    if worked > 0:
        raise ValueError("cards out of the game")


def _claim(roles, cards, role):
    """These are cards, and none of them was found before."""
    for card in cards:
        if not 1 <= card <= 80 or roles[card]:
            raise ValueError("a card that is none or is twice")
        roles[card] = role


def _zeros(part):
    """Nothing is left behind where nothing lies."""
    if part != bytes(len(part)):
        raise ValueError("unused bytes")


def _check_kings(s, seats):
    """One king for each seat, of different races."""
    owners = bytearray(4)
    for k in range(4):
        race = s[_KINGS + k]
        if k >= seats:
            if race:
                raise ValueError("king")
            continue
        if race > 3 or owners[race]:
            raise ValueError("king")
        owners[race] = k + 1
    if s[_OWNER : _OWNER + 4] != owners:
        raise ValueError("owners of races")


def _check_pile(s, roles, race):
    """The cards of a pile, all of its race; returns how many."""
    n = 0
    card = s[_PILE + race]
    while card:
        _claim(roles, (card,), _LAID)
        if TABLE[_PROFILE + card] >> 5 != race:
            raise ValueError("pile")
        n += 1
        card = s[_LINK + card]
    return n


def _check_mines(s, roles, seats, size):
    """All mines and what lies on them; returns how many creatures the exploited ones have used up."""
    _claim(roles, s[_CENTRE : _CENTRE + 4], _MINE)
    for mine in s[_CENTRE : _CENTRE + 4]:
        _check_mine(s, roles, mine, -1)
    conquered = 0
    worked = 0
    area = _AREA
    for k in range(4):
        n = s[_MINES + k]
        if k >= seats:
            if n or s[_UNDER + k]:
                raise ValueError("mines of nobody")
            continue
        if n > size:
            raise ValueError("area")
        _claim(roles, s[area : area + n], _MINE)
        _zeros(s[area + n : area + size])
        for mine in s[area : area + n]:
            _check_mine(s, roles, mine, s[_KINGS + k])
        conquered += n
        area += size
        mine = s[_UNDER + k]
        while mine:
            _claim(roles, (mine,), _RULED)
            conquered += 1
            worked += TABLE[_NEED + (TABLE[_PROFILE + mine] & 31)]
            mine = s[_LINK + mine]
    _zeros(s[area:])
    # Each conquest took a card from the deck: so no area can overflow.
    if conquered > size - s[_IN_DECK]:
        raise ValueError("more mines than conquests")
    return worked


def _check_mine(s, roles, mine, king):
    """The stack on a mine of an area (the race of its king) or of the centre (-1), and what it takes next."""
    profile = TABLE[_PROFILE + mine] & 31
    need = TABLE[_DEFENCE + profile] if king < 0 else TABLE[_NEED + profile]
    n = s[_LEFT + mine]
    if n == 0 or n > need:
        raise ValueError("cards left of a mine")
    takes = 0
    if king >= 0 and n == 1 and TABLE[_WORTH + profile] > 15:
        takes = _FOREMAN
    above = -1
    card = s[_LINK + mine]
    while card:
        _claim(roles, (card,), _LAID)
        strength = TABLE[card]
        if above < 0:
            takes += _ONLY_ZERO if strength == 9 else strength + 1
        elif strength >= above and not (strength == 9 and above == 0):
            raise ValueError("stack")
        if TABLE[_PROFILE + card] >> 5 == king:
            raise ValueError("slave")
        above = strength
        n += 1
        card = s[_LINK + card]
    if n != need or s[_TAKES + mine] != takes:
        raise ValueError("stack")
