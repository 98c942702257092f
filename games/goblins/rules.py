"""The goblin pig race: the rules on one flat bytearray.

No chance and nothing hidden. What a seat holds is kept as masks of values (bit v = a card of value v): one mask for
a first plain card, one for a second equal one, one for a starred card; the same three again for what it has in the
penalty zones. A lane keeps the mask of the values that its track still takes, so that `hand & free` are the plays.
"""

from array import array

import micropython
from micropython import const

STATE_BYTES = const(108)
VIEW_BYTES = 108
# 4 seats with `actions`: 11 different cards in hand, 5 lanes. An action or a purchase offers 12 moves at most:
# one for each different card, or 2 cards to 4 lanes, and to decline.
MAX_LEGAL = 55
# 4 seats. Cards are played from hand: 48 dealt, 48 bought (3 times at most 16 lie in the zones), 16 rescued (each
# seat's 3* cannot come back within a race) = 112. Each seat's four starred cards ask for three actions, and for
# one more if one of them was rescued: 16 a race, 64. 48 purchases, 12 times `done`.
MAX_PLIES = 236
SEATS = (2, 4)
OPTIONS = ("actions", "contested")
CHANCE = 254
OVER = const(255)

# Moves. A kind of card is its value 0..6, + 8 if it is starred.
PLAY = const(0)  # + 16 * lane + kind
NO = const(80)  # decline the action
DONE = const(81)  # buy no more
TRIP = const(88)  # + lane
SWITCH = const(96)  # + 8 * lane + value
RESCUE = const(144)  # + kind
BUY = const(160)  # + kind
MOVES = 176

# What a step of TRACE tells: (kind, a, b, c). A card is 16 * (seat + 1) + kind.
PUT = const(1)  # (seat, lane, card) played to the right end of the lane
THROWN = const(2)  # (0, lane, card) from the left end of the track into the zone
MOVED = const(3)  # (lane from, lane to, card) switched
BACK = const(4)  # (seat, lane, card) from the zone to hand, rescued or bought
SKIPPED = const(5)  # (seat, 0, 0) cannot play
RACE = const(6)  # (race 1..4, seat that takes an MC card or 255, 0) is over
PRIZE = const(7)  # (seat, lane, ducats)
PAID = const(8)  # (seat, ducats, MC cards) at the end

# The state. Of the table, then 11 bytes for each lane, then 11 bytes for each seat. Unused bytes are 0.
_SEATS = const(0)
_OPTIONS = const(1)
_TO_MOVE = const(2)  # seat or OVER
_PHASE = const(3)  # what is decided:
_PLAY = const(0)  # a card
_TRIP = const(1)  # an action, by the value of the starred card
_SWITCH = const(2)
_RESCUE = const(3)
_AGAIN = const(4)  # a second card (never left so)
_BUY = const(5)  # a card out of the penalty zones
_ENDED = const(6)  # nothing: the race is over (never left so) or the game
_RACE = const(4)  # races that are over, 0..4
_STARTER = const(5)  # while buying: who starts the next race, else 0
_PLACE = const(6)  # while an action is decided: the lane just played to, else 0
_BACK = const(7)  # always 127: the values that a hand takes back
_LANE = const(8)  # + 11 * lane:
_FREE = const(0)  # mask of the values that do not lie on the track
_TRACK = const(1)  # cards on the track; the cards follow, leftmost first, the fourth place for a moment only
_ZONE = const(6)  # cards in the penalty zone; the cards follow, oldest first
_SEAT = const(63)  # + 11 * seat:
_HAND = const(0)  # three masks of the hand: plain, second plain, starred
_TWICE = const(1)
_STAR = const(2)
_LOST = const(3)  # + 0..2: the same of the own cards in the penalty zones
_DUCATS = const(6)
_MC = const(7)
_PRIZES = const(8)  # lanes that paid the seat
_BOUGHT = const(9)  # cards bought back
_FEE = const(10)  # ducats paid for the MC cards

_ALL = const(127)
_RACES = const(4)

