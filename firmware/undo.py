"""How far a move can be taken back: to the last choice of a person, and whether something became known since."""

from micropython import const

from firmware import saves
from firmware.course import Course
from games.rng import Rng

_CHANCE = const(254)
# Worlds that are looked at for what a move told: a card drawn is the same in one of some fifty.
_WORLDS = const(4)


def last_own(rules, saved, secrets):
    """(the ply of the last decision of a person, whether nothing became known since), by going through the game again;
    (-1, False) if there is none. secrets: whether hands are hidden in this game."""
    course = Course(rules, saved)
    before = bytearray(rules.STATE_BYTES)
    own = -1
    free = False
    while course.plies < saved.plies:
        ply = course.plies
        seat = rules.seat(course.state)
        if seat != _CHANCE and saved.kinds[seat] == saves.PERSON:
            own = ply
            move = course.coming()
            before[:] = course.state
            course.ply()
            free = not (secrets and _learns(rules, before, seat, move, course.state, Rng(saved.generator ^ 1)))
            continue
        # What chance did is known now, and so is a card that somebody had in the hand.
        free = free and not secrets and seat != _CHANCE
        course.ply()
    return own, free


def _learns(rules, before, seat, move, after, rng):
    """Whether a move tells the seat that makes it something: whether it would look otherwise in a world that the seat
    could not tell from this one."""
    world = bytearray(rules.STATE_BYTES)
    seen = bytearray(rules.VIEW_BYTES)
    other = bytearray(rules.VIEW_BYTES)
    n = rules.view(after, seat, seen)
    for _ in range(_WORLDS):
        world[:] = before
        rules.hide(world, seat, rng)
        rules.apply(world, move)
        if rules.view(world, seat, other) != n or seen != other:
            return True
    return False
