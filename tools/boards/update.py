"""The update of one board: fills the folder that is not in use, checks it by hash, then switches.

The two folders and the pointer are explained in firmware/loader.py. Beside `manifest.json` a folder may hold
`manifest.old`, the one it had before the update that is under way, and `manifest.new`, of that update: together they
name the files that are ours, also after an interruption. Files that no manifest names are somebody else's and stay.

Every step leaves a board that starts the old firmware or the new one; tests/tools/test_interruption.py cuts the power
at each flash operation of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tools.boards.link import BoardError, Full, Link
from tools.image.filesystem import FIRST_FOLDER, POINTER
from tools.image.image import LOADER, MANIFEST, WHOLE_ENDING, Entry, Image, Manifest

FOLDERS = ("a", "b")
_OLD, _NEW = "manifest.old", "manifest.new"
_PART = ".part"
_LOADER_MARK = b'"""Starts the firmware: goes onto the device as /main.py'
_KEPT = "main-before-cairn.py"
_LONG_LIMIT_S = 60.0  # for calls that hash or copy a group of files
_GROUP_FILES = 8
_GROUP_BYTES = 64 * 1024
_INLINE_BYTES = 512  # littlefs keeps files up to an eighth of a block in the blocks of their folder
_MPY_ARCH_NUMBERS = {"armv6m": range(4, 9)}
"""Machine code that a MicroPython loads: numbers in sys.implementation._mpy (MicroPython, py/persistentcode.h): an
ARM core takes what is made for a smaller one, armv6m = 4 ... armv7emdp = 8."""


@dataclass
class State:
    """What is on a board, as read from it.

    whole: the folders that the loader takes for whole. manifests: folder: what its manifest says, if it is whole and
    can be read. named: folder: paths that its manifests name, whole or not. files: path from the root: size.
    pointer: what the pointer file says, None without one.
    """

    board: dict
    pointer: str | None
    whole: set[str]
    manifests: dict[str, Manifest]
    named: dict[str, set[str]]
    files: dict[str, int]
    folders: set[str]
    main: bytes | None

    @property
    def running(self) -> str | None:
        """The folder that the loader would start, None if it finds none."""
        first = self.pointer if self.pointer in FOLDERS else FIRST_FOLDER
        for folder in (first, *FOLDERS):
            if folder in self.whole:
                return folder
        return None

    @property
    def version(self) -> str:
        """The firmware that would start, in words."""
        if self.running is None:
            return "no Cairn"
        manifest = self.manifests.get(self.running)
        if manifest is None:
            return "a Cairn newer than this"
        return f"Cairn {manifest.version} ({manifest.build})"

    @property
    def micropython(self) -> str:
        return ".".join(map(str, self.board["version"]))


def look(link: Link) -> State:
    """Read what is on the board."""
    board = link.call("survey")
    files, folders = {}, set()
    for path, size in link.call("tree", "/", limit_s=_LONG_LIMIT_S):
        if size < 0:
            folders.add(path)
        else:
            files[path] = size
    whole, manifests, named = set(), {}, {}
    for folder in FOLDERS:
        named[folder] = set()
        for name in (MANIFEST, _OLD, _NEW):
            path = f"/{folder}/{name}"
            if path not in files:
                continue
            data = link.get(path, files[path])
            if name == MANIFEST and data.endswith(WHOLE_ENDING):
                whole.add(folder)
            try:
                manifest = Manifest.decode(data)
            except ValueError:
                continue
            named[folder] |= {entry.path for entry in manifest.files}
            if folder in whole and name == MANIFEST:
                manifests[folder] = manifest
    # littlefs counts the two blocks of each folder twice here (seen with MicroPython 1.28), below zero too.
    free = board["free"] - (1 << 32 if board["free"] > board["blocks"] else 0)
    board["free"] = free + 2 * len(folders)
    main = link.get("/" + LOADER, files["/" + LOADER]) if "/" + LOADER in files else None
    pointer = None
    if "/" + POINTER in files:
        # As much of it as firmware/loader.py looks at.
        pointer = link.get("/" + POINTER, min(2, files["/" + POINTER])).strip().decode("utf-8", "replace")
    return State(board, pointer, whole, manifests, named, files, folders, main)


def unfit(state: State, manifest: Manifest) -> str | None:
    """Why this board cannot run that image, with the remedy; None if it can."""
    if tuple(state.board["version"][:2]) < manifest.micropython:
        wanted = ".".join(map(str, manifest.micropython))
        return (
            f"MicroPython {state.micropython} is too old, {wanted} or newer is needed: hold BOOTSEL while plugging in "
            "and drag the new UF2 onto the drive (docs/flashing.md); saves stay"
        )
    mpy = state.board["mpy"]
    if mpy & 255 != manifest.mpy[0]:
        return (
            f"its MicroPython {state.micropython} reads byte code {mpy & 255}, this image is {manifest.mpy[0]}: "
            "flash a Cairn that is made for it"
        )
    if manifest.arch and (
        mpy >> 8 & 3 != manifest.mpy[1] or mpy >> 10 & 15 not in _MPY_ARCH_NUMBERS[manifest.arch]
    ):
        return f"it cannot run machine code for {manifest.arch} (it is a {state.board['machine']}): Cairn is for Picos"
    return None


