"""I2C wires of the emulated chip: bytes take as long as on copper, and a panel answers on both ways to drive them.

rp2040py's controller finishes everything at once; here each step ends after the bit times that the registers ask for.
MicroPython sends writes without data (scan) by toggling the pins, which a second listener understands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rp2040py.gpio_pin import FUNCTION_SIO, GPIOPinState
from rp2040py.peripherals import i2c as controller

from tools.emulator.panel import Panel

_BYTE_BITS = 9
"""Eight bits and the acknowledgement."""


class Wires:
    """The bus of one I2C controller with `panels` (address: panel) on it. `None` as a panel: nobody answers.

    `transfers` counts writes that were answered, `busy_ns` the time from their start to their end.
    """

    def __init__(self, mcu: Any, bus: int, sda: int, scl: int, panels: dict[int, Panel]) -> None:
        self.panels = panels
        self.transfers = 0
        self.bytes = 0
        self.busy_ns = 0.0
        self._started_ns = 0.0
        self._clock = mcu.clock
        self._ic = mcu.i2c[bus]
        self._to: Panel | None = None
        self._then: Callable[[], None] = lambda: None
        self._alarm = mcu.clock.create_alarm(lambda: self._then())
        self._take_over()
        _Toggled(mcu, sda, scl, self)

    def bit_ns(self) -> float:
        """One clock of SCL, by the counts in the registers (RP2040 data sheet, 4.3.14) at 125 MHz."""
        ic = self._ic
        high = ic.scl_high_period + (ic._spikelen & 0xFF) + 7
        low = ic.scl_low_period + 1
        return (high + low) * 8.0

    def _in(self, bits: int, then: Callable[[], None]) -> None:
        self._then = then
        self._alarm.schedule(bits * self.bit_ns())

    def _take_over(self) -> None:
        ic = self._ic
        ic.on_start = lambda repeated: self._in(1, ic.complete_start)
        ic.on_connect = self._called
        ic.on_write_byte = self._written
        ic.on_read_byte = lambda acknowledged: self._in(_BYTE_BITS, lambda: ic.complete_read(0xFF))
        ic.on_stop = lambda: self._in(1, self._ended)
        advance = ic._next_command

        def next_command() -> None:
            advance()
            # With TX_EMPTY_CTRL the flag waits for the shift register (data sheet, IC_CON bit 8), not for the FIFO.
            if ic._busy and ic._tx_fifo.empty and ic.control & controller.TX_EMPTY_CTRL:
                ic._clear_interrupts(controller.R_TX_EMPTY)

        ic._next_command = next_command

    def _flag_empty(self) -> None:
        if self._ic._tx_fifo.empty:
            self._ic._set_interrupts(controller.R_TX_EMPTY)

    def _called(self, address: int, mode: int) -> None:
        self._to = self.panels.get(address) if mode == controller.I2CMode.WRITE else None
        self._started_ns = self._clock.nanos

        def answer() -> None:
            if self._to is not None:
                self._to.begin()
                self.bytes += 1
            self._ic.complete_connect(self._to is not None)
            if self._to is None:
                self._flag_empty()

        self._in(_BYTE_BITS, answer)

    def _written(self, value: int) -> None:
        def arrive() -> None:
            if self._to is not None:
                self._to.write(value)
                self.bytes += 1
            self._flag_empty()
            self._ic.complete_write(self._to is not None)

        self._in(_BYTE_BITS, arrive)

    def _ended(self) -> None:
        if self._to is not None:
            self.transfers += 1
            self.busy_ns += self._clock.nanos - self._started_ns
            self._to = None
        self._ic.complete_stop()


class _Toggled:
    """The same bus when software toggles the pins: answers to addresses, takes writes."""

    def __init__(self, mcu: Any, sda: int, scl: int, wires: Wires) -> None:
        self._wires = wires
        self._sda_pin, self._scl_pin = mcu.gpio[sda], mcu.gpio[scl]
        self._sda = self._scl = True
        self._holding = False
        self._clocks = -1  # since the start condition; -1: no transfer
        self._shifted = 0
        self._called = False  # the address byte is through
        self._to: Panel | None = None
        for pin in (self._sda_pin, self._scl_pin):
            pin.set_input_value(True)  # the resistors of the module
        self._sda_pin.add_listener(lambda now, before: self._sda_changed(now != GPIOPinState.LOW))
        self._scl_pin.add_listener(lambda now, before: self._scl_changed(now != GPIOPinState.LOW))

    def _by_software(self) -> bool:
        return FUNCTION_SIO in (self._sda_pin.function_select, self._scl_pin.function_select)

    def _hold(self, low: bool) -> None:
        if low != self._holding:
            self._holding = low
            self._sda_pin.set_input_value(not low)

    def _sda_changed(self, high: bool) -> None:
        was, self._sda = self._sda, high
        if not self._by_software() or was == high or not self._scl or self._holding:
            return
        if high:
            self._clocks = -1
        else:
            self._clocks = self._shifted = 0
            self._called = False
            self._to = None

    def _scl_changed(self, high: bool) -> None:
        was, self._scl = self._scl, high
        if not self._by_software() or was == high or self._clocks < 0:
            return
        if high:
            if self._clocks < 8:
                self._shifted = self._shifted << 1 & 0xFF | self._sda
            self._clocks += 1
        elif self._clocks == 8:
            if not self._called:
                self._called = True
                self._to = None if self._shifted & 1 else self._wires.panels.get(self._shifted >> 1)
                if self._to is not None:
                    self._to.begin()
            elif self._to is not None:
                self._to.write(self._shifted)
            self._hold(self._to is not None)
        elif self._clocks == 9:
            self._clocks = 0
            self._hold(False)
