"""A first player of one's own: docs/players.md tells how it works. It plays every game, and goats with a plan.

    python3 -m tools arena goats --players "exec:python3 docs/examples/hasty.py,random"
"""

import json
import random
import sys


def choose(game, seat, legal, view):
    """The text of one of the legal moves."""
    if game == "goats":
        # As many points as the sums of the groups say: 5+7 are 12.
        return max(legal, key=lambda move: sum(int(part) for part in move.split("+") if part != "-"))
    return random.choice(legal)


def main():
    """Listen line by line; answer those that ask for a move."""
    game = None
    for text in sys.stdin:
        line = json.loads(text)
        if "record" in line:
            game = line["game"]
        elif "view" in line:
            print(choose(game, line["seat"], line["legal"], line["view"]), flush=True)


main()
