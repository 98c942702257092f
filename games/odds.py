"""What a lead is worth."""

ODDS = bytes(
    (255, 225, 199, 175, 155, 136, 120, 106, 94, 83, 73, 64, 57, 50, 44, 39, 35, 30, 27, 24)
    + (21, 18, 16, 14, 13, 11, 10, 9, 8, 7, 6, 5, 5, 4, 4, 3, 3, 2, 2, 2)
)
"""255 * exp(-i / 8): the chance of winning of who is behind by i eighths of a logit, beside that of the leader. Divided by
their sum these are the chances of all seats."""
