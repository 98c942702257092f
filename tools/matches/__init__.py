"""Matches between players: who sits where, the processes that play, the conversation with programs, the figures."""
