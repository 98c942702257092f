"""Gives what an image names other names, which cost the Pico no memory.

MicroPython keeps every name of every module that was ever loaded: its letters, seven bytes of a table, and that table
doubles when it is full. The names of four games took 18 KB. So a name of ours becomes one that MicroPython has in its
own flash (`known_names.txt`) and that we use for nothing. Two of ours become the same where no file has both
and no object has both.

What stays: what MicroPython itself may look for, names of files and folders, names that are also a string or the keyword
of a call, and what programs outside the image call by its name. Lines stay too. `spelled` puts a traceback's names back.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import itertools
import keyword
import re
import tokenize
from collections.abc import Iterator, Set
from pathlib import Path

KNOWN = tuple(Path(__file__).with_name("known_names.txt").read_text(encoding="utf-8").split())
"""The names in the flash of MicroPython 1.28 for the Pico, those first that each MicroPython has, which .mpy files write in
two bytes; of each kind the short ones first."""

# What MicroPython asks objects for, as it does exceptions, generators, files and file systems, and what its compiler
# takes for its own.
_ASKED_FOR = re.compile(
    r"_.*|.*(Error|Exception|Exit|Interrupt|Iteration)|args|close|errno|ioctl|mount|open|pend_throw|read(blocks|into|line)?"
    r"|send|throw|umount|value|write(blocks)?|bool|const|int|object|ptr\d*|super|uint"
)

Renamed = dict[str, dict[str, str]]
"""path of a module: each of its names in the image that is not the one in the source, and that one."""

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_FRAME = re.compile(r'File "([^"]+)"(.*, in )(\w+)')


def shortened(sources: dict[str, str], outside: Set[str] = frozenset()) -> tuple[dict[str, str], Renamed]:
    """(path: source of all modules of an image, with other names; what became of which). outside: what is called from
    elsewhere. The order of `sources` and what is in them decide alone what comes out."""
    modules = {path: _Module(path, text) for path, text in sources.items()}
    for module in modules.values():
        # What it takes over without mentioning it.
        for path in module.whole & set(modules):
            module.mentioned |= modules[path].mentioned
    group = {path: path for path in modules}
    for path, module in modules.items():
        for base in module.bases & set(modules):
            old, new = sorted((group[path], group[base]), reverse=True)
            group = {p: new if g == old else g for p, g in group.items()}
    fixed = {*KNOWN, *outside}.union(*(path.removesuffix(".py").split("/") for path in modules))
    fixed = fixed.union(*(module.fixed for module in modules.values()))
    prefixes = tuple(set().union(*(module.prefixes for module in modules.values())))
    made = set().union(*(module.made for module in modules.values()))
    made = {name for name in made - fixed if not name.startswith(prefixes)}
    taken = set(outside).union(*(module.fixed | module.mentioned for module in modules.values()))
    short = _shared(made, modules, group, taken)
    found: dict[str, str] = {}
    renamed: Renamed = {}
    for path, module in modules.items():
        here = {name: short[name] for name in module.mentioned & made}
        found[path] = _renamed(module.text, here)
        renamed[path] = {new: name for name, new in sorted(here.items())}
    return found, renamed


def told(path: str) -> str:
    """What a module of an image is called in tracebacks: as imports call it, a name that MicroPython keeps anyway."""
    return path.removesuffix(".py").replace("/", ".")


def spelled(traceback: str, renamed: Renamed) -> str:
    """A traceback of an image with the files and names of the source."""
    paths = {told(path): path for path in renamed}

    def put_back(frame: re.Match[str]) -> str:
        path = paths.get(frame[1])
        return f'File "{path}"{frame[2]}{renamed[path].get(frame[3], frame[3])}' if path else frame[0]

    return _FRAME.sub(put_back, traceback)


def called(program: str) -> set[str]:
    """What a program takes from modules and objects by name, and so do the programs that are strings in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value:
            with contextlib.suppress(SyntaxError):
                found |= called(node.value)
    return found


def tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """The names in a source, each where it is."""
    found = tokenize.generate_tokens(io.StringIO(text).readline)
    return (t for t in found if t.type == tokenize.NAME and not keyword.iskeyword(t.string))


