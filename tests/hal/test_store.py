"""The store: whatever power, flash or bit errors do, a load gives the old save or the new one, or says what is lost."""

import errno
import os
import random
import re
import types
from pathlib import Path

import pytest

from hal import store as store_module
from hal.host import HostDevice, MemoryStore
from hal.store import HEADER_BYTES, MAX_BYTES, Store

DOCS = Path(__file__).parents[2] / "docs" / "store.md"


def slots(folder, name="game"):
    return [folder / f"{name}.{n}" for n in (0, 1)]


# One store, in an ordinary folder.


def test_what_is_saved_is_loaded_also_by_the_next_start(tmp_path):
    store = Store(str(tmp_path / "saves"))
    assert (store.load("game"), store.message) == (None, None)
    for n in range(10):
        data = bytes([n]) * n * 40
        assert store.save("game", data)
        assert store.load("game") == data
        assert Store(str(tmp_path / "saves")).load("game") == data
    assert sorted(os.listdir(tmp_path / "saves")) == ["game.0", "game.1"]


def test_saving_without_loading_first_keeps_the_newest_slot(tmp_path):
    for n in range(6):
        assert Store(str(tmp_path)).save("game", b"save %d" % n)
        whole = {p.read_bytes()[HEADER_BYTES:] for p in slots(tmp_path) if p.exists()}
        assert whole == {b"save %d" % k for k in (n, n - 1) if k >= 0}


def test_names_do_not_mix(tmp_path):
    store = Store(str(tmp_path))
    store.save("game", b"game")
    store.save("settings", b"settings")
    store.remove("game")
    assert store.load("game") is None
    assert store.load("settings") == b"settings"
    assert sorted(os.listdir(tmp_path)) == ["settings.0"]


def test_remove_of_nothing_is_no_fault(tmp_path):
    store = Store(str(tmp_path))
    store.remove("game")
    assert store.message is None


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
@pytest.mark.parametrize("length", [0, 1, 600, MAX_BYTES])
def test_any_bytes_of_any_length(tmp_path, kind, length):
    data = random.Random(length).randbytes(length)
    store = Store(str(tmp_path))
    assert store.save("game", kind(data))
    assert store.load("game") == data


def test_too_much_is_a_fault_of_the_program(tmp_path):
    with pytest.raises(ValueError, match="65535"):
        Store(str(tmp_path)).save("game", bytes(MAX_BYTES + 1))


def test_the_sequence_number_wraps(tmp_path):
    store = Store(str(tmp_path))
    store.save("game", b"first")
    store._turns["game"] = (1, 0xFFFD)
    # The slot of "first" has number 1 and would look newer than 0xFFFD; it must go first.
    os.remove(slots(tmp_path)[0])
    for n in range(8):
        store.save("game", b"save %d" % n)
        assert Store(str(tmp_path)).load("game") == b"save %d" % n
    numbers = sorted(int.from_bytes(p.read_bytes()[4:6], "little") for p in slots(tmp_path))
    assert numbers == [3, 4]


def test_a_save_is_on_the_disk_before_it_counts(tmp_path, monkeypatch):
    """Else a PC that loses power would find a save of which the older slot is gone and the newer one not written."""
    synced = []

    def sync(handle):
        assert os.path.samestat(os.fstat(handle), slots(tmp_path)[0].stat())
        synced.append(slots(tmp_path)[0].read_bytes()[HEADER_BYTES:])

    assert store_module._sync is os.fsync
    monkeypatch.setattr(store_module, "_sync", sync)
    assert Store(str(tmp_path)).save("game", b"state")
    # All of it was handed to the system before the system was asked to write it.
    assert synced == [b"state"]


# Damage.


def two_saves(folder, old=b"the old save", new=b"the new save"):
    """Files of a store with two saves: (path of the newest slot, its bytes)."""
    store = Store(str(folder))
    assert store.save("game", old)
    assert store.save("game", new)
    path = slots(folder)[1]
    return path, path.read_bytes()


