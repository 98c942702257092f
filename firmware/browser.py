"""What a page runs: the firmware on the browser's device, a turn at a time, with what the page's own controls ask for.

The page (tools/webpage/firmware.ts) calls start() once, then step() from frame to frame. As memory is collected only
between its calls, none of them goes on for longer than a turn. All that is handed over are numbers and texts.
"""

import binascii
import builtins
import gc
import json
import sys

import framebuf
from micropython import const

from firmware import crash, modules, reading, recorded, records, saves, settings, texts
from firmware.app import App
from firmware.art import shell
from firmware.screen import Screen
from games import catalogue
from hal.device import RIGHT
from hal.keys import LAYOUTS
from hal.web import WebDevice

# What fails sooner than this after a start would fail again and again.
_TOO_SOON_MS = const(2000)
_TRIES = const(3)
# A turn in which the picture did not change, one in which it did, and the end.
_SAME = const(0)
_CHANGED = const(1)
_STOPPED = const(2)

# Memory is asked to be collected after so many turns, some seconds.
_COLLECT = const(128)

_SETUP = "setup-"
_SETUP_VERSION = const(1)


class _Console:
    """The device, its firmware, and how often that failed just after it had begun."""

    def __init__(self, page, layout, language, seed):
        self.device = WebDevice(page, layout=layout if layout in LAYOUTS else None)
        self.soon = 0
        self.turns = 0
        self.began = self.device.clock.ms()
        self.app = App(self.device, None, seed)
        if self.app.settings.fresh and language in texts.there():
            # Nobody has chosen yet: as the browser is set.
            self.app.settings.language = language
            self.app.set_language()
            self.app.home()

    def begin(self):
        """Begin anew, with what is kept."""
        self.began = self.device.clock.ms()
        self.app = App(self.device)


_console: "_Console" = None
# What the screen says: (y, x, text) as it is drawn.
_said = []


def start(page, layout="", language="", seed=0):
    """Start the firmware on the functions of the page (hal/web.py). layout: a name of hal/keys.py, the board's if it is
    none. language: which one at the first start, if there is such a one. seed: as of App, 0 for another one each time."""
    global _console
    for name in ("ptr8", "ptr16", "ptr32", "uint"):
        # Names that only the compiler of machine code knows; as bytecode the same lines call them.
        setattr(builtins, name, lambda value: value)
    _listen()
    _console = _Console(page, layout, language, seed or None)


def room():
    """The address of the bus's room in the memory of the WebAssembly."""
    import uctypes

    return uctypes.addressof(_console.device.bus.room)


def step(skipped):
    """A turn of the loop, `skipped` milliseconds of which the firmware shall not notice. Returns _SAME, _CHANGED or
    _STOPPED."""
    console = _console
    device = console.device
    if skipped:
        device.clock.skip(skipped)
    try:
        sent = console.app.step()
    except Exception as fault:
        # As on the board (firmware/main.py): shown short, and a press leads on.
        sys.print_exception(fault)
        crash.keep(fault)
        console.soon = console.soon + 1 if device.clock.since(console.began) < _TOO_SOON_MS else 0
        if console.soon == _TRIES:
            crash.show(device.display, fault)
            device.bus.flush()
            return _STOPPED
        console.begin()
        console.app.open("crash", crash.line(fault))
        sent = 1
    device.bus.flush()
    console.turns += 1
    if console.turns % _COLLECT == 0:
        gc.collect()
    return _CHANGED if sent else _SAME


def key(bit, down):
    """A key went down or up."""
    _console.device.keys.change(bit, down)


def rest():
    """The page may be gone in a moment: keep what is only in memory. Games are saved at each move."""
    _console.app.statistics.keep()


# --- What the screen says


def _listen():
    """Note what is drawn as text, for those who cannot see it."""
    draw_text = Screen.text
    draw_number = Screen.number
    draw_picture = Screen.picture
    clear = Screen.clear

    def noted_clear(screen):
        _said.clear()
        clear(screen)

    def noted_text(screen, text, x, y, *how):
        _said.append((y, x, text))
        return draw_text(screen, text, x, y, *how)

    def noted_number(screen, value, x, y, *how):
        # The digits begin two rows below the cell of a letter beside them.
        _said.append((y - 2, x, str(value)))
        return draw_number(screen, value, x, y, *how)

    def noted_picture(screen, art, x, y, *how):
        if art is shell.POINTER:
            _said.append((y - 2, x, ">"))
        return draw_picture(screen, art, x, y, *how)

    Screen.clear = noted_clear
    Screen.text = noted_text
    Screen.number = noted_number
    Screen.picture = noted_picture


def said():
    """The texts and numbers on the screen, row by row."""
    lines = []
    row = None
    for y, _, text in sorted(_said):
        text = text.strip()
        if not text:
            continue
        if row is None or y - row > 3:
            lines.append(text)
            row = y
        else:
            lines[-1] += " " + text
    return "\n".join(lines)


# --- What the page shows beside the handheld


