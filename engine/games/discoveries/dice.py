"""Dice: six faces of four kinds, five dice in each seat's colour, and grey ones that belong to nobody.

A die with a face is a word, `red-walk`; two equal ones cannot be told apart. A die that lies on an action or on a bank
will be thrown when it is taken, so there only its colour is kept.
"""

from __future__ import annotations

COLOURS = ("red", "blue", "green", "yellow")  # by seat
GREY = "grey"
PER_COLOUR = 5
GREYS = {2: 6, 3: 8, 4: 10}  # in the stock at the start, by seats
CUBE = ("walk", "walk", "ride", "parley", "write", "write")  # what the six sides of a die show
BANKS = {"walk": "left", "ride": "left", "parley": "right", "write": "right"}


def die_of(colour: str, face: str) -> str:
    return f"{colour}-{face}"


def colour_of(die: str) -> str:
    """Also of a colour alone: a die that is about to be thrown."""
    return die.partition("-")[0]


def face_of(die: str) -> str:
    return die[die.index("-") + 1 :]
