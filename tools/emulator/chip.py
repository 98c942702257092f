"""An emulated Pico: MicroPython's UF2 on an RP2040, its flash, a panel, keys, and the serial console.

Built on rp2040py. What that gets wrong is put right here, from outside: an idle USB host sends nothing (rp2040py
completes an empty packet every 10 us, which costs most of the processor), I2C takes time (wires.py), so does the flash
(flash.py), and the emulated clock can be held to the one on the wall. There is no cache between the flash and the
processor, so code that runs from flash is up to 1.6 times too fast or too slow, depending on how well it would be
cached: read times against the calibration loop of tools/bench.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rp2040py.boards import BoardSpec, FlashLayout
from rp2040py.device.base_device import BaseDevice
from rp2040py.memory_map import FLASH_START_ADDRESS

from tools.cli import Failure
from tools.emulator.flash import Flash
from tools.emulator.panels import model
from tools.emulator.wires import Wires
from tools.image import uf2 as image_uf2
from tools.image.filesystem import BLOCK_BYTES, LAYOUTS

FLASH_BYTES = 2 * 1024 * 1024
LAYOUT = LAYOUTS["RPI_PICO"]
MS = 1e6
"""Nanoseconds, the unit of the emulated clock."""

LED = 25
_KICK_NS = 20_000
_CONSOLE_KEPT = 1 << 20
_TO_RAW = b"\r\x03\x03\x01"
_RAW = b"raw REPL; CTRL-B to exit\r\n>"
_RESET_LIMIT_MS = 5000
_RETRY_MS = 500


class PowerCut(Exception):
    """Power failed, as asked for; the text says where."""


def _check(data: bytes) -> None:
    """ValueError unless this UF2 has what an RP2040 starts with; one of a file system, as ours, begins later."""
    address, family, _ = image_uf2.decode(data)
    if (address, family) != (FLASH_START_ADDRESS, image_uf2.RP2040_FAMILY):
        raise ValueError("it is for another chip, or holds a file system alone")


class Pico:
    """A Pico with the parts of a board file. It does nothing until `run` is called; time is emulated milliseconds.

    uf2: MicroPython for RPI_PICO. board: a module of boards/. flash: the whole flash (FLASH_BYTES), as `flash` of an
    earlier Pico gave it; else `files` is a packed file system (tools.image.filesystem.pack) or None for an empty one.
    """

    def __init__(
        self,
        uf2: Path,
        board: Any,
        *,
        flash: bytes | None = None,
        files: bytes | None = None,
        panel: bool = True,
    ) -> None:
        layout = FlashLayout(LAYOUT.offset, LAYOUT.blocks, BLOCK_BYTES)
        try:
            _check(uf2.read_bytes())
            self._device = BaseDevice(board=BoardSpec(image=uf2, layout=layout))
        except (OSError, ValueError) as fault:
            raise Failure(f"{uf2} is not a UF2 of MicroPython for RPI_PICO: {fault}") from None
        self._sim = self._device.simulator
        self.mcu = self._device.mcu
        self.clock = self.mcu.clock
        if flash is not None:
            self.mcu.flash[: len(flash)] = flash
        elif files is not None:
            self.mcu.flash[LAYOUT.offset : LAYOUT.offset + len(files)] = files
        self.panel = model(board)
        panels = {board.I2C_ADDRESS: self.panel} if panel else {}
        self.wires = Wires(self.mcu, board.I2C_BUS, board.I2C_SDA, board.I2C_SCL, panels)
        self.storage = Flash(self.mcu, self._cut)
        self._keys = [None if pin is None else self.mcu.gpio[pin] for pin in board.KEY_PINS]
        self._pressed_high = bool(board.KEY_PRESSED)
        self.console = bytearray()
        self.on_output: Callable[[bytes], None] | None = None
        self.typed = bytearray()
        self._armed: tuple[int, int] | None = None
        self._kick = self.clock.create_alarm(self._hand_over)
        self._wake = self.clock.create_alarm(self._stop)
        self._due = False
        self._cut_text: str | None = None
        self._connect_usb()
        self.mcu.core.pc = FLASH_START_ADDRESS

    # --- the serial console

    def _connect_usb(self) -> None:
        usb, cdc = self.mcu.usb_ctrl, self._device.cdc
        cdc.on_serial_data = self._output
        inner_read, inner_reset = usb.on_endpoint_read, usb.on_reset

        def read(endpoint: int, size: int) -> None:
            """The chip is ready for a packet. Like a real host, answer only when there is something to say."""
            if endpoint == 0 or endpoint != cdc._out_endpoint:
                inner_read(endpoint, size)
                return
            self._armed = (endpoint, size)
            if self.typed:
                self._hand_over()

        def reset() -> None:
            self._armed = None
            inner_reset()

        usb.on_endpoint_read, usb.on_reset = read, reset

    def _hand_over(self) -> None:
        if self._armed and self.typed:
            (endpoint, size), self._armed = self._armed, None
            packet = bytes(self.typed[:size])
            del self.typed[:size]
            self.mcu.usb_ctrl.endpoint_read_done(endpoint, packet)

    def _output(self, data: bytes) -> None:
        self.console += data
        if len(self.console) > 2 * _CONSOLE_KEPT:
            del self.console[:-_CONSOLE_KEPT]
        # End the batch, so that `until` is asked: an idle chip runs through a minute in 5 ms.
        self._sim.stopped = True
        if self.on_output:
            self.on_output(bytes(data))

    def type(self, data: bytes) -> None:
        """Send bytes to the console; they arrive while `run` runs."""
        self.typed += data
        self._kick.schedule(_KICK_NS)

    # --- time

    @property
    def ms(self) -> float:
        """Emulated milliseconds since power-on."""
        return self.clock.nanos / MS

    def _stop(self) -> None:
        self._due = True
        self._sim.stopped = True

    def run(self, ms: float, until: Callable[[], bool] | None = None) -> bool:
        """Run for `ms`, or until `until()` is true, which is asked after each output and every 5 ms of real time or
        so. Whether it was.

        PowerCut when power fails."""
        self._due = False
        self._wake.schedule(max(ms, 0) * MS)
        while not self._due:
            if until and until():
                self._wake.cancel()
                return True
            self._sim.stopped = False
            self._sim._execute_batch()
            if self._cut_text:
                raise PowerCut(self._cut_text)
        return bool(until and until())

    def pace(self, ms: float, until: Callable[[], bool] | None = None) -> bool:
        """`run`, but never ahead of the clock on the wall: an idle chip would race through its own time-outs."""
        started, origin = time.monotonic(), self.ms
        end = origin + ms
        while self.ms < end:
            if self.run(min(4.0, end - self.ms), until):
                return True
            ahead = (self.ms - origin) / 1000 - (time.monotonic() - started)
            if ahead > 0:
                time.sleep(ahead)
            else:
                # Too slow a machine: do not try to catch up later.
                started, origin = time.monotonic(), self.ms
        return bool(until and until())

    # --- the world around it

    def key(self, number: int, down: bool) -> None:
        """Press or let go of a key: 0..5 in the order of KEY_PINS."""
        pin = self._keys[number]
        if pin is None:
            return
        if down:
            pin.set_input_value(self._pressed_high)
        else:
            pin.release_input()

    def battery(self, number: int, raw: int) -> None:
        """What an ADC channel (0..4) reads, 0..4095."""
        self.mcu.adc.channel_values[number] = raw

    def tone_hz(self, pin: int) -> int:
        """What a buzzer at this pin sounds, 0 for silence."""
        channel = self.mcu.pwm.channels[pin >> 1 & 7]
        level = channel.cc >> (16 if pin & 1 else 0) & 0xFFFF
        if not channel.csr & 1 or not level:
            return 0
        sixteenths = channel.div & 0xFFF or 256 * 16
        return round(125e6 * 16 / sixteenths / (channel.top + 1))

    @property
    def flash(self) -> bytes:
        """The whole flash, as it would be found after the power is gone."""
        return bytes(self.mcu.flash[:FLASH_BYTES])

    def _cut(self, what: str) -> None:
        self._cut_text = f"power cut at {self.ms:.1f} ms: {what}"
        self._sim.stopped = True

    def hold_reset(self) -> None:
        """Reset the chip, as its RUN pin does; the flash and everything outside stay."""
        self._device.hard_reset()

    # --- programs over the raw REPL

    def _enter_raw(self, limit_ms: float) -> int:
        """Interrupt what runs and enter the raw REPL; the place on the console after its prompt. TimeoutError."""
        end = self.ms + limit_ms
        while True:
            del self.console[:]
            self.type(_TO_RAW)
            try:
                return self.expect(_RAW, min(_RETRY_MS, limit_ms))
            except TimeoutError:
                # Just before main.py starts, MicroPython takes Ctrl-C for text: it must be sent again.
                if self.ms >= end:
                    raise

    def soft_reset(self) -> None:
        """A fresh interpreter, without main.py (MicroPython skips it in the raw REPL)."""
        at = self._enter_raw(_RESET_LIMIT_MS)
        self.type(b"\x04")
        self.expect(_RAW, _RESET_LIMIT_MS, at)

    def expect(self, text: bytes, limit_ms: float, since: int = 0) -> int:
        """Run until `text` is on the console at or after the place `since`; the place after it. TimeoutError."""
        if not self.run(limit_ms, lambda: text in self.console[since:]):
            tail = bytes(self.console[-200:]).decode("utf-8", "replace")
            raise TimeoutError(f"no {text!r} within {limit_ms:.0f} ms; last on the console: {tail!r}")
        return self.console.index(text, since) + len(text)

    def execute(self, source: str, limit_ms: float = 60_000) -> str:
        """Interrupt whatever runs, run a program, give back what it prints. RuntimeError with the traceback."""
        at = self._enter_raw(limit_ms)
        self.type(source.encode() + b"\x04")
        at = self.expect(b"OK", limit_ms, at)
        end = self.expect(b"\x04", limit_ms, at)
        printed = bytes(self.console[at : end - 1])
        last = self.expect(b"\x04", limit_ms, end)
        fault = bytes(self.console[end : last - 1])
        self.type(b"\x02")
        if fault:
            raise RuntimeError(fault.decode("utf-8", "replace").replace("\r", "").strip())
        return printed.decode("utf-8", "replace").replace("\r", "")
