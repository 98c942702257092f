"""Rotary encoder: turns out of its two lines, whatever bounces.

The lines open and close in turns, a quarter of a period apart (quadrature), so each position has one next and one
previous; an edge to and fro is a bounce and takes back what it counted. A position where both lines changed at once
was missed, as in a flash write: it says nothing of the way.
"""


class Encoder:
    """edges: line changes from one click to the next, 4 (clicks where both lines are open) or 2 (also where both are
    closed). Give it the lines at each change and, to be sure, once per tick."""

    def __init__(self, edges=4):
        self._half = edges // 2
        self._at = 0
        self._count = 0

    def look(self, left, right):
        """The lines are closed (truth) or open. Returns 1 for a click to the right, -1 to the left, 0 for none."""
        # In the order of turning to the right: both open, left closed, both closed, right closed.
        at = 1 if left else 0
        if right:
            at = 3 - at
        step = (at - self._at) & 3
        if not step:
            return 0
        self._at = at
        if step == 1:
            self._count += 1
        elif step == 3:
            self._count -= 1
        if at & 1 or (at and self._half > 1):
            return 0
        # A click: whoever missed an edge of it still knows the way.
        count = self._count
        self._count = 0
        if count >= self._half:
            return 1
        if count <= -self._half:
            return -1
        return 0
