"""What the wires of a kit are like, for the self-test: asked rarely, loaded only then."""

import os

import machine

# GPIOs whose pins lie side by side, with no ground pin between them (Pico data sheet, figure 4).
_SIDE_BY_SIDE = ((0, 1), (2, 5), (6, 9), (10, 13), (14, 15), (16, 17), (18, 21), (26, 27))


def beside(one, other):
    """Whether the pins of two GPIOs, the lower one first, are neighbours."""
    if other != one + 1:
        return False
    for first, last in _SIDE_BY_SIDE:
        if first <= one and other <= last:
            return True
    return False


def closed(board):
    """Mask of the keys whose contact is closed now. The lines of an encoder are none: it may rest with both closed."""
    mask = 0
    # A and B, where the first four are no keys.
    for i in range(4 if board.KEY_LAYOUT == "encoder" else 0, 6):
        number = board.KEY_PINS[i]
        if number is not None and machine.Pin(number).value() == board.KEY_PRESSED:
            mask |= 1 << i
    return mask


def shorts(board, pull):
    """Pairs of GPIOs of keys that touch: one is driven to the level of a pressed key, which a key itself does too, and
    its neighbour, that a resistor holds at the other level, must not follow."""
    found = []
    numbers = sorted([number for number in board.KEY_PINS if number is not None])
    for i in range(len(numbers) - 1):
        one, other = numbers[i], numbers[i + 1]
        if not beside(one, other):
            continue
        reader = machine.Pin(other)
        if reader.value() == board.KEY_PRESSED:
            # Down by itself: nothing to be learned.
            continue
        driver = machine.Pin(one, machine.Pin.OUT, value=board.KEY_PRESSED)
        if reader.value() == board.KEY_PRESSED:
            found.append((one, other))
        machine.Pin(one, machine.Pin.IN, pull)
        del driver
    return found


def flash_kb():
    """Free flash in KB, as the file system counts it."""
    told = os.statvfs("/")
    return told[0] * told[3] // 1024
