"""The carrot race: the rules on one flat bytearray.

A turn is a choice of gait (0 trot, 1 gallop), a roll of both dice (an event 8 * symbol + effect) and one event for
each token that moves: 0 galloping, 1 sleeping. A jump asks for its stake in between (K tokens: the move K + 1).
`advance` holds the rules; everything else prepares for it or reads the state.

The tokens of one shuffle are a generation. Only generations with a token that is still unseen, in the stock or in a
hand, have a slot, oldest first, so equal positions are equal bytes. 30 slots are enough: each has an unseen token of
its own, and there are 30 tokens; the shuffle that makes a new slot only happens once the stock, and so the newest
slot, has nothing left but what the seats hold.
"""

import micropython
from array import array
from micropython import const

from games.horses.tables import TABLE

STATE_BYTES = 143
# 12 bytes of the table, 2 for each seat, 2 and one for each seat for every generation.
VIEW_BYTES = 200
# Stakes of 1 to all 30 tokens, should one seat hold them all.
MAX_LEGAL = 30
# 60 rounds of 4 seats make 240 turns. A turn is a gait, a roll and then at most either three tokens taken or one
# decision on a stake. Every token laid down was taken before, or dealt at the set-up: 240 * (2 + 3 + 3) + 8.
MAX_PLIES = 1928
SEATS = (2, 4)
OPTIONS = ()
CHANCE = 254
OVER = 255

# What a step of TRACE tells: (kind, seat, b, c).
GAIT = 1  # chose to trot, b = 0, or to gallop, 1
BLUE = 2  # rolled the event b for a trot
RED = 3  # rolled the event b for a gallop
TAKE = 4  # took a token (unseen, b is 0) and has c
STAKE = 5  # chose the stake, b = K + 1
PAY = 6  # paid a token with the face b and has c
TURN = 7  # turned over a staked token with the face b and has c
MOVE = 8  # went from the space b to the space c
SHUFFLE = 9  # the discard became a stock of c tokens
TRACE = bytearray(1 + 3 * 4)

# The state. Of the table, then 32 bytes for each seat.
_SEATS = const(0)
_OPTIONS = const(1)
_TO_MOVE = const(2)  # seat, CHANCE or OVER
_PLAYER = const(3)  # whose turn it is
_PHASE = const(4)  # what is to come next, see below
_ROUND = const(5)  # rounds completed, 0..60
_COUNT = const(6)  # tokens that have still to be taken, paid or turned over
_AIM = const(7)  # the space aimed at by a jump, else 0
_AWAKE = const(8)  # 1 when a staked token showed a galloping horse, else 0
_STOCK = const(9)  # galloping, sleeping tokens in the stock
_DISCARD = const(11)  # galloping, sleeping tokens in the discard
_NEWEST = const(13)  # slot of the newest generation, the only one that can be in the stock
_HOME = const(14)  # 1 when a horse is on the finish, else 0
_SEAT = const(15)  # + 32 * seat: the space 0..49 of its horse
_TOKENS = const(1)  # tokens held
_HELD = const(2)  # + slot 0..29: those of a generation, galloping + 19 * sleeping

# What is to come: a choice of gait, the blue or the red dice, a token from the stock, a choice of the stake,
# a token to be paid, a staked token to be turned over.
_GAIT = const(0)
_BLUE = const(1)
_RED = const(2)
_TAKE = const(3)
_STAKE = const(4)
_PAY = const(5)
_TURN = const(6)

_CHANCE = const(254)
_OVER = const(255)
_FINISH = const(49)
_ROUNDS = const(60)
_GALLOPING = const(18)
_SLEEPING = const(12)
_SLOTS = const(30)
# A sleeping token in _HELD; 18 galloping ones stay below it.
_SLEEPER = const(19)
_STATE_BYTES = const(143)

# One of n (games/rng.py): the draw is refused if its low half is below 65536 % n. One with any of these bits is 64 or
# more and needs no division to be told from that, as no n here is above 64.
_FAIR = const(0xFFC0)

_PLAY = const(-1)
_SAMPLE = const(-2)

# TABLE, see there.
_BEHIND = const(150)
_ROLLS = const(200)