class _Paper:
    """A display that nobody sees."""

    def __init__(self, display):
        self.width = display.width
        self.height = display.height
        self.buffer = bytearray(self.width * self.height // 8)
        self.frame = framebuf.FrameBuffer(self.buffer, self.width, self.height, framebuf.MONO_VLSB)


def help_pages(game, count):
    """What the screen shows of the first pages of a game's rules: one frame after the other (MONO_VLSB), in
    hexadecimal."""
    paper = _Paper(_console.device.display)
    said = list(_said)
    shown = bytearray()
    scene = modules.scene("help").Scene(_console.app, game)
    for _ in range(count):
        paper.frame.fill(0)
        scene.draw(Screen(paper))
        shown += paper.buffer
        scene.key(RIGHT)
    _said[:] = said
    return binascii.hexlify(bytes(shown)).decode()


def scene():
    """The name of the scene on top."""
    return _console.app.where()[-1]


def state():
    """What is set and what is played, as JSON."""
    app = _console.app
    found = {
        "language": app.settings.language,
        "languages": texts.there(),
        "speed": app.settings.values[settings.SPEED],
        "sound": app.settings.values[settings.SOUND],
        "games": [[game, texts.t("game." + game)] for game in modules.GAMES],
        "layout": _console.device.keys.layout,
    }
    top = app.top()
    saved = getattr(top, "saved", None)
    if scene() == "setup":
        found["game"] = top.game
        found["word"] = top.word
        return json.dumps(found)
    if saved is None:
        data = _console.device.store.load(saves.NAME)
        try:
            saved = data and reading.read(data)
        except ValueError:
            saved = None
    if saved:
        found["game"] = saved.game
        found["word"] = saved.word
        found["options"] = saved.options
        found["kinds"] = list(saved.kinds)
    return json.dumps(found)


def set_language(code):
    """Change the language, in the middle of a game too. ValueError for one that is not there."""
    if code not in texts.there():
        raise ValueError("no such language")
    app = _console.app
    # What lies above a game has its texts already.
    where = app.where()
    if "game" in where:
        while where[-1] != "game":
            app.back()
    elif where[-1] != "replay":
        app.home()
    app.settings.language = code
    app.set_language()
    if len(where) == 1:
        app.home()
    app.top().dirty = True
    _keep()


def set_speed(value):
    """Change the speed of the animations, a choice of firmware/settings.py."""
    _set(settings.SPEED, value)


def set_sound(on):
    """Turn the sound on or off."""
    _set(settings.SOUND, int(on))


def _set(which, value):
    if 0 <= value < settings.CHOICES[which]:
        app = _console.app
        app.settings.values[which] = value
        app.apply()
        app.top().dirty = True
        _keep()


def set_layout(name):
    """Change the layout of the keys."""
    if name in LAYOUTS:
        _console.device.keys.use(name)
        _console.app.top().dirty = True


def _keep():
    app = _console.app
    store = app.device.store
    if not app.settings.save(store):
        app.tell(store.message)


def open_game(game, word, options, kinds):
    """Open the set-up of a game with a word, as a link asks for it; False if there is no such game. options: a bit mask.
    kinds: digits, a kind of player (firmware/saves.py) for each place, as was set last if empty or impossible."""
    if game not in modules.GAMES:
        return False
    app = _console.app
    app.home()
    names = catalogue.options(game)
    most = catalogue.seats(game, (1 << len(names)) - 1)[1]
    if kinds and len(kinds) <= most and not options >> len(names) and not kinds.strip("12345"):
        # As scenes/setup.py keeps what was begun with last, the first place first; what cannot be it refuses.
        kept = [ord(kind) - 48 for kind in kinds] + [saves.NOBODY] * (most - len(kinds))
        app.device.store.save(_SETUP + game, bytes([_SETUP_VERSION, options, 1] + kept))
    app.open("setup", game)
    if len(word) == saves.LETTERS and not [letter for letter in word if not "A" <= letter <= "Z"]:
        app.top().word = word
    return True


# --- Records


def _kept():
    """The kept games that can be read, the newest first."""
    found = []
    for data in records.load(_console.device.store)[0]:
        try:
            found.append(reading.read(data))
        except ValueError:
            pass
    return found


def kept():
    """The kept games as JSON, the newest first: a list of game, word, winners (bit mask), file name of the record."""
    return json.dumps([[saved.game, saved.word, saved.winners, recorded.name(saved)] for saved in _kept()])


def record(name):
    """The record of the kept game with that file name, "" if it cannot be had."""
    for saved in _kept():
        if recorded.name(saved) == name:
            try:
                return recorded.text(saved)
            except ValueError:
                return ""
    return ""


def replay(text):
    """Show the first game of a record. Returns "", or what is wrong with it."""
    app = _console.app
    try:
        shown = recorded.Recorded(text)
        app.home()
        # The scene makes its course of the record's chance, not of a generator's. It is forgotten when it goes.
        modules.scene("replay").Course = recorded.RecordedCourse
        app.open("replay", shown)
    except ValueError as fault:
        return str(fault)
    return ""
