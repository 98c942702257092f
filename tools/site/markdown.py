"""The pages of the rules as HTML: as much Markdown as they use, no more."""

from __future__ import annotations

import html
import re
from collections.abc import Collection
from pathlib import PurePosixPath

_INLINE = re.compile(r"`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)]+)\)")
# What an entry of a list begins with.
_ENTRY = re.compile(r"(?:-|\d+\.) ")
_PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{title}</title>
    <link rel="icon" type="image/png" sizes="192x192" href="../icon-192.png">
    <link rel="stylesheet" href="../page.css">
  </head>
  <body class="text">
    <p><a href="../">Cairn</a></p>
{body}
  </body>
</html>
"""


def page(text: str, names: Collection[str] = ()) -> str:
    """A whole page of HTML; the first line of `text` is its heading. A link leads to the page made of a file if its name
    is among `names`, all in one folder; other links become plain words, as the files that they lead to are not there."""
    lines = text.splitlines()
    title = re.sub("[`*]", "", lines[0].lstrip("# "))
    return _PAGE.format(title=html.escape(f"{title} - Cairn"), body="\n".join(_Body(names).blocks(lines)))


class _Body:
    """What stands between a page's first line and its last."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def blocks(self, lines: list[str]) -> list[str]:
        found = []
        at = 0
        while at < len(lines):
            end = at
            while end < len(lines) and lines[end].strip():
                end += 1
            if end > at:
                found += self._block(lines[at:end])
            at = end + 1
        return found

    def _block(self, lines: list[str]) -> list[str]:
        """The HTML of lines without an empty one among them."""
        first = lines[0]
        if heading := re.match(r"(#+) (.*)", first):
            level = len(heading[1])
            return [f"<h{level}>{self._inline(heading[2])}</h{level}>", *(self._block(lines[1:]) if lines[1:] else [])]
        if first.startswith("    "):
            return ["<pre>" + html.escape("\n".join(line[4:] for line in lines)) + "</pre>"]
        if first.startswith("|"):
            rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
            return [
                '<div class="wide"><table>',
                *(self._row(row, "th" if i == 0 else "td") for i, row in enumerate(rows) if i != 1),
                "</table></div>",
            ]
        if _ENTRY.match(first):
            kind = "ul" if first.startswith("-") else "ol"
            return [f"<{kind}>", *self._entries(lines), f"</{kind}>"]
        # A table or list may follow its paragraph at once.
        for at, line in enumerate(lines):
            if at and (line.startswith("|") or _ENTRY.match(line)):
                return [*self._block(lines[:at]), *self._block(lines[at:])]
        return [f"<p>{self._inline(' '.join(lines))}</p>"]

    def _entries(self, lines: list[str]) -> list[str]:
        """The entries of a list; one may end with a list of its own, further in."""
        entries: list[list[str]] = []
        inside = 0
        for line in lines:
            if entry := _ENTRY.match(line):
                inside = entry.end()
                entries.append([line[inside:]])
            else:
                entries[-1].append(line[inside:])
        found = []
        for entry_lines in entries:
            end = next((at for at, line in enumerate(entry_lines) if at and _ENTRY.match(line)), len(entry_lines))
            own = "".join(self._block(entry_lines[end:])) if entry_lines[end:] else ""
            found.append(f"<li>{self._inline(' '.join(map(str.strip, entry_lines[:end])))}{own}</li>")
        return found

    def _row(self, cells: list[str], kind: str) -> str:
        return "<tr>" + "".join(f"<{kind}>{self._inline(cell)}</{kind}>" for cell in cells) + "</tr>"

    def _inline(self, text: str) -> str:
        out = []
        at = 0
        for found in _INLINE.finditer(text):
            code, bold, slanted, label, target = found.groups()
            out.append(html.escape(text[at : found.start()], quote=False))
            if code:
                out.append(f"<code>{html.escape(code, quote=False)}</code>")
            elif bold:
                out.append(f"<strong>{self._inline(bold)}</strong>")
            elif slanted:
                out.append(f"<em>{self._inline(slanted)}</em>")
            elif PurePosixPath(target).name in self._names:
                out.append(f'<a href="{PurePosixPath(target).stem}.html">{self._inline(label)}</a>')
            else:
                out.append(self._inline(label))
            at = found.end()
        return "".join(out) + html.escape(text[at:], quote=False)
