"""The same seed finds the same move on every platform, by the same tree."""

import pytest

from games import catalogue
from tests.platforms import platforms, searches, traces
from tests.platforms.test_equal_bytes import printed

# Iterations and decisions for each table; fewer where they take long.
PLENTY = (30, 4)
FEW = (8, 2)


@pytest.mark.parametrize("game", catalogue.ids())
@pytest.mark.parametrize("platform", platforms.NAMES)
def test_the_same_seed_finds_the_same_move(game, platform):
    if reason := platforms.missing(platform):
        pytest.skip(reason)
    budget, count = FEW if platform == "cpython" else PLENTY
    calls = [(game, str(seats), str(mask), str(budget), str(count)) for seats, mask in traces.tables(game)]
    outcome = platforms.run(platform, "tests.platforms.searches", ["searches " + " ".join(call) for call in calls])
    for fault in outcome.faults.values():
        assert fault is None, fault
    here = [line for call in calls for line in printed(searches.searches, *call)]
    assert len(here) == count * len(calls)
    assert outcome.lines == here
