"""The emulated Pico: its times against those of real boards, our drivers on it, power cuts, its console."""

import random

import pytest

from boards import encoder, reference
from hal import device
from tests.tools import emulated
from tools.emulator import script
from tools.emulator.chip import LAYOUT, Pico, PowerCut
from tools.emulator.flash import AFTER, BEFORE, HALF
from tools.image import filesystem

HAL = ("device", "encoder", "entropy", "keys", "store", "bus", "buzzer", "spans", "ssd1306", "panels", "pico")
MODULES = tuple(f"hal/{name}.py" for name in HAL)


def pico(**options):
    return Pico(emulated.uf2(), reference, **options)


def with_hal(**options):
    return pico(files=emulated.packed(*MODULES), **options)


def test_times_are_those_of_real_boards():
    """shared figures: 100,000 rounds 334 ms, a frame 25.2 ms at 400 kHz and 11.1 ms at 1 MHz."""
    p = pico()
    said = p.execute(
        "import time\n"
        "from machine import I2C, Pin\n"
        "def f(n):\n"
        "    i = 0\n"
        "    while i < n: i += 1\n"
        "t = time.ticks_us(); f(20000); print(time.ticks_diff(time.ticks_us(), t) * 5)\n"
        "frame = bytearray(1025); frame[0] = 0x40\n"
        "for hz in (400000, 1000000):\n"
        "    i2c = I2C(0, sda=Pin(4), scl=Pin(5), freq=hz)\n"
        "    t = time.ticks_us(); i2c.writeto(0x3c, frame); print(time.ticks_diff(time.ticks_us(), t))\n"
        "print(i2c.scan())\n"
    ).split("\n")
    assert abs(int(said[0]) / 334_000 - 1) < 0.1
    assert abs(int(said[1]) / 25_200 - 1) < 0.03
    assert abs(int(said[2]) / 11_100 - 1) < 0.05
    assert said[3] == "[60]"


def test_an_idle_console_costs_nothing():
    """Left to itself rp2040py sends an empty USB packet every 10 us, and the loop below takes much longer."""
    p = pico()
    source = (
        "import time\ndef f(n):\n    i = 0\n    while i < n: i += 1\nt = time.ticks_us(); f(10000);"
        " print(time.ticks_diff(time.ticks_us(), t))"
    )
    assert int(p.execute(source)) < 40_000


def test_frames_of_the_real_driver_reach_the_glass():
    p = with_hal()
    p.execute(
        "from hal.pico import PicoDevice\n"
        "d = PicoDevice()\n"
        "import random\n"
        "random.seed(5)\n"
        "r = random.getrandbits\n"
        "def turn():\n"
        "    for _ in range(r(3)):\n"
        "        d.display.frame.fill_rect(r(7), r(6), r(5), r(4), r(1))\n"
        "    return d.display.show()\n"
    )
    for _ in range(12):
        before = p.wires.bytes
        sent = int(p.execute("print(turn())"))
        assert p.wires.bytes - before == sent
        frame = bytes.fromhex(p.execute("print(bytes(d.display.buffer).hex())").strip())
        assert p.panel.picture() == frame
    assert not p.panel.faults


def test_no_frame_makes_garbage():
    p = with_hal()
    p.execute(
        "import micropython, gc\n"
        "from hal.pico import PicoDevice\n"
        "d = PicoDevice()\n"
        "def work(n):\n"
        "    while n:\n"
        "        d.display.frame.fill_rect(n % 100, n % 50, 12, 12, n & 1)\n"
        "        if n % 7 == 0: d.display.frame.fill(n & 1)\n"
        "        d.keys.scan(); d.display.show(); d.speaker.tone(440, 3); d.speaker.tick(); d.power.battery_mv()\n"
        "        n -= 1\n"
        "work(1)\n"
        "micropython.heap_lock()\n"
        "work(20)\n"
        "micropython.heap_unlock()\n"
    )


def test_missing_panel_is_said_in_words():
    p = with_hal(panel=False)
    with pytest.raises(RuntimeError, match=r"no panel answers at 0x3c on GP4 .* and GP5 .*: nothing"):
        p.execute("from hal.pico import PicoDevice\nPicoDevice()")


def test_buzzer_battery_entropy():
    p = with_hal()
    p.battery(3, 2048)
    said = p.execute(
        "from hal.pico import PicoDevice\n"
        "d = PicoDevice()\n"
        "d.speaker.tone(440, 1000)\n"
        "print(d.power.battery_mv(), d.entropy() != d.entropy())\n"
    ).split()
    assert 4900 < int(said[0]) < 5000
    assert said[1] == "True"
    assert abs(p.tone_hz(reference.BUZZER) - 440) < 3
    p.execute("d.speaker.tone(0, 0)")
    assert p.tone_hz(reference.BUZZER) == 0


def test_an_encoder_turns_and_is_pushed():
    files = emulated.packed(*MODULES, "hal/wheel.py", "boards/reference.py", board="encoder")
    p = Pico(emulated.uf2(), encoder, files=files)
    p.execute("import sys\nfrom hal.pico import PicoDevice\nd = PicoDevice()")
    for first, second in ((2, 3), (2, 3), (3, 2)):
        for key, down in ((first, True), (second, True), (first, False), (second, False)):
            p.key(key, down)
            p.run(3)
    p.key(4, True)
    p.run(20)
    p.key(4, False)
    said = p.execute(
        "got = []\nfor i in range(8):\n    d.keys.scan()\n    d.clock.sleep(9)\n    got.append(d.keys.next())\nprint(got)\n"
    )
    assert [k for k in map(int, said.strip("[]\n ").split(",")) if k] == [device.RIGHT, device.RIGHT, device.LEFT, device.A]


