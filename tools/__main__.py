"""`python3 -m tools COMMAND`: finds the command, prepares its environment, turns errors into one line."""

# This file must parse on every Python 3, so that an old one gets a clear line and not a SyntaxError.

import errno
import importlib
import os
import signal
import sys

OLDEST = (3, 10)

# name: (module, needs the packages of .venv, what it does). Those whose module is not there are not offered.
COMMANDS = {
    "play": ("tools.play", False, "the handheld in this terminal (arrow keys, A, B)"),
    "web": ("tools.web", True, "the handheld in a browser"),
    "test": ("tools.test", True, "all tests; arguments go to pytest"),
    "record": ("tools.record", False, "play games and write their records"),
    "replay": ("tools.replay", False, "check game records"),
    "arena": ("tools.arena", False, "computer players against each other"),
    "train": ("tools.train", False, "fit the integer weights of a computer player by self-play"),
    "blunders": ("tools.blunders", False, "find positions in which one move is clearly the best"),
    "solve": ("tools.solve", False, "the exact solution of a game, and what players lose against it"),
    "bench": ("tools.bench", True, "the figures: speed, memory, size"),
    "build": ("tools.build", True, "byte-compile the image for the Pico"),
    "flash": ("tools.flash", True, "put the image onto one or many boards"),
    "emulate": ("tools.emulate", True, "the image on an emulated RP2040"),
    "shots": ("tools.shots", False, "the pictures in README and docs, from the real firmware"),
    "wiring": ("tools.wiring", False, "the wiring diagram of a board file, as SVG"),
}


def offered():
    """The names of the commands whose module is there, in the table's order."""
    here = os.path.dirname(os.path.abspath(__file__))
    return [
        name
        for name, (module, _, _) in COMMANDS.items()
        if os.path.exists(os.path.join(here, module.split(".")[1] + ".py"))
    ]


def usage():
    """The text of `-h`."""
    lines = ["usage: python3 -m tools COMMAND [-h] ...", ""]
    for name in offered():
        lines.append("  {:9}{}".format(name, COMMANDS[name][2]))
    lines += ["", "`python3 -m tools COMMAND -h` says more about one."]
    return "\n".join(lines)


class Terminated(KeyboardInterrupt):
    """SIGTERM, which is as Ctrl-C to every command: what it has begun is put in order, and it ends."""


def terminated(_number, _frame):
    """The handler of SIGTERM. A second one ends this process at once."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise Terminated


def main(argv):
    """Run the command of `argv`; the exit code: 0 done, 1 it failed, 2 wrong use, 128 and its number after a signal."""
    if sys.version_info < OLDEST:
        wanted, found = ".".join(map(str, OLDEST)), ".".join(map(str, sys.version_info[:2]))
        sys.stderr.write("cairn: Python {} or newer is needed, this is {}\n".format(wanted, found))
        return 1
    from tools import cli

    if not argv:
        sys.stderr.write(usage() + "\n")
        return cli.MISUSED
    if argv[0] in ("-h", "--help"):
        cli.answer(usage())
        return cli.DONE
    if argv[0] not in offered():
        cli.say("no command {!r}; there are: {}".format(argv[0], ", ".join(offered())))
        return cli.MISUSED
    module, needs_packages, _ = COMMANDS[argv[0]]
    # Who had it ignored wants it so.
    heeded = signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    try:
        if heeded:
            signal.signal(signal.SIGTERM, terminated)
        if needs_packages and not {"-h", "--help"} & set(argv[1:]):
            from tools import environment

            code = environment.run_inside(argv)
            if code is not None:
                return code
        return importlib.import_module(module).main(argv[1:])
    except cli.Usage as wrong:
        cli.say(str(wrong))
        return cli.MISUSED
    except cli.Failure as fault:
        cli.say(str(fault))
        return cli.FAILED
    except KeyboardInterrupt as stop:
        sys.stderr.write("\n")
        cli.say("stopped")
        return 128 + (signal.SIGTERM if isinstance(stop, Terminated) else signal.SIGINT)
    finally:
        if heeded:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def guarded(argv):
    """main(), with standard streams that are closed, full or of a narrow encoding: never a traceback for those.

    A reader that goes away (`| head`) makes no failure of a command that ended well, and no success of one that did not.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        # Python has None where the caller closed it (`>&-`): nobody wants to read or to write there.
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 (stays open as long as we run)
    if hasattr(sys.stdout, "reconfigure"):
        # A file name may hold what this terminal cannot show.
        sys.stdout.reconfigure(errors="backslashreplace")
    code = None
    try:
        try:
            code = main(argv)
        except SystemExit as end:
            # argparse, after help.
            code = end.code
        # What is still in the buffer goes out here, where its faults can be told, and not when Python ends.
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        if code is None:
            # Stopped in the midst of its work, of which nobody knows how it would have ended.
            code = 1
            from tools import cli

            cli.say("nobody reads the output any more; stopped")
    except OSError as fault:
        if fault.errno not in (errno.ENOSPC, errno.EIO, errno.EDQUOT) or fault.filename:
            raise
        sys.stderr.write("cairn: the output cannot be written: {}\n".format(fault.strerror))
        code = code or 1
    # Python would complain once more when it flushes at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(guarded(sys.argv[1:]))