class _Slice:
    """Indexed with a slice it returns the slice: MicroPython has no other way to make one that lasts."""

    def __getitem__(self, key):
        return key


# `state[_ALL] = ` copies a whole state; writing `state[:]` would make a slice, which is garbage, every time.
_ALL = _Slice()[0:143]
_BLANK = bytes(STATE_BYTES)

# Stands in for the generator where `advance` draws nothing.
_NO_RNG = array("I", [1])


@micropython.viper
def new(state, seats: int, options: int, rng):
    """Set up a race for 2..4 seats in `state` (bytearray of STATE_BYTES); options is 0. Draws each seat's two tokens."""
    s = ptr8(state)
    io = ptr32(rng.state)
    state[_ALL] = _BLANK
    s[_SEATS] = seats
    s[_OPTIONS] = options
    x = io[0]
    galloping = _GALLOPING
    n = _GALLOPING + _SLEEPING
    lot = _SEAT + _HELD
    while seats:
        v = 0
        k = 2
        while k:
            x = 16380 * (x & 65535) + (x >> 16)
            m = (x & 65535) * n
            if m & _FAIR or (m & 65535) >= 65536 % n:
                if (m >> 16) < galloping:
                    galloping -= 1
                    v += 1
                else:
                    v += _SLEEPER
                n -= 1
                k -= 1
        s[lot] = v
        s[lot - _HELD + _TOKENS] = 2
        lot += 32
        seats -= 1
    s[_STOCK] = galloping
    s[_STOCK + 1] = n - galloping
    io[0] = x


@micropython.viper
def seat(s: ptr8) -> int:
    """Whose decision it is: a seat, CHANCE or OVER."""
    return s[_TO_MOVE]


