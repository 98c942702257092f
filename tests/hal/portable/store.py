"""The store on files of the system: the same on CPython and on MicroPython for unix."""

import os

from hal import device
from hal.host import HostDevice
from hal.store import HEADER_BYTES, Store

# The 32-bit MicroPython in Node has neither files nor chance of its own.
PLATFORMS = ("cpython", "bytecode", "viper")

# Of this process alone: others may run this file at the same time.
TOP = "{}/cairn-store-{}".format(os.getenv("TMPDIR") or "/tmp", HostDevice().entropy())
FOLDER = TOP + "/saves"


def test_entropy_is_a_seed():
    it = HostDevice()
    for _ in range(50):
        assert 1 <= it.entropy() <= device.TICKS_MASK


def test_a_store_keeps_saves_and_survives_damage():
    os.mkdir(TOP)
    store = Store(FOLDER)
    store.remove("game")
    assert store.load("game") is None
    assert store.message is None
    for n in range(6):
        assert store.save("game", bytes((n,)) * (n * 50))
        assert Store(FOLDER).load("game") == bytes((n,)) * (n * 50)
    # The sixth save is in slot 1.
    path = FOLDER + "/game.1"
    with open(path, "rb") as f:
        whole = f.read()
    assert len(whole) == HEADER_BYTES + 250
    for at in range(0, len(whole), 3):
        with open(path, "wb") as f:
            f.write(whole[:at] + bytes((whole[at] ^ 0x10,)) + whole[at + 1 :])
        store = Store(FOLDER)
        assert store.load("game") == b"\x04" * 200, at
        assert store.message == "save_older", at
        with open(path, "wb") as f:
            f.write(whole[:at])
        assert store.load("game") == b"\x04" * 200, at
        assert store.message == "save_older", at
    with open(FOLDER + "/game.0", "wb") as f:
        f.write(b"noise")
    assert store.load("game") is None
    assert store.message == "save_lost"
    assert store.save("game", b"again")
    assert store.load("game") == b"again"
    store.remove("game")
    assert os.listdir(FOLDER) == []
    os.rmdir(FOLDER)
    os.rmdir(TOP)


def test_a_store_that_cannot_write_says_so():
    with open(TOP, "w") as f:
        f.write("in the way")
    store = Store(FOLDER)
    assert store.save("game", b"x") is False
    assert store.message == "save_failed"
    assert store.load("game") is None
    os.remove(TOP)
