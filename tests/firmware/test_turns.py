"""Turns of the loop: garbage is collected in one that has time for it, and the beat stays what it is."""

import pytest

from firmware import app
from tests.firmware.hand import Hand

COLLECTION_MS = 18


@pytest.mark.parametrize(("busy_ms", "collected"), [(1, True), (20, False)])
def test_garbage_is_collected_when_there_is_time(monkeypatch, busy_ms, collected):
    hand = Hand()
    clock = hand.device.clock
    calls = []

    def collect():
        calls.append(clock.ms())
        clock.sleep(COLLECTION_MS)

    monkeypatch.setattr(app.gc, "collect", collect)
    hand.app.top().tick = lambda ms: clock.sleep(busy_ms)
    hand.app.turn()
    calls.clear()
    began = clock.ms()
    for _ in range(1000):
        hand.app.turn()
    assert clock.since(began) == 1000 * app.TICK_MS
    assert bool(calls) == collected
    if collected:
        assert 3 <= len(calls) <= 1000 // app._COLLECT_TURNS


def test_what_was_put_off_is_done_when_there_is_time(monkeypatch):
    """After a long time without any, the first turn with time for it does it."""
    hand = Hand()
    clock = hand.device.clock
    calls = []
    monkeypatch.setattr(app.gc, "collect", lambda: calls.append(1))
    hand.app.top().tick = lambda ms: clock.sleep(25)
    for _ in range(2 * app._COLLECT_TURNS):
        hand.app.turn()
    assert not calls
    del hand.app.top().tick
    hand.app.turn()
    assert calls == [1]
