"""Keys: no press lost, none invented, against contacts that bounce and interrupts that come late."""

import random

import pytest

from hal import device
from hal.host import HostKeys, ManualClock
from hal.keys import HOLD_MS, LAYOUTS, QUIET_MS, REPEAT_FIRST_MS, REPEAT_NEXT_MS, SOON_MS, Keys

BITS = (device.UP, device.DOWN, device.LEFT, device.RIGHT, device.A, device.B)
# The key of each layout that can be held.
SLOW = {name: device.B if keys & device.B else device.A for name, keys in LAYOUTS.items()}
WRAP = device.TICKS_MASK + 1
BOUNCE_US = 5_000
HANDLER_US = 85
STALL_US = 64_000
PATIENCE_US = 15_000
REST_US = 33_000  # between two saves, a tick


def bounces(rng, at_us, closed):
    """The edges of one contact change: a chatter of up to 5 ms that ends as `closed`."""
    edges = [(at_us, closed)]
    times = sorted(rng.sample(range(20, BOUNCE_US), 2 * rng.randrange(0, 12)))
    level = closed
    for t in times:
        level = not level
        edges.append((at_us + t, level))
    return edges


def thumb(rng, key, presses, per_second=12):
    """Edges (time in µs, key, closed) of one key pressed in a beat, with some jitter of when it is let go."""
    period = 1_000_000 // per_second
    share = rng.randrange(30, 60)
    start = rng.randrange(10_000, 100_000)
    edges = []
    for n in range(presses):
        down = start + n * period
        up = down + period * (share + rng.randrange(-4, 5)) // 100
        edges += [(t, key, level) for t, level in bounces(rng, down, True) + bounces(rng, up, False)]
    return edges