@micropython.viper
def advance(s: ptr8, m: int, io: ptr32) -> int:
    """The rules, three ways in; `io` is the state of the generator.

    m >= 0       carry out the event or the legal move; TRACE tells what happened
    m = _PLAY    play at random to the end: every event by its chance, every legal move equally likely; returns the
                 number of plies
    m = _SAMPLE  at a chance ply: draw an event and return it, the state stays

    The Pico spends 45 cycles on a division, 14 on a comparison, 8 on a truth test, 35 on `s[i] += n`.
    """
    t = ptr8(TABLE)
    if s[_TO_MOVE] == _OVER:
        return 0
    end = _SEAT + 32 * s[_SEATS]
    first = _SEAT + 32 * s[_PLAYER]
    mine = first
    before = s[mine]
    phase = s[_PHASE]
    kind = phase
    count = s[_COUNT]
    shuffled = 0
    used = 0
    # Gaits and rolls are counted by the turns, tokens and stakes one by one.
    plies = 0 - 2 * (s[_SEATS] * s[_ROUND] + s[_PLAYER])
    if phase:
        plies -= 1
        if phase > _RED:
            plies -= 1
    galloping = 0
    lot = 0
    x = io[0]
    given = m
    random = 0
    wanted = 0
    if m < 0:
        random = 1
        if m == _SAMPLE:
            # One event is wanted, so one token at most.
            wanted = 1
            if count:
                count = 1
    while True:
        if phase < _TAKE:
            # --- Gait and dice: one draw of 36 decides on both (65536 % 36 is 16).
            if random:
                while True:
                    x = 16380 * (x & 65535) + (x >> 16)
                    m = (x & 65535) * 36
                    if m & 0xFFF0:
                        break
                if phase:
                    # The gait is chosen already.
                    m = m >> 16
                    if m > 17:
                        m -= 18
                    if phase == _RED:
                        m += 18
                    m = t[_ROLLS + m]
                    if wanted:
                        io[0] = x
                        return m
                else:
                    m = t[_ROLLS + (m >> 16)]
            elif phase:
                used = 1
            else:
                phase = _BLUE + m
                break
            count = m & 3
            if m & 4:
                # --- Trot: to the next space with the symbol, then take tokens.
                n = t[50 * (m >> 3) + s[mine]]
                s[mine] = n
                if n == _FINISH:
                    s[_HOME] = 1
                phase = _TAKE
            else:
                # --- Gallop: aim at the second space with the symbol; pay and go there, or jump.
                n = 50 * (m >> 3)
                n = t[n + t[n + s[mine]]]
                if count == 3:
                    count = 0
                    if s[mine + _TOKENS]:
                        s[_AIM] = n
                        phase = _STAKE
                        if random:
                            continue
                        break
                elif count <= s[mine + _TOKENS]:
                    s[mine] = n
                    if n == _FINISH:
                        s[_HOME] = 1
                    phase = _PAY
                else:
                    count = 0
        elif phase == _STAKE:
            # --- The stake of a jump: any number of tokens, but one at least.
            plies += 1
            used = 1
            if random:
                n = s[mine + _TOKENS]
                while True:
                    x = 16380 * (x & 65535) + (x >> 16)
                    m = (x & 65535) * n
                    if m & _FAIR or (m & 65535) >= 65536 % n:
                        break
                m = (m >> 16) + 2
            count = m - 1
            phase = _TURN

        while count:
            if phase == _TAKE:
                # --- Tokens come from the stock; if it is empty the discard is shuffled, if there is one.
                galloping = s[_STOCK]
                n = galloping + s[_STOCK + 1]
                if n == 0:
                    n = s[_DISCARD] + s[_DISCARD + 1]
                    shuffled = n
                    if n == 0:
                        count = 0
                        break
                    galloping = s[_DISCARD]
                    s[_STOCK] = galloping
                    s[_STOCK + 1] = n - galloping
                    s[_DISCARD] = 0
                    s[_DISCARD + 1] = 0
                    lot = _SEAT + _HELD + s[_NEWEST]
                    if s[lot] + s[lot + 32] + s[lot + 64] + s[lot + 96]:
                        s[_NEWEST] += 1
                lot = mine + _HELD + s[_NEWEST]
            else:
                # --- Tokens are laid down, from the oldest generation that the seat has.
                lot = mine + _HELD
                while s[lot] == 0:
                    lot += 1
                galloping = s[lot]
                # 27 / 512 for 1 / 19 is exact up to 246, the most that a lot can be.
                n = galloping * 27 >> 9
                galloping -= _SLEEPER * n
                n += galloping

            # --- Any of these n tokens is as likely as another; `moved` of them go, `awake` of which gallop.
            awake = galloping
            moved = n
            if random:
                if count < n:
                    while count:
                        x = 16380 * (x & 65535) + (x >> 16)
                        m = (x & 65535) * n
                        if m & _FAIR or (m & 65535) >= 65536 % n:
                            if (m >> 16) < galloping:
                                galloping -= 1
                            n -= 1
                            count -= 1
                else:
                    # All of them: nothing to draw.
                    count -= n
                    n = 0
                    galloping = 0
            elif used:
                break
            else:
                used = 1
                count -= 1
                n -= 1
                if m == 0:
                    galloping -= 1
            awake -= galloping
            moved -= n
            plies += moved
            if wanted:
                io[0] = x
                return moved - awake
            if phase == _TAKE:
                s[_STOCK] = galloping
                s[_STOCK + 1] = n - galloping
                s[lot] = s[lot] + _SLEEPER * moved - (_SLEEPER - 1) * awake
                lot = mine + _TOKENS
                s[lot] = s[lot] + moved
                continue
            s[_DISCARD] = s[_DISCARD] + awake
            s[_DISCARD + 1] = s[_DISCARD + 1] + moved - awake
            s[lot] = _SLEEPER * n - (_SLEEPER - 1) * galloping
            s[mine + _TOKENS] = s[mine + _TOKENS] - moved
            if n == 0:
                # A generation of which nothing is unseen any more gives up its slot.
                lot += _SEAT - mine
                n = s[_NEWEST]
                if lot < _SEAT + _HELD + n or s[_STOCK] + s[_STOCK + 1] == 0:
                    if s[lot] + s[lot + 32] + s[lot + 64] + s[lot + 96] == 0:
                        if n:
                            s[_NEWEST] = n - 1
                        n += _SEAT + _HELD
                        while lot < n:
                            s[lot] = s[lot + 1]
                            s[lot + 32] = s[lot + 33]
                            s[lot + 64] = s[lot + 65]
                            s[lot + 96] = s[lot + 97]
                            lot += 1
                        s[n] = 0
                        s[n + 32] = 0
                        s[n + 64] = 0
                        s[n + 96] = 0
            if phase == _TURN:
                # --- Jump: one galloping horse is enough, else back to the ditch behind the space aimed at.
                if awake:
                    s[_AWAKE] = 1
                if count == 0:
                    n = s[_AIM]
                    if s[_AWAKE] == 0:
                        n = t[_BEHIND + n]
                    s[mine] = n
                    if n == _FINISH:
                        s[_HOME] = 1
                    s[_AIM] = 0
                    s[_AWAKE] = 0
        if count:
            break

        # --- The next seat; after the last seat of a round the end is looked for.
        phase = _GAIT
        mine += 32
        if mine - end:
            if random:
                continue
            break
        mine = _SEAT
        n = s[_ROUND] + 1
        s[_ROUND] = n
        if s[_HOME] or n == _ROUNDS:
            s[_TO_MOVE] = _OVER
            break
        if random:
            continue
        break

    io[0] = x
    s[_PLAYER] = (mine - _SEAT) >> 5
    s[_PHASE] = phase
    s[_COUNT] = count
    if s[_TO_MOVE] != _OVER:
        s[_TO_MOVE] = _CHANCE
        if phase == _GAIT or phase == _STAKE:
            s[_TO_MOVE] = s[_PLAYER]
    if random == 0:
        trace = ptr8(TRACE)
        n = (first - _SEAT) >> 5
        trace[1] = kind + 1
        trace[2] = n
        trace[3] = given
        trace[4] = s[first + _TOKENS]
        if kind == _TAKE:
            trace[3] = 0
        told = 5
        if s[first] != before:
            trace[5] = 8
            trace[6] = n
            trace[7] = before
            trace[8] = s[first]
            told = 9
        if shuffled:
            trace[told] = 9
            trace[told + 1] = n
            trace[told + 2] = 0
            trace[told + 3] = shuffled
            told += 4
        trace[0] = told >> 2
    return plies + 2 * s[_SEATS] * s[_ROUND]


