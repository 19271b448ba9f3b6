"""Moves of house players that a lower level than their own has made, shown to everyone at the table."""
