"""The texts of the chosen language by their keys; firmware/text/LANGUAGE.py holds them, one language is in
memory. A language is a file there with a name of two letters; its own name is one of its texts.

A table of keys and texts would take 100 bytes of the Pico's memory for each. So the texts lie in one piece, and of a key
only a hash of 16 bits is kept; no two keys have the same, which a test holds. The image holds them packed in this way
(tools/image/image.py): the short strings of a table would stay among MicroPython's names for ever.
"""

import os

from firmware import modules

# The one that is chosen before anybody chose.
FIRST = "en"

# As packed() gives them.
_hashes = _starts = _texts = b""


def hashed(key):
    """16 bits for a key."""
    h = 0
    for letter in key:
        h = (31 * h + ord(letter)) & 0xFFFF
    return h


def load(language):
    """Choose the language. ValueError for one that is not on this device."""
    global _hashes, _starts, _texts
    try:
        texts = modules.texts(language)
    except ImportError:
        raise ValueError("language not on this device: " + language) from None
    # The old ones go first: both might not find room.
    _hashes = _starts = _texts = b""
    _hashes, _starts, _texts = packed(texts) if isinstance(texts, dict) else texts


def packed(texts):
    """A table of texts as bytes: the hashes of the keys, ascending; where the text of each begins, and where the last
    one ends (2 bytes each, little-endian); and all texts in UTF-8."""
    found = sorted([(hashed(key), key) for key in texts])
    hashes = bytearray()
    starts = bytearray(2)
    pieces = []
    end = 0
    for h, key in found:
        hashes += bytes((h & 255, h >> 8))
        pieces.append(texts[key].encode())
        end += len(pieces[-1])
        starts += bytes((end & 255, end >> 8))
    return bytes(hashes), bytes(starts), b"".join(pieces)


def _two(numbers, i):
    return numbers[2 * i] | numbers[2 * i + 1] << 8


def there():
    """The languages that are on this device, English first."""
    found = []
    for name in os.listdir(path("")[:-1]):
        language = name[:2]
        if name[2:] in (".mpy", ".py") and language not in found:
            found.append(language)
    found.sort()
    if FIRST in found:
        found.remove(FIRST)
        found.insert(0, FIRST)
    return found


def load_next(language):
    """Choose the language after this one, in the order of there(). Returns it; the same where there is no other, the
    first where this one is not on the device."""
    found = there()
    at = found.index(language) + 1 if language in found else 0
    for i in range(len(found)):
        other = found[(at + i) % len(found)]
        try:
            load(other)
            return other
        except ValueError:
            pass
    raise ValueError("no language on this device")


def path(name):
    """Path of a data file of firmware/text."""
    return __file__[: __file__.rfind("texts")] + "text/" + name


def t(key):
    """The text of a key. KeyError for one that is not there."""
    h = hashed(key)
    low = 0
    high = end = len(_hashes) // 2
    while low < high:
        i = low + high >> 1
        if _two(_hashes, i) < h:
            low = i + 1
        else:
            high = i
    if low == end or _two(_hashes, low) != h:
        raise KeyError(key)
    return _texts[_two(_starts, low) : _two(_starts, low + 1)].decode()