@micropython.viper
def sample(state, rng) -> int:
    """At a chance ply: draw an event with its true chance."""
    return int(advance(state, _SAMPLE, rng.state))


@micropython.viper
def apply(state, m: int) -> int:
    """Carry out a legal move or a chance event and return whose decision comes next; TRACE tells what happened."""
    s = ptr8(state)
    advance(state, m, _NO_RNG)
    return s[_TO_MOVE]


@micropython.viper
def playout(state, rng) -> int:
    """Play at random to the end; returns the number of plies."""
    return int(advance(state, _PLAY, rng.state))


@micropython.viper
def legal(s: ptr8, buf: ptr16) -> int:
    """Write the legal moves into buf, array('H') of MAX_LEGAL, ascending; return how many. 0 unless a seat decides."""
    if s[_TO_MOVE] >= _CHANCE:
        return 0
    if s[_PHASE] == _GAIT:
        buf[0] = 0
        buf[1] = 1
        return 2
    n = s[_SEAT + 32 * s[_PLAYER] + _TOKENS]
    i = 0
    while i < n:
        buf[i] = i + 2
        i += 1
    return n


@micropython.viper
def scores(s: ptr8, out: ptr16):
    """Write the space 0..49 of each seat's horse into out, array('h') of at least as many elements."""
    k = 0
    while k < s[_SEATS]:
        out[k] = s[_SEAT + 32 * k]
        k += 1


@micropython.viper
def winners(s: ptr8) -> int:
    """Bit mask of the seats that lead: furthest, then most tokens; all that are still equal share the win."""
    best = -1
    mask = 0
    p = _SEAT
    bit = 1
    end = 1 << s[_SEATS]
    while bit < end:
        rank = 32 * s[p] + s[p + _TOKENS]
        if rank > best:
            best = rank
            mask = bit
        elif rank == best:
            mask |= bit
        p += 32
        bit += bit
    return mask