@pytest.mark.parametrize("length", [3, 80])
def test_every_bit_of_every_byte_flipped_gives_the_other_slot(tmp_path, length):
    path, whole = two_saves(tmp_path, b"o" * length, b"n" * length)
    for at in range(len(whole)):
        for flip in (1, 2, 4, 8, 16, 32, 64, 128, 255):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ flip]) + whole[at + 1 :])
            store = Store(str(tmp_path))
            assert (store.load("game"), store.message) == (b"o" * length, "save_older")


def test_every_length_gives_the_other_slot(tmp_path):
    path, whole = two_saves(tmp_path)
    for length in [*range(len(whole)), len(whole) + 1, len(whole) + 500, MAX_BYTES + HEADER_BYTES + 9]:
        path.write_bytes((whole + bytes(length))[:length])
        store = Store(str(tmp_path))
        assert (store.load("game"), store.message) == (b"the old save", "save_older")


def test_a_damaged_slot_is_the_next_to_be_overwritten(tmp_path):
    for bad in (0, 1):
        for path in slots(tmp_path):
            path.unlink(missing_ok=True)
        two_saves(tmp_path)
        slots(tmp_path)[bad].write_bytes(b"noise")
        kept = slots(tmp_path)[1 - bad].read_bytes()
        store = Store(str(tmp_path))
        assert store.save("game", b"third")
        assert slots(tmp_path)[1 - bad].read_bytes() == kept
        assert (store.load("game"), store.message) == (b"third", None)


def test_when_nothing_is_whole_it_says_so_and_starts_afresh(tmp_path):
    two_saves(tmp_path)
    rng = random.Random(1)
    for _ in range(200):
        for path in slots(tmp_path):
            path.write_bytes(rng.randbytes(rng.randrange(60)))
        store = Store(str(tmp_path))
        assert (store.load("game"), store.message) == (None, "save_lost")
    assert store.save("game", b"again")
    assert store.load("game") == b"again"


def test_a_slot_that_is_a_folder_is_a_damaged_one(tmp_path):
    two_saves(tmp_path)
    slots(tmp_path)[1].unlink()
    slots(tmp_path)[1].mkdir()
    store = Store(str(tmp_path))
    assert (store.load("game"), store.message) == (b"the old save", "save_older")
    assert not store.save("game", b"x")
    assert store.message == "save_failed"
    assert store.load("game") == b"the old save"


@pytest.mark.parametrize(("number", "message"), [(errno.ENOSPC, "save_full"), (errno.EIO, "save_failed")])
def test_a_refused_save_leaves_the_last_one_and_the_next_may_work(tmp_path, monkeypatch, number, message):
    store = Store(str(tmp_path))
    store.save("game", b"one")
    store.save("game", b"two")

    def refusing(path, mode):
        """A file that takes two bytes of each write and then fails."""
        file = open(path, mode)  # noqa: SIM115
        if "w" in mode:
            write = file.write

            class Full:
                def __enter__(self):
                    return self

                def __exit__(self, *_):
                    file.close()

                def write(self, data):
                    write(bytes(data)[:2])
                    raise OSError(number, "refused")

            return Full()
        return file

    with monkeypatch.context() as patch:
        patch.setattr(store_module, "open", refusing, raising=False)
        for _ in range(3):
            assert not store.save("game", b"three")
            assert store.message == message
            assert store.load("game") == b"two"
    assert store.save("game", b"four")
    assert (store.load("game"), store.message) == (b"four", None)


def test_a_folder_that_cannot_be_made_is_a_message(tmp_path):
    (tmp_path / "file").write_text("in the way")
    store = Store(str(tmp_path / "file" / "saves"))
    assert not store.save("game", b"x")
    assert store.message == "save_failed"
    assert store.load("game") is None


def test_the_store_in_memory_keeps_the_contract():
    store = MemoryStore()
    assert store.load("game") is None
    assert store.save("game", bytearray(b"x"))
    assert store.load("game") == b"x"
    store.remove("game")
    assert store.load("game") is None
    assert isinstance(HostDevice().store, MemoryStore)


# Power cuts, on an image of littlefs as MicroPython sets it up on the Pico (extmod/vfs_lfsx.c and the port's _boot.py:
# block 4,096, prog 256, read 32, lookahead 32, cache 4 * 256, a metadata block moves after 100 erases).

BLOCK, PROG = 4096, 256
BLOCKS_OF_A_PICO = 352

