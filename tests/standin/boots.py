"""Runs under MicroPython: boots a flash image once for every moment at which the power may fail.

Arguments: the image before, the journal that prelude.py wrote. For each flash operation of the journal, the image
with all operations before it is booted, then the same with half of that operation done; at the end the image with all.
Prints a line `cut N whole|torn` and what main.py prints.
"""

import os
import struct
import sys

import vfs

BLOCK = 4096


class Memory:
    def __init__(self, data):
        self.data = data

    def readblocks(self, block, buffer, offset=0):
        at = block * BLOCK + offset
        buffer[:] = self.data[at : at + len(buffer)]

    def writeblocks(self, block, buffer, offset=0):
        at = block * BLOCK + offset
        self.data[at : at + len(buffer)] = buffer

    def ioctl(self, operation, argument):
        if operation == 4:
            return len(self.data) // BLOCK
        if operation == 5:
            return BLOCK
        if operation == 6:
            self.writeblocks(argument, b"\xff" * BLOCK)
            return 0


def boot(image, label):
    print(label)
    for name in list(sys.modules):
        if name.split(".")[0] in ("firmware", "hal", "games", "boards"):
            del sys.modules[name]
    sys.path[:] = ["", "/lib"]
    vfs.mount(vfs.VfsLfs2(Memory(bytearray(image)), progsize=256), "/")
    os.chdir("/")
    try:
        with open("/main.py") as f:
            source = f.read()
        exec(source, {"__name__": "__main__"})
    except OSError:
        print("no main.py")
    os.chdir("/")
    vfs.umount("/")


with open(sys.argv[1], "rb") as file:
    flash = bytearray(file.read())
operations = []
with open(sys.argv[2], "rb") as file:
    while True:
        head = file.read(8)
        if not head:
            break
        at, size = struct.unpack("<II", head)
        operations.append((at, file.read(size)))
vfs.umount("/")
for number, (at, data) in enumerate(operations):
    boot(flash, "cut {} whole".format(number))
    before = bytes(flash[at : at + len(data)])
    half = len(data) // 2
    flash[at : at + half] = data[:half]
    boot(flash, "cut {} torn".format(number))
    flash[at : at + len(data)] = data
boot(flash, "cut {} whole".format(len(operations)))