# What a move of -1 asks of `apply`.
_PLAYOUT = const(-1)

# What `apply` looks up, in one buffer with the steps of TRACE, since every pointer costs a call 3 microseconds:
# first, 8 bytes for each mask of 7 bits: how many bits, then their numbers, ascending; then
_SUMS = const(1024)  # + mask: the sum of their numbers
_COSTS = const(1152)  # + n: ducats for n MC cards
_TRACE = const(1160)


def _tables():
    """The tables, and room for the trace: a card put or moved and one thrown; then up to four races that end at once,
    each with four skips, the end and five prizes; at the end four seats pay."""
    t = bytearray(_TRACE + 1 + 4 * (2 + 4 * 10 + 4))
    for mask in range(128):
        at = 8 * mask
        for bit in range(7):
            if mask >> bit & 1:
                t[at] += 1
                t[at + t[at]] = bit
                t[_SUMS + mask] += bit
    for n in range(5):
        t[_COSTS + n] = n * (n + 1) // 2
    return t


_TABLES = _tables()
TRACE = memoryview(_TABLES)[_TRACE:]
# The generator of `playout`: a third parameter would cost every call of `apply` 3 microseconds.
_chance = array("I", [1])


@micropython.viper
def new(state, seats: int, options: int, rng):
    """Set up a game for 2..4 seats in `state` (bytearray of STATE_BYTES); options is the bit mask of OPTIONS.
    Draws nothing from `rng`."""
    s = ptr8(state)
    i = 0
    while i < STATE_BYTES:
        s[i] = 0
        s[i + 1] = 0
        s[i + 2] = 0
        s[i + 3] = 0
        i += 4
    s[_SEATS] = seats
    s[_OPTIONS] = options
    s[_BACK] = _ALL
    # 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6; with `actions` one each of 1, 2, 3, 4 is starred.
    twice = 0x3E
    star = 0
    if options & 1:
        twice = 0x20
        star = 0x1E
    p = _LANE
    k = 0
    while k <= seats:
        s[p] = _ALL
        p += 11
        k += 1
    p = _SEAT
    k = 0
    while k < seats:
        s[p] = _ALL
        s[p + _TWICE] = twice
        s[p + _STAR] = star
        s[p + _DUCATS] = 6
        p += 11
        k += 1


@micropython.viper
def seat(state) -> int:
    """Whose decision it is: a seat or OVER."""
    s = ptr8(state)
    return s[_TO_MOVE]


