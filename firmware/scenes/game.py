"""A game being played: whose ply it is, who makes it, what is saved, what moves on the screen.

The view of the game (firmware/views) draws the table and lets a person choose; this scene knows no game by
name.
"""

from micropython import const

from firmware import modules, saves, ui
from firmware.art import shell
from firmware.course import Course
from firmware.sound import MOVED, ROLL, WIN
from firmware.texts import t
from games import catalogue
from games.rng import Rng, seed_of
from hal.device import DOWN, UP, A, B
from hal.keys import LAYOUTS

# What the scene waits for.
_NEXT = const(0)  # nothing: on to the next ply
_ASK = const(1)  # a person to roll
_MOVE = const(2)  # the view's animation
_CHOOSE = const(3)  # a person's choice
_THINK = const(4)  # the computer's
_LOOK = const(5)  # the eye: the computer's choice stays for a while before it is carried out
_SHEET = const(6)  # a key, to put the score sheet away
_PASS = const(7)  # the device to be handed to the next person
_ADVISE = const(8)  # the computer's thoughts about a person's choice
_TOLD = const(9)  # a key, to put the hint away

_CHANCE = const(254)
_OVER = const(255)

_THINK_MS = const(300)
_LOOK_MS = const(600)
_BEAT_MS = const(150)
_BAR_MS = const(1500)

# What a view answers to a key that asks for the last moves once more, and to B if that was of use to it.
_AGAIN = const(-2)
_USED = const(-3)

# A turn of the loop lasts 33 ms, of which the computer thinks that many; the longest iteration takes some 15.
_SLICE_MS = const(18)

# Plies that are remembered to be shown again.
_LOG = const(24)