class Pins:
    """Interrupt controller and main loop of a Pico in steps of 20 µs: edge flags are latched, handlers run one at a
    time and 85 µs long, a flash write holds them off, the main loop polls when it comes round."""

    STEP_US = 20

    def __init__(self, rng, edges, frame_us=(1_000, 30_000), flash=True, start_ms=0):
        self.rng, self.edges = rng, sorted(edges)
        self.frame_us, self.flash, self.start_ms = frame_us, flash, start_ms

    def run(self, keys, interrupts=True):
        """All presses in the order they came."""
        got, levels, flags, index = [], [0] * 6, [0] * 6, 0
        handler_until = stall_until = 0
        next_poll, writing, write_from = 0, False, None
        end = self.edges[-1][0] + 200_000
        for t in range(0, end, self.STEP_US):
            while index < len(self.edges) and self.edges[index][0] <= t:
                _, k, level = self.edges[index]
                levels[k] = level
                flags[k] |= 1 if level else 2
                index += 1
            now = (self.start_ms + t // 1000) % WRAP
            if t < handler_until or t < stall_until:
                continue
            if interrupts and any(flags):
                k = next(i for i in range(6) if flags[i])
                level, seen, flags[k] = levels[k], flags[k], 0
                if seen == 3:
                    keys.edge(1 << k, not level, now)
                keys.edge(1 << k, level, now)
                handler_until = t + HANDLER_US
                continue
            if writing:
                keys.end_write(now)
                writing = False
            if t >= next_poll:
                if interrupts:
                    keys.tick(now)
                else:
                    keys.poll(sum(1 << k for k in range(6) if levels[k]), now)
                while bit := keys.next():
                    got.append(bit)
                next_poll = t + self.rng.randrange(*self.frame_us)
                if self.flash and self.rng.randrange(3) == 0 and t > stall_until + REST_US:
                    write_from = t
            if write_from is not None and (keys.at_rest(now) or t > write_from + PATIENCE_US):
                keys.begin_write(now)
                writing, write_from = True, None
                stall_until = t + self.rng.randrange(3_000, STALL_US)
                next_poll = max(next_poll, stall_until)
        return got


@pytest.mark.parametrize("seed", range(40))
def test_every_press_counts_once_through_bounce_frames_and_flash_writes(seed):
    rng = random.Random(seed)
    key = rng.randrange(6)
    edges = thumb(rng, key, 24)
    got = Pins(rng, edges, start_ms=WRAP - rng.randrange(40)).run(Keys())
    assert got == [1 << key] * 24


@pytest.mark.parametrize("seed", range(20))
def test_two_thumbs_at_once_lose_nothing(seed):
    rng = random.Random(1000 + seed)
    pad, other = rng.randrange(4), rng.randrange(4, 6)
    edges = thumb(rng, pad, 20, 9) + thumb(rng, other, 20, 11)
    got = Pins(rng, edges).run(Keys())
    assert got.count(1 << pad) == got.count(1 << other) == 20
    assert len(got) == 40


@pytest.mark.parametrize("seed", range(10))
def test_frames_of_a_tenth_of_a_second_lose_nothing(seed):
    rng = random.Random(2000 + seed)
    edges = thumb(rng, 4, 20)
    got = Pins(rng, edges, frame_us=(80_000, 110_000), flash=False).run(Keys())
    assert got == [device.A] * 20


@pytest.mark.parametrize("seed", range(10))
def test_polling_alone_is_enough_every_few_milliseconds(seed):
    rng = random.Random(3000 + seed)
    edges = thumb(rng, 5, 20)
    got = Pins(rng, edges, frame_us=(1_000, 12_000), flash=False).run(Keys(), interrupts=False)
    assert got == [device.B] * 20


@pytest.mark.parametrize("seed", range(10))
def test_a_contact_that_crackles_while_held_is_one_press(seed):
    rng = random.Random(4000 + seed)
    edges = [(t, 4, level) for t, level in bounces(rng, 20_000, True)]
    for t in rng.sample(range(40_000, 900_000, 10_000), 30):
        edges += [(t, 4, False), (t + rng.randrange(20, 4_000), 4, True)]
    edges += [(t, 4, level) for t, level in bounces(rng, 950_000, False)]
    assert Pins(rng, edges, flash=False).run(Keys()) == [device.A]


@pytest.mark.parametrize("at_us", range(0, 70_000, 500))
def test_release_in_a_flash_write_is_no_press_wherever_the_write_ends(at_us):
    rng = random.Random(at_us)
    edges = [(0, 4, True)] + [(200_000 + at_us + t, 4, level) for t, level in bounces(rng, 0, False)]

    class OneWrite(Pins):
        def run(self, keys):
            self.rng = random.Random(1)
            self.rng.randrange = lambda *a: STALL_US if a == (3_000, STALL_US) else (10_000 if len(a) == 2 else 0)
            return super().run(keys)

    assert OneWrite(rng, edges).run(Keys()) == [device.A]


def held(keys, clock, bit, ms, tick=33):
    """Holds a key; the times after the press at which presses came."""
    keys.press(bit)
    start, times = clock.ms(), []
    keys.scan()
    while clock.since(start) < ms:
        while keys.next():
            times.append(clock.since(start))
        clock.sleep(tick)
        keys.scan()
    keys.release(bit)
    keys.scan()
    clock.sleep(QUIET_MS)
    keys.scan()
    return times


@pytest.mark.parametrize("tick", [1, 10, 33])
@pytest.mark.parametrize("bit", BITS[:4])
def test_the_pad_repeats(bit, tick):
    clock = ManualClock(WRAP - 400)
    times = held(HostKeys(clock), clock, bit, 1000, tick)
    due = [0, *range(REPEAT_FIRST_MS, 1000, REPEAT_NEXT_MS)]
    assert len(times) == len(due)
    assert all(0 <= got - want <= tick for got, want in zip(times, due, strict=True))


def test_a_does_not_repeat():
    clock = ManualClock()
    assert held(HostKeys(clock), clock, device.A, 2000) == [0]


def events(layout, bit, ms, tick=1, start=WRAP - 700):
    """(time, what next() gave) while `bit` is held for `ms` and 100 ms after it."""
    clock = ManualClock(start)
    keys = HostKeys(clock, layout)
    begin, found = clock.ms(), []
    keys.press(bit)
    while clock.since(begin) < ms + 100:
        if clock.since(begin) >= ms:
            keys.release(bit)
        keys.scan()
        while got := keys.next():
            found.append((clock.since(begin), got))
        clock.sleep(tick)
    return found


@pytest.mark.parametrize("tick", [1, 33])
@pytest.mark.parametrize(("layout", "slow"), SLOW.items())
def test_the_slow_key_acts_when_let_go_or_by_how_long_it_is_held(layout, slow, tick):
    early = slow == device.A
    for ms in (10, 60, 400, 490 - tick, 510 + tick, 800, 990 - tick, 1010 + tick, 1500, 5000):
        due = []
        if early and ms >= SOON_MS:
            due.append((SOON_MS, device.SOON))
        if ms >= HOLD_MS:
            due.append((HOLD_MS, device.BACK))
        if not due:
            due = [(ms, slow)]
        found = events(layout, slow, ms, tick)
        assert [what for _, what in found] == [what for _, what in due], ms
        for (at, _), (wanted, _) in zip(found, due, strict=True):
            assert 0 <= at - wanted <= 2 * tick + QUIET_MS, ms


@pytest.mark.parametrize("layout", LAYOUTS)
def test_keys_that_a_layout_lacks_do_nothing(layout):
    clock = ManualClock()
    keys = HostKeys(clock, layout)
    for bit in BITS:
        keys.tap(bit)
        got = keys.next()
        if bit & LAYOUTS[layout]:
            assert got == bit
        else:
            assert got == (device.SOON if bit == device.B else 0)
            assert events(layout, bit, 2000) == []


@pytest.mark.parametrize("seed", range(20))
def test_a_slow_key_loses_no_press_through_bounce_frames_and_flash_writes(seed):
    rng = random.Random(5000 + seed)
    layout, key = rng.choice([("two", 4), ("encoder", 4), ("six", 5)])
    edges = thumb(rng, key, 24)
    got = Pins(rng, edges, start_ms=WRAP - rng.randrange(40)).run(Keys(layout))
    assert got == [1 << key] * 24


def test_what_is_held_can_be_forgotten():
    clock = ManualClock()
    keys = HostKeys(clock)
    keys.tap(device.A)
    keys.press(device.B | device.UP)
    keys.scan()
    keys.forget()
    for _ in range(100):
        clock.sleep(33)
        keys.scan()
        assert keys.next() == 0
    assert keys.held() == device.B | device.UP


def test_repeat_stops_with_the_key_and_does_not_pile_up_behind_a_slow_screen():
    clock = ManualClock()
    keys = HostKeys(clock)
    keys.press(device.DOWN)
    for _ in range(100):
        keys.scan()
        clock.sleep(33)
    assert [keys.next() for _ in range(3)] == [device.DOWN, 0, 0]
    keys.release(device.DOWN)
    for _ in range(40):
        keys.scan()
        clock.sleep(33)
    assert keys.next() == 0
    assert keys.held() == 0


@pytest.mark.parametrize("stall", [700, 5_000])
def test_a_key_held_through_a_stall_goes_on_in_its_beat(stall):
    """What would have been pressed in the stall is gone; else the cursor would run on in a burst after a slow move."""
    clock = ManualClock(WRAP - 1000)
    keys = HostKeys(clock)
    keys.press(device.DOWN)
    keys.scan()
    assert keys.next() == device.DOWN
    clock.sleep(stall)
    start, times = clock.ms(), []
    for _ in range(400):
        keys.scan()
        while keys.next():
            times.append(clock.since(start))
        clock.sleep(1)
    assert times == [0, REPEAT_NEXT_MS, 2 * REPEAT_NEXT_MS, 3 * REPEAT_NEXT_MS]


def test_a_short_delay_does_not_shift_the_beat():
    """A turn that came late by less than a beat: the next repeat is when it was due, not a beat after the late one."""
    clock = ManualClock()
    keys = HostKeys(clock)
    keys.press(device.DOWN)
    keys.scan()
    assert keys.next() == device.DOWN
    clock.sleep(REPEAT_FIRST_MS + REPEAT_NEXT_MS // 2)
    times = []
    while clock.ms() < REPEAT_FIRST_MS + 2 * REPEAT_NEXT_MS + 5:
        keys.scan()
        while keys.next():
            times.append(clock.ms())
        clock.sleep(1)
    late = REPEAT_FIRST_MS + REPEAT_NEXT_MS // 2
    assert times == [late, REPEAT_FIRST_MS + REPEAT_NEXT_MS, REPEAT_FIRST_MS + 2 * REPEAT_NEXT_MS]


def test_only_the_last_pad_key_repeats():
    clock = ManualClock()
    keys = HostKeys(clock)
    keys.press(device.UP)
    keys.scan()
    clock.sleep(200)
    keys.press(device.RIGHT)
    keys.scan()
    assert [keys.next(), keys.next()] == [device.UP, device.RIGHT]
    got = []
    for _ in range(20):
        clock.sleep(33)
        keys.scan()
        if bit := keys.next():
            got.append(bit)
    assert got
    assert set(got) == {device.RIGHT}


def test_held_tells_all_keys_that_are_down():
    clock = ManualClock()
    keys = HostKeys(clock)
    for bit in BITS:
        keys.press(bit)
        keys.scan()
    assert keys.held() == 63
    keys.release(device.A)
    keys.scan()
    clock.sleep(QUIET_MS)
    keys.scan()
    assert keys.held() == 63 - device.A


def test_a_full_ring_keeps_the_oldest_presses_in_order():
    keys = Keys()
    for n in range(40):
        keys.put(BITS[n % 6])
    got = []
    while bit := keys.next():
        got.append(bit)
    assert got == [BITS[n % 6] for n in range(15)]