@micropython.viper
def apply(s: ptr8, m: int) -> int:
    """Carry out the legal move m; TRACE tells what happened. Returns whose decision it is then, as `seat` does.

    With m = -1 play at random to the end instead, every legal move equally likely (`playout` brings the generator).
    Returns the number of plies.

    The Pico spends 15 cycles on a comparison and 6 on a truth test, and keeps only the parameters in registers."""
    me = s[_TO_MOVE]
    if me == OVER:
        return 0
    t = ptr8(_TABLES)
    x = 0
    telling = 0
    playing = 0
    if m >= 0:
        telling = 1
    else:
        playing = 1
        x = ptr32(_chance)[0]
    seats = s[_SEATS]
    more = seats - 2
    lanes_end = _LANE + 11 + 11 * seats
    phase = s[_PHASE]
    starter = s[_STARTER]
    place = s[_PLACE]
    mine = _SEAT + 11 * me
    skipped = 0
    again = 0
    done = 0
    plies = 0
    told = _TRACE + 1
    while True:
        if m >= 0:
            # ===== Carry out a move.
            plies += 1
            skipped = 0
            value = m & 7
            bit = 1 << value
            action = 0
            lane = 0
            thrown = 0
            if m < NO:
                # --- Play: a card goes from the hand to the right end of a track.
                step = PUT
                place = m >> 4
                lane = _LANE + 11 * place
                card = 16 * me + 16 + (m & 15)
                p = mine
                if m & 8:
                    p += _STAR
                    action = value
                elif s[p + _TWICE] & bit:
                    p += _TWICE
                s[p] ^= bit
                a = me
                b = place
            elif m < SWITCH:
                # --- Trip: the leftmost card of another lane is thrown out. Or no action, or nothing more to buy.
                step = 0
                if m == DONE:
                    done = 1
                    action = _BUY
                elif m >= TRIP:
                    thrown = _LANE - 11 * TRIP + 11 * m
            elif m < RESCUE:
                # --- Switch: a card of the lane just played to goes to the right end of another track.
                step = MOVED
                a = place
                b = (m - SWITCH) >> 3
                lane = _LANE + 11 * b
                p = _LANE + 11 * place
                s[p] ^= bit
                s[p + _TRACK] -= 1
                p += 2
                while s[p] & 7 != value:
                    p += 1
                card = s[p]
                while s[p]:
                    s[p] = s[p + 1]
                    p += 1
            else:
                # --- Rescue, or a purchase for 1 ducat: an own card comes back to hand from the lowest lane that has
                # it, there the oldest.
                step = BACK
                if phase == _BUY:
                    action = _BUY
                    s[mine + _DUCATS] -= 1
                    s[mine + _BOUGHT] += 1
                card = 16 * me + 16 + (m & 15)
                a = me
                b = 0
                q = _LANE + _ZONE
                while True:
                    k = q + s[q]
                    p = q + 1
                    while p <= k and s[p] != card:
                        p += 1
                    if p <= k:
                        break
                    q += 11
                    b += 1
                s[q] -= 1
                while p < k:
                    s[p] = s[p + 1]
                    p += 1
                s[k] = 0
                p = mine
                k = mine + _LOST
                if m & 8:
                    p += _STAR
                    k += _STAR
                else:
                    if s[p] & bit:
                        p += _TWICE
                    if s[k + _TWICE] & bit:
                        k += _TWICE
                s[p] |= bit
                s[k] ^= bit
            if telling and step:
                t[told] = step
                t[told + 1] = a
                t[told + 2] = b
                t[told + 3] = card
                told += 4

            # --- The card that was played or switched lies on its new track; a fourth one throws out the leftmost.
            if lane:
                s[lane] ^= bit
                k = s[lane + _TRACK]
                s[lane + 2 + k] = card
                s[lane + _TRACK] = k + 1
                if k == 3:
                    thrown = lane

            # --- Out of the track into the penalty zone of the lane.
            k = 0
            if thrown:
                p = thrown + 2
                card = s[p]
                s[p] = s[p + 1]
                s[p + 1] = s[p + 2]
                s[p + 2] = s[p + 3]
                s[p + 3] = 0
                s[thrown + _TRACK] -= 1
                bit = 1 << (card & 7)
                s[thrown] ^= bit
                p = _SEAT + _LOST - 11 + 11 * (card >> 4)
                if card & 8:
                    p += _STAR
                elif s[p] & bit:
                    p += _TWICE
                s[p] |= bit
                p = thrown + _ZONE
                k = s[p] + 1
                s[p] = k
                s[p + k] = card
                if telling:
                    t[told] = THROWN
                    t[told + 1] = 0
                    t[told + 2] = (thrown - _LANE) // 11
                    t[told + 3] = card
                    told += 4

            # --- What follows: the fourth card in a zone ends the race, a starred card offers its action, who buys is
            # asked again; else it is the next seat's turn.
            phase = action
            if k & 4:
                s[mine + _MC] += 1
                phase = _ENDED
                starter = me
                action = 0
            if action:
                if action == _AGAIN:
                    phase = _PLAY
                    again = 1
            else:
                me += 1
                mine += 11
                if me == seats:
                    me = 0
                    mine = _SEAT

        # ===== The next decision: `n` moves, besides to decline. The cards of the masks `hand` and `star` can go to
        # lanes or come back.
        m = -1
        n = 0
        hand = s[mine]
        star = s[mine + _STAR]
        lanes = 1
        if phase:
            lanes = 0
            if phase == _SWITCH:
                lanes = 1
                hand = _ALL ^ 4 ^ s[_LANE + 11 * place]
                star = 0
        if lanes:
            # --- Every card to every lane on whose track its value does not lie (in a switch that is never its own).
            n = t[(hand & s[8]) << 3] + t[(hand & s[19]) << 3] + t[(hand & s[30]) << 3]
            if more:
                n += t[(hand & s[41]) << 3] + t[(hand & s[52]) << 3]
            if star:
                p = _LANE
                while p < lanes_end:
                    n += t[(star & s[p]) << 3]
                    p += 11
        elif phase == _TRIP:
            # --- Every other lane whose track is not empty.
            p = _LANE
            k = 0
            while p < lanes_end:
                if s[p + _TRACK] and k != place:
                    n += 1
                k += 1
                p += 11
        elif phase != _ENDED:
            # --- Every own card in the penalty zones; the buyer needs a ducat for it.
            hand = s[mine + _LOST]
            star = s[mine + _LOST + _STAR]
            n = t[hand << 3] + t[star << 3]
            if phase == _BUY and (done or s[mine + _DUCATS] == 0):
                n = 0
        done = 0

        if not n:
            # --- Nothing to decide: the next seat. The first of a turn that cannot play is skipped; one that cannot
            # play a second card after `again`, or has no target for its action, has simply had its turn.
            if phase != _ENDED:
                if phase == _PLAY and again == 0:
                    skipped += 1
                    if telling:
                        t[told] = SKIPPED
                        t[told + 1] = me
                        t[told + 2] = 0
                        t[told + 3] = 0
                        told += 4
                again = 0
                me += 1
                mine += 11
                if me == seats:
                    me = 0
                    mine = _SEAT
                if phase != _BUY:
                    phase = _PLAY
                elif me == starter:
                    # All have been asked: what is left in the penalty zones is out of the game; the next race.
                    p = _LANE + _ZONE
                    while p < lanes_end:
                        s[p] = 0
                        s[p + 1] = 0
                        s[p + 2] = 0
                        s[p + 3] = 0
                        s[p + 4] = 0
                        p += 11
                    p = _SEAT + _LOST
                    k = seats
                    while k:
                        s[p] = 0
                        s[p + _TWICE] = 0
                        s[p + _STAR] = 0
                        p += 11
                        k -= 1
                    phase = _PLAY
                if skipped < seats:
                    continue
                # No seat can play: the race is over and nobody takes an MC card. It is the turn of the seat where
                # the search began.
                starter = OVER
                skipped = 0

            # --- The prizes. `starter` is who has caused the end, `me` starts the next race.
            race = s[_RACE] + 1
            s[_RACE] = race
            if telling:
                t[told] = RACE
                t[told + 1] = race
                t[told + 2] = starter
                t[told + 3] = 0
                told += 4
            lane = _LANE
            while lane < lanes_end:
                # 7 bits for each seat, 4 * sum + number of its cards: the greatest number wins. Two seats cannot have
                # the same, as no value lies twice among the three cards.
                ranks = 0
                p = lane + 2
                card = s[p]
                while card:
                    ranks += (4 * (card & 7) + 1) << (7 * (card >> 4) - 7)
                    p += 1
                    card = s[p]
                best = 0
                first = -1
                rivals = 0
                k = 0
                while ranks:
                    value = ranks & 127
                    if value:
                        rivals += 1
                        if value > best:
                            best = value
                            first = k
                    ranks >>= 7
                    k += 1
                if rivals == 1 and s[_OPTIONS] & 2:
                    first = -1
                if first >= 0:
                    p = _SEAT + 11 * first
                    s[p + _DUCATS] += 3
                    s[p + _PRIZES] += 1
                    if telling:
                        t[told] = PRIZE
                        t[told + 1] = first
                        t[told + 2] = (lane - _LANE) // 11
                        t[told + 3] = 3
                        told += 4
                lane += 11
            if race < _RACES:
                # --- Between the races: buying begins with the seat that starts the next one.
                phase = _BUY
                starter = me
                continue
            # --- The end: the MC cards are paid for, as far as the ducats go.
            p = _SEAT
            k = 0
            while k < seats:
                value = t[_COSTS + s[p + _MC]]
                if value > s[p + _DUCATS]:
                    value = s[p + _DUCATS]
                s[p + _DUCATS] -= value
                s[p + _FEE] = value
                if telling:
                    t[told] = PAID
                    t[told + 1] = k
                    t[told + 2] = value
                    t[told + 3] = s[p + _MC]
                    told += 4
                p += 11
                k += 1
            phase = _ENDED
            me = OVER
            break

        if telling:
            break
        # ===== Choose the k-th of the moves in ascending order, as `legal` lists them.
        if phase:
            n += 1
        while True:
            x = 16380 * (x & 65535) + (x >> 16)
            k = (x & 65535) * n
            q = k & 65535
            if q >= n or q >= 65536 % n:
                break
        k >>= 16
        m = 0
        step = 16
        p = _LANE
        if phase:
            # --- To decline comes first.
            m = NO
            if phase == _BUY:
                m = DONE
            if k == 0:
                continue
            k -= 1
            m = SWITCH
            step = 8
            if phase == _TRIP:
                m = TRIP
                while True:
                    if s[p + _TRACK] and m - TRIP != place:
                        if k == 0:
                            break
                        k -= 1
                    m += 1
                    p += 11
                continue
            if phase == _RESCUE:
                m = RESCUE
                p = _BACK
            elif phase == _BUY:
                m = BUY
                p = _BACK
        # --- For each lane the plain cards that it takes, then the starred ones; or for the hand, which takes all.
        cards = hand
        while True:
            q = (cards & s[p]) << 3
            i = t[q]
            if k < i:
                m += t[q + 1 + k]
                break
            k -= i
            if star:
                m ^= 8
                if m & 8:
                    cards = star
                    continue
                cards = hand
            m += step
            p += 11

    s[_TO_MOVE] = me
    s[_PHASE] = phase
    if phase != _BUY:
        starter = 0
    s[_STARTER] = starter
    if phase == _PLAY or phase >= _BUY:
        place = 0
    s[_PLACE] = place
    if playing:
        ptr32(_chance)[0] = x
        return plies
    t[_TRACE] = (told - _TRACE) >> 2
    return me


