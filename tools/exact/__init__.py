"""Exact solutions of games, or of simpler games beside them, that computer players are measured against."""
