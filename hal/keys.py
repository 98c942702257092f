"""Keys: presses latched at their first edge, debounced, with auto-repeat for the pad.

A press counts at its first edge, however busy the processor is, and waits in a small ring until the firmware asks
for it. A contact bounces for up to 5 ms, so for QUIET_MS after a press its edges mean nothing, and a key is let go
only when its contact has been open for QUIET_MS without a break. That is far shorter than the gap between two
presses of a quick thumb (some 40 ms at 12 presses a second): no press is lost, and none is made of bounce.

A flash write holds interrupts off for up to 64 ms; the edges in it are seen late, and only as flags that say which
kinds there were. From begin_write() to end_write() times prove nothing, so there the first edge of a key at rest is
believed, and what became of it is read from the contact QUIET_MS after the write.

B acts when it is let go, as held for HOLD_MS it is BACK and not B. On a layout without a B the key A does both: a tap is
A, held for SOON_MS it is SOON (the scene takes it as B), and goes on to BACK. docs/keys.md has the table of layouts.

Times are milliseconds of a clock that wraps at 2**30 and are handed in. Nothing here allocates; so times are only
subtracted, as their sum may be no small int on the Pico.
"""

from array import array

from micropython import const

from hal.device import BACK, DOWN, LEFT, RIGHT, SOON, UP, A, B

_MASK = const(0x3FFFFFFF)
_PAD = const(15)
_RING = const(16)

# Contacts bounce up to 5 ms; a whole-millisecond clock may show 5 for a little less than 5.
QUIET_MS = const(6)
REPEAT_FIRST_MS = const(350)
REPEAT_NEXT_MS = const(120)
SOON_MS = const(500)
HOLD_MS = const(1000)

# The keys that each layout has. RIGHT alone leads through everything that a scene offers, so it is the first of few.
LAYOUTS = {
    "six": UP | DOWN | LEFT | RIGHT | A | B,
    "four": LEFT | RIGHT | A | B,
    "three": RIGHT | A | B,
    "two": RIGHT | A,
    "encoder": LEFT | RIGHT | A,
}

# Key bit -> 0..5.
_INDEX = b"\x00\x00\x01\x00\x02\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x04" + bytes(15) + b"\x05"