def sample(s, rng):
    """There is no chance in this game."""
    raise ValueError("no chance")


@micropython.viper
def playout(state, rng) -> int:
    """Play at random to the end; returns the number of plies."""
    r = ptr32(rng.state)
    g = ptr32(_chance)
    g[0] = r[0]
    plies = int(apply(state, _PLAYOUT))
    r[0] = g[0]
    return plies


@micropython.viper
def legal(s: ptr8, out: ptr16) -> int:
    """Write the legal moves into out, array('H') of MAX_LEGAL, ascending; return how many. 0 at the end."""
    j = 0
    m = s[_TO_MOVE]
    if m == OVER:
        return j
    t = ptr8(_TABLES)
    p = _SEAT + 11 * m
    hand = s[p]
    star = s[p + _STAR]
    phase = s[_PHASE]
    m = PLAY
    step = 16
    first = _LANE
    end = _LANE + 11 + 11 * s[_SEATS]
    if phase:
        # --- To decline comes first.
        j = 1
        out[0] = NO
        step = 8
        if phase == _TRIP:
            # --- Every other lane whose track is not empty.
            m = TRIP
            k = TRIP + s[_PLACE]
            p = _LANE + _TRACK
            while p < end:
                if s[p] and m != k:
                    out[j] = m
                    j += 1
                m += 1
                p += 11
            return j
        if phase == _SWITCH:
            # --- The other cards of the lane just played to.
            m = SWITCH
            hand = _ALL ^ 4 ^ s[_LANE + 11 * s[_PLACE]]
            star = 0
        else:
            # --- Every own card in the penalty zones.
            m = RESCUE
            if phase == _BUY:
                m = BUY
                out[0] = DONE
            hand = s[p + _LOST]
            star = s[p + _LOST + _STAR]
            first = _BACK
            end = _LANE
    # --- For each lane the plain cards that it takes, then the starred ones; or for the hand, which takes all.
    p = first
    while p < end:
        q = (hand & s[p]) << 3
        k = t[q]
        while k:
            q += 1
            out[j] = m + t[q]
            j += 1
            k -= 1
        if star:
            q = (star & s[p]) << 3
            k = t[q]
            while k:
                q += 1
                out[j] = m + 8 + t[q]
                j += 1
                k -= 1
        m += step
        p += 11
    return j


