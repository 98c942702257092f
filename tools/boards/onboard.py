"""Runs on the board, under MicroPython: the file work of an update. tools/boards/link.py sends it as text, and so does
the page that flashes from a browser.

Paths begin with `/`. Every function returns something that JSON can hold. OSError where the file system refuses.
Nothing is read or written in pieces larger than CHUNK, for a board whose memory is small or in pieces.
"""

import binascii
import hashlib
import json
import os
import sys

CHUNK = 1024
MARK = "\x02"
_file = None


def answer(value):
    """Tell the other side what a function returned: JSON between two marks, whatever else is printed around it."""
    print(MARK + json.dumps(value) + MARK)


def survey():
    """What this board is."""
    try:
        import machine

        identity = binascii.hexlify(machine.unique_id()).decode()
    except (ImportError, AttributeError):
        identity = ""
    stat = os.statvfs("/")
    return {
        "id": identity,
        "machine": getattr(sys.implementation, "_machine", sys.platform),
        "version": tuple(sys.implementation.version[:3]),
        "mpy": getattr(sys.implementation, "_mpy", 0),
        "block": stat[0],
        "blocks": stat[2],
        "free": stat[3],
    }


def tree(top):
    """[(path, size)] of all files below a folder, [] if there is none; folders as (path, -1), after what they hold."""
    found = []
    try:
        names = sorted(os.ilistdir(top))
    except OSError:
        return found
    for name in names:
        path = top.rstrip("/") + "/" + name[0]
        if name[1] & 0x4000:
            found += tree(path)
            found.append((path, -1))
        else:
            found.append((path, os.stat(path)[6]))
    return found


def sha256(path):
    """Hexadecimal SHA-256 of a file, None if it cannot be read."""
    h = hashlib.sha256()
    piece = memoryview(bytearray(CHUNK))
    try:
        with open(path, "rb") as f:
            while True:
                n = f.readinto(piece)
                if not n:
                    break
                h.update(piece[:n])
    except OSError:
        return None
    return binascii.hexlify(h.digest()).decode()


def hashes(folder, paths):
    """The SHA-256 of each of these files in a folder."""
    return [sha256(folder + "/" + path) for path in paths]


def make_folders(*paths):
    """Make the folders above these files."""
    for path in paths:
        at = path.find("/", 1)
        while at > 0:
            try:
                os.stat(path[:at])
            except OSError:
                os.mkdir(path[:at])
            at = path.find("/", at + 1)


def write(path, text):
    """Write a file whose contents come as one piece of base64."""
    begin(path)
    more(text)
    finish()


def begin(path):
    """Open a file for writing, from nothing."""
    global _file
    finish()
    _file = open(path, "wb")


def more(text):
    """Write base64 text to the file that is open."""
    return _file.write(binascii.a2b_base64(text))


def finish():
    """Close the file that is open, if any."""
    global _file
    if _file:
        f = _file
        _file = None
        f.close()


def copy(source, target, paths):
    """Copy files of one folder into another one."""
    piece = memoryview(bytearray(CHUNK))
    for path in paths:
        with open(source + "/" + path, "rb") as f, open(target + "/" + path, "wb") as g:
            while True:
                n = f.readinto(piece)
                if not n:
                    break
                g.write(piece[:n])


def rename(source, target):
    """Rename a file, over another one if there is one: the file system does it as a whole or not at all."""
    os.rename(source, target)


def remove(path):
    """Remove a file or an empty folder. False if it was not there, or a folder that is not empty."""
    try:
        if os.stat(path)[0] & 0x4000:
            if next(os.ilistdir(path), None):
                return False
            os.rmdir(path)
        else:
            os.remove(path)
    except OSError as e:
        if e.errno != 2:
            raise
        return False
    return True


def part(path, start, count):
    """Base64 of `count` bytes of a file from `start`."""
    with open(path, "rb") as f:
        f.seek(start)
        return binascii.b2a_base64(f.read(count)).decode().strip()


def blink(times, rounds):
    """Blink the board's LED: `rounds` groups of `times` flashes. False if it has no LED that is known."""
    import time

    import machine

    try:
        led = machine.Pin("LED", machine.Pin.OUT)
    except (ValueError, TypeError):
        return False
    for _ in range(rounds):
        for _ in range(times):
            led.value(1)
            time.sleep_ms(150)
            led.value(0)
            time.sleep_ms(200)
        time.sleep_ms(600)
    return True
