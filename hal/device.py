"""What a device is: the parts that every device offers, and the names they share.

hal/pico.py, hal/host.py and hal/web.py each make one. A device is any object with these attributes:

board      the board module (boards/NAME.py), constants only
display    .width .height (pixels), .buffer (width * height / 8 bytes, MONO_VLSB), .frame (a framebuf.FrameBuffer
           over the buffer), .show() -> bytes sent (only what changed; OSError if the panel does not answer),
           .start() (sets a panel up anew that was away, with the frame; OSError), .contrast(0..255), .on(bool),
           .turn(bool) (picture upside down, for a panel mounted so)
keys       .scan() once per tick, .next() -> one key bit of the next press, SOON, BACK or 0, .held() -> mask of key bits,
           .layout (a name of hal/keys.py LAYOUTS)
clock      .ms() -> 0..TICKS_MASK, .since(t) -> milliseconds elapsed since t = an earlier .ms(), right across the
           wrap for up to 2**30 ms (12 days), .sleep(ms)
speaker    .tone(hz, ms) starts a tone and returns at once (hz 0: silence), .tick() once per tick
store      .load(name) -> bytes or None, .save(name, data) -> True if it was kept, .remove(name),
           .message (key of a text that says what went wrong at the last call, or None)
power      .battery_mv() -> millivolts, 0 where it is not known; .usb() -> whether USB gives power (True where that is not
           known); .rest(ms) sleeps with the clocks off, deaf to USB and to edges of keys
finder     None, or what finds out which controller the panel has (hal/findout.py): .certain, .name(), .next() -> the
           display as another one's, .keep()
say(...)   prints its arguments as a line where the maker of a board reads along: the serial console
led(lit)   lights the LED of the board, or not
examine()  -> (I2C addresses that answer, None without such a bus; mask of keys that are down; pairs of GPIOs of keys
           whose lines touch; free flash in KB), for the self-test
entropy()  -> an unpredictable integer in 1..2**30-1, to seed a generator
"""

from micropython import const

UP = const(1)
DOWN = const(2)
LEFT = const(4)
RIGHT = const(8)
A = const(16)
B = const(32)
# What a key that is held means, beside the presses: on layouts without a B, B in the middle of the hold; after a second
# of it, one level back from where it stood when the key went down.
SOON = const(64)
BACK = const(128)

# In the order of their bits, which is also the order of KEY_PINS in a board file.
KEY_NAMES = ("UP", "DOWN", "LEFT", "RIGHT", "A", "B")

# MicroPython's ticks_ms() wraps here on the Pico, so every clock does: a fault at the wrap shows on every device.
TICKS_MASK = const(0x3FFFFFFF)
