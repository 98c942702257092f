"""The flash of the emulated chip: it takes the time that a real one takes, and power can fail in any operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rp2040py.peripherals import ssi

# W25Q16JV, the Pico's flash, typical times (Winbond data sheet, section 9.6: tSE, tBE2, tPP).
SECTOR_ERASE_NS = 45e6
BLOCK_ERASE_NS = 150e6
PAGE_PROGRAM_NS = 0.4e6

_STEP_NS = 200e3
"""How far the clock runs on at a look at the busy flag; emulating each turn of that loop would take seconds."""

BEFORE, HALF, AFTER = "before", "half", "after"
"""When power fails: the operation did nothing, was half done, was done."""


class Flash:
    """Watches the commands that go to the flash. `erases` and `programs` count them since power-on."""

    def __init__(self, mcu: Any, on_cut: Callable[[str], None]) -> None:
        self.erases = 0
        self.programs = 0
        self.cut_at: int | None = None
        self.cut_how = HALF
        self._on_cut = on_cut
        self._mcu = mcu
        self._ssi = mcu.ssi
        self._busy_until_ns = 0.0
        self._carry_out, self._shift = mcu.ssi._apply_command, mcu.ssi._shift_byte
        mcu.ssi._apply_command = self._command
        mcu.ssi._shift_byte = self._byte

    @property
    def operations(self) -> int:
        """Erases and programs since power-on."""
        return self.erases + self.programs

    def _command(self) -> None:
        sent = self._ssi._tx_buffer
        code = sent[0] if sent else 0
        erase = code in (ssi.CMD_SECTOR_ERASE, ssi.CMD_BLOCK_ERASE) and len(sent) >= 4
        program = code == ssi.CMD_PAGE_PROGRAM and len(sent) > 4
        if not self._ssi._write_enabled or not (erase or program):
            self._carry_out()
            return
        if erase:
            self.erases += 1
            takes = SECTOR_ERASE_NS if code == ssi.CMD_SECTOR_ERASE else BLOCK_ERASE_NS
        else:
            self.programs += 1
            takes = PAGE_PROGRAM_NS
        self._busy_until_ns = self._mcu.clock.nanos + takes
        if self.operations != self.cut_at:
            self._carry_out()
            return
        what = f"{'erase' if erase else 'program'} at {int.from_bytes(sent[1:4], 'big'):#08x}"
        if self.cut_how == HALF:
            self._half(code, bytes(sent))
        elif self.cut_how == AFTER:
            self._carry_out()
        self._on_cut(f"operation {self.operations}, {what}, {self.cut_how}")

    def _half(self, code: int, sent: bytes) -> None:
        """The first half of what the command would have done."""
        at = int.from_bytes(sent[1:4], "big")
        memory = self._mcu.flash
        if code == ssi.CMD_PAGE_PROGRAM:
            data = sent[4 : 4 + (len(sent) - 3) // 2]
            for i, byte in enumerate(data):
                memory[at + i] &= byte
        else:
            size = ssi.FLASH_SECTOR_SIZE if code == ssi.CMD_SECTOR_ERASE else ssi.FLASH_BLOCK_SIZE
            at &= -size
            memory[at : at + size // 2] = b"\xff" * (size // 2)

    def _byte(self, sent: int) -> int:
        answer = self._shift(sent)
        asked = self._ssi._tx_buffer
        if len(asked) > 1 and asked[0] == ssi.CMD_READ_STATUS_1:
            clock = self._mcu.clock
            left = self._busy_until_ns - clock.nanos
            if left > 0:
                clock.tick(min(left, _STEP_NS))
                answer |= self._busy_until_ns > clock.nanos
        return answer
