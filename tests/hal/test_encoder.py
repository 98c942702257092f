"""Rotary encoder: one click, one turn, through bounce, missed edges and turning to and fro."""

import random

import pytest

from hal.encoder import Encoder

# Left and right line from click to click when turning to the right.
CYCLE = ((0, 0), (1, 0), (1, 1), (0, 1))


class Knob:
    """A knob at a position of CYCLE; `turns` is what the encoder told."""

    def __init__(self, edges):
        self.encoder = Encoder(edges)
        self.edges = edges
        self.at = 0
        self.turns = []

    def look(self):
        if way := self.encoder.look(*CYCLE[self.at % 4]):
            self.turns.append(way)

    def click(self, way, rng=None):
        """Turn on by a click; with `rng` each edge bounces."""
        for _ in range(self.edges):
            self.at += way
            for _ in range(rng.randrange(4) if rng else 0):
                self.look()
                self.at -= way
                self.look()
                self.at += way
            self.look()


@pytest.mark.parametrize("edges", [2, 4])
def test_each_click_is_one_turn(edges):
    knob = Knob(edges)
    ways = [1] * 9 + [-1] * 14 + [1, -1] * 5
    for way in ways:
        knob.click(way)
    assert knob.turns == ways


@pytest.mark.parametrize("edges", [2, 4])
@pytest.mark.parametrize("seed", range(20))
def test_bounce_makes_no_turn_and_loses_none(edges, seed):
    rng = random.Random(seed)
    knob = Knob(edges)
    ways = [rng.choice((1, -1)) for _ in range(60)]
    for way in ways:
        knob.click(way, rng)
        knob.look()
    assert knob.turns == ways


def test_half_a_click_and_back_is_none():
    knob = Knob(4)
    for way in (1, -1):
        for steps in (1, 2, 3):
            for step in [way] * steps + [-way] * steps:
                knob.at += step
                knob.look()
    assert knob.turns == []


def test_a_click_that_lost_an_edge_counts_and_one_that_lost_more_is_no_turn_the_other_way():
    for way in (1, -1):
        for lost in (0, 1, 2):
            knob = Knob(4)
            for i in range(4):
                knob.at += way
                if i != lost:
                    knob.look()
            assert knob.turns == [way]
        knob = Knob(4)
        knob.at += 4 * way
        knob.look()
        assert knob.turns == []


@pytest.mark.parametrize("edges", [2, 4])
def test_noise_never_tells_more_turns_than_clicks_passed(edges):
    rng = random.Random(7)
    knob = Knob(edges)
    for _ in range(20_000):
        knob.at += rng.choice((1, -1))
        knob.look()
        assert abs(sum(knob.turns) - knob.at / edges) <= 1
