"""What scenes have in common (firmware/app.py says what a scene is)."""

from micropython import const

from firmware import ui
from hal.device import A, B


_REST_MS = const(150)


class Rest:
    """`at` is what the cursor has come to rest at. What a scene tells about that is more to send than the cursor, and
    would hold it up on its way."""

    def __init__(self, at):
        self.at = self._near = at
        self._ms = 0

    def look(self, at, ms):
        """The cursor is at `at`, `ms` after the last look. Whether it has just come to rest."""
        if at != self._near:
            self._near = at
            self._ms = 0
        self._ms = min(self._ms + ms, _REST_MS)
        if at == self.at or self._ms < _REST_MS:
            return False
        self.at = at
        return True


class Plain:
    """A scene that needs to know neither of time nor of coming and going."""

    def __init__(self, app):
        self.app = app
        self.dirty = True

    def enter(self):
        pass

    def leave(self):
        pass

    def tick(self, ms):
        pass


class Listing(Plain):
    """A scene with a list in `_list`: keys lead through it, A takes the line pointed at, B goes back."""

    def __init__(self, app):
        super().__init__(app)
        self._list = ui.List((), 0, 0, 0, 0)

    def take(self, at):
        """A was pressed at line `at`."""

    def key(self, k):
        by = ui.step(k)
        if by:
            self._list.move(by)
            self.dirty = True
        elif k == A:
            self.take(self._list.at)
        elif k == B:
            self.app.back()
