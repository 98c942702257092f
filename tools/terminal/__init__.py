"""The screen and keys of the handheld in a text terminal."""
