"""`python3 -m tools COMMAND`: finds the command, prepares its environment, turns errors into one line."""

# This file must parse on every Python 3, so that an old one gets a clear line and not a SyntaxError.

import importlib
import os
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


def main(argv):
    """Run the command of `argv`; the exit code: 0 done, 1 it failed, 2 wrong use."""
    if sys.version_info < OLDEST:
        wanted, found = ".".join(map(str, OLDEST)), ".".join(map(str, sys.version_info[:2]))
        sys.stderr.write("cairn: Python {} or newer is needed, this is {}\n".format(wanted, found))
        return 1
    from tools import cli

    if not argv:
        sys.stderr.write(usage() + "\n")
        return cli.MISUSED
    if argv[0] in ("-h", "--help"):
        print(usage())
        return cli.DONE
    if argv[0] not in offered():
        cli.say("no command {!r}; there are: {}".format(argv[0], ", ".join(offered())))
        return cli.MISUSED
    module, needs_packages, _ = COMMANDS[argv[0]]
    try:
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
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        cli.say("stopped")
        return 130
    except BrokenPipeError:
        # The reader (`| head`) has what it wanted. Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return cli.DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
