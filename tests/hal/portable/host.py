"""Keys and the host device: the same on CPython and on every MicroPython, keys without garbage."""

import micropython

from hal import device
from hal.host import HostDevice, ManualClock, MemoryStore
from hal.keys import Keys


def after(t, ms):
    """The time `ms` after t, with nothing above 2**30 on the way."""
    return (t - (device.TICKS_MASK - ms) - 1) & device.TICKS_MASK


def use(keys, t):
    """Every way of calling keys."""
    keys.edge(device.UP, 1, t)
    keys.edge(device.UP, 0, after(t, 1))
    keys.edge(device.UP, 1, after(t, 2))
    keys.tick(after(t, 9))
    keys.edge(device.B, 1, after(t, 10))
    keys.at_rest(after(t, 20))
    keys.begin_write(after(t, 20))
    keys.edge(device.B, 0, after(t, 30))
    keys.edge(device.B, 1, after(t, 30))
    keys.end_write(after(t, 30))
    keys.tick(after(t, 40))
    keys.tick(after(t, 500))
    keys.tick(after(t, 700))
    keys.edge(device.B, 0, after(t, 701))
    keys.edge(device.UP, 0, after(t, 701))
    keys.tick(after(t, 710))
    while keys.next():
        pass
    keys.held()
    keys.poll(device.LEFT, after(t, 720))
    keys.poll(0, after(t, 730))


def test_keys_make_no_garbage():
    keys = Keys()
    micropython.heap_lock()
    try:
        # Over a wrap of the clock that falls anywhere.
        back = 0
        while back < 760:
            use(keys, device.TICKS_MASK - back)
            back += 1
    finally:
        micropython.heap_unlock()


def test_keys_of_a_host_repeat_in_time():
    clock = ManualClock(device.TICKS_MASK - 500)
    keys = HostDevice(clock=clock).keys
    keys.press(device.DOWN)
    start = clock.ms()
    times = []
    while clock.since(start) < 1000:
        keys.scan()
        while keys.next():
            times.append(clock.since(start))
        clock.sleep(10)
    assert times == [0, 350, 470, 590, 710, 830, 950], times


def test_a_manual_clock_wraps():
    clock = ManualClock(device.TICKS_MASK)
    start = clock.ms()
    clock.sleep(5)
    assert clock.ms() == 4
    assert clock.since(start) == 5


def test_the_clock_of_the_machine_goes_on():
    clock = HostDevice().clock
    start = clock.ms()
    clock.sleep(20)
    assert 15 <= clock.since(start) < 10_000
    assert 0 <= clock.ms() <= device.TICKS_MASK


def test_show_sends_what_changed_once():
    display = HostDevice().display
    seen = []
    display.on_show = lambda shown: seen.append(bytes(shown))
    assert display.show() == 0
    display.frame.pixel(5, 9, 1)
    sent = display.show()
    assert 0 < sent < 20, sent
    assert display.show() == 0
    assert len(seen) == 1
    assert seen[0][128 + 5] == 2
    assert seen[0] == bytes(display.buffer)
    display.frame.fill(1)
    assert display.show() > 1024


def test_without_a_folder_saves_are_in_memory():
    store = HostDevice().store
    assert isinstance(store, MemoryStore)
    assert store.load("game") is None
    assert store.save("game", bytearray(b"x"))
    assert store.load("game") == b"x"
