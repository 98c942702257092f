"""The texts of the chosen language by their keys; firmware/text/LANGUAGE.py holds them, one language is in
memory. Which of LANGUAGES a device has was chosen when its firmware was built."""

from firmware import modules

LANGUAGES = ("en",)
# What each calls itself.
NAMES = ("English",)

_texts = {}


def load(language):
    """Choose the language. ValueError for one that is not in LANGUAGES, or not on this device."""
    global _texts
    if language not in LANGUAGES:
        raise ValueError("unknown language: " + language)
    try:
        _texts = modules.texts(language)
    except ImportError:
        raise ValueError("language not on this device: " + language) from None


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
    return _texts[key]
