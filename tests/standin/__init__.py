"""A stand-in for a board on USB: MicroPython for unix on a littlefs image, behind a pseudo-terminal."""