@micropython.viper
def scores(state, out):
    """Write each seat's score, its ducats (at the end the MC cards are paid for), into out, array('h') of at least
    as many elements."""
    s = ptr8(state)
    o = ptr16(out)
    p = _SEAT + _DUCATS
    k = 0
    while k < s[_SEATS]:
        o[k] = s[p]
        p += 11
        k += 1


@micropython.viper
def winners(state) -> int:
    """Bit mask of the seats that lead: most ducats, then the higher sum of the cards in hand; all that are still
    equal share the win."""
    s = ptr8(state)
    t = ptr8(_TABLES)
    p = _SEAT
    best = -1
    mask = 0
    k = 0
    while k < s[_SEATS]:
        # The sum is at most 36.
        rank = s[p + _DUCATS] << 6
        rank += t[_SUMS + s[p]] + t[_SUMS + s[p + _TWICE]] + t[_SUMS + s[p + _STAR]]
        if rank > best:
            best = rank
            mask = 1 << k
        elif rank == best:
            mask |= 1 << k
        p += 11
        k += 1
    return mask


def hide(s, seat, rng):
    """Nothing is hidden in this game: the state stays as it is."""


@micropython.viper
def view(state, seat: int, out) -> int:
    """Write what the seat knows, which is everything, into out (VIEW_BYTES); return the length."""
    s = ptr8(state)
    o = ptr8(out)
    i = 0
    while i < STATE_BYTES:
        o[i] = s[i]
        i += 1
    return i


