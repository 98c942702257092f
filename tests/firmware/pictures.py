"""What is shown held against the golden pictures of tests/firmware/golden; portable."""

from tests.firmware.hand import pbm

FOLDER = "tests/firmware/golden/"


def compare(pictures, frames="frames"):
    """Fail unless each (name, frame) equals NAME.pbm; ("", digest of all frames that were shown and their number) is
    held against FRAMES.txt."""
    wrong = []
    for name, shown in pictures:
        if name:
            with open(FOLDER + name + ".pbm", "rb") as f:
                if pbm(shown) != f.read():
                    wrong.append(name)
        else:
            with open(FOLDER + frames + ".txt") as f:
                expected = f.read()
            digest = "{:08x} {}\n".format(*shown)
            if digest != expected:
                wrong.append("some frame: " + digest.strip() + " for " + expected.strip())
    assert not wrong, wrong
