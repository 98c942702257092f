"""Runs functions of a portable module and prints how each ended; itself portable.

A line `@ok NAME` or `@fault NAME<tab>TRACEBACK` (newlines as `\\n`) for each function; other lines are the module's.
"""

import builtins
import io
import sys

for _name in ("ptr", "ptr8", "ptr16", "ptr32", "uint"):
    # Names that only viper's compiler knows; as bytecode the same lines call them.
    if not hasattr(builtins, _name):
        setattr(builtins, _name, lambda value: value)


def load(name):
    """The module of a dotted name."""
    __import__(name)
    return sys.modules[name]


def told(fault):
    """The traceback of an exception on one line."""
    out = io.StringIO()
    if hasattr(sys, "print_exception"):
        sys.print_exception(fault, out)
    else:
        import traceback

        traceback.print_exception(fault, file=out)
    return out.getvalue().replace("\\", "\\\\").replace("\n", "\\n")


def run_one(module, call):
    """Run one function, `NAME` or `NAME ARGUMENT ...`, of a module of this name."""
    words = call.split(" ")
    try:
        getattr(load(module), words[0])(*words[1:])
    except Exception as fault:
        # Whatever a test raises is its result.
        print("@fault " + call + "\t" + told(fault))
    else:
        print("@ok " + call)


def main(arguments):
    """arguments: a module, then functions."""
    for call in arguments[1:]:
        run_one(arguments[0], call)


if __name__ == "__main__":
    main(sys.argv[1:])
