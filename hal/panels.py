"""The panel of a board at the start: its reset, its bus, its driver. Not kept in memory afterwards."""

import machine

from hal.bus import TIMEOUT_US, I2CBus, SPIBus

# Leave this much time after power-on. The data sheets ask for the supply to be stable and 3 us of reset; modules make both
# from slow RC circuits of their own, and those in kits were seen to miss commands for up to this long.
POWER_ON_MS = 100


def driver(name):
    """The driver class of a controller, as board files name it."""
    if name == "ssd1306":
        from hal.ssd1306 import SSD1306

        return SSD1306
    if name == "ssd1309":
        from hal.ssd1309 import SSD1309

        return SSD1309
    if name == "sh1106":
        from hal.sh1106 import SH1106

        return SH1106
    from hal.sh1107 import SH1107

    return SH1107


def panel(board, clock, store):
    """The panel of a board; its I2C bus, or None; the finder of its controller, or None where the board file names it.
    OSError, in words, if it does not answer."""
    reset = None
    if board.RESET is not None:
        line = machine.Pin(board.RESET, machine.Pin.OUT)

        def reset():
            line.value(0)
            clock.sleep(1)
            line.value(1)

        reset()
    # The clock started at power-on, or at a later reset: then this waits once more for nothing.
    wait = POWER_ON_MS - clock.ms()
    if wait > 0:
        clock.sleep(wait)
    i2c = finder = None
    if board.BUS == "spi":
        # Nobody answers on SPI: what is not there cannot be told.
        spi = machine.SPI(
            board.SPI_BUS, board.SPI_HZ, sck=machine.Pin(board.SPI_SCK), mosi=machine.Pin(board.SPI_MOSI), miso=None
        )
        bus = SPIBus(spi, machine.Pin(board.SPI_CS, machine.Pin.OUT), machine.Pin(board.SPI_DC, machine.Pin.OUT), reset)
    else:
        i2c = machine.I2C(
            board.I2C_BUS,
            sda=machine.Pin(board.I2C_SDA),
            scl=machine.Pin(board.I2C_SCL),
            freq=board.I2C_HZ,
            timeout=TIMEOUT_US,
        )
        bus = I2CBus(i2c, board.I2C_ADDRESS, reset)
    try:
        if board.DISPLAY == "find out":
            from hal.findout import Finder

            finder = Finder(board, i2c, store, reset)
            return finder.make(), i2c, finder
        made = driver(board.DISPLAY)(bus, board.WIDTH, board.HEIGHT, board.COLUMN_OFFSET, board.TURNED)
        return made, i2c, finder
    except OSError as fault:
        if i2c is None:
            raise
        found = ", ".join([hex(address) for address in i2c.scan()])
        raise OSError(
            "no panel answers at 0x{:02x} on GP{} (SDA) and GP{} (SCL): check its four wires. What answers: {}".format(
                board.I2C_ADDRESS, board.I2C_SDA, board.I2C_SCL, found or "nothing"
            )
        ) from fault
