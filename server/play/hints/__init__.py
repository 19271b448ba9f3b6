"""Hints: what a house player would play for somebody at a table whose creator allows it, marked for everyone."""

IMPOSSIBLE = 3  # exit status of the process of a hint: the game has no house players
