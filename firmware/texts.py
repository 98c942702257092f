"""The texts of the chosen language by their keys; firmware/text/LANGUAGE.py holds them, one language is in
memory."""

from firmware import modules

LANGUAGES = ("en",)

_texts = {}


def load(language):
    """Choose the language, one of LANGUAGES (ValueError for another)."""
    if language not in LANGUAGES:
        raise ValueError("unknown language: " + language)
    global _texts
    _texts = modules.texts(language)


def t(key):
    """The text of a key. KeyError for one that is not there."""
    return _texts[key]
