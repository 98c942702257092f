"""The last games that ended, kept on the device: the newest first, at most MOST games and BYTES bytes.

0   version
1   for each game its length, 2 bytes, little-endian, then the game (firmware/saves.py)
"""

from micropython import const

from firmware import saves

NAME = "records"
# Where records are put that cannot be read.
ASIDE = "records-aside"
VERSION = const(1)

MOST = const(20)
BYTES = const(4000)


def keep(store, saved):
    """Keep a game that is over. Whether that worked; if not, store.message says why. A game whose beginning is not known,
    as it goes back to an older firmware, is not kept; neither is one again that is the newest."""
    if saved.base is not None:
        return True
    data = saved.pack()
    games = load(store)[0]
    if games and games[0] == data:
        return True
    games.insert(0, data)
    kept = bytearray((VERSION,))
    for data in games[:MOST]:
        if len(kept) + 2 + len(data) > BYTES:
            break
        kept += saves.two(len(data))
        kept += data
    return store.save(NAME, kept)


def load(store):
    """The kept games as bytes, the newest first, and the key of a text that says what went wrong, or None. What cannot
    be read is put aside."""
    data = store.load(NAME)
    if data is None:
        return [], "records.lost" if store.message else None
    try:
        return split(data), None
    except ValueError:
        if store.save(ASIDE, data):
            store.remove(NAME)
        return [], "records.bad"


def split(data):
    """The games in the bytes that are kept; ValueError if that is not what they are."""
    if not data or data[0] != VERSION:
        raise ValueError("version")
    games = []
    at = 1
    while at < len(data):
        if at + 2 > len(data):
            raise ValueError("too short")
        end = at + 2 + (data[at] | data[at + 1] << 8)
        if end > len(data):
            raise ValueError("too short")
        games.append(bytes(data[at + 2 : end]))
        at = end
    return games