@pytest.mark.parametrize("seconds", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_no_press_is_lost_while_saves_and_frames_run(seconds):
    """12 presses a second with 3 ms of chatter, saves that erase flash (64 ms without interrupts), whole frames."""
    p = with_hal()
    p.execute("import sys\nfrom hal.pico import PicoDevice\nd = PicoDevice()")
    p.type(
        b"\r\x01"
        b"import time\n"
        b"got = []\n"
        b"end = time.ticks_add(time.ticks_ms(), LIMIT)\n"
        b"n = 0\n"
        b"while time.ticks_diff(end, time.ticks_ms()) > 0:\n"
        b"    d.keys.scan()\n"
        b"    k = d.keys.next()\n"
        b"    while k:\n"
        b"        got.append(k)\n"
        b"        k = d.keys.next()\n"
        b"    n += 1\n"
        b"    if n % 3 == 0: d.store.save('game', bytes(600))\n"
        b"    d.display.frame.fill(n & 1)\n"
        b"    d.display.show()\n"
        b"print('GOT', got, n)\n\x04".replace(b"LIMIT", b"%d" % (1000 * seconds + 400))
    )
    rng = random.Random(12)
    pressed = []
    p.run(200)
    end = p.ms + 1000 * seconds
    while p.ms < end:
        key = rng.randrange(6)
        pressed.append(1 << key)
        for down in (True, False):
            for _ in range(rng.randrange(4)):
                p.key(key, down)
                p.run(rng.uniform(0.1, 0.5))
                p.key(key, not down)
                p.run(rng.uniform(0.1, 0.5))
            p.key(key, down)
            p.run(rng.uniform(36, 42))
    at = p.expect(b"GOT ", 2000)
    p.expect(b"\n", 1000, at)
    text = bytes(p.console[at:]).decode().split("]")[0].strip("[ ")
    assert p.storage.erases > seconds
    assert len(pressed) > 9 * seconds
    assert [int(k) for k in text.split(",")] == pressed


SAVE = (
    "from hal.store import Store\n"
    "s = Store('/saves')\n"
    "assert s.save('game', b'{letter}' * 600)\n"
)
LOAD = "from hal.store import Store\ns = Store('/saves')\nd = s.load('game')\nprint(d and (d[:1], len(d)), s.message)"


@pytest.mark.parametrize("hows", [(HALF,), pytest.param((BEFORE, AFTER), marks=pytest.mark.slow)])
def test_a_cut_at_every_flash_operation_leaves_a_save(hows):
    """Two saves are there, a third is cut at each erase and program: the second or the third is found, whole, and
    the next save works."""
    files = emulated.packed("hal/store.py")
    p = pico(files=files)
    for letter in "ab":
        p.execute(SAVE.format(letter=letter))
    flash = p.flash
    p = pico(flash=flash)
    p.execute("1")
    before = p.storage.operations
    p.execute(SAVE.format(letter="c"))
    operations = p.storage.operations - before
    assert 2 < operations < 40
    found = set()
    for number in range(1, operations + 1):
        for how in hows:
            p = pico(flash=flash)
            p.execute("1")
            p.storage.cut_at = p.storage.operations + number
            p.storage.cut_how = how
            with pytest.raises(PowerCut):
                p.execute(SAVE.format(letter="c"))
            again = pico(flash=p.flash)
            told = again.execute(LOAD).strip()
            assert told in ("(b'b', 600) None", "(b'c', 600) None", "(b'b', 600) save_older"), (number, how, told)
            found.add(told[3])
            again.execute(SAVE.format(letter="d"))
            assert again.execute(LOAD).startswith("(b'd', 600)")
    assert found == {"b", "c"}


def test_flash_image_is_a_file_system():
    p = pico(files=emulated.packed("hal/store.py"))
    p.execute(SAVE.format(letter="x"))
    files = filesystem.unpack(p.flash[LAYOUT.offset : LAYOUT.offset + LAYOUT.size], LAYOUT)
    assert files["saves/game.0"].endswith(b"x" * 600)
    assert files["hal/store.mpy"] == emulated.compiled("hal/store.py")


def test_reset_keeps_flash_and_wires():
    p = pico()
    p.execute("with open('kept', 'w') as f:\n    f.write('yes')\nx = 1")
    p.type(b"\r\x03\x01import machine\nmachine.reset()\n\x04")
    p.run(300)
    assert p.execute("print(open('kept').read(), 'x' in globals())") == "yes False\n"


def test_script_presses_and_expects(tmp_path):
    p = with_hal()
    p.execute("from hal.pico import PicoDevice\nd = PicoDevice()\nd.display.frame.fill_rect(0, 0, 8, 8, 1)")
    steps = script.parse(
        "# a tap, and what came of it\n"
        "A\n"
        "bounce RIGHT\n"
        f"send \\r\\x01d.keys.scan(); print('keys', d.keys.next(), d.keys.next()); d.display.show()\\n\\x04\n"
        f"expect keys {device.A} {device.RIGHT}\n"
        "still 50\n"
        f"shot {tmp_path / 'glass.png'}\n",
        "a script",
    )
    script.play(p, steps)
    assert (tmp_path / "glass.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert p.panel.picture()[:9] == b"\xff" * 8 + b"\x00"
