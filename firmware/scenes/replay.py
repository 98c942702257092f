"""A game that is over, move by move."""

from micropython import const

from firmware import modules, ui
from firmware.course import Course
from firmware.scene import Plain
from firmware.texts import t
from games import catalogue
from hal.device import DOWN, LEFT, UP, A, B

# What the scene waits for: a key, the eye, the view's animation.
_WAIT = const(0)
_LOOK = const(1)
_MOVE = const(2)
_SHEET = const(3)

_LOOK_MS = const(600)
_BAR_MS = const(1500)

_CHANCE = const(254)
_OVER = const(255)


class Scene(Plain):
    """saved: the game, a saves.Saved (ValueError if its moves cannot be). RIGHT makes the next move, LEFT takes one back,
    A goes on by itself until the next A, DOWN shows the score sheet."""

    def __init__(self, app, saved):
        super().__init__(app)
        self._saved = saved
        rules = self._rules = catalogue.load(saved.game)
        try:
            self._course = Course(rules, saved)
            # The plies at which one can stop: where a seat decides, and the end.
            self._stops = []
            while self._course.plies < saved.plies:
                if rules.seat(self._course.state) != _CHANCE:
                    self._stops.append(self._course.plies)
                self._course.ply()
            self._stops.append(saved.plies)
            if not self._course.at_end():
                raise ValueError("moves")
        except ValueError:
            catalogue.unload(saved.game)
            raise
        self._views = modules.view(saved.game)
        self._view = self._views.View(rules, len(saved.kinds))
        self._clock = 0
        self._auto = False
        self._bar_ms = 0
        self._at = 0
        self._go(0)

    def leave(self):
        modules.forget_view(self._saved.game)
        catalogue.unload(self._saved.game)

    # --- Moves

    def _go(self, at):
        """To a stop at once."""
        self._at = at
        self._course.start()
        self._course.follow(self._stops[at])
        self._view.sync(self._course.state)
        self._rest()

    def _rest(self):
        """Wait at a stop."""
        self._phase = _WAIT
        self._clock = 0
        self._bar_ms = _BAR_MS
        seat = self._rules.seat(self._course.state)
        if seat < _CHANCE:
            # Nothing is secret any more; a hand is seen when it is its seat's turn.
            self._view.viewer = seat
        else:
            self._auto = False
        self.dirty = True

    def _next(self):
        """Begin the next move: what is chosen is looked at first."""
        if self._at < len(self._stops) - 1:
            self._at += 1
            self._view.show_choice(self._course.coming())
            self._clock = 0
            self._phase = _LOOK
            self.dirty = True

    def _on(self):
        """The next ply on the way to the stop."""
        course = self._course
        if course.plies == self._stops[self._at]:
            self._view.sync(course.state)
            self._rest()
            return
        if course.ply() == _CHANCE:
            self._view.rolled(course.state)
        else:
            self._view.moved(course.state)
        self._phase = _MOVE
        self.dirty = True

    # --- The scene

    def key(self, k):
        self.dirty = True
        if self._phase == _SHEET:
            self._rest()
        elif k == B:
            self.app.back()
        elif k == LEFT:
            self._auto = False
            # In the middle of a move to where it began.
            self._go(max(self._at - 1, 0))
        elif k == A:
            self._auto = not self._auto
            if self._phase == _WAIT:
                self._next()
        elif k in (UP, DOWN):
            self._go(self._at)
            self._auto = False
            self._phase = _SHEET
        elif self._phase == _WAIT:
            self._next()
        elif self._phase == _LOOK:
            self._on()
        else:
            self._view.skip()

    def tick(self, ms):
        if self._bar_ms and self._phase == _WAIT:
            self._bar_ms = max(self._bar_ms - ms, 0)
            self.dirty = self.dirty or not self._bar_ms
        if self._phase == _MOVE:
            self.dirty = True
            self._view.tick(self.app.settings.pace(ms))
            if not self._view.busy():
                self._on()
        elif self._phase == _LOOK or self._auto:
            # Without animations it is all that is seen of a move.
            self._clock += min(self.app.settings.pace(ms), 2 * ms)
            if self._clock < _LOOK_MS:
                return
            if self._phase == _LOOK:
                self._on()
            else:
                self._next()

    def draw(self, screen):
        if self._phase == _SHEET:
            self._view.draw_sheet(screen)
            return
        self._view.draw(screen, self._phase == _LOOK)
        if self._saved.practice:
            ui.practice(screen, 9)
        if self._phase == _WAIT and self._bar_ms and not self._auto:
            last = len(self._stops) - 1
            if self._at == 0 and self._saved.practice:
                ui.bar(screen, t("menu.practice"))
            else:
                ui.bar(screen, t("replay.at").format(self._at, last))
