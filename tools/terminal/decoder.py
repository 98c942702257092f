"""Keys out of the bytes that a terminal sends: arrows in both of their codings, letters, Esc told by the time."""

from __future__ import annotations

from hal import device

QUIT = -1

# A terminal sends the bytes of one key together; a person needs longer than this between two keys. Slow links may
# part them by some tens of milliseconds.
ESC_S = 0.05

_ESC = 0x1B
_ARROWS = {ord("A"): device.UP, ord("B"): device.DOWN, ord("C"): device.RIGHT, ord("D"): device.LEFT}
_PLAIN = {
    0x03: QUIT,  # Ctrl-C, where it does not come as a signal
    0x04: QUIT,  # Ctrl-D
    0x08: device.B,
    0x7F: device.B,
    0x0A: device.A,
    0x0D: device.A,
    0x20: device.A,
}
for _letters, _key in (
    ("wW", device.UP),
    ("sS", device.DOWN),
    ("aA", device.LEFT),
    ("dD", device.RIGHT),
    ("zZ", device.A),
    ("xX", device.B),
    # A terminal does not tell when a key is let go, so this is for holding B.
    ("hH", device.BACK),
    ("qQ", QUIT),
):
    for _letter in _letters:
        _PLAIN[ord(_letter)] = _key

# A sequence longer than this is noise.
_LONGEST = 32


class Decoder:
    """Feed it what was read, with the time; it keeps a sequence that is not complete yet."""

    def __init__(self) -> None:
        self._pending = bytearray()
        self._since = 0.0

    def feed(self, data: bytes, now: float) -> list[int]:
        """Key bits (hal/device.py), BACK and QUIT, in order. `now` in seconds; call it with b"" when nothing came, so that
        a lone Esc is recognised."""
        keys: list[int] = []
        if data:
            self._settle(keys, now)
            for byte in data:
                self._take(byte, keys)
            self._since = now
        else:
            self._settle(keys, now)
        return keys

    def waiting(self) -> bool:
        """Whether a sequence is not complete."""
        return bool(self._pending)

    def _settle(self, keys: list[int], now: float) -> None:
        if self._pending and now - self._since >= ESC_S:
            # A lone Esc is a key; the beginning of a sequence that never ended is nothing.
            if len(self._pending) == 1:
                keys.append(device.B)
            self._pending.clear()

    def _take(self, byte: int, keys: list[int]) -> None:
        pending = self._pending
        if not pending:
            if byte == _ESC:
                pending.append(byte)
            elif byte in _PLAIN:
                keys.append(_PLAIN[byte])
        elif len(pending) == 1:
            if byte in b"[O":
                pending.append(byte)
            else:
                # Esc, and then another key.
                keys.append(device.B)
                pending.clear()
                self._take(byte, keys)
        elif byte == _ESC:
            pending[:] = bytes([_ESC])
        elif pending[1] == ord("[") and 0x20 <= byte < 0x40 and len(pending) < _LONGEST:
            # Parameters of a control sequence (ECMA-48, 5.4).
            pending.append(byte)
        else:
            if byte in _ARROWS:
                keys.append(_ARROWS[byte])
            pending.clear()
