"""Short cues for the speaker: what was pressed, rolled, moved, won."""

# A cue is its rank, then a tone after the other: tens of Hz and tens of milliseconds. It cuts off one of the same rank
# or below, so that the click of a key never swallows what the key has brought about.
CURSOR = bytes((0, 200, 1))
CONFIRM = bytes((1, 120, 3))
ROLL = bytes((2, 90, 2, 60, 3, 100, 2, 50, 3, 80, 2, 55, 3, 70, 2))
MOVED = bytes((2, 66, 5, 88, 6))
ERROR = bytes((3, 22, 14))
WIN = bytes((4, 52, 10, 66, 10, 78, 10, 105, 24))


class Sound:
    """Plays cues on a speaker (hal/device.py) while `on`; tick() takes it from tone to tone."""

    def __init__(self, speaker):
        self.on = True
        self._speaker = speaker
        self._cue = CURSOR
        self._at = len(CURSOR)
        self._left = 0

    def play(self, cue):
        if self.on and (self._left <= 0 or cue[0] >= self._cue[0]):
            self._cue = cue
            self._at = 1
            self._next()

    def _next(self):
        cue = self._cue
        at = self._at
        self._at = at + 2
        self._left = 10 * cue[at + 1]
        self._speaker.tone(10 * cue[at], self._left)

    def tick(self, ms):
        """Once per turn of the loop, `ms` after the last time."""
        if self._left > 0:
            self._left -= ms
            if self._left <= 0 and self._at < len(self._cue):
                self._next()
        self._speaker.tick()