def check(s):
    """Raise ValueError unless these bytes are a state that could be."""
    if len(s) != STATE_BYTES:
        raise ValueError("length")
    seats = s[_SEATS]
    options = s[_OPTIONS]
    if not 2 <= seats <= 4 or options > 3 or s[_BACK] != _ALL:
        raise ValueError("seats or options")
    phase = s[_PHASE]
    race = s[_RACE]
    acting = _TRIP <= phase <= _RESCUE
    if phase == _ENDED:
        if s[_TO_MOVE] != OVER or race != _RACES:
            raise ValueError("end")
    elif s[_TO_MOVE] >= seats or race >= _RACES or phase == _AGAIN or phase > _ENDED:
        raise ValueError("turn")
    if (acting and not options & 1) or (phase == _BUY and not race):
        raise ValueError("phase")
    if s[_STARTER] > (seats - 1 if phase == _BUY else 0) or s[_PLACE] > (seats if acting else 0):
        raise ValueError("starter or lane")
    for i in range(STATE_BYTES):
        if s[i] and (i >= _SEAT + 11 * seats or _LANE + 11 * (seats + 1) <= i < _SEAT):
            raise ValueError("unused")
    on_track = bytearray(64)
    in_zone = bytearray(64)
    _check_lanes(s, seats, options, on_track, in_zone)
    _check_hands(s, seats, options, on_track, in_zone)
    _check_ducats(s, seats)
    if phase != _ENDED:
        _check_decision(s, seats)


def _check_lanes(s, seats, options, on_track, in_zone):
    """The lanes hold cards that there are, in order; counts them by 16 * seat + kind."""
    # Only a race that is over leaves four cards in a zone.
    full = s[_PHASE] >= _BUY
    for lane in range(_LANE, _LANE + 11 * (seats + 1), 11):
        free = _ALL
        for at, places, most, counts in ((lane + _TRACK, 4, 3, on_track), (lane + _ZONE, 4, 3 + full, in_zone)):
            if s[at] > most:
                raise ValueError("too many cards in a lane")
            full -= s[at] == 4
            for i in range(1, 1 + places):
                card = s[at + i]
                if i > s[at]:
                    if card:
                        raise ValueError("cards of a lane")
                    continue
                kind = card & 15
                if not 16 <= card < 16 * seats + 16 or (kind > 6 and not (options & 1 and 9 <= kind <= 12)):
                    raise ValueError("no such card")
                counts[card - 16] += 1
                if counts is on_track:
                    if not free >> (kind & 7) & 1:
                        raise ValueError("a value twice on a track")
                    free ^= 1 << (kind & 7)
        if s[lane] != free:
            raise ValueError("values on a track")