class Keys:
    """The keys of a layout. Contact changes come by edge() from pin interrupts, with a tick() per tick, or else by
    poll()."""

    def __init__(self, layout="six"):
        self.layout = layout
        # The key that acts when it is let go, since when it is down, and what it can still become: 0 nothing, else
        # the next of a press, SOON and BACK.
        self._slow = B if LAYOUTS[layout] & B else A
        self._slow_at = 0
        self._slow_next = 0
        self._closed = 0  # contacts that were closed when last seen
        self._down = 0  # keys that are down, bounce taken out
        self._locked = 0  # keys whose edges mean nothing until QUIET_MS after _lock_at
        self._lock_at = array("i", (0, 0, 0, 0, 0, 0))
        self._open_at = array("i", (0, 0, 0, 0, 0, 0))  # when each contact last opened
        self._writing = False
        self._ring = bytearray(_RING)
        self._head = 0
        self._tail = 0
        self._repeat = 0  # the pad key that repeats, or 0
        self._wait = 0
        self._since = 0

    def put(self, bit):
        """Latches one press of the key `bit` (1, 2, 4 ... 32), SOON or BACK. A full ring drops it."""
        head = (self._head + 1) % _RING
        if head != self._tail:
            self._ring[self._head] = bit
            self._head = head

    def edge(self, bit, closed, now):
        """The contact of one key closed (truth) or opened at `now`. May run in a hard pin interrupt.

        An interrupt can come late and stand for several edges. Where the hardware tells that both kinds happened
        (flags of the interrupt), call this with the opposite of the present level first, then with the level.
        """
        i = _INDEX[bit]
        self._settle(bit, i, now)
        if closed:
            if self._closed & bit:
                return
            self._closed |= bit
            if self._locked & bit:
                return
            if not self._down & bit or ((now - self._open_at[i]) & _MASK) >= QUIET_MS:
                self._press(bit, i, now)
        elif self._closed & bit:
            self._closed &= ~bit
            self._open_at[i] = now
            if self._writing and self._down & bit and not self._locked & bit:
                self._let_go(bit)
                self._lock(bit, i, now)

    def poll(self, closed, now):
        """For keys without interrupts, every 12 ms or less: `closed` is the mask of contacts closed at `now`."""
        # When a contact closed between two polls is not known, so its time cannot tell a press from bounce: a key
        # that the polls so far have not let go was bouncing.
        self._closed |= closed & self._down
        differ = closed ^ self._closed
        bit = 1
        while differ:
            if differ & bit:
                self.edge(bit, closed & bit, now)
                differ &= ~bit
            bit <<= 1
        self.tick(now)

    def tick(self, now):
        """Once per tick: lets keys go, repeats. With interrupts in use, call it with them held off."""
        unsettled = self._locked | (self._down & ~self._closed)
        bit = 1
        while unsettled:
            if unsettled & bit:
                unsettled &= ~bit
                self._settle(bit, _INDEX[bit], now)
            bit <<= 1
        if self._slow_next:
            self._hold(now)
        if self._repeat:
            if not self._down & self._repeat:
                self._repeat = 0
            elif ((now - self._since) & _MASK) >= self._wait:
                # Not while presses wait: a slow screen must not run on after the thumb has stopped.
                if self._head == self._tail:
                    self.put(self._repeat)
                # From when it was due, so that the beat does not depend on the tick; from now if that is long past.
                due = (self._since - (_MASK - self._wait) - 1) & _MASK
                self._wait = REPEAT_NEXT_MS
                self._since = due if ((now - due) & _MASK) < REPEAT_NEXT_MS else now

    def at_rest(self, now):
        """Whether no contact may be bouncing at `now`. A flash write should wait for it, some 15 ms at most: then it
        can be told what happened in the write, even a whole tap.
        """
        self.tick(now)
        return not (self._locked | (self._down & ~self._closed))

    def begin_write(self, now):
        """A flash write begins that may hold interrupts off. With interrupts in use, call it with them held off."""
        bit = 1
        while bit <= 32:
            i = _INDEX[bit]
            self._settle(bit, i, now)
            if self._down & ~self._closed & ~self._locked & bit:
                # It opened just now. Whatever closes it in the write is bounce or a press: the end will show.
                self._let_go(bit)
                self._lock(bit, i, now)
            bit <<= 1
        self._writing = True

    def end_write(self, now):
        """The flash write is over. Let QUIET_MS and a tick() pass before the next one."""
        self._writing = False
        bit = 1
        while bit <= 32:
            self._lock_at[_INDEX[bit]] = now
            bit <<= 1

    def _lock(self, bit, i, now):
        self._locked |= bit
        self._lock_at[i] = now

    def _press(self, bit, i, now):
        self._down |= bit
        self._lock(bit, i, now)
        if bit == self._slow:
            self._slow_next = bit
            self._slow_at = now
        else:
            self.put(bit)
        if bit & _PAD:
            self._repeat = bit
            self._wait = REPEAT_FIRST_MS
            self._since = now

    def _settle(self, bit, i, now):
        """Ends the lock of a key when its time is over, and lets the key go when it has been open long enough."""
        if self._writing:
            return
        while self._locked & bit:
            if ((now - self._lock_at[i]) & _MASK) < QUIET_MS:
                return
            self._locked &= ~bit
            if self._closed & ~self._down & bit:
                # It was closed when the lock ended, which may be a while ago.
                self._press(bit, i, (self._lock_at[i] - (_MASK - QUIET_MS) - 1) & _MASK)
        if self._down & ~self._closed & bit and ((now - self._open_at[i]) & _MASK) >= QUIET_MS:
            self._let_go(bit)

    def _let_go(self, bit):
        self._down &= ~bit
        if bit == self._slow:
            if self._slow_next == bit:
                self.put(bit)
            self._slow_next = 0

    def _hold(self, now):
        """Tells what the slow key has become that is down."""
        held = (now - self._slow_at) & _MASK
        if self._slow_next == A and held >= SOON_MS:
            self.put(SOON)
            self._slow_next = SOON
        if held >= HOLD_MS:
            self.put(BACK)
            self._slow_next = 0

    def next(self):
        """The next latched press as one key bit, or 0."""
        tail = self._tail
        if tail == self._head:
            return 0
        bit = self._ring[tail]
        self._tail = (tail + 1) % _RING
        return bit

    def forget(self):
        """Drops all presses up to now, those too that are still held."""
        self._tail = self._head
        self._slow_next = 0
        self._repeat = 0

    def held(self):
        """Mask of the keys that are down, as of the last tick or edge."""
        return self._down
