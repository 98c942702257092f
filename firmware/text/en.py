"""English texts. {} stands for what is filled in, in order."""

TEXTS = {
    # Title and lists
    "title.resume": "Resume",
    "title.play": "Play",
    "title.about": "About",
    "games.title": "Games",
    "games.seats": "{}-{}",
    "game.goats": "Mountain Goats",
    # Set-up
    "setup.start": "Start",
    "setup.go": "Begin the game",
    "setup.person": "A person plays",
    "setup.easy": "Computer, easy",
    "setup.nobody": "Nobody sits here",
    "setup.seats": "For {} to {} players",
    "option.goats.big": "Big Mountain",
    "option.goats.big.help": "Sums 11-24, up to 5 seats",
    # In every game
    "play.roll": "Roll",
    "play.menu": "Menu",
    "play.again": "Again",
    "menu.title": "Pause",
    "menu.continue": "Continue",
    "menu.last": "Last moves",
    "menu.sheet": "Score sheet",
    "menu.leave": "Save and leave",
    "result.won": "Winner",
    "result.shared": "Shared win",
    "tie.goats": "by summits",
    # The carrot race
    "game.horses": "Carrot Race",
    "tie.horses": "by carrots",
    "why.horses.trot": "Some {} ahead, and carrots",
    "why.horses.gallop": "Some {} spaces ahead",
    "why.horses.stake": "{} times in 100 it works",
    # Messages
    "message.title": "Please note",
    "message.ok": "OK",
    "save.bad": "The saved game could not be read. It was put aside.",
    "save_older": "The last save was damaged; the one before it is used.",
    "save_lost": "The saved game was damaged and is lost.",
    "save_full": "No room to save. If power goes, the game goes back to the last save.",
    "save_failed": "Saving failed. If power goes, the game goes back to the last save.",
    "crash.title": "It broke",
    "crash.restart": "Start again",
    # About
    "about.title": "About",
    "about.text": (
        "Cairn is unofficial, for personal and classroom use. It uses none of the art or text of the games.\n"
        "Mountain Goats is a game by Stefan Risthaus, published by Allplay."
    ),
}
