"""Tests that share what is set up for them run in one process, in this order."""

from __future__ import annotations

import pytest

from tests import sharing


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("tests/hal/portable/spans.py::test_a[viper]", "tests/hal/portable/spans.py::test_b[viper]", True),
        ("tests/hal/portable/spans.py::test_a[viper]", "tests/hal/portable/spans.py::test_a[cpython]", False),
        ("tests/hal/portable/spans.py::test_a[viper]", "tests/hal/portable/host.py::test_a[viper]", False),
        ("tests/test_own_game.py::test_a", "tests/test_own_game.py::test_b", True),
        ("tests/tools/test_bench.py::test_a[x]", "tests/tools/test_bench.py::test_b", True),
        ("tests/hal/test_keys.py::test_a", "tests/hal/test_keys.py::test_b", False),
    ],
)
def test_who_runs_together(one, other, together):
    assert (sharing.group(one) == sharing.group(other)) is together