class _Module:
    """What a module does with names: `made` here; `mentioned` at all; `parts` of its objects; `loose`, put into objects
    from outside; `fixed` and, from their first letters on, `prefixes`, that must stay; `bases`: the paths of the modules
    that its classes inherit from; `whole`: of those that it takes over as a whole."""

    def __init__(self, path: str, text: str) -> None:
        self.text = text
        self.mentioned = {token.string for token in tokens(text)}
        self.made: set[str] = set()
        self.parts: set[str] = set()
        self.loose: set[str] = set()
        self.fixed: set[str] = set()
        self.prefixes: set[str] = set()
        self.bases: set[str] = set()
        self.whole: set[str] = set()
        imported: dict[str, str] = {}
        tree = ast.parse(text, path)
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self.fixed |= {word for alias in node.names for word in alias.name.split(".")}
            elif isinstance(node, ast.ImportFrom):
                self.fixed |= set((node.module or "").split("."))
                for alias in node.names:
                    imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                    if alias.name == "*":
                        self.whole.add((node.module or "").replace(".", "/") + ".py")
            elif isinstance(node, ast.ClassDef):
                for base in node.bases:
                    name = ast.unparse(base)
                    dotted = imported.get(name) or imported.get(name.rpartition(".")[0], "") + ".x"
                    self.bases.add(dotted.rpartition(".")[0].replace(".", "/") + ".py")
                self._look_into(node)
            self._look(node)

    def _look_into(self, node: ast.ClassDef) -> None:
        for inner in node.body:
            if isinstance(inner, ast.FunctionDef):
                self.parts.add(inner.name)
            elif isinstance(inner, ast.Assign):
                self.parts |= {target.id for target in inner.targets if isinstance(target, ast.Name)}

    def _look(self, node: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self._make(node.name)
        elif isinstance(node, ast.arg):
            self._make(node.arg)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                self._make(node.id)
        elif isinstance(node, ast.Attribute):
            own = isinstance(node.value, ast.Name) and node.value.id == "self"
            if own:
                self.parts.add(node.attr)
            if not isinstance(node.ctx, ast.Load):
                self._make(node.attr)
                if not own:
                    self.loose.add(node.attr)
        elif isinstance(node, ast.Assign):
            # MicroPython's compiler puts the number in the place of such a name, and knows it by its first letter.
            if isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "const":
                self.fixed |= {name for name in map(ast.unparse, node.targets) if name.startswith("_")}
        elif isinstance(node, ast.keyword):
            self.fixed.add(node.arg or "")
        elif isinstance(node, ast.JoinedStr):
            self.fixed |= set(_IDENTIFIER.findall(ast.unparse(node)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _IDENTIFIER.fullmatch(node.value):
            self.fixed.add(node.value)
            if node.value.endswith("_"):
                self.prefixes.add(node.value)

    def _make(self, name: str) -> None:
        if not (name.startswith("__") or hasattr(builtins, name)):
            self.made.add(name)


def _shared(made: set[str], modules: dict[str, _Module], group: dict[str, str], taken: set[str]) -> dict[str, str]:
    """A new name for each of `made`, none of them in `taken`: for those that most files have first."""
    files: dict[str, set[str]] = {name: set() for name in made}
    parts: dict[str, set[str]] = {name: set() for name in made}
    loose = made & set().union(*(module.loose for module in modules.values()))
    for path, module in modules.items():
        for name in module.mentioned & made:
            files[name].add(path)
        for name in module.parts & made:
            parts[name].add(group[path])
    spare = itertools.chain(
        (name for name in KNOWN if name not in taken and not _ASKED_FOR.fullmatch(name)), _more(taken)
    )
    new: list[str] = []
    # Where each new name is in use.
    in_files: list[set[str]] = []
    in_parts: list[set[str]] = []
    alone: list[bool] = []
    found = {}
    for name in sorted(made, key=lambda name: (-len(files[name]), name)):
        for i in range(len(new)):
            if not (alone[i] or name in loose or in_files[i] & files[name] or in_parts[i] & parts[name]):
                break
        else:
            i = len(new)
            new.append(next(spare))
            in_files.append(set())
            in_parts.append(set())
            alone.append(name in loose)
        in_files[i] |= files[name]
        in_parts[i] |= parts[name]
        found[name] = new[i]
    return found


def _more(taken: set[str]) -> Iterator[str]:
    """Names that MicroPython does not have, as short as they come."""
    for number in itertools.count():
        name = f"n{number}"
        if name not in taken:
            yield name


def _renamed(text: str, short: dict[str, str]) -> str:
    """The source with other names, each line where it was."""
    lines = text.splitlines(keepends=True)
    for token in reversed(list(tokens(text))):
        if token.string in short:
            row, at = token.start
            line = lines[row - 1]
            lines[row - 1] = line[:at] + short[token.string] + line[at + len(token.string) :]
    return "".join(lines)
