"""`shots`: the pictures in README and docs, from the real firmware by scripted keys."""

from __future__ import annotations

from pathlib import Path

from tools import cli, png, standins

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"

SEED = 11
SET_UP = "A A "
FIVE = "UP A DOWN*2 RIGHT*2 A*3 RIGHT A*4 RIGHT A*5 UP "
# Games between people, so that no picture changes when a computer player learns: the second seat for a person; a third;
# five with the Big Mountain; begin.
TWO = "DOWN RIGHT A*5 "
THREE = TWO + "RIGHT A "
FIVE_PEOPLE = "UP A DOWN*2 RIGHT A*5 RIGHT A RIGHT A RIGHT A "
FOUR = THREE + "RIGHT A "
BEGIN = "UP A 200ms "
# The other games; the action cards of goblins.
GOBLINS = "A DOWN A "
KINGS = "A DOWN*2 A "
HORSES = "A DOWN*3 A "
ACTIONS = "UP*2 A DOWN*2 "
# A turn: roll, then do what is proposed.
ROLL = "A 700ms "
TURN = ROLL + "A 800ms "
PLAY = "A*2 900ms "
RIDE = "A 3500ms "
# The next person takes the device, plays a card where it is proposed and draws.
REIGN = "A A*2 900ms A 600ms "

# name: keys (tools/script.py) after which the picture is taken.
SHOTS = {
    "title": "",
    "games": "A",
    "set-up": SET_UP + FIVE + " UP 300ms",
    "set-up-word": SET_UP + "DOWN*3 A*2 DOWN A RIGHT A UP RIGHT",
    "pass": KINGS + TWO + BEGIN + "A A*2 900ms A 600ms",
    "take-back": SET_UP + TWO + BEGIN + TURN + ROLL + "B DOWN*2 A",
    "replay": SET_UP + THREE + BEGIN + TURN * 42 + "600ms A DOWN A RIGHT 1300ms RIGHT 1300ms RIGHT 200ms",
    "goats": SET_UP + TWO + BEGIN + TURN * 16 + ROLL,
    "goats-choice": SET_UP + THREE + BEGIN + TURN * 18 + ROLL + "LEFT UP",
    "goats-big": SET_UP + FIVE_PEOPLE + BEGIN + TURN * 25 + ROLL,
    "goats-sheet": SET_UP + FIVE_PEOPLE + BEGIN + TURN * 35 + ROLL + "DOWN",
    "goblins": GOBLINS + THREE + BEGIN + PLAY * 17,
    "goblins-lane": GOBLINS + THREE + BEGIN + PLAY * 17 + "A",
    "goblins-trip": GOBLINS + ACTIONS + FOUR + BEGIN + PLAY * 14 + "LEFT",
    "goblins-buy": GOBLINS + THREE + BEGIN + PLAY * 22,
    "kings": KINGS + THREE + BEGIN + REIGN * 24 + "A",
    "kings-mine": KINGS + THREE + BEGIN + REIGN * 24 + "A*2",
    "kings-stacks": KINGS + THREE + BEGIN + REIGN * 24 + "A DOWN",
    "kings-others": KINGS + THREE + BEGIN + REIGN * 24 + "A DOWN RIGHT",
    "kings-cards": KINGS + THREE + BEGIN + REIGN * 24 + "A DOWN LEFT",
    "horses": HORSES + FOUR + BEGIN + RIDE * 14,
    "horses-jump": HORSES + FOUR + BEGIN + RIDE * 16 + "LEFT",
    "rules": "A DOWN*4 A*2 RIGHT*4",
    "dice": SET_UP + THREE + BEGIN + TURN * 42 + "B DOWN A RIGHT*4",
    "settings": "DOWN*2 A DOWN*2",
    "result": SET_UP + THREE + BEGIN + TURN * 42,
}


def take(name: str, language: str = "en") -> bytes:
    """The PNG file of a picture of SHOTS."""
    standins.install()
    from hal.host import HostDevice, ManualClock
    from tools import script

    device = HostDevice(clock=ManualClock())
    script.Scripted(device, language, SEED, script.parse(SHOTS[name], name)).run()
    return png.glass(bytes(device.display.shown), device.display.width, device.display.height)


def main(argv: list[str]) -> int:
    """Run the command; the exit code."""
    parser = cli.Parser("shots", "Make the pictures in docs/pictures anew, from the real firmware.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which ones (default: all): {', '.join(SHOTS)}")
    parser.add_argument("--out", type=Path, default=PICTURES, metavar="DIR", help="where to (default: docs/pictures)")
    asked = parser.parse_args(argv)
    for name in asked.names:
        if name not in SHOTS:
            raise cli.Usage(f"no picture {name!r}; there are: {', '.join(SHOTS)}")
    names = asked.names or list(SHOTS)
    try:
        asked.out.mkdir(parents=True, exist_ok=True)
        with cli.Progress("pictures", len(names)) as progress:
            for name in names:
                (asked.out / f"{name}.png").write_bytes(take(name))
                progress.step(name)
    except OSError as fault:
        raise cli.Failure(f"cannot write {fault.filename or asked.out}: {fault.strerror}") from None
    return cli.DONE
