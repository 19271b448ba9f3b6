"""Dice: six sides with four faces, five dice in each player's colour, and grey ones that belong to nobody.

A die with a face is a word, `red-walk`; equal dice cannot be told apart. A die on an action or a bank is rolled when it
is taken, so only its colour is kept there.
"""

from __future__ import annotations

COLOURS = ("red", "blue", "green", "yellow")  # by seat
GREY = "grey"
PER_COLOUR = 5
GREYS = {2: 6, 3: 8, 4: 10}  # in the stock at the start, by number of seats
CUBE = ("walk", "walk", "ride", "parley", "write", "write")  # the six sides of a die
BANKS = {"walk": "left", "ride": "left", "parley": "right", "write": "right"}


def die_of(colour: str, face: str) -> str:
    return f"{colour}-{face}"


def colour_of(die: str) -> str:
    """The colour of a die, or of a bare colour, which stands for a die about to be rolled."""
    return die.partition("-")[0]


def face_of(die: str) -> str:
    return FACE[die]


FACE = {die_of(colour, face): face for colour in (*COLOURS, GREY) for face in BANKS}
