"""Run by tests: an emulated Pico behind a TCP port, in a process of its own. `emulated_port.py UF2 FLASH CUT`.

FLASH is the file with its whole flash, written back at the end; CUT the flash operation at which power fails, 0 never.
Prints the port, and at the end `cut` or `off` with the number of flash operations. A line on stdin switches it off.
"""

import sys
import threading
from pathlib import Path

from boards import reference
from tools.emulator import chip, serve


def main(uf2, flash, cut_at):
    path = Path(flash)
    pico = chip.Pico(Path(uf2), reference, flash=path.read_bytes() if path.exists() else None)
    pico.storage.cut_at = int(cut_at) or None
    server = serve.Server(pico, 0)
    print(server.port, flush=True)
    off = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.readline(), off.set()), daemon=True).start()
    how = "off"
    try:
        while not off.is_set():
            server.turn()
    except chip.PowerCut:
        how = "cut"
    server.close()
    path.write_bytes(bytes(pico.flash))
    print(how, pico.storage.operations, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
