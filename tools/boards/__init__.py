"""Boards on USB: finding them, talking to them with time limits, updating their firmware, keeping their saves."""
