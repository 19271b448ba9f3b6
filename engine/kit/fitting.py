"""How wide words are in print, rather too wide, so that they fit: by the letters of DejaVu Sans, in ems."""

from __future__ import annotations

from engine.kit.letters import MARK, width

CAPITAL, OTHER = 0.79, 0.66  # the widest of most letters
BOLD, BEYOND = 1.12, 1.05  # how much wider bold ones are, and those beyond ASCII taken together
OTHERS = {**dict.fromkeys(f"mMwW@%{MARK}", 1.0), **dict.fromkeys("#&+<=>^~", 0.84)}
OTHERS |= {**dict.fromkeys("frt ", 0.45), **dict.fromkeys("ijlI'.,", 0.34)}


def ems(words: str, *, bold: bool = False) -> float:
    """The width of the words, in sizes of their letters."""
    return sum(map(_of, words)) * (BOLD if bold else 1.0)


def _of(char: str) -> float:
    """Letters of two columns are one em wide, accents of their own nothing."""
    usual = OTHERS.get(char) or (CAPITAL if char.isupper() else OTHER)
    return usual if char.isascii() or char == MARK else (0.0, BEYOND * usual, 1.0)[width(char)]


def fitting(words: str, room: float, most: float, *, bold: bool = False) -> float:
    """The size of letters in which the words fit into the room: `most`, or as small as it must be, in tenths."""
    wide = ems(words, bold=bold)
    return int(10 * min(most, room / wide if wide else most)) / 10
