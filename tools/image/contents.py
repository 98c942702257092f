"""Which files of the tree go onto a device: what the firmware imports, for one board and some languages.

The list starts at the firmware's first module and follows every import statement, also those inside functions.
What is imported by a name made at run time is one of the families below; a name made in any other way is refused,
so that nothing is forgotten in silence.

The chosen board file travels as `boards/built`: hal/pico.py imports that name and needs no search.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from tools.cli import Failure, Usage
from tools.kits import check

OURS = ("games", "hal", "boards", "firmware")
"""The top folders whose modules travel; everything else is built into MicroPython."""

BUILT_BOARD = "boards.built"
FIRST_MODULES = {"pico": ("firmware.main",), "web": ("firmware.browser",)}
"""target: the modules that the device starts with."""

# Prefix of a name made at run time: the modules it may become, as a pattern of paths.
NAMED_AT_RUN_TIME = {
    "games.": "games/*/*.py",
    "firmware.views.": "firmware/views/*.py",
    "firmware.scenes.": "firmware/scenes/*.py",
    "firmware.art.": "firmware/art/*.py",
    "firmware.text.": "firmware/text/*.py",
}
# Games are written down, and records read, beside a board and in a browser, never on a board itself.
_NOT_ON_A_PICO = "notation.py"
_TEXTS = "firmware/text"
_NOT_SHIPPED = ("__pycache__", ".md")


@dataclass(frozen=True)
class Choice:
    """What is asked for: the source tree, `pico` or `web`, a board of boards/, the languages by their codes, whether
    tracebacks shall have line numbers."""

    root: Path
    target: str
    board: str
    languages: tuple[str, ...]
    lines: bool = False


def language_codes(root: Path) -> list[str]:
    """The languages there are texts for."""
    return sorted(p.stem for p in (root / _TEXTS).glob("*.py") if re.fullmatch("[a-z]{2}", p.stem))


class _Walk:
    def __init__(self, choice: Choice, board: SimpleNamespace) -> None:
        self.choice = choice
        self.root = choice.root
        self.board_file = self.root / "boards" / (choice.board + ".py")
        # Drivers of other panels stay away, even where hal/panels.py names them all; a driver may build on another.
        self.drivers = {f"hal/{display.replace(' ', '')}.py" for display in check.PANELS}
        self.own_driver = f"hal/{board.DISPLAY.replace(' ', '')}.py"
        self.files: dict[str, Path] = {}

    def module(self, name: str) -> None:
        """Take a module of ours and all that it imports."""
        if name == BUILT_BOARD:
            self._take("boards/built.py", self.board_file)
            return
        path = name.replace(".", "/") + ".py"
        if name.split(".")[0] in OURS and (self.root / path).is_file():
            self._take(path, self.root / path)

    def _take(self, path: str, origin: Path) -> None:
        if path in self.files:
            return
        self.files[path] = origin
        try:
            tree = ast.parse(origin.read_text(encoding="utf-8"), str(origin))
        except SyntaxError as fault:
            raise Failure(f"{path}, line {fault.lineno}: {fault.msg}") from None
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._edge(path, alias.name)
            elif isinstance(node, ast.ImportFrom):
                if node.level:
                    raise Failure(
                        f"{path}, line {node.lineno}: import by the whole name, relative imports are not built"
                    )
                module = node.module or ""
                self._edge(path, module)
                for alias in node.names:
                    self._edge(path, f"{module}.{alias.name}")
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "__import__"
            ):
                self._named(path, node)

    def _edge(self, importer: str, name: str) -> None:
        path = name.replace(".", "/") + ".py"
        if path in self.drivers and path != self.own_driver and importer not in self.drivers:
            return
        if name.split(".")[0] == "tools":
            raise Failure(f"{importer} imports {name}: nothing that goes onto the device may use tools/")
        self.module(name)

    def _named(self, importer: str, call: ast.Call) -> None:
        """A module named at run time: its name is a constant, or begins with a known prefix."""
        for node in self._parts(importer, call):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                for prefix, pattern in NAMED_AT_RUN_TIME.items():
                    if text.startswith(prefix):
                        self._family(pattern)
                        return
                if (self.root / (text.replace(".", "/") + ".py")).is_file():
                    self.module(text)
                    return
        raise Failure(
            f"{importer}, line {call.lineno}: what may this import? Say so in NAMED_AT_RUN_TIME of tools/image/contents.py"
        )

    def _parts(self, importer: str, call: ast.Call) -> list[ast.AST]:
        """The expression of the name; where it is a variable, what the file assigns to it."""
        argument = call.args[0]
        if not isinstance(argument, ast.Name):
            return list(ast.walk(argument))
        found: list[ast.AST] = []
        for node in ast.walk(ast.parse(self.files[importer].read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and any(
                isinstance(t, ast.Name) and t.id == argument.id for t in node.targets
            ):
                found += ast.walk(node.value)
        return found

    def _family(self, pattern: str) -> None:
        for origin in sorted(self.root.glob(pattern)):
            path = origin.relative_to(self.root).as_posix()
            if self.choice.target == "pico" and origin.name == _NOT_ON_A_PICO:
                continue
            if self._language_of(path) in (None, *self.choice.languages):
                self._take(path, origin)

    def _language_of(self, path: str) -> str | None:
        """The language a text belongs to: `firmware/text/fr.py`, `firmware/text/fr/...`, `firmware/text/help_fr.txt`."""
        if not path.startswith(_TEXTS + "/"):
            return None
        codes = language_codes(self.root)
        for part in re.split(r"[/._]", path[len(_TEXTS) + 1 :]):
            if part in codes:
                return part
        return None

    def data(self) -> None:
        """Files that are read, not imported: everything under firmware/ that is not Python."""
        for origin in sorted((self.root / "firmware").rglob("*")):
            path = origin.relative_to(self.root).as_posix()
            if not origin.is_file() or origin.suffix in (".py", *_NOT_SHIPPED) or "__pycache__" in path:
                continue
            if self._language_of(path) in (None, *self.choice.languages):
                self.files[path] = origin


def select(choice: Choice) -> dict[str, Path]:
    """path on the device (source name, `/` between folders): the file it comes from. Sorted by path.

    Usage if the board or a language does not exist, Failure if the board file has faults or the first module is missing.
    """
    board = check.load(choice.board, choice.root)
    codes = language_codes(choice.root)
    for code in choice.languages:
        if code not in codes:
            raise Usage(f"no language {code!r}; there are: {', '.join(codes)}")
    walk = _Walk(choice, board)
    for name in FIRST_MODULES[choice.target]:
        walk.module(name)
        if name.replace(".", "/") + ".py" not in walk.files:
            raise Failure(f"{name.replace('.', '/')}.py is missing: the {choice.target} image starts there")
    walk.data()
    return dict(sorted(walk.files.items()))
