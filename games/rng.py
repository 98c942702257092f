"""The generator of chance: small integers only, four bytes of state.

Multiply-with-carry after Marsaglia with lag 1: x' = 16380 * (x mod 2**16) + x div 2**16. The modulus
16380 * 2**16 - 1 = 1073479679 is a safe prime, so every state from 1 to 1073479678 lies on one of two cycles of
536739839 states, and no intermediate value leaves 30 bits. The low 16 bits of the state are the output.

Hot functions of the games repeat the two lines of `Rng.below` over `ptr32(rng.state)`, since a call costs as much
as forty of their instructions on the Pico.
"""

from array import array

import micropython
from micropython import const

_STATES = const(1073479678)


def _mix(x):
    """Scatter x (0 .. 2**30 - 1) over 1 .. 1073479678: near seeds must not give near states."""
    for k in (0x2545, 0x1B87, 0x3C6F):
        low = x & 0x7FFF
        high = x >> 15
        # A Feistel round over two halves of 15 bits: a bijection, so no two seeds fall together before the fold.
        x = low << 15 | (high ^ ((low * k + (low >> 7) * 0x11) >> 3 & 0x7FFF))
    return x % _STATES + 1


def seed_of(text):
    """The seed 0 .. 2**30 - 1 that a typed word stands for; the same word gives the same seed everywhere."""
    x = 0
    for byte in text.encode():
        x = ((x & 0x3FFFFF) * 131 + (x >> 22) + byte) & 0x3FFFFFFF
    return x


class Rng:
    """A stream of numbers from a seed (any int; its low 30 bits count). `state` is array('I') of one element,
    1 .. 1073479678: all there is to save."""

    def __init__(self, seed):
        self.state = array("I", [1])
        self.seed(seed)

    def seed(self, seed):
        """Start the stream of this seed."""
        self.state[0] = _mix(seed & 0x3FFFFFFF)
        for _ in range(8):
            self.below(2)

    @micropython.viper
    def below(self, n: int) -> int:
        """A number 0 .. n - 1, each equally likely; n from 1 to 16383.

        The upper half of a 16-bit draw times n, with the draws refused that would favour some numbers (D. Lemire,
        Fast Random Integer Generation in an Interval, 2019)."""
        r = ptr32(self.state)
        x = r[0]
        while True:
            x = 16380 * (x & 65535) + (x >> 16)
            m = (x & 65535) * n
            low = m & 65535
            if low >= n or low >= 65536 % n:
                r[0] = x
                return m >> 16