try:
    import littlefs
except ImportError:
    littlefs = None

needs_littlefs = pytest.mark.skipif(littlefs is None, reason="littlefs-python is not installed")


class Flash:
    """A NOR flash: a program only clears bits, an erase sets a block. Keeps what was done to it, in order."""

    def __init__(self, image=None, blocks=16):
        self.buffer = bytearray(image if image is not None else b"\xff" * (BLOCK * blocks))
        self.operations = []  # (kind, address, bytes)
        self.erases = [0] * (len(self.buffer) // BLOCK)
        self.programmed = 0

    def _change(self, kind, start, new):
        self.operations.append((kind, start, bytes(new)))
        self.buffer[start : start + len(new)] = new
        return 0

    def read(self, cfg, block, off, size):
        start = block * BLOCK + off
        return self.buffer[start : start + size]

    def prog(self, cfg, block, off, data):
        start = block * BLOCK + off
        self.programmed += len(data)
        assert all(a & b == b for a, b in zip(self.buffer[start : start + len(data)], data, strict=True)), (
            "was not erased"
        )
        return self._change("prog", start, data)

    def erase(self, cfg, block):
        self.erases[block] += 1
        return self._change("erase", block * BLOCK, b"\xff" * BLOCK)

    def sync(self, cfg):
        return 0


def mount(flash, new=False):
    """The file system on a flash, as `hal.store` needs it: open() and os."""
    system = littlefs.LittleFS(
        context=flash,
        mount=not new,
        block_size=BLOCK,
        block_count=len(flash.buffer) // BLOCK,
        prog_size=PROG,
        read_size=32,
        cache_size=4 * PROG,
        lookahead_size=32,
        block_cycles=100,
    )
    if new:
        system.format()
        system.mount()

    def as_os(function):
        def call(*args):
            try:
                return function(*args)
            except littlefs.LittleFSError as e:
                raise OSError(-e.code, str(e)) from e
            except FileNotFoundError as e:
                raise OSError(errno.ENOENT, str(e)) from e

        return call

    class File:
        """Like a file of MicroPython: writes go straight to littlefs."""

        def __init__(self, path, mode):
            self.raw = as_os(lambda: system.open(path, mode, buffering=0))()

        def __enter__(self):
            return self

        def __exit__(self, *_):
            as_os(self.raw.close)()

        def write(self, data):
            return as_os(self.raw.write)(bytes(data))

        def read(self, n):
            # Raw reads may be short.
            data = b""
            while len(data) < n and (more := as_os(self.raw.read)(n - len(data))):
                data += more
            return data

    return types.SimpleNamespace(
        open=File,
        os=types.SimpleNamespace(stat=as_os(system.stat), mkdir=as_os(system.mkdir), remove=as_os(system.remove)),
        system=system,
    )


@pytest.fixture
def on(monkeypatch):
    """Put the store onto a flash."""

    def use(flash, new=False):
        system = mount(flash, new)
        monkeypatch.setattr(store_module, "open", system.open, raising=False)
        monkeypatch.setattr(store_module, "os", system.os)
        monkeypatch.setattr(store_module, "_sync", None)
        return Store("saves")

    return use


def content(n, length):
    return random.Random(n).randbytes(length)


def history(on, length, saves):
    """The image of a flash after some saves."""
    flash = Flash()
    store = on(flash, new=True)
    for n in range(saves):
        assert store.save("game", content(n, length))
    return bytes(flash.buffer)


def torn(image, operations, cut, part):
    """The flash when power fails at operation `cut`, of which `part` bytes were done, and of the next some bits."""
    flash = bytearray(image)
    for _, start, new in operations[:cut]:
        flash[start : start + len(new)] = new
    if cut < len(operations):
        _, start, new = operations[cut]
        flash[start : start + part] = new[:part]
        if part < len(new):
            mix = random.Random(cut * 10_000 + part).randrange(256)
            flash[start + part] = (flash[start + part] & mix) | (new[part] & ~mix & 255)
    return flash


def check_cuts(on, image, before, action, after, parts):
    """Cut `action(store)` everywhere: the next start finds `before` or `after` and can save."""
    flash = Flash(image)
    store = on(flash)
    assert store.load("game") == before
    action(store)
    operations = flash.operations
    assert operations
    seen = []
    for cut, (kind, _, new) in enumerate([*operations, ("end", 0, b"")]):
        for part in parts(kind, len(new)):
            start = Flash(torn(image, operations, cut, part))
            store = on(start)
            found = store.load("game")
            assert found in (before, after), (cut, part)
            # Of a first save that was cut, an empty slot may be left, which counts as damaged.
            assert store.message is None or before is None or slot_missing(image), (cut, part)
            if not seen or seen[-1] != found:
                seen.append(found)
            if part in (0, len(new) // 2):
                assert store.save("game", b"and on")
                assert on(Flash(start.buffer)).load("game") == b"and on"
    assert seen == [before, after]


def saving(data):
    return lambda store: store.save("game", data)


def slot_missing(image):
    system = mount(Flash(image)).system
    return len(system.listdir("saves")) < 2


def every_byte(kind, size):
    """Of an erase, which takes 4,096 bytes, every 64th is enough."""
    return range(0, size + 1, 64 if kind == "erase" else 1)


def some_bytes(_, size):
    return sorted({0, min(1, size), size // 3, size // 2, max(0, size - 1), size})


@needs_littlefs
@pytest.mark.parametrize("length", [40, 150, 700])
@pytest.mark.parametrize("saves", [0, 1, 2, 3])
def test_power_cut_at_every_operation_and_byte_of_a_save(on, length, saves):
    before = content(saves - 1, length) if saves else None
    after = content(saves, length)
    check_cuts(on, history(on, length, saves), before, saving(after), after, every_byte)


@needs_littlefs
@pytest.mark.parametrize("length", [40, 150, 700])
def test_power_cut_at_every_operation_of_eighty_saves_in_a_row(on, length):
    """So many that the folder's log is compacted and moved, which a single save seldom does."""
    flash = Flash()
    on(flash, new=True)
    image, before, kinds = bytes(flash.buffer), None, set()
    for n in range(80):
        flash = Flash(image)
        after = content(n, length)
        assert on(flash).save("game", after)
        kinds |= {kind for kind, _, _ in flash.operations}
        check_cuts(on, image, before, saving(after), after, lambda _, size: (0, size * 2 // 3))
        image, before = bytes(flash.buffer), after
    assert kinds == {"prog", "erase"}


@needs_littlefs
@pytest.mark.parametrize("length", [40, 700])
@pytest.mark.parametrize("saves", [1, 2, 3])
def test_power_cut_while_a_save_is_removed(on, length, saves):
    before = content(saves - 1, length)
    check_cuts(on, history(on, length, saves), before, lambda s: s.remove("game"), None, some_bytes)


@needs_littlefs
def test_a_full_file_system_is_a_message_and_keeps_the_last_save(on):
    flash = Flash(blocks=8)
    store = on(flash, new=True)
    assert store.save("game", content(1, 700))
    system = mount(flash)

    def fill():
        for n in range(100):
            with system.open(f"fill{n}", "wb") as f:
                f.write(bytes(3000))

    with pytest.raises(OSError, match=str(errno.ENOSPC)):
        fill()
    store = on(flash)
    assert not store.save("game", content(2, 20_000))
    assert store.message == "save_full"
    assert store.load("game") == content(1, 700)


@needs_littlefs
@pytest.mark.parametrize("length", [60, 150, 600])
def test_wear_is_as_documented(on, length):
    """A row of the table in docs/store.md: data, slot, programmed a save, erases of 1,000 saves, of the worst block."""
    flash = Flash(blocks=BLOCKS_OF_A_PICO)
    store = on(flash, new=True)
    store.save("game", content(0, length))
    flash.erases = [0] * BLOCKS_OF_A_PICO
    flash.programmed = 0
    for n in range(1000):
        store.save("game", content(n, length))
    got = [length, length + HEADER_BYTES, flash.programmed // 1000, sum(flash.erases), max(flash.erases)]
    rows = [
        [int(cell.replace(",", "")) for cell in re.findall(r"[\d,]+", line)]
        for line in DOCS.read_text().splitlines()
        if re.match(r"\| *\d", line)
    ]
    assert got in [row[:5] for row in rows]
