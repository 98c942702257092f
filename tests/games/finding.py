"""How often a level finds the best move of the positions in a file of blunders. Runs on MicroPython.

A line of the file is what `python3 -m tools blunders` writes.
"""

import json

from games import catalogue, levels


def finds(path, level, seeds):
    """For each position print with how many of so many seeds the level plays its move."""
    with open(path) as file:
        lines = file.readlines()
    for line in lines:
        asked = json.loads(line)
        game = asked["game"]
        rules, bot = catalogue.load(game), catalogue.load(game, "bot")
        notation = catalogue.load(game, "notation")
        player = levels.Player(rules, bot, levels.NAMES.index(level))
        s = bytearray([int(asked["state"][i : i + 2], 16) for i in range(0, len(asked["state"]), 2)])
        rules.check(s)
        wanted = notation.move_code(s, asked["move"])
        found = 0
        for seed in range(int(seeds)):
            player.start(s, seed)
            while not player.step(10000):
                pass
            found += player.best() == wanted
        print(found)
