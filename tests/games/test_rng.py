"""The generator: no bias, no pattern that simple tests see, no value that leaves 30 bits."""

from __future__ import annotations

from array import array

import pytest

from games.rng import Rng, seed_of

STATES = 16380 * 65536 - 1


def chi_square(counts: list[int], expected: float) -> float:
    return sum((n - expected) ** 2 / expected for n in counts)


def limit(cells: int) -> float:
    """Five standard deviations above the mean of chi-square: a fair generator passes practically always."""
    return cells - 1 + 5 * (2 * (cells - 1)) ** 0.5


def test_the_state_runs_through_half_of_the_modulus():
    """16380 * 2**16 - 1 and half of it are prime, so 16380 has an order of at least that half."""
    for p in (STATES, (STATES - 1) // 2):
        assert all(pow(base, p - 1, p) == 1 for base in (2, 3, 5, 7, 11, 13))
        assert all(p % d for d in range(2, 32768))
    assert pow(65536, (STATES - 1) // 2, STATES) == 1, "the order of 2**16 divides the prime half: it is that half"


def test_below_refuses_exactly_the_draws_that_would_favour_some_numbers():
    """Counted over all 65,536 outputs: every number of 0 .. n - 1 has equally many."""
    for n in (1, 2, 3, 5, 6, 7, 29, 46, 80, 1000, 1296, 6561, 16383):
        counts = [0] * n
        for output in range(65536):
            m = output * n
            if m & 65535 >= 65536 % n:
                counts[m >> 16] += 1
        assert len(set(counts)) == 1, n


@pytest.mark.parametrize("n", [2, 3, 6, 10, 29, 80, 126])
def test_below_is_even(n):
    rng = Rng(n)
    counts = [0] * n
    for _ in range(1000 * n):
        counts[rng.below(n)] += 1
    assert chi_square(counts, 1000) < limit(n)


@pytest.mark.parametrize("lag", [1, 2, 3, 7])
def test_pairs_are_even(lag):
    """Two draws some way apart are independent: 36 cells of two dice."""
    rng = Rng(lag)
    draws = [rng.below(6) for _ in range(72_000 + lag)]
    counts = [0] * 36
    for a, b in zip(draws, draws[lag:]):
        counts[a * 6 + b] += 1
    assert chi_square(counts, 2000) < limit(36)


def test_bits_runs_and_gaps():
    """Every one of the 16 output bits is even, and runs of equal bits have the lengths they should."""
    rng = Rng(11)
    ones = [0] * 16
    last = [0] * 16
    runs = [0] * 16
    for _ in range(40_000):
        rng.below(2)
        x = rng.state[0]
        for bit in range(16):
            value = x >> bit & 1
            ones[bit] += value
            runs[bit] += value != last[bit]
            last[bit] = value
    for bit in range(16):
        assert abs(ones[bit] - 20_000) < 5 * 100 and abs(runs[bit] - 20_000) < 5 * 100, bit


def test_near_seeds_are_far_apart():
    """The first draws of 5,000 neighbouring seeds look like draws of one stream."""
    for n in (6, 80):
        counts = [0] * n
        pairs = [0] * 36
        previous = 0
        for seed in range(60 * n):
            counts[Rng(seed).below(n)] += 1
            die = Rng(seed).below(6)
            pairs[previous * 6 + die] += 1
            previous = die
        assert chi_square(counts, 60) < limit(n)
        assert chi_square(pairs, 60 * n / 36) < limit(36)


def test_seeds_give_different_streams():
    """A million seeds, no state twice; the state stays in its range."""
    states = {Rng(seed).state[0] for seed in range(200_000)}
    assert len(states) == 200_000
    assert all(0 < x < STATES for x in states)


def test_same_seed_same_stream():
    assert [Rng(7).below(100) for _ in range(3)] == [Rng(7).below(100) for _ in range(3)]
    a, b = Rng(7), Rng(7)
    assert [a.below(100) for _ in range(50)] == [b.below(100) for _ in range(50)]
    b.state = array("I", a.state)
    assert [a.below(100) for _ in range(50)] == [b.below(100) for _ in range(50)], "the state is all there is to save"


def test_words_are_seeds():
    """Case and accents count; the same word is the same seed, other words practically never."""
    words = [a + b + c for a in "ABCDEFGHIJ" for b in "abcdefghij" for c in "0123456789"]
    assert len({seed_of(word) for word in words}) == len(words)
    assert 0 <= seed_of("čáp") < 2**30 and seed_of("") == 0 and seed_of("a" * 500) < 2**30
