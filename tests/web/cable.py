"""A port of WebSerial in a page of a browser under test: its bytes go to a board behind a TCP port."""

from __future__ import annotations

import base64
import select
import socket
from typing import Any

# For the page, before its own scripts. It refuses without a press, as the real one does; window.chooseNone: nothing is chosen.
PORT = """
class Port {
  async open() {
    if (!(await window.portOpen())) throw new DOMException("Failed to open serial port.", "NetworkError");
    this.readable = new ReadableStream({
      pull: async (controller) => {
        for (;;) {
          const text = await window.portRead();
          if (text === null) {
            this.readable = null;
            controller.error(new DOMException("The device has been lost.", "NetworkError"));
            return;
          }
          if (text) {
            controller.enqueue(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
            return;
          }
          await new Promise((done) => setTimeout(done, 2));
        }
      },
    });
    this.writable = new WritableStream({
      write: (bytes) => window.portWrite(btoa(String.fromCharCode(...bytes))),
    });
  }

  async close() {
    if (this.readable?.locked || this.writable.locked) throw new TypeError("a locked stream");
    await window.portClose();
  }
}
const serial = {
  async requestPort(options) {
    if (!navigator.userActivation.isActive) throw new DOMException("no press", "SecurityError");
    window.asked = options;
    if (window.chooseNone) throw new DOMException("No port selected by the user.", "NotFoundError");
    return new Port();
  },
};
Object.defineProperty(Navigator.prototype, "serial", { value: serial, configurable: true });
"""
NO_PORT = "Object.defineProperty(Navigator.prototype, 'serial', { value: undefined })"


class Cable:
    """What the page's port is made of: a connection to the board at that TCP port, which one opens at a time."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.socket: socket.socket | None = None

    def plug(self, context: Any) -> None:
        """Into the pages of a browser's context; they need PORT."""
        context.expose_function("portOpen", self.open)
        context.expose_function("portRead", self.read)
        context.expose_function("portWrite", self.write)
        context.expose_function("portClose", self.close)

    def open(self) -> bool:
        if self.socket:
            return False
        self.socket = socket.create_connection(("127.0.0.1", self.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return True

    def read(self) -> str | None:
        if not self.socket:
            return None
        if not select.select([self.socket], [], [], 0)[0]:
            return ""
        try:
            data = self.socket.recv(65536)
        except OSError:
            data = b""
        return base64.b64encode(data).decode() if data else None

    def write(self, text: str) -> None:
        self.socket.sendall(base64.b64decode(text))

    def close(self) -> None:
        self.socket.close()
        self.socket = None
