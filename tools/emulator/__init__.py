"""An emulated RP2040 with our image: the chip, what is wired to it, and the person at the keys."""