@dataclass
class Plan:
    """What an update would do: the folder it fills, and there the files that stay, are copied on the board, are sent.

    settled: the running folder is the image already, byte for byte. loader: /main.py has to be written.
    """

    state: State
    image: Image
    target: str
    keep: list[Entry] = field(default_factory=list)
    copy: list[Entry] = field(default_factory=list)
    send: list[Entry] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    settled: bool = False
    loader: bool = False

    @property
    def nothing(self) -> bool:
        """The board has all of it."""
        return self.settled and not self.loader and self.state.pointer == self.target

    @property
    def send_bytes(self) -> int:
        return sum(entry.size for entry in self.send)

    def blocks_short(self) -> int:
        """Blocks of the file system that are missing for it; 0 or less if there is room.

        Rather too few than too many: a board without room says so by itself, later and without harm.
        """
        block = self.state.board["block"]

        def blocks(size: int) -> int:
            return -(-size // block) if size > _INLINE_BYTES else 0

        files = self.state.files
        # littlefs takes a pair of blocks for each folder.
        needed = blocks(len(self.image.manifest.encode()))
        for entry in self.copy + self.send:
            needed += blocks(entry.size) - blocks(files.get(f"/{self.target}/{entry.path}", 0))
        made = set(_parents([f"{self.target}/{entry.path}" for entry in self.image.manifest.files]))
        needed += 2 * len({f"/{folder}" for folder in made} - self.state.folders)
        needed -= sum(blocks(files.get(f"/{self.target}/{path}", 0)) for path in self.stale)
        return needed - self.state.board["free"]


def _groups(entries: list[Entry]) -> Iterator[list[Entry]]:
    """In groups that are one call each: few files, as the call itself must stay short, and not too many bytes."""
    group: list[Entry] = []
    for entry in entries:
        if group and (len(group) == _GROUP_FILES or sum(e.size for e in group) + entry.size > _GROUP_BYTES):
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _right(
    link: Link, folder: str, entries: list[Entry], step: Callable[[int], None] = lambda done: None
) -> set[str]:
    """Those paths of `entries` whose file in that folder has the hash listed."""
    right = set()
    done = 0
    for group in _groups(entries):
        step(done)
        found = link.call("hashes", "/" + folder, [entry.path for entry in group], limit_s=_LONG_LIMIT_S)
        right |= {entry.path for entry, sha256 in zip(group, found) if entry.sha256 == sha256}
        done += len(group)
    return right


def _there(link: Link, folder: str, entries: list[Entry], state: State) -> set[str]:
    """_right, but only files of the right size are hashed."""
    return _right(link, folder, [e for e in entries if state.files.get(f"/{folder}/{e.path}") == e.size])


def plan(link: Link, state: State, image: Image) -> Plan:
    """Compare the board with the image. Changes nothing."""
    manifest = image.manifest
    entries = list(manifest.files)
    running = state.running
    at_hand = _there(link, running, entries, state) if running else set()
    loader = state.main != image.loader
    if running and state.manifests.get(running) == manifest and len(at_hand) == len(entries):
        return Plan(state, image, running, keep=entries, settled=True, loader=loader)
    target = FIRST_FOLDER if running is None else next(folder for folder in FOLDERS if folder != running)
    there = _there(link, target, entries, state)
    made = Plan(state, image, target, loader=loader)
    for entry in entries:
        if entry.path in there:
            made.keep.append(entry)
        elif entry.path in at_hand:
            made.copy.append(entry)
        else:
            made.send.append(entry)
    listed = {entry.path for entry in entries}
    made.stale = sorted(path for path in state.named[target] - listed if f"/{target}/{path}" in state.files)
    return made


Step = Callable[[str, int, int], None]
"""Told how far a board is: what is done now, bytes (or files) done, of how many."""


def carry_out(link: Link, made: Plan, step: Step = lambda what, done, total: None) -> list[str]:
    """Bring the board to the plan's image. Remarks for the person, [] mostly.

    Full, with nothing lost, where the room does not suffice; any Failure of the link; run again after each.
    """
    if made.nothing:
        return []
    short = made.blocks_short()
    if short > 0:
        raise _full(link.port, made, short * made.state.board["block"])
    try:
        if not made.settled:
            _fill(link, made, step)
            _verify(link, made, step)
        return _switch(link, made)
    except Full:
        raise _full(link.port, made, 0) from None


def give_up(link: Link, state: State, step: Step = lambda what, done, total: None) -> None:
    """Remove the firmware that runs, which an update keeps as long as there is room for two. From here until the next
    one is whole the board starts nothing; saves and others' files stay."""
    folder = state.running
    if folder is None:
        return
    # First what makes it whole: interrupted, no half of it can start.
    link.call("remove", f"/{folder}/{MANIFEST}")
    paths = sorted(path for path in state.named[folder] if f"/{folder}/{path}" in state.files)
    for i, path in enumerate(paths):
        step("removing the old firmware", i, len(paths))
        link.call("remove", f"/{folder}/{path}")
    for parent in _parents(paths):
        link.call("remove", f"/{folder}/{parent}")


def _full(port: str, made: Plan, short: int) -> Full:
    ours = {f"/{folder}/{path}" for folder in FOLDERS for path in made.state.named[folder]}
    others = sorted(
        (
            (size, path)
            for path, size in made.state.files.items()
            if path not in ours
            and not path.startswith(("/saves/", "/a/manifest", "/b/manifest"))
            and path != "/" + LOADER
        ),
        reverse=True,
    )
    names = ", ".join(f"{path} ({size // 1024 + 1} KB)" for size, path in others[:3] if size >= 1024)
    missing = f"about {short // 1024} KB are missing" if short else "no room is left"
    remedy = (
        f"the largest files that are not Cairn's: {names}" if names else "build with fewer languages (--lang)"
    )
    if made.state.running:
        remedy += ", or let --replace remove the old firmware first"
    return Full(f"{port}: the board's file system is full, {missing}; {remedy}. It still starts what it had")


def _put_whole(link: Link, path: str, data: bytes) -> None:
    """Write a file beside its place, check it, rename it into place: at every moment the old one or the new one."""
    link.put(path + _PART, data)
    _must_match(link, path + _PART, data)
    link.call("rename", path + _PART, path)


def _must_match(link: Link, path: str, data: bytes) -> None:
    if link.get(path, len(data)) != data:
        raise BoardError(
            f"{link.port}: {path} reads back wrong; run again, and if it stays so the flash memory is worn out"
        )


def _fill(link: Link, made: Plan, step: Step) -> None:
    folder = "/" + made.target
    link.call("make_folders", folder + "/" + MANIFEST)
    # From here on the folder is not whole. If it was begun before, `old` has the names of what it held before that.
    if made.target in made.state.whole:
        link.call("rename", f"{folder}/{MANIFEST}", f"{folder}/{_OLD}")
    else:
        link.call("remove", f"{folder}/{MANIFEST}")
    for i, path in enumerate(made.stale):
        step("clearing", i, len(made.stale))
        link.call("remove", f"{folder}/{path}")
    for parent in _parents(made.stale):
        if link.call("remove", f"{folder}/{parent}"):
            made.state.folders.discard(f"{folder}/{parent}")
    link.put(f"{folder}/{MANIFEST}{_PART}", made.image.manifest.encode())
    link.call("rename", f"{folder}/{MANIFEST}{_PART}", f"{folder}/{_NEW}")
    new_folders = {
        f"{folder}/{entry.path}".rpartition("/")[0] for entry in made.copy + made.send
    } - made.state.folders
    for path in sorted(new_folders):
        link.call("make_folders", path + "/x")
    copied = 0
    for group in _groups(made.copy):
        step("copying on the board", copied, len(made.copy))
        paths = [entry.path for entry in group]
        link.call("copy", f"/{made.state.running}", folder, paths, limit_s=_LONG_LIMIT_S)
        copied += len(group)
    done = 0

    def sent(count: int) -> None:
        nonlocal done
        done += count
        step("sending", done, made.send_bytes)

    for entry in made.send:
        link.put(f"{folder}/{entry.path}", made.image.files[entry.path], sent)


def _parents(paths: list[str]) -> list[str]:
    """The folders of `paths`, inner ones first."""
    found = set()
    for path in paths:
        while "/" in path:
            path = path.rpartition("/")[0]
            found.add(path)
    return sorted(found, key=lambda path: -path.count("/"))


def _verify(link: Link, made: Plan, step: Step) -> None:
    entries = list(made.image.manifest.files)
    right = _right(link, made.target, entries, lambda done: step("checking", done, len(entries)))
    for entry in entries:
        if entry.path not in right:
            raise BoardError(
                f"{link.port}: {entry.path} arrived wrong; run again, and if it stays so try another cable. "
                "The board still starts what it had"
            )


def _switch(link: Link, made: Plan) -> list[str]:
    folder, main = "/" + made.target, made.state.main
    remarks = []
    if made.loader and main is not None and not main.startswith(_LOADER_MARK):
        remarks.append(f"the main.py that was on it is kept as {_keep_main(link, made.state.files, main)}")
    if not made.settled:
        _must_match(link, f"{folder}/{_NEW}", made.image.manifest.encode())
        link.call("rename", f"{folder}/{_NEW}", f"{folder}/{MANIFEST}")
    if made.state.pointer != made.target:
        _put_whole(link, "/" + POINTER, made.target.encode())
    if made.loader:
        _put_whole(link, "/" + LOADER, made.image.loader or b"")
    link.call("remove", f"{folder}/{_OLD}")
    return remarks


def _keep_main(link: Link, files: dict[str, int], main: bytes) -> str:
    """Keep somebody's main.py under a name that is free, or that has it already; the name."""
    number = 1
    name = _KEPT
    while f"/{name}" in files:
        if files[f"/{name}"] == len(main) and link.get(f"/{name}", len(main)) == main:
            return name
        number += 1
        name = _KEPT.replace(".py", f"-{number}.py")
    _put_whole(link, f"/{name}", main)
    return name
