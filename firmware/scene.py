"""What scenes have in common (firmware/app.py says what a scene is)."""

from firmware import ui
from hal.device import A, B


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
