"""Keys: presses latched at their first edge, debounced, with auto-repeat for the pad.

A press counts at its first edge, however busy the processor is, and waits in a small ring until the firmware asks
for it. A contact that bounces gives many edges: once pressed, a key can be pressed again only after its contact
was open for QUIET_MS without a break, which is longer than a contact bounces (5 ms) and far shorter than the gap
between two presses of a quick thumb (some 40 ms at 12 presses a second). So bounce adds no press and no press is lost.

Times are milliseconds of a clock that wraps at 2**30 and are handed in. Nothing here allocates.
"""

from array import array

from micropython import const

_MASK = const(0x3FFFFFFF)
_PAD = const(15)
_RING = const(16)

# Contacts bounce up to 5 ms; a whole-millisecond clock may show 5 for a little less than 5.
QUIET_MS = const(6)
REPEAT_FIRST_MS = const(350)
REPEAT_NEXT_MS = const(120)

# Key bit -> 0..5.
_INDEX = b"\x00\x00\x01\x00\x02\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x04" + bytes(15) + b"\x05"


class Keys:
    """Six keys. The caller brings contact changes by poll() once per tick, by edge() from pin interrupts, or both."""

    def __init__(self):
        self._closed = 0  # contacts that were closed when last seen
        self._down = 0  # keys that are down, bounce taken out
        self._changed = array("i", (0, 0, 0, 0, 0, 0))  # when each contact last opened or closed
        self._ring = bytearray(_RING)
        self._head = 0
        self._tail = 0
        self._repeat = 0  # the pad key that repeats, or 0
        self._wait = 0
        self._since = 0
        # True while interrupts are held off (a flash write): see edge().
        self.blind = False

    def put(self, bit):
        """Latches one press of the key `bit` (1, 2, 4 ... 32). A full ring drops it."""
        head = (self._head + 1) % _RING
        if head != self._tail:
            self._ring[self._head] = bit
            self._head = head

    def edge(self, bit, closed, now):
        """The contact of one key closed (truth) or opened at `now`. May run in a hard pin interrupt.

        An interrupt can come late and stand for several edges. Where the hardware tells that both kinds happened
        (flags of the interrupt), call this with the opposite of the present level first, then with the level:
        a tap that began and ended while interrupts were held off then counts. That a key was let go *and* pressed
        again in one such interval cannot be told from bounce by times; it is believed only while `blind` is true.
        """
        i = _INDEX[bit]
        if closed:
            if self._closed & bit:
                return
            self._closed |= bit
            if not self._down & bit or self.blind or ((now - self._changed[i]) & _MASK) >= QUIET_MS:
                self._down |= bit
                self.put(bit)
                if bit & _PAD:
                    self._repeat = bit
                    self._wait = REPEAT_FIRST_MS
                    self._since = now
        elif self._closed & bit:
            self._closed &= ~bit
        else:
            return
        self._changed[i] = now

    def poll(self, closed, now):
        """Once per tick: `closed` is the mask of contacts closed at `now`.

        Brings in what no interrupt told, lets keys go, repeats. With interrupts in use, call it with them held off.
        """
        differ = closed ^ self._closed
        bit = 1
        while bit <= 32:
            if differ & bit:
                self.edge(bit, closed & bit, now)
            bit <<= 1
        lifted = self._down & ~self._closed
        if lifted:
            bit = 1
            while bit <= 32:
                if lifted & bit and ((now - self._changed[_INDEX[bit]]) & _MASK) >= QUIET_MS:
                    self._down &= ~bit
                bit <<= 1
        if self._repeat:
            if not self._down & self._repeat:
                self._repeat = 0
            elif ((now - self._since) & _MASK) >= self._wait:
                # Not while presses wait: a slow screen must not run on after the thumb has stopped.
                if self._head == self._tail:
                    self.put(self._repeat)
                # From when it was due, so that the beat does not depend on the tick; from now if that is long past.
                due = (self._since + self._wait) & _MASK
                self._wait = REPEAT_NEXT_MS
                self._since = due if ((now - due) & _MASK) < REPEAT_NEXT_MS else now

    def next(self):
        """The next latched press as one key bit, or 0."""
        tail = self._tail
        if tail == self._head:
            return 0
        bit = self._ring[tail]
        self._tail = (tail + 1) % _RING
        return bit

    def held(self):
        """Mask of the keys that are down, as of the last poll or edge."""
        return self._down