def _check_hands(s, seats, options, on_track, in_zone):
    """No card exists twice, and none is missing before the penalty zones were cleared for the first time."""
    missing = 0
    for k in range(seats):
        p = _SEAT + 11 * k
        if s[p + _TWICE] & ~s[p] or s[p] | s[p + _STAR] > _ALL:
            raise ValueError("hand")
        for kind in range(16):
            value = kind & 7
            at = 16 * k + kind
            if kind < 8:
                has = (s[p] >> value & 1) + (s[p + _TWICE] >> value & 1)
                lost = (s[p + _LOST] >> value & 1) + (s[p + _LOST + _TWICE] >> value & 1)
                dealt = (value < 7) + (value in (1, 2, 3, 4, 5))
                if options & 1 and 1 <= value <= 4:
                    dealt = 1
            else:
                has = s[p + _STAR] >> value & 1
                lost = s[p + _LOST + _STAR] >> value & 1
                dealt = int(options & 1 and 1 <= value <= 4)
            if lost != in_zone[at] or has + lost + on_track[at] > dealt:
                raise ValueError("cards")
            missing += dealt - has - lost - on_track[at]
        if s[p + _LOST + _TWICE] & ~s[p + _LOST] or s[p + _LOST] | s[p + _LOST + _STAR] > _ALL:
            raise ValueError("cards in the zones")
    cleared = s[_RACE] - (s[_PHASE] >= _BUY)
    if missing > cleared * _zones(seats):
        raise ValueError("cards are missing")


def _zones(seats):
    """The most cards in all penalty zones."""
    return 3 * (seats + 1) + 1


def _check_ducats(s, seats):
    """Every ducat has come from somewhere: six at first, prizes, less purchases and the fee for MC cards."""
    race = s[_RACE]
    mc = prizes = bought = 0
    for p in range(_SEAT, _SEAT + 11 * seats, 11):
        mc += s[p + _MC]
        prizes += s[p + _PRIZES]
        bought += s[p + _BOUGHT]
        had = 6 + 3 * s[p + _PRIZES] - s[p + _BOUGHT]
        fee = min(had, s[p + _MC] * (s[p + _MC] + 1) // 2) if race == _RACES else 0
        if s[p + _DUCATS] != had - fee or s[p + _FEE] != fee:
            raise ValueError("ducats")
    if mc > race or prizes > race * (seats + 1) or bought > min(race, _RACES - 1) * _zones(seats):
        raise ValueError("prizes")


def _check_decision(s, seats):
    """The seat to move has something to decide."""
    me = s[_TO_MOVE]
    phase = s[_PHASE]
    p = _SEAT + 11 * me
    lane = _LANE + 11 * s[_PLACE]
    free = others = 0
    for at in range(_LANE, _LANE + 11 * (seats + 1), 11):
        free |= s[at]
        others += at != lane and s[at + _TRACK] > 0
    if _TRIP <= phase <= _RESCUE and s[lane + _TRACK + s[lane + _TRACK]] != 16 * me + 24 + phase:
        raise ValueError("no action")
    if phase == _PLAY:
        may = (s[p] | s[p + _STAR]) & free
    elif phase == _TRIP:
        may = others
    elif phase == _SWITCH:
        may = (_ALL ^ 4 ^ s[lane]) & free
    else:
        may = s[p + _LOST] | s[p + _LOST + _STAR]
        if phase == _BUY and not s[p + _DUCATS]:
            may = 0
    if not may:
        raise ValueError("nothing to decide")
