"""The store: named saves that survive a power cut at any moment, each in two alternating slots.

A save NAME lives in the files NAME.0 and NAME.1 of one folder. Saving overwrites the older slot and never touches
the newer one; loading returns the newest slot that is whole. A slot is

    bytes 0-2   b'Crn'
    byte  3     version of this layout
    bytes 4-5   sequence number, little-endian, wraps
    bytes 6-7   length of the data, little-endian
    bytes 8-11  CRC-32 of bytes 0-7 and the data, little-endian
    bytes 12-   the data

The checksum is binascii.crc32: it finds every burst of up to 32 wrong bits and runs in C. Above 2**30 its value is a
big integer of some 30 bytes on the Pico, garbage that one save may make. How much flash a save wears: docs/store.md.

Nothing here raises for what the flash holds or refuses. `message` then has the key of a text:

    save_older   the newest slot was damaged, the save before it was returned
    save_lost    there was a save, but no slot of it is whole
    save_full    no room: this save was not kept, the last one is as it was
    save_failed  the folder or file cannot be written: the same
"""

import binascii
import errno
import os

from micropython import const

MAX_BYTES = const(65535)
HEADER_BYTES = const(12)

_START = b"Crn\x01"
# MicroPython's errno has no name for it.
_ENOSPC = const(28)

# A PC keeps written files in memory for a while; MicroPython's file systems have them in flash after close().
_sync = getattr(os, "fsync", None)


class Store:
    """The saves in `folder`, which is made at the first save. Its parent must exist."""

    def __init__(self, folder):
        self.message = None
        self._folder = folder
        self._turns = {}  # name -> (slot to overwrite next, its sequence number)

    def load(self, name):
        """The newest whole save as bytes, or None. Sets `message`."""
        data, damaged = self._look(name)
        if not damaged:
            self.message = None
        elif data is None:
            self.message = "save_lost"
        else:
            self.message = "save_older"
        return data

    def save(self, name, data):
        """Keeps `data` (bytes-like, at most MAX_BYTES). True if it was kept. Sets `message`."""
        if len(data) > MAX_BYTES:
            raise ValueError("a save holds at most 65535 bytes")
        if name not in self._turns:
            self._look(name)
        slot, number = self._turns.pop(name)
        head = _START + number.to_bytes(2, "little") + len(data).to_bytes(2, "little")
        try:
            self._make_folder()
            with open(self._path(name, slot), "wb") as f:
                f.write(head)
                f.write(_checksum(head, data))
                f.write(data)
                if _sync:
                    f.flush()
                    _sync(f.fileno())
        except OSError as e:
            self.message = "save_full" if e.errno == _ENOSPC else "save_failed"
            return False
        # Only now: after a failure the next save looks afresh which slot is the older.
        self._turns[name] = (1 - slot, (number + 1) & 0xFFFF)
        self.message = None
        return True

    def remove(self, name):
        """Forgets a save. A cut in the middle leaves the newest slot, never one that was already replaced."""
        self._look(name)
        older = self._turns.pop(name)[0]
        self.message = None
        for slot in (older, 1 - older):
            try:
                os.remove(self._path(name, slot))
            except OSError as e:
                if e.errno != errno.ENOENT:
                    self.message = "save_failed"
                    return

    def _path(self, name, slot):
        return f"{self._folder}/{name}.{slot}"

    def _make_folder(self):
        try:
            os.stat(self._folder)
        except OSError:
            os.mkdir(self._folder)

    def _look(self, name):
        """Reads both slots: (data of the newest whole one or None, whether any was damaged). Sets the turn."""
        number0, data0, damaged0 = self._read(self._path(name, 0))
        number1, data1, damaged1 = self._read(self._path(name, 1))
        damaged = damaged0 or damaged1
        # The numbers of two whole slots are neighbours; the difference says which is ahead even across the wrap.
        if data1 is not None and (data0 is None or 0 < ((number1 - number0) & 0xFFFF) < 0x8000):
            self._turns[name] = (0, (number1 + 1) & 0xFFFF)
            return data1, damaged
        if data0 is not None:
            self._turns[name] = (1, (number0 + 1) & 0xFFFF)
        else:
            self._turns[name] = (0, 1)
        return data0, damaged

    def _read(self, path):
        """(sequence number, data, False) of a whole slot, (0, None, whether there is a file) of any other."""
        try:
            with open(path, "rb") as f:
                head = f.read(HEADER_BYTES)
                data = f.read(MAX_BYTES + 1)
        except OSError as e:
            return 0, None, e.errno != errno.ENOENT
        if (
            len(head) != HEADER_BYTES
            or head[:4] != _START
            or head[6] | head[7] << 8 != len(data)
            or head[8:] != _checksum(head[:8], data)
        ):
            return 0, None, True
        return head[4] | head[5] << 8, data, False


def _checksum(head, data):
    return binascii.crc32(data, binascii.crc32(head)).to_bytes(4, "little")
