"""A game being played: whose ply it is, who makes it, what is saved, what moves on the screen.

The view of the game (firmware/views) draws the table and lets a person choose; this scene knows no game by
name.
"""

from array import array

from micropython import const

from firmware import modules, saves, ui
from firmware.texts import t
from games import catalogue
from games.rng import Rng
from hal.device import DOWN, UP, A, B

# What the scene waits for.
_NEXT = const(0)  # nothing: on to the next ply
_ASK = const(1)  # a person to roll
_MOVE = const(2)  # the view's animation
_CHOOSE = const(3)  # a person's choice
_THINK = const(4)  # the computer's
_LOOK = const(5)  # the eye: the computer's choice stays for a while before it is carried out
_SHEET = const(6)  # a key, to put the score sheet away

_THINK_MS = const(300)
_LOOK_MS = const(600)
_BEAT_MS = const(150)


class Scene:
    """saved: a saves.Saved to go on with (ValueError if its state cannot be), or None for a new game of
    `game`, `options` (bit mask) and `kinds` (bytes, a kind of player for each seat)."""

    def __init__(self, app, saved, game=None, options=0, kinds=None):
        self.app = app
        self.dirty = True
        self._game = saved.game if saved else game
        self._kinds = saved.kinds if saved else kinds
        self._options = saved.options if saved else options
        seats = len(self._kinds)
        rules = self._rules = catalogue.load(self._game)
        try:
            if saved:
                rules.check(saved.state)
                if saved.state[0] != seats or saved.state[1] != self._options:
                    raise ValueError("seats or options")
        except ValueError:
            catalogue.unload(self._game)
            raise
        self._bot = catalogue.load(self._game, "bot")
        self._views = modules.view(self._game)
        self.view = self._views.View(rules, seats)
        self._legal = array("H", [0] * rules.MAX_LEGAL)
        self._n = 0
        self._rng = Rng(0)
        self._aside = Rng(0)
        # What the last save failed for, and whether that has still to be told.
        self._fault = None
        self._untold = False
        if saved:
            self.state = saved.state
            self.plies = saved.plies
            self._rng.state[0] = saved.generator
        else:
            self.state = bytearray(rules.STATE_BYTES)
            self.plies = 0
            self._rng.state[0] = app.rng.state[0]
            # The next new game is another one.
            app.rng.below(2)
            rules.new(self.state, seats, self._options, self._rng)
            self._save()
        self.view.sync(self.state)
        self._phase = _NEXT
        self._clock = 0
        self._move = 0
        # The last moves of the others, oldest first: (state before, move). While they are shown again:
        # which one, and the phase to return to.
        self._log = []
        self._again = -1
        self._return = _NEXT
        self._scratch = bytearray(rules.STATE_BYTES)
        # The phase that the score sheet hides.
        self._below = _NEXT

    def enter(self):
        pass

    def leave(self):
        """Make room for another game's code."""
        modules.forget_view(self._game)
        catalogue.unload(self._game)

    # --- Plies

    def _save(self):
        store = self.app.device.store
        data = saves.pack(self._game, self._options, self._kinds, self._rng, self.plies, self.state)
        if store.save(saves.NAME, data):
            self._fault = None
        elif store.message != self._fault:
            # Once, not at every ply; and by tick(), as a scene that is still being made has no place on the stack.
            self._fault = store.message
            self._untold = True

    def _go_on(self):
        """Find out what the game waits for."""
        self.dirty = True
        rules = self._rules
        seat = rules.seat(self.state)
        if seat == rules.OVER:
            self.app.replace("result", self._game, self._kinds, self.state)
        elif seat == rules.CHANCE:
            if self._kinds[self._views.roller(self.state)] == saves.PERSON:
                self._phase = _ASK
            else:
                self._roll()
        else:
            self._n = rules.legal(self.state, self._legal)
            self._clock = 0
            if self._kinds[seat] == saves.PERSON:
                self.view.choose(self._legal, self._n)
                self._phase = _CHOOSE
            else:
                self._phase = _THINK

    def _roll(self):
        rules = self._rules
        rules.apply(self.state, rules.sample(self.state, self._rng))
        self.plies += 1
        self._phase = _MOVE
        self.view.rolled(self.state)
        self._save()

    def _carry_out(self, move):
        """Make a move of the seat that decides."""
        rules = self._rules
        seat = rules.seat(self.state)
        if len(self._log) >= len(self._kinds) - 1:
            self._log.pop(0)
        self._log.append((bytes(self.state), move))
        rules.apply(self.state, move)
        self.plies += 1
        self._phase = _MOVE
        self.view.show_choice(move)
        self.view.moved(self.state)
        if self._kinds[seat] == saves.PERSON and self._kinds.count(bytes((saves.PERSON,))) == 1:
            self._log.clear()
        self._save()

    # --- Showing the last moves again

    def again(self):
        """Show the last moves of the others again, if there are any, then return to what was."""
        if self._log and self._again < 0 and self._phase in (_ASK, _CHOOSE):
            self._return = self._phase
            self._again = 0
            self._show_again()

    def _show_again(self):
        """Show the move `_again` of the log, or return when there is none."""
        self.dirty = True
        if self._again == len(self._log):
            self._again = -1
            self.view.sync(self.state)
            self._phase = self._return
            if self._phase == _CHOOSE:
                self._go_on()
            return
        before, self._move = self._log[self._again]
        self.view.sync(before)
        self.view.show_choice(self._move)
        self._clock = 0
        self._phase = _LOOK

    def _after_look(self):
        if self._again < 0:
            self._carry_out(self._move)
            return
        scratch = self._scratch
        scratch[:] = self.view.shown
        self._rules.apply(scratch, self._move)
        self.view.moved(scratch)
        self._again += 1
        self._phase = _MOVE

    def sheet(self):
        """Show the score sheet until a key is pressed."""
        self._below = self._phase
        self._phase = _SHEET
        self.dirty = True

    # --- The scene

    def key(self, k):
        self.dirty = True
        phase = self._phase
        if phase == _SHEET:
            self._phase = self._below
        elif k == B:
            self.app.open("menu", self, bool(self._log) and phase in (_ASK, _CHOOSE))
        elif phase == _MOVE:
            self.view.skip()
        elif phase == _THINK:
            self._clock = _THINK_MS
        elif phase == _LOOK:
            self._clock = _LOOK_MS
        elif phase == _ASK or (phase == _CHOOSE and self.view.at_go()):
            if k == UP:
                self.again()
            elif k == DOWN:
                self.sheet()
            elif phase == _CHOOSE:
                self._choose(k)
            elif k == A:
                self._roll()
        elif phase == _CHOOSE:
            self._choose(k)

    def _choose(self, k):
        move = self.view.key(k)
        if move >= 0:
            self._carry_out(move)

    def tick(self, ms):
        if self._untold:
            self._untold = False
            self.app.open("message", self._fault)
            return
        phase = self._phase
        if phase == _NEXT:
            self._go_on()
        elif phase == _MOVE:
            self.dirty = True
            self.view.tick(ms)
            if not self.view.busy():
                if self._again >= 0:
                    self._show_again()
                else:
                    self._phase = _NEXT
        elif phase == _THINK:
            before = self._clock // _BEAT_MS
            self._clock += ms
            if self._clock >= _THINK_MS:
                # A generator of its own: a computer player must not see, nor change, the dice to come.
                self._aside.seed(self.plies)
                self._move = self._bot.choose(self.state, self._legal, self._n, self._aside)
                self.view.show_choice(self._move)
                self._clock = 0
                self._phase = _LOOK
                self.dirty = True
            elif self._clock // _BEAT_MS != before:
                self.dirty = True
        elif phase == _LOOK:
            self._clock += ms
            if self._clock >= _LOOK_MS:
                self.dirty = True
                self._after_look()

    def draw(self, screen):
        phase = self._phase
        view = self.view
        if phase == _SHEET:
            view.draw_sheet(screen)
            return
        view.draw(screen, phase in (_CHOOSE, _LOOK))
        if phase == _CHOOSE:
            view.draw_cursor(screen)
        elif phase == _THINK:
            view.draw_thinking(screen, self._clock // _BEAT_MS)
        elif phase == _ASK:
            text = "Ⓐ " + t("play.roll") + "  Ⓑ " + t("play.menu")
            if self._log:
                text += "  ↑ " + t("play.again")
            ui.foot(screen, text)
