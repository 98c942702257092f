"""Starts the firmware: goes onto the device as /main.py and never changes between versions.

The firmware lies in one of two folders, /a and /b; the file /active names the one to start. An update fills the other
folder, writes its manifest last and then renames a new /active into place, so that at every moment one folder is whole.
A folder is whole if its manifest ends as a manifest ends. If the one that /active names is not whole, or cannot be
imported, the other one starts.

It lives in firmware/ as it runs on the device, though no module imports it. Nothing here is caught that Ctrl-C raises,
and when firmware.main.main() returns, the REPL is free: so a key held at power-on only has to make main() return.
"""

import gc
import sys

_FOLDERS = ("a", "b")
_PACKAGES = ("firmware", "hal", "games", "boards")


def _whole(folder):
    try:
        with open("/" + folder + "/manifest.json", "rb") as f:
            f.seek(-2, 2)
            return f.read(2) == b"}\n"
    except OSError:
        return False


def _order():
    try:
        with open("/active") as f:
            first = f.read(2).strip()
    except (OSError, ValueError):
        first = ""
    if first not in _FOLDERS:
        first = "a"
    return first, "b" if first == "a" else "a"


def _forget():
    for name in list(sys.modules):
        if name.split(".")[0] in _PACKAGES:
            del sys.modules[name]


def _load(folder):
    """firmware.main of that folder, or None with the reason printed."""
    path = "/" + folder
    sys.path.insert(0, path)
    gc.collect()
    try:
        __import__("firmware.main")
        return sys.modules["firmware.main"]
    except Exception as e:
        print("Cairn: cannot start from", path)
        sys.print_exception(e)
    sys.path.remove(path)
    _forget()


def start():
    for folder in _order():
        if _whole(folder):
            main = _load(folder)
            if main:
                print("Cairn: starting from /" + folder)
                return main.main()
    print("Cairn: no whole firmware in /a or /b. On a PC: python3 -m tools flash")


if __name__ == "__main__":
    start()
