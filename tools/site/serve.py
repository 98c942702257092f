"""Serves a folder on this computer alone."""

from __future__ import annotations

import errno
import functools
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tools.cli import Failure

HOST = "127.0.0.1"


class Handler(SimpleHTTPRequestHandler):
    """Files with the types that browsers insist on, whatever this system's table says, and no log."""

    extensions_map = {  # noqa: RUF012 (the base class has it so)
        "": "application/octet-stream",
        ".css": "text/css; charset=utf-8",
        ".gz": "application/gzip",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".mjs": "text/javascript; charset=utf-8",
        ".png": "image/png",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def end_headers(self) -> None:
        # A page that was just built anew must not meet its old parts.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    """A server of `folder` on HOST. port 0: any that is free. Failure if the port is taken."""

    daemon_threads = True

    def __init__(self, folder: Path, port: int) -> None:
        try:
            super().__init__((HOST, port), functools.partial(Handler, directory=str(folder)))
        except OSError as fault:
            if fault.errno in (errno.EADDRINUSE, errno.EACCES):
                raise Failure(f"port {port} cannot be had: {fault.strerror}; give another one with --port N") from None
            raise
        except OverflowError:
            raise Failure(f"port {port}: ports go up to 65535") from None

    @property
    def address(self) -> str:
        """What a browser calls it."""
        return f"http://localhost:{self.server_address[1]}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that went away in the middle is no fault."""
