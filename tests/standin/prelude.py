"""Makes MicroPython for unix a board: runs in it before the REPL, with a littlefs image file as `/`.

From the environment: CAIRN_FLASH the image (made when missing), CAIRN_BLOCKS its size in blocks of 4096 bytes,
CAIRN_ID the unique id, CAIRN_MAIN=1 to start main.py as a board does, CAIRN_LED a file that gets the LED's levels,
CAIRN_JOURNAL a file that gets every flash operation (see boots.py), CAIRN_VERSION another MicroPython version.
Prints a byte 0x1E when the file system is mounted: a board is as far before its port is there.
"""

import io
import os
import struct
import sys

import vfs

BLOCK = 4096


class Flash:
    def __init__(self, path, blocks, journal):
        self.blocks = blocks
        self.journal = open(journal, "ab") if journal else None
        try:
            os.stat(path)
            self.new = False
        except OSError:
            self.new = True
            with open(path, "wb") as f:
                for _ in range(blocks):
                    f.write(b"\xff" * BLOCK)
        self.file = open(path, "r+b")

    def readblocks(self, block, buffer, offset=0):
        self.file.seek(block * BLOCK + offset)
        self.file.readinto(buffer)

    def writeblocks(self, block, buffer, offset=0):
        self.put(block * BLOCK + offset, bytes(buffer))

    def put(self, at, data):
        if self.journal:
            self.journal.write(struct.pack("<II", at, len(data)))
            self.journal.write(data)
            self.journal.flush()
        self.file.seek(at)
        self.file.write(data)
        self.file.flush()

    def ioctl(self, operation, argument):
        if operation == 4:
            return self.blocks
        if operation == 5:
            return BLOCK
        if operation == 6:
            self.put(argument * BLOCK, b"\xff" * BLOCK)
            return 0


class Pin:
    OUT = 1

    def __init__(self, name, mode):
        if name != "LED":
            raise ValueError(name)

    def value(self, level):
        led.write(str(level))
        led.flush()


class Machine:
    Pin = Pin

    @staticmethod
    def unique_id():
        return os.getenv("CAIRN_ID", "standin").encode()


class Implementation:
    version = tuple(map(int, os.getenv("CAIRN_VERSION", "0.0.0").split(".")))
    _machine = sys.implementation._machine
    _mpy = sys.implementation._mpy


class OldSystem:
    implementation = Implementation
    modules = sys.modules
    path = sys.path
    platform = sys.platform
    print_exception = sys.print_exception


led = open(os.getenv("CAIRN_LED"), "a") if os.getenv("CAIRN_LED") else io.StringIO()
sys.modules["machine"] = Machine
if os.getenv("CAIRN_VERSION"):
    sys.modules["sys"] = OldSystem
flash = Flash(os.getenv("CAIRN_FLASH"), int(os.getenv("CAIRN_BLOCKS", "352")), os.getenv("CAIRN_JOURNAL"))
if flash.new:
    vfs.VfsLfs2.mkfs(flash, progsize=256)
filesystem = vfs.VfsLfs2(flash, progsize=256)
vfs.umount("/")
vfs.mount(filesystem, "/")
os.chdir("/")
sys.path[:] = ["", ".frozen", "/lib"]
print("\x1e", end="")
if os.getenv("CAIRN_MAIN"):
    try:
        with open("/main.py") as file:
            source = file.read()
    except OSError:
        source = ""
    try:
        exec(source, {"__name__": "__main__"})
    except Exception as fault:
        # As a board: print what it is, go on to the REPL.
        sys.print_exception(fault)
