"""Modules that come and go: a Pico holds the code of one game and of the scenes on the stack, no more."""

import sys


def bring(name):
    """The module `name`, imported if need be."""
    __import__(name)
    return sys.modules[name]


def forget(name):
    """Drop a module, so that its memory can be collected once nothing refers to it."""
    sys.modules.pop(name, None)
    package, _, leaf = name.rpartition(".")
    package = sys.modules.get(package)
    # A package keeps its submodules as attributes too.
    if hasattr(package, leaf):
        delattr(package, leaf)
