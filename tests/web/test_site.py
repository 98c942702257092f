"""`web`: its arguments, its server, the site as files. What the page does is in test_page.py."""

from __future__ import annotations

import json
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import urllib.request
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tools import __main__ as commands
from tools import web
from tools.environment import ROOT
from tools.image import image
from tools.site import assemble, markdown, serve

RULES = [*sorted((ROOT / "docs" / "rules").glob("*.md")), ROOT / "docs" / "rules-decisions.md"]


def said(capsys) -> str:
    """The one line on stderr."""
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def run(*arguments) -> int:
    # Without what comes before: this process has the packages.
    return commands.main(["web", *map(str, arguments)])


@pytest.fixture(autouse=True)
def inside(monkeypatch):
    monkeypatch.setattr("tools.environment.run_inside", lambda argv: None)
    monkeypatch.setattr(web, "has_node", lambda: True)


@pytest.fixture
def tiny(monkeypatch):
    """A site of two files instead of the real one, whose number can be changed."""
    made = {"index.html": "<p>1</p>", "more.js": "2", assemble.WORKER: "// worker"}

    def make(out, languages, kits, step):
        for name, text in made.items():
            (out / name).write_text(text)
        made["asked"] = f"{languages} {kits}"
        return assemble._finish(out)

    monkeypatch.setattr(assemble, "_make", make)
    return made


# --- The command


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--port", "70000"], 2, "ports go from 0 to 65535"),
        (["--port", "x"], 2, "invalid int"),
        (["--lang", "xx"], 2, "no language 'xx'"),
        (["--kits", "toaster"], 2, "no kit 'toaster'"),
        (["--kits", ","], 2, "at least one kit"),
    ],
)
def test_wrong_use_is_one_line(capsys, arguments, code, told):
    assert run(*arguments) == code
    assert told in said(capsys)


def test_without_node_the_remedy_is_told(monkeypatch, capsys):
    monkeypatch.setattr(web, "has_node", lambda: False)
    assert run("--no-open") == 1
    assert "Node and npm are needed" in said(capsys)


def test_a_port_that_is_taken(tiny, capsys):
    with socket.socket() as other:
        other.bind((serve.HOST, 0))
        other.listen()
        assert run("--no-open", "--port", other.getsockname()[1]) == 1
    assert "give another one with --port N" in said(capsys)


