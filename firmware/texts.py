"""The texts of the chosen language by their keys; firmware/text/LANGUAGE.py holds them, one language is in
memory. Which of LANGUAGES a device has was chosen when its firmware was built.

A table of keys and texts would take 100 bytes of the Pico's memory for each. So the texts lie in one piece, and of a key
only a hash of 16 bits is kept; no two keys have the same, which a test holds.
"""

from array import array

from firmware import modules

LANGUAGES = ("en",)
# What each calls itself.
NAMES = ("English",)

# The hashes of the keys, ascending, where the text of each begins (and the last one ends), and all texts in UTF-8.
_hashes = array("H")
_starts = array("H", [0])
_texts = b""


def hashed(key):
    """16 bits for a key."""
    h = 0
    for letter in key:
        h = (31 * h + ord(letter)) & 0xFFFF
    return h


def load(language):
    """Choose the language. ValueError for one that is not in LANGUAGES, or not on this device."""
    global _hashes, _starts, _texts
    if language not in LANGUAGES:
        raise ValueError("unknown language: " + language)
    try:
        texts = modules.texts(language)
    except ImportError:
        raise ValueError("language not on this device: " + language) from None
    # The old ones go first: both might not find room.
    _texts = b""
    found = sorted([(hashed(key), key) for key in texts])
    _hashes = array("H", [h for h, _ in found])
    pieces = [texts[key].encode() for _, key in found]
    _starts = array("H", [0] * (len(found) + 1))
    end = 0
    for i in range(len(pieces)):
        end += len(pieces[i])
        _starts[i + 1] = end
    _texts = b"".join(pieces)


def load_next(language):
    """Choose the language after this one, in the order of LANGUAGES, that is on this device. Returns it; the same
    where there is no other."""
    at = LANGUAGES.index(language)
    for i in range(len(LANGUAGES)):
        other = LANGUAGES[(at + 1 + i) % len(LANGUAGES)]
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
    high = len(_hashes)
    while low < high:
        i = low + high >> 1
        if _hashes[i] < h:
            low = i + 1
        else:
            high = i
    if low == len(_hashes) or _hashes[low] != h:
        raise KeyError(key)
    return _texts[_starts[low] : _starts[low + 1]].decode()
