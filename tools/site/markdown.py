"""The pages of the rules as HTML: as much Markdown as they use, no more."""

from __future__ import annotations

import html
import re

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


def page(text: str) -> str:
    """A whole page of HTML; the first line of `text` is its heading. Links become plain words: the files that they lead to
    are not on the site."""
    lines = text.splitlines()
    title = re.sub("[`*]", "", lines[0].lstrip("# "))
    return _PAGE.format(title=html.escape(f"{title} - Cairn"), body="\n".join(_blocks(lines)))


def _blocks(lines: list[str]) -> list[str]:
    found = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].strip():
            end += 1
        if end > at:
            found += _block(lines[at:end])
        at = end + 1
    return found


def _block(lines: list[str]) -> list[str]:
    """The HTML of lines without an empty one among them."""
    first = lines[0]
    if heading := re.match(r"(#+) (.*)", first):
        level = len(heading[1])
        return [f"<h{level}>{_inline(heading[2])}</h{level}>", *(_block(lines[1:]) if lines[1:] else [])]
    if first.startswith("    "):
        return ["<pre>" + html.escape("\n".join(line[4:] for line in lines)) + "</pre>"]
    if first.startswith("|"):
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
        return [
            '<div class="wide"><table>',
            *(_row(row, "th" if i == 0 else "td") for i, row in enumerate(rows) if i != 1),
            "</table></div>",
        ]
    if _ENTRY.match(first):
        kind = "ul" if first.startswith("-") else "ol"
        return [f"<{kind}>", *_entries(lines), f"</{kind}>"]
    # A table or list may follow its paragraph at once.
    for at, line in enumerate(lines):
        if at and (line.startswith("|") or _ENTRY.match(line)):
            return [*_block(lines[:at]), *_block(lines[at:])]
    return [f"<p>{_inline(' '.join(lines))}</p>"]


def _entries(lines: list[str]) -> list[str]:
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
        own = "".join(_block(entry_lines[end:])) if entry_lines[end:] else ""
        found.append(f"<li>{_inline(' '.join(map(str.strip, entry_lines[:end])))}{own}</li>")
    return found


def _row(cells: list[str], kind: str) -> str:
    return "<tr>" + "".join(f"<{kind}>{_inline(cell)}</{kind}>" for cell in cells) + "</tr>"


def _inline(text: str) -> str:
    out = []
    at = 0
    for found in _INLINE.finditer(text):
        code, bold, slanted, label, _ = found.groups()
        out.append(html.escape(text[at : found.start()], quote=False))
        if code:
            out.append(f"<code>{html.escape(code, quote=False)}</code>")
        elif bold:
            out.append(f"<strong>{_inline(bold)}</strong>")
        elif slanted:
            out.append(f"<em>{_inline(slanted)}</em>")
        else:
            out.append(_inline(label))
        at = found.end()
    return "".join(out) + html.escape(text[at:], quote=False)
