"""`test`: run all tests with pytest inside .venv."""

from __future__ import annotations

import os

from tools import cli

DESCRIPTION = """Run all tests. Arguments that are not listed here go to pytest: a file, a folder, -k WORD, -x, ...
Without a -n of yours, two processes share the work."""

# pytest's exit codes (pytest.ExitCode) as ours. Broken: in itself, or in its output (`| head`); none found: it collected
# no test.
INTERRUPTED, BROKEN, MISUSED, NONE_FOUND = 2, 3, 4, 5


def main(argv: list[str]) -> int:
    """Run pytest; 0 if every test passed."""
    parser = cli.Parser("test", DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--slow", action="store_true", help="the long runs too (minutes)")
    chosen, arguments = parser.parse_known_args(argv)

    import pytest

    if chosen.slow:
        arguments.append("--slow")
    alone = {"-s", "--pdb", "--collect-only", "--co"}
    if not any(a.startswith(("-n", "--numprocesses")) or a in alone for a in arguments):
        arguments = ["-n", str(min(2, os.cpu_count() or 1)), *arguments]
    code = int(pytest.main(arguments))
    if code == NONE_FOUND:
        raise cli.Failure("no test matches these arguments")
    return {INTERRUPTED: 130, BROKEN: cli.FAILED, MISUSED: cli.MISUSED}.get(code, code)