@micropython.viper
def hide(s: ptr8, seat: int, rng):
    """Deal the unseen faces of each generation at random over all its unseen tokens, in the stock and in all hands.
    Nobody has seen any of them, so every seat knows the same."""
    io = ptr32(rng.state)
    slot = _SEAT + _HELD
    newest = slot + s[_NEWEST]
    while slot <= newest:
        # The packed counts of all seats add up without a carry, as a generation has at most 18 galloping tokens.
        v = s[slot] + s[slot + 32] + s[slot + 64] + s[slot + 96]
        if slot == newest:
            v += s[_STOCK] + _SLEEPER * s[_STOCK + 1]
        galloping = v % _SLEEPER
        sleeping = v // _SLEEPER
        p = slot
        while p < slot + 128:
            n = s[p] % _SLEEPER + s[p] // _SLEEPER
            s[p] = 0
            while n:
                left = galloping + sleeping
                io[0] = 16380 * (io[0] & 65535) + (io[0] >> 16)
                v = (io[0] & 65535) * left
                if (v & 65535) < left and (v & 65535) < 65536 % left:
                    continue
                n -= 1
                if (v >> 16) < galloping:
                    galloping -= 1
                    s[p] += 1
                else:
                    sleeping -= 1
                    s[p] += _SLEEPER
            p += 32
        if slot == newest:
            s[_STOCK] = galloping
            s[_STOCK + 1] = sleeping
        slot += 1


@micropython.viper
def view(s: ptr8, seat: int, out: ptr8) -> int:
    """Write what a seat knows, the same for all of them, into out (VIEW_BYTES); return the length.

    12 bytes: seats, options, seat to move, whose turn, what is to come (the kind of the next step of TRACE less 1), rounds
              completed, tokens still to be moved, space aimed at, whether a staked token galloped, galloping and
              sleeping tokens in the discard, tokens in the stock
    then      space and tokens of each seat
    then      for each generation with unseen tokens, oldest first: how many of them gallop, how many sleep, how
              many each seat has; those in the stock are the rest of the last one
    """
    i = 0
    while i < 9:
        out[i] = s[i]
        i += 1
    out[9] = s[_DISCARD]
    out[10] = s[_DISCARD + 1]
    out[11] = s[_STOCK] + s[_STOCK + 1]
    i = 12
    end = _SEAT + 32 * s[_SEATS]
    p = _SEAT
    while p < end:
        out[i] = s[p]
        out[i + 1] = s[p + _TOKENS]
        i += 2
        p += 32
    slot = 0
    while slot <= s[_NEWEST]:
        v = 0
        if slot == s[_NEWEST]:
            v = s[_STOCK] + _SLEEPER * s[_STOCK + 1]
        n = i + 2
        p = _SEAT + _HELD + slot
        while p < end:
            v += s[p]
            out[n] = s[p] % _SLEEPER + s[p] // _SLEEPER
            n += 1
            p += 32
        out[i] = v % _SLEEPER
        out[i + 1] = v // _SLEEPER
        # Only the newest slot can be empty: when every token lies in the discard.
        if v:
            i = n
        slot += 1
    return i


def coming(s):
    """What is to come: the kind of the step that TRACE will begin with, GAIT .. TURN."""
    return s[_PHASE] + 1


