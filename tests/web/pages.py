"""A visit to the page: its keys, its time, what the screen shows."""

from __future__ import annotations

from typing import Any

from hal.store import Store

ENTER, ESCAPE = "Enter", "Escape"
KEYS = {"U": "ArrowUp", "D": "ArrowDown", "L": "ArrowLeft", "R": "ArrowRight", "A": ENTER, "B": ESCAPE}
READY_MS = 20000

# Time that goes by in frames(), in which the page's frames are called one after the other.
_TIME = """
(() => {
    let now = 1000;
    const waiting = [];
    performance.now = () => now;
    Date.now = () => 1.8e12 + now;
    window.requestAnimationFrame = (call) => waiting.push(call);
    window.frames_ = (count) => {
        for (let i = 0; i < count; i++) {
            now += 1000 / 60;
            for (const call of waiting.splice(0)) call(now);
        }
        return document.documentElement.dataset.scene;
    };
})();
"""

# The middle of each pixel of the panel, as its canvas shows it: a frame of 1024 bytes.
_PICTURE = """
() => {
    const canvas = document.getElementById("screen");
    const scale = Number(canvas.dataset.scale);
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const data = copy.getImageData(0, 0, canvas.width, canvas.height).data;
    const frame = new Array(1024).fill(0);
    for (let y = 0; y < 64; y++) for (let x = 0; x < 128; x++) {
        const middle = Math.floor(scale / 2) - (scale > 2 ? 1 : 0);
        const at = ((y * scale + middle) * canvas.width + x * scale + middle) * 4;
        if (data[at + 1] > 60) frame[(y >> 3) * 128 + x] |= 1 << (y & 7);
    }
    return frame;
}
"""


class Visit:
    """One page of a browser's context. `complaints`: what it wrote onto the console, or threw; `requests`: what it asked for."""

    def __init__(self, context: Any, address: str, fast: bool, before: str) -> None:
        self.context = context
        self.page = context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._address = address
        self._fast = fast
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda fault: self.complaints.append(str(fault)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        if fast:
            self.page.add_init_script(_TIME)
        if before:
            self.page.add_init_script(before)

    def go(self, hash: str = "") -> None:
        self.page.goto(self._address + hash)
        self.ready()

    def reload(self) -> None:
        self.page.reload()
        self.ready()

    def ready(self) -> None:
        """Wait until the firmware runs."""
        # The interval is the browser's, as frames may be ours.
        self.page.wait_for_function("document.documentElement.dataset.ready", timeout=READY_MS, polling=50)
        if self._fast:
            self.frames(60)

    def frames(self, count: int) -> str:
        """Let so many frames go by; the scene on the screen."""
        return self.page.evaluate("count => frames_(count)", count)

    def press(self, letters: str) -> str:
        """Keys on the keyboard, one after the other, as tests/firmware/hand.py names them. The scene on the screen."""
        scene = ""
        for letter in letters:
            if letter != ".":
                self.page.keyboard.press(KEYS[letter])
            if self._fast:
                scene = self.frames(4)
            else:
                self.page.wait_for_timeout(80)
        return scene or self.scene()

    def scene(self) -> str:
        return self.page.evaluate("document.documentElement.dataset.scene")

    def until(self, scene: str, ms: int = 10000) -> None:
        """Wait, in real time, until that scene is on the screen."""
        shown = "scene => document.documentElement.dataset.scene === scene"
        self.page.wait_for_function(shown, arg=scene, timeout=ms, polling=50)

    def picture(self) -> bytes:
        """What the canvas shows, MONO_VLSB."""
        return bytes(self.page.evaluate(_PICTURE))

    def said(self) -> str:
        """What is told of the screen to those who cannot see it."""
        return self.page.locator("#said").text_content() or ""

    def ready_state(self) -> str:
        return self.page.evaluate("document.documentElement.dataset.ready")

    def notice(self) -> str:
        return self.page.locator("#notice.shown span").text_content(timeout=5000) or ""

    def saved(self, folder) -> Store:
        """The saves that the browser keeps, as a store in `folder`."""
        kept = self.page.evaluate("() => ({...localStorage})")
        for key, text in kept.items():
            if key.startswith("cairn/save/"):
                (folder / key.rpartition("/")[2]).write_bytes(bytes.fromhex(text))
        return Store(str(folder))
