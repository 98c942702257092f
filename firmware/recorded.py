"""Game records (games/recording.py) on a device: a kept game as one, and any as a course that can be shown.

Not on the Pico, where nobody could hand one in.
"""

import json
from array import array

from micropython import const

from firmware import modules, saves
from firmware.course import Course
from games import catalogue
from games.recording import VERSION, Recording
from games.rng import Rng

_CHANCE = const(254)
_OVER = const(255)
# No game has more decisions; each line of a record is one.
_MOST_LINES = const(4000)


def name(saved):
    """A name for the file of a kept game's record: equal games have equal names."""
    return "{}-{}-{:08x}-{:04x}.jsonl".format(saved.game, saved.word or "x", saved.generator, saved.check)


def text(saved):
    """The record of a kept game, lines of JSON. ValueError unless it is a whole game, from its beginning."""
    if saved.base is not None:
        raise ValueError("its beginning is not known")
    rules = catalogue.load(saved.game)
    going = Course(rules, saved)
    made = Recording(
        saved.game, rules, catalogue.load(saved.game, "notation"), len(saved.kinds), saved.options, bytearray(going.state)
    )
    along(rules, going, made)
    if made.s != going.state or not going.at_end():
        raise ValueError("its moves lead elsewhere")
    return "".join([_line(pairs) for pairs in made.ready()])


def along(rules, going, made, plies=-1):
    """Play a Recording along with a course that is made again, to the end of the game or to that ply."""
    while rules.seat(going.state) != _OVER and going.plies != plies:
        if rules.seat(going.state) == _CHANCE:
            # The course draws for itself: an equal generator tells what.
            chance = Rng(1)
            chance.state[0] = going.rng.state[0]
            made.ply(rules.sample(bytearray(going.state), chance))
        else:
            made.ply(going.coming())
        going.ply()


def _line(pairs):
    """A line of JSON, its keys in their order, which a dictionary of MicroPython would lose."""
    parts = []
    for key, value in pairs:
        if key == "options":
            value = "{" + ",".join(['"' + name + '":' + str(on) for name, on in value]) + "}"
        else:
            value = json.dumps(value, separators=(",", ":"))
        parts.append('"' + key + '":' + value)
    return "{" + ",".join(parts) + "}\n"


class Recorded:
    """The first game of a record, for scenes/replay.py: what it reads of a saves.Saved, and of a Course of it.
    text: lines of JSON. ValueError, with what is wrong, for one that does not lead from its beginning to its end."""

    practice = False

    def __init__(self, text):
        lines = []
        for line in text.split("\n"):
            if line.strip():
                lines.append(_object(line))
            if lines and "scores" in lines[-1]:
                break
            if len(lines) > _MOST_LINES:
                raise ValueError("too long")
        if not lines or lines[0].get("record") != VERSION:
            raise ValueError("this is no game record")
        head = lines[0]
        self.game = head.get("game")
        if self.game not in modules.GAMES:
            raise ValueError("this Cairn has no such game")
        self.options = _mask(self.game, head.get("options"))
        seats = head.get("seats")
        fewest, most = catalogue.seats(self.game, self.options)
        if type(seats) is not int or not fewest <= seats <= most:
            raise ValueError("seats")
        # Who played is not told; the scene only asks how many.
        self.kinds = bytes([saves.PERSON] * seats)
        # What was drawn and decided, in the order of the plies.
        self.events = array("H")
        rules = catalogue.load(self.game)
        notation = catalogue.load(self.game, "notation")
        try:
            self._follow(rules, notation, lines)
        finally:
            catalogue.unload(self.game)
        self.plies = len(self.events)

    def _follow(self, rules, notation, lines):
        """Play the game of the lines, and note its plies."""
        self.first = bytearray(rules.STATE_BYTES)
        chance = _chance(lines[0])
        notation.set_up(self.first, len(self.kinds), self.options, chance)
        state = bytearray(self.first)
        legal = array("H", [0] * rules.MAX_LEGAL)
        after = not notation.CHANCE_BEFORE
        if after:
            self._draw(rules, notation, state, chance)
        for line in lines[1:-1]:
            chance = _chance(line)
            if not after:
                self._draw(rules, notation, state, chance)
            seat = rules.seat(state)
            if seat >= _CHANCE or line.get("seat") != seat:
                raise ValueError("seat")
            said = line.get("move")
            n = rules.legal(state, legal)
            i = 0
            while i < n and notation.move_text(state, legal[i]) != said:
                i += 1
            if i == n:
                raise ValueError("move")
            self.events.append(legal[i])
            rules.apply(state, legal[i])
            if after:
                self._draw(rules, notation, state, chance)
        if rules.seat(state) != _OVER:
            raise ValueError("it ends too soon")

    def _draw(self, rules, notation, state, chance):
        """Carry out the chance events that are due."""
        while rules.seat(state) == _CHANCE:
            event = notation.take_event(chance, state)
            self.events.append(event)
            rules.apply(state, event)


class RecordedCourse:
    """The course of a Recorded, as firmware/course.py is of a Saved: its chance comes from the record."""

    def __init__(self, rules, recorded):
        self._recorded = recorded
        self._rules = rules
        self.state = bytearray(rules.STATE_BYTES)
        self.start()

    def start(self):
        """Go to the beginning."""
        self.plies = 0
        self.state[:] = self._recorded.first

    def follow(self, plies):
        """Make the plies again up to that one."""
        while self.plies < plies:
            self.ply()

    def ply(self):
        """Make the next ply; the seat that made it, or CHANCE."""
        seat = self._rules.seat(self.state)
        self._rules.apply(self.state, self.coming())
        self.plies += 1
        return seat

    def coming(self):
        """The move or event that comes next."""
        return self._recorded.events[self.plies]

    def at_end(self):
        """Whether the game is over."""
        return self.plies == self._recorded.plies


def _object(line):
    try:
        values = json.loads(line)
    except ValueError:
        raise ValueError("this is no game record") from None
    if not isinstance(values, dict):
        raise ValueError("this is no game record")
    return values


def _chance(line):
    chance = line.get("chance")
    if not isinstance(chance, dict):
        raise ValueError("chance")
    return chance


def _mask(game, options):
    """The bit mask of the options that a header has."""
    names = catalogue.options(game)
    if not isinstance(options, dict) or len(options) != len(names):
        raise ValueError("options")
    mask = 0
    for i in range(len(names)):
        value = options.get(names[i])
        if type(value) is not int or not 0 <= value <= 1:
            raise ValueError("options")
        mask |= value << i
    return mask
