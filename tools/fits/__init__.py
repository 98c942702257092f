"""Fits of weights to games: what a player's evaluation says of positions, beside what came of them."""
