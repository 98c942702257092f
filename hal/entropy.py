"""A number nobody can foresee, from the noise the system gathers (the ring oscillator on the RP2040)."""

import os


def entropy():
    """1 .. 2**30 - 1."""
    x = 0
    while not x:
        b = os.urandom(4)
        # Only 30 bits are put together: more would make a big integer on the Pico.
        x = b[0] | b[1] << 8 | b[2] << 16 | (b[3] & 63) << 24
    return x
