"""The width of words in pictures: an upper estimate in ems, from the letters of DejaVu Sans, so that they fit."""

from __future__ import annotations

from engine.kit.letters import MARK, width

CAPITAL, OTHER = 0.79, 0.66  # the widest of most letters
BOLD, BEYOND = 1.12, 1.05  # bold letters are this much wider; so are those beyond ASCII on average
OTHERS = {**dict.fromkeys(f"mMwW@%{MARK}", 1.0), **dict.fromkeys("#&+<=>^~", 0.84)}
OTHERS |= {**dict.fromkeys("frt ", 0.45), **dict.fromkeys("ijlI'.,", 0.34)}


def ems(words: str, *, bold: bool = False) -> float:
    """The width of the words in ems."""
    return sum(map(_of, words)) * (BOLD if bold else 1.0)


def _of(char: str) -> float:
    """Letters of two columns count one em, combining accents nothing."""
    usual = OTHERS.get(char) or (CAPITAL if char.isupper() else OTHER)
    return usual if char.isascii() or char == MARK else (0.0, BEYOND * usual, 1.0)[width(char)]


def fitting(words: str, room: float, most: float, *, bold: bool = False) -> float:
    """The font size at which the words fit into the room: at most `most`, in steps of a tenth."""
    wide = ems(words, bold=bold)
    return int(10 * min(most, room / wide if wide else most)) / 10