def held(s, k):
    """(galloping, sleeping) tokens that seat k has of its oldest generation. Not for players: nobody sees them."""
    p = _SEAT + 32 * k + _HELD
    end = p + _SLOTS
    while p < end and s[p] == 0:
        p += 1
    return (s[p] % _SLEEPER, s[p] // _SLEEPER) if p < end else (0, 0)


def bag(s):
    """(galloping, sleeping) tokens, one of which moves next when `coming` says TAKE, PAY or TURN. Not for players."""
    if s[_PHASE] == _TAKE:
        return s[_STOCK], s[_STOCK + 1]
    return held(s, s[_PLAYER])


def deal(s, faces):
    """Give the seats of a race just set up other tokens than `new` drew: two of `faces` (0 galloping, 1 sleeping) to
    each. Four seats cannot ask for more sleeping ones than there are."""
    for k in range(s[_SEATS]):
        s[_SEAT + 32 * k + _HELD] = 2 + (_SLEEPER - 1) * (faces[2 * k] + faces[2 * k + 1])
    s[_STOCK] = _GALLOPING - (len(faces) - sum(faces))
    s[_STOCK + 1] = _SLEEPING - sum(faces)


def check(s):
    """Raise ValueError unless these bytes are a state that could be."""
    if len(s) != STATE_BYTES:
        raise ValueError("length")
    seats = s[_SEATS]
    if not 2 <= seats <= 4 or s[_OPTIONS]:
        raise ValueError("seats or options")
    _check_turn(s, seats)
    _check_tokens(s, seats)
    _check_phase(s)


def _check_turn(s, seats):
    """Whose turn it is, in which round, and where the horses are."""
    player = s[_PLAYER]
    phase = s[_PHASE]
    if player >= seats or phase > _TURN or s[_ROUND] > _ROUNDS:
        raise ValueError("turn")
    home = -1
    for k in range(seats):
        space = s[_SEAT + 32 * k]
        if space > _FINISH:
            raise ValueError("space")
        if space == _FINISH:
            home = k
    if s[_HOME] != (home >= 0):
        raise ValueError("end")
    if s[_TO_MOVE] == _OVER:
        if phase or player or not s[_ROUND] or (home < 0 and s[_ROUND] < _ROUNDS):
            raise ValueError("end")
        return
    # A horse on the finish has had its turn in this round, but for the tokens that it takes or pays.
    arrived = player if phase in (_TAKE, _PAY) else player - 1
    if s[_ROUND] == _ROUNDS or home > arrived:
        raise ValueError("end")
    if s[_TO_MOVE] != (player if phase in (_GAIT, _STAKE) else _CHANCE):
        raise ValueError("turn")


def _check_tokens(s, seats):
    """18 galloping and 12 sleeping tokens, and a slot for every generation that has unseen ones."""
    newest = s[_NEWEST]
    if newest >= _SLOTS:
        raise ValueError("generations")
    galloping = s[_STOCK] + s[_DISCARD]
    sleeping = s[_STOCK + 1] + s[_DISCARD + 1]
    for k in range(seats):
        tokens = 0
        for p in range(_SEAT + 32 * k + _HELD, _SEAT + 32 * k + _HELD + _SLOTS):
            galloping += s[p] % _SLEEPER
            sleeping += s[p] // _SLEEPER
            tokens += s[p] % _SLEEPER + s[p] // _SLEEPER
        if s[_SEAT + 32 * k + _TOKENS] != tokens:
            raise ValueError("tokens")
    if galloping != _GALLOPING or sleeping != _SLEEPING:
        raise ValueError("tokens")
    for p in range(_SEAT + 32 * seats, STATE_BYTES):
        if s[p]:
            raise ValueError("seats")
    for slot in range(_SLOTS):
        p = _SEAT + _HELD + slot
        unseen = s[p] + s[p + 32] + s[p + 64] + s[p + 96]
        if slot == newest:
            unseen += s[_STOCK] + s[_STOCK + 1]
        if (unseen == 0) != (slot > newest) and (newest or unseen):
            raise ValueError("generations")


def _check_phase(s):
    """What is pending agrees with the table."""
    phase = s[_PHASE]
    count = s[_COUNT]
    aim = s[_AIM]
    space = s[_SEAT + 32 * s[_PLAYER]]
    tokens = s[_SEAT + 32 * s[_PLAYER] + _TOKENS]
    if phase == _TAKE:
        right = 1 <= count <= 3 and s[_STOCK] + s[_STOCK + 1]
    elif phase == _PAY:
        right = 1 <= count <= 2 and count <= tokens
    elif phase == _TURN:
        right = 1 <= count <= tokens
    else:
        right = count == 0 and (phase != _STAKE or tokens)
    if phase in (_TAKE, _PAY):
        # The horse has moved already, onto a space with a symbol or the finish.
        right = right and space and space in (TABLE[space - 1], TABLE[space + 49], TABLE[space + 99])
    if phase in (_STAKE, _TURN):
        right = right and space < _FINISH and aim in [TABLE[row + TABLE[row + space]] for row in (0, 50, 100)]
    else:
        right = right and aim == 0
    if s[_AWAKE] > (1 if phase == _TURN and s[_DISCARD] else 0) or not right:
        raise ValueError("phase")
