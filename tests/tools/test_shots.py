"""The pictures in docs are what the firmware shows today."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from tools import cli, png, shots


def pixels(data: bytes) -> tuple[tuple[int, ...], bytes, bytes]:
    """(width, height, depth, kind), palette and unpacked rows: the packed bytes differ between versions of zlib."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + body) == int.from_bytes(data[at + 8 + length : at + 12 + length], "big")
        chunks[kind] = body
        at += 12 + length
    rows = zlib.decompress(chunks[b"IDAT"])
    return struct.unpack(">IIBB", chunks[b"IHDR"][:10]), chunks.get(b"PLTE", b""), rows


@pytest.mark.parametrize("name", list(shots.SHOTS))
def test_pictures_are_up_to_date(name: str) -> None:
    kept = (shots.PICTURES / f"{name}.png").read_bytes()
    assert pixels(kept) == pixels(shots.take(name)), "run python3 -m tools shots"


def test_no_picture_without_a_shot() -> None:
    assert {path.stem for path in shots.PICTURES.glob("*.png")} == set(shots.SHOTS)


def test_glass() -> None:
    """Two pixels, the right one lit, at scale 2 with an edge of 1: 6 x 18 pixels of two bits."""
    size, palette, rows = pixels(png.glass(b"\x00\x01", 2, 8, scale=2, edge=1))
    assert size == (6, 18, 2, 3)
    assert len(palette) == 12
    stride = 1 + 2
    assert len(rows) == 18 * stride
    line = rows[stride : 2 * stride]
    # edge, dark, gap, lit | glow, edge, filler
    assert line == bytes([0, 0b00_01_00_10, 0b11_00_00_00])


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "pictures"
    assert shots.main(["title", "--out", str(out)]) == cli.DONE
    assert [path.name for path in out.iterdir()] == ["title.png"]
    with pytest.raises(cli.Usage, match="no picture 'nothing'; there are: title"):
        shots.main(["nothing"])
    (tmp_path / "file").write_text("")
    with pytest.raises(cli.Failure, match="cannot write"):
        shots.main(["title", "--out", str(tmp_path / "file")])