def test_it_serves_opens_the_browser_and_ends_with_ctrl_c(tiny, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(web.webbrowser, "open", opened.append)

    def ended(server):
        assert server.server_address[0] == "127.0.0.1"
        raise KeyboardInterrupt

    monkeypatch.setattr(serve.Server, "serve_forever", ended)
    assert run("--port", 0) == 0
    assert len(opened) == 1 and re.fullmatch(r"http://localhost:\d+/", opened[0])
    assert run("--port", 0, "--no-open") == 0
    assert len(opened) == 1
    assert "Ctrl-C ends it" in capsys.readouterr().err


def test_only_the_reference_kit_to_play_here_and_all_for_a_site(tiny, monkeypatch, tmp_path):
    monkeypatch.setattr(serve.Server, "serve_forever", lambda server: None)
    assert run("--port", 0, "--no-open") == 0
    assert tiny["asked"].endswith("['reference']")
    assert run("--out", tmp_path) == 0
    assert "'pico2'" in tiny["asked"] and "'encoder'" in tiny["asked"]


def test_a_site_replaces_its_older_self_and_nothing_else(tiny, tmp_path, capsys):
    out = tmp_path / "site"
    assert run("--out", out) == 0
    first = json.loads((out / assemble.LIST).read_text())
    assert set(first["files"]) == {path.name for path in out.iterdir()}
    del tiny["more.js"]
    assert run("--out", out) == 0
    assert not (out / "more.js").exists()
    assert json.loads((out / assemble.LIST).read_text())["version"] != first["version"]
    capsys.readouterr()
    for other in ("letter.txt", assemble.LIST):
        mine = tmp_path / "mine"
        mine.mkdir(exist_ok=True)
        (mine / other).write_text("dear all")
        assert run("--out", mine) == 2
        assert "something else" in said(capsys)
        assert [path.read_text() for path in mine.iterdir() if path.name == other] == ["dear all"]
    assert run("--out", mine / "letter.txt") == 2


def test_a_list_of_another_folder_removes_nothing(tiny, tmp_path):
    out = tmp_path / "site"
    out.mkdir()
    (tmp_path / "keep").write_text("x")
    listed = ["../keep", str(tmp_path / "keep"), "a/../../keep", 7]
    (out / assemble.LIST).write_text(json.dumps({"files": listed}))
    run("--out", out)
    assert (tmp_path / "keep").exists()


def test_a_page_that_does_not_compile_is_one_line(site, monkeypatch, tmp_path):
    monkeypatch.setattr(assemble, "SOURCES", tmp_path)
    (tmp_path / "tsconfig.json").write_text('{"compilerOptions": {"strict": true}, "include": ["*.ts"]}')
    (tmp_path / "a.ts").write_text("const a: number = 'x';\n")
    with pytest.raises(assemble.Failure, match=r"^the page does not compile: .*a\.ts\(1,7\): error TS2322"):
        assemble.compile_page(tmp_path / "out")


@pytest.mark.slow
def test_the_real_command_from_start_to_ctrl_c():
    command = [sys.executable, "-m", "tools", "web", "--no-open", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as child:
        address = ""
        while not address:
            address = "".join(re.findall(r"http://\S+", child.stderr.readline()))
        with urllib.request.urlopen(address) as answer:
            assert b"<canvas" in answer.read()
        child.send_signal(signal.SIGINT)
        assert child.stderr.read().splitlines()[-1] == "cairn: ended"
    assert child.returncode == 0


# --- The server


def test_types_are_those_that_browsers_insist_on(tmp_path):
    for name in ("a.mjs", "a.wasm", "a.js", "a.webmanifest", "a.uf2.gz"):
        (tmp_path / name).write_text("")
    with serve.Server(tmp_path, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = {}
        for path in tmp_path.iterdir():
            with urllib.request.urlopen(server.address + path.name) as answer:
                found[path.name] = answer.headers["Content-Type"].split(";")[0]
                assert answer.headers["Cache-Control"] == "no-cache"
                assert answer.headers["Content-Encoding"] is None
        server.shutdown()
    assert found == {
        "a.mjs": "text/javascript",
        "a.js": "text/javascript",
        "a.wasm": "application/wasm",
        "a.webmanifest": "application/manifest+json",
        "a.uf2.gz": "application/gzip",
    }


# --- The site


class Links(HTMLParser):
    """What a page refers to."""

    def __init__(self):
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def test_the_pages_of_the_rules_lead_to_each_other(site):
    for page in RULES:
        targets = {Path(target).stem for target in re.findall(r"\]\(([^)]+)\.md", page.read_text(encoding="utf-8"))}
        links = Links()
        links.feed((site / "rules" / f"{page.stem}.html").read_text(encoding="utf-8"))
        assert {Path(link).stem for link in links.found if link.endswith(".html")} == targets
        assert targets


def test_the_site_needs_nothing_from_elsewhere(site):
    for page in [site / "index.html", *(site / "rules").iterdir()]:
        links = Links()
        links.feed(page.read_text(encoding="utf-8"))
        assert links.found
        for link in links.found:
            assert not re.match(r"[a-z]+:|/", link), link
            assert (page.parent / link).exists(), link
    assert "url(" not in (site / "page.css").read_text()


def test_the_worker_keeps_what_there_is(site):
    first = (site / assemble.WORKER).read_text(encoding="utf-8").splitlines()[0]
    told = json.loads(first.removeprefix("self.SITE = ").removesuffix(";"))
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert set(told["files"]) == {"./"} | {p for p in there if not p.endswith((".gz", "sw.js", "site.json"))}
    assert told["version"] == json.loads((site / assemble.LIST).read_text())["version"]
    assert re.fullmatch("[0-9a-f]{12}", told["version"])


def test_the_app_can_be_installed(site):
    manifest = json.loads((site / "manifest.webmanifest").read_text())
    assert manifest["start_url"] == manifest["scope"] == "./"
    for icon in manifest["icons"]:
        data = (site / icon["src"]).read_bytes()
        width, height = struct.unpack(">II", data[16:24])
        assert f"{width}x{height}" == icon["sizes"]
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}


def test_the_firmware_arrives_as_it_was_built(site):
    data = (site / assemble.FIRMWARE).read_bytes()
    head, _, body = data.partition(b"\n")
    at = 0
    for path, size in json.loads(head):
        if path.endswith(".mpy"):
            # No machine code, which the WebAssembly could not run.
            assert image.bytecode.format_of(body[at : at + size]) is None, path
        at += size
    assert at == len(body)


@pytest.mark.parametrize("name", ["texts.ts", "flashtext.ts"])
def test_the_page_speaks_as_the_handheld(name):
    """To a friend in Czech, where a polite request ends in -te; politely in French."""
    source = (ROOT / "tools" / "webpage" / name).read_text(encoding="utf-8")
    texts = dict(re.findall(r"^const (cs|fr): \w+ = \{\n(.*?)^\};", source, re.M | re.S))
    handheld = {code: (ROOT / "firmware" / "text" / f"{code}.py").read_text(encoding="utf-8") for code in texts}
    assert set(texts) == {"cs", "fr"}
    for told in (texts, handheld):
        # "čte" (reads) is no request.
        assert set(re.findall(r"\b\w+te\b(?!:)", told["cs"])) <= {"čte"}
        assert re.findall(r"\b(?:tu|ton|ta|tes|toi)\b", told["fr"]) == []
        # No line may begin with a mark.
        assert re.findall(r"[\w)}] [:;?!]", told["fr"]) == []


def test_no_file_names_this_machine(site):
    for path in site.rglob("*"):
        if path.is_file() and path.suffix not in (".gz", ".png", ".wasm"):
            assert str(ROOT).encode() not in path.read_bytes(), path


# --- Rules


@pytest.mark.parametrize("page", RULES, ids=lambda path: path.stem)
def test_every_page_of_the_rules_becomes_html(page):
    made = markdown.page(page.read_text(encoding="utf-8"))
    body = re.sub(r"<(pre|code)>.*?</\1>", "", made.partition("</p>")[2], flags=re.DOTALL)
    assert not re.search(r"\*\*|^\||^- |^#|`|\]\(", body, flags=re.MULTILINE)
    # As many entries of lists as the page has, none in the middle of a line.
    assert made.count("<li>") == len(
        re.findall(r"^ *(?:-|\d+\.) ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    )
    assert made.count("<ol>") == made.count("</ol>") and made.count("<ul>") == made.count("</ul>")
    assert made.count("<table>") == made.count("</table>")


def test_markdown_as_far_as_it_goes():
    text = "# `a`: B & C\n\nOne *two* **three `x<y`**\n[four](five.md):\n- six\n  seven\n- eight\n\n"
    text += "| a | b |\n|---|---|\n| 1 | **2** |\n\n    code <\n\n"
    text += "1. nine\n   ten\n2. eleven:\n   - twelve\n     thirteen\n   - fourteen\n3. fifteen\n"
    made = markdown.page(text)
    assert "<title>a: B &amp; C - Cairn</title>" in made
    assert '<a href="five.html">four</a>' in markdown.page(text, ["five.md"])
    for part in (
        "<h1><code>a</code>: B &amp; C</h1>",
        "<p>One <em>two</em> <strong>three <code>x&lt;y</code></strong> four:</p>",
        "<li>six seven</li>\n<li>eight</li>",
        "<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td><strong>2</strong></td></tr>",
        "<pre>code &lt;</pre>",
        "<ol>\n<li>nine ten</li>\n<li>eleven:<ul><li>twelve thirteen</li><li>fourteen</li></ul></li>\n<li>fifteen</li>\n</ol>",
    ):
        assert part in made