class Scene:
    """saved: a saves.Saved to go on with (ValueError if its moves or state cannot be), or None for a new game of
    `game`, `options` (bit mask) and `kinds` (bytes, a kind of player for each seat), drawn from `word`, from any if
    that is empty."""

    NEEDS_ROOM = True

    def __init__(self, app, saved, game=None, options=0, kinds=None, word=""):
        self.app = app
        self.dirty = True
        new = saved is None
        if new:
            word = word or saves.new_word(app.rng)
            saved = saves.Saved(game, options, kinds, word, Rng(seed_of(word)).state[0])
        self.saved = saved
        self._kinds = saved.kinds
        self._persons = sum([kind == saves.PERSON for kind in saved.kinds])
        # The last decisions, oldest first: 8 * the number of the ply + the seat.
        self._log = []
        rules = self._rules = catalogue.load(saved.game)
        try:
            self.course = Course(rules, saved)
            self._follow(saved.plies)
            if not new and not self.course.at_end():
                raise ValueError("moves")
        except ValueError:
            catalogue.unload(saved.game)
            raise
        self.state = self.course.state
        self._views = modules.view(saved.game)
        self.view = self._views.View(rules, len(saved.kinds))
        self._legal = self.course.legal
        self._n = 0
        # Who thinks: made when somebody first has to, as it takes much memory.
        self._player = None
        if self._persons < len(self._kinds):
            self._make_player()
        # What the last save failed for, and whether that has still to be told.
        self._fault = None
        self._untold = False
        # The seat of a person that is asked, the one that saw the screen last; -1 none.
        self._asked = self._seen = -1
        self._look_as(-1)
        self.view.sync(self.state)
        self._phase = _NEXT
        self._clock = 0
        self._move = 0
        # While the last moves are shown again: which one, their own course, and the phase to return to.
        self._again = -1
        self._second = self.course
        self._return = _NEXT
        # The phase that the score sheet hides.
        self._below = _NEXT
        # A line across the top, and for how long.
        self._bar = ""
        self._bar_ms = 0
        if new:
            self._save()
        elif saved.practice:
            self._tell(t("play.practice"))

    def enter(self):
        # The font of the headings, the emblems, and what the title needs.
        modules.forget_art("title")
        modules.forget_art("emblems")
        modules.forget_reading()

    def leave(self):
        """Make room for another game's code."""
        modules.forget_view(self.saved.game)
        catalogue.unload(self.saved.game)
        modules.forget_levels()

    def _make_player(self):
        """One search, at the highest level of any seat, thinks for all of them and for the hints."""
        levels = modules.levels()
        bot = catalogue.load(self.saved.game, "bot")
        level = saves.HARD
        for kind in self._kinds:
            level = max(level, kind)
        self._player = levels.Player(self._rules, bot, level - saves.EASY)

    # --- Plies

    def _follow(self, plies):
        """Go there from the base, and remember the decisions on the way."""
        course = self.course
        self._log.clear()
        course.start()
        while course.plies < plies:
            self._note(course.plies, course.ply())
        self.plies = plies

    def _note(self, ply, seat):
        if seat < _CHANCE:
            if len(self._log) == _LOG:
                self._log.pop(0)
            self._log.append(8 * ply + seat)

    def _save(self):
        self.plies = self.course.plies
        store = self.app.device.store
        if store.save(saves.NAME, self.course.kept().pack()):
            self._fault = None
        elif store.message != self._fault:
            # Once, not at every ply; and by tick(), as a scene that is still being made has no place on the stack.
            self._fault = store.message
            self._untold = True

    def _go_on(self):
        """Find out what the game waits for."""
        self.dirty = True
        rules = self._rules
        state = self.state
        seat = rules.seat(state)
        if seat == _OVER:
            self._count(rules.winners(state))
            self.app.replace("result", self.saved.game, self._kinds, state, self.saved)
            return
        if seat == _CHANCE:
            seat = self._views.roller(state)
            if seat < 0 or self._kinds[seat] != saves.PERSON:
                self._roll()
                return
            self._phase = _ASK
        elif self._kinds[seat] == saves.PERSON:
            self._phase = _CHOOSE
        else:
            if self._persons > 1:
                self._look_as(-1)
            self._think(self._kinds[seat] - saves.EASY)
            self._phase = _THINK
            return
        self._asked = seat
        if self._seen != seat and getattr(self._views, "SECRETS", False):
            self._look_as(-1)
            self._phase = _PASS
            return
        self._look_as(seat)
        if self._phase == _CHOOSE:
            self._choose_anew()

    def _count(self, winners):
        """The game has just ended: count it, and let a person hear of the win."""
        saved = self.saved
        saved.winners = winners
        if not saved.practice:
            self.app.statistics.ended(saved.game, self._kinds, winners)
        for seat in range(len(self._kinds)):
            if winners >> seat & 1 and self._kinds[seat] == saves.PERSON:
                self.app.sound.play(WIN)

    def _look_as(self, seat):
        """Whose secrets the view may draw: of the person `seat`, of nobody if it is -1."""
        if self._persons == 1:
            seat = self._kinds.find(bytes((saves.PERSON,)))
        self.view.viewer = seat
        if seat >= 0:
            self._seen = seat

    def _choose_anew(self):
        self._n = self._rules.legal(self.state, self._legal)
        self.view.choose(self._legal, self._n)

    def _roll(self):
        self.course.chance()
        self._phase = _MOVE
        self.view.rolled(self.state)
        saved = self.saved
        if self.app.statistics.rolled(saved.game, self._rules, self.state, not saved.practice):
            self.app.sound.play(ROLL)
        self._save()

    def _carry_out(self, move):
        """Make a move of the seat that decides."""
        seat = self._rules.seat(self.state)
        self._note(self.course.plies, seat)
        if self._kinds[seat] != saves.PERSON:
            self.app.sound.play(MOVED)
        self.course.make(move)
        self._phase = _MOVE
        self.view.show_choice(move)
        self.view.moved(self.state)
        self._save()

    # --- Thinking

    def _think(self, level):
        """Begin to think. Its chance comes from the game's word and the ply, never from the game's generator: it must
        not see, nor change, the dice to come."""
        if not self._player:
            self._make_player()
        player = self._player
        player.level = level
        player.start(self.state, (self.saved.generator ^ 40503 * self.plies) & 0x3FFFFFFF)
        self._clock = 0

    def _ponder(self, ms):
        """Think for a turn of the loop; True when a move can be had."""
        self._beat(ms)
        clock = self.app.device.clock
        began = clock.ms()
        while not self._player.step(1):
            # To draw the table takes as long.
            if self.dirty or clock.since(began) >= _SLICE_MS:
                return False
        return self._clock >= _THINK_MS

    def _beat(self, ms):
        before = self._clock // _BEAT_MS
        self._clock += ms
        if self._clock // _BEAT_MS != before:
            self.dirty = True

    def _decided(self):
        """The computer plays the best that it has."""
        self._move = self._player.best()
        self.view.show_choice(self._move)
        self._clock = 0
        self.dirty = True
        if self._phase == _THINK:
            self._phase = _LOOK
            return
        self._phase = _TOLD
        why = getattr(self._views, "why", None)
        self._tell((why and why(self._rules, self.state, self._move)) or t("play.hint"), 0)

    def can_advise(self):
        """Whether there is a choice to give a hint for."""
        return self._phase == _CHOOSE

    def advise(self):
        """Think about what a strong player would do here, and show it."""
        self._think(saves.HARD - saves.EASY)
        self._phase = _ADVISE
        self.dirty = True

    # --- Taking back

    def can_undo(self):
        """Whether a person has made a move that can be taken back."""
        return self._again < 0 and self._last_own()[0] >= 0

    def undo(self):
        """Take back the last move of a person. Where dice, cards or tokens became known since, only if the game becomes
        practice, which is asked."""
        ply, free = self._last_own()
        if free or self.saved.practice:
            self._go_back(ply)
        else:
            self.app.open("confirm", "undo.title", "undo.practice", lambda: self._practise(ply))

    def _practise(self, ply):
        self.saved.practice = True
        self._go_back(ply)

    def _go_back(self, ply):
        """Back to the state before a ply, which is where a person chooses."""
        self._follow(ply)
        self._save()
        self.view.sync(self.state)
        self._phase = _NEXT
        if self._persons > 1:
            # Nobody knows which of them took it back.
            self._seen = -1
        if self.saved.practice:
            self._tell(t("play.practice"))

    def _last_own(self):
        """(the ply of the last decision of a person, whether nothing became known since); (-1, False) if there is
        none."""
        from firmware import undo

        found = undo.last_own(self._rules, self.saved, getattr(self._views, "SECRETS", False))
        modules.forget_undo()
        return found

    # --- Showing the last moves again

    def _first_again(self):
        """Where the log has the first move after the last one of the person that is asked."""
        i = len(self._log)
        while i and self._log[i - 1] & 7 != self._asked:
            i -= 1
        return i

    def can_again(self):
        """Whether there are moves of others to be shown again."""
        return self._again < 0 and self._phase in (_ASK, _CHOOSE) and self._first_again() < len(self._log)

    def again(self):
        """Show the last moves of the others again, if there are any, then return to what was."""
        if self.can_again():
            self._return = self._phase
            self._again = self._first_again()
            self._second = Course(self._rules, self.saved)
            self._second.follow(self._log[self._again] >> 3)
            self._show_again()

    def _show_again(self):
        """Show what comes next of the moves shown again, or return when there is nothing."""
        self.dirty = True
        second = self._second
        shown = self._again < len(self._log)
        until = self._log[self._again] >> 3 if shown else self.plies
        while second.plies < until:
            # What chance did. Not the roll of the person that is asked, who has seen it.
            seen = self._views.roller(second.state) == self._asked
            second.chance()
            if not seen:
                self.view.rolled(second.state)
                self._phase = _MOVE
                return
        if not shown:
            self._again = -1
            self._second = self.course
            self.view.sync(self.state)
            self._phase = self._return
            if self._phase == _CHOOSE:
                self._choose_anew()
            return
        self._move = second.coming()
        self.view.sync(second.state)
        self.view.show_choice(self._move)
        self._clock = 0
        self._phase = _LOOK

    def _after_look(self):
        if self._again < 0:
            self._carry_out(self._move)
            return
        self._second.ply()
        self.view.moved(self._second.state)
        self._again += 1
        self._phase = _MOVE

    def sheet(self):
        """Show the score sheet until a key is pressed."""
        self._below = self._phase
        self._phase = _SHEET
        self.dirty = True

    # --- The scene

    def _tell(self, text, ms=_BAR_MS):
        """Show a line across the top for that long; 0: until it is put away."""
        self._bar = text
        self._bar_ms = ms
        self.dirty = True

    def key(self, k):
        self.dirty = True
        phase = self._phase
        if phase == _SHEET:
            self._phase = self._below
        elif phase == _TOLD:
            self._bar = ""
            self._phase = _CHOOSE
            self._choose_anew()
        elif phase in (_THINK, _ADVISE):
            if k == B:
                self._decided()
            else:
                self._clock = _THINK_MS
        elif k == B:
            if phase != _CHOOSE or self.view.key(k) != _USED:
                self.app.open("menu", self)
        elif phase == _MOVE:
            self.view.skip()
        elif phase == _LOOK:
            self._clock = _LOOK_MS
        elif phase == _PASS:
            if k == A:
                self._seen = self._asked
                self._phase = _NEXT
                modules.forget_art("title")
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
        elif move == _AGAIN:
            self.again()

    def tick(self, ms):
        if self._untold:
            self._untold = False
            self.app.open("message", self._fault)
            return
        if self._bar_ms:
            self._bar_ms = max(self._bar_ms - ms, 0)
            if not self._bar_ms:
                self._bar = ""
                self.dirty = True
        phase = self._phase
        if phase == _NEXT:
            self._go_on()
        elif phase == _MOVE:
            self.dirty = True
            self.view.tick(self.app.settings.pace(ms))
            if not self.view.busy():
                if self._again >= 0:
                    self._show_again()
                else:
                    self._phase = _NEXT
        elif phase in (_THINK, _ADVISE):
            if self._ponder(ms):
                self._decided()
        elif phase == _LOOK:
            # Without animations it is all that is seen of a move.
            self._clock += min(self.app.settings.pace(ms), 2 * ms)
            if self._clock >= _LOOK_MS:
                self.dirty = True
                self._after_look()

    def draw(self, screen):
        phase = self._phase
        view = self.view
        if phase == _SHEET:
            view.draw_sheet(screen)
            return
        if phase == _PASS:
            ui.heading(screen, t("pass.title"))
            screen.picture(shell.PERSON, 40, 29)
            ui.large_mark(screen, self._asked, 64, 22)
            ui.hints(screen, ui.b(t("play.menu")), "Ⓐ " + t("pass.go"))
            return
        view.draw(screen, phase in (_CHOOSE, _LOOK, _TOLD))
        if self.saved.practice:
            # Below the seats.
            ui.practice(screen, 9)
        if phase == _CHOOSE:
            view.draw_cursor(screen)
        elif phase in (_THINK, _ADVISE):
            view.draw_thinking(screen, self._clock // _BEAT_MS)
        elif phase == _ASK:
            text = "Ⓐ " + t("play.roll") + "  " + ui.b(t("play.menu"))
            if LAYOUTS[self.app.device.keys.layout] & UP and self.can_again():
                text += "  ↑ " + t("play.again")
            ui.foot(screen, text)
        if self._bar:
            ui.bar(screen, self._bar)
