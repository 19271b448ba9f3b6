"""Letters beyond ASCII in the data of a record: written as references (`&#233;` is an e with an acute accent)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

LETTER = r"&#[0-9]{3,6};"  # in patterns of names
_REFERENCE = re.compile(r"&#([0-9]{3,6});")


def as_ascii(value: Any) -> Any:
    """Plain data with every letter beyond ASCII in its texts as a reference."""
    if isinstance(value, str):
        return value if value.isascii() else "".join(c if c.isascii() else f"&#{ord(c)};" for c in value)
    if isinstance(value, Mapping):
        return {as_ascii(name): as_ascii(member) for name, member in value.items()}
    return [as_ascii(item) for item in value] if isinstance(value, (list, tuple)) else value


def readable(text: str) -> str:
    """The text as people read it; a reference that is not to a printable letter stays."""
    return _REFERENCE.sub(_letter, text) if "&#" in text else text


def _letter(found: re.Match[str]) -> str:
    code = int(found[1])
    letter = chr(code) if code <= 0x10FFFF else ""
    return letter if letter.isprintable() and letter else found[0]


# --- names of players on boards and in pictures: cut alike everywhere, and safe in SVG --------------------------------


MARK = "\u2026"  # the mark at the end of a cut name: one column


def names_of(seats: int) -> tuple[str, ...]:
    """Names for players whose names are not known: `Seat 1`, `Seat 2`."""
    return tuple(f"Seat {seat + 1}" for seat in range(seats))


def width(text: str) -> int:
    """The columns of a text in a terminal or a mail: wide letters take two, combining accents none."""
    return len(text) if text.isascii() else sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut(name: str, most: int) -> str:
    """Cut a name to this many columns; a cut name ends with a mark of one column."""
    if width(name) <= most:
        return name
    kept, room = 0, most - 1
    for char in name:
        room -= _columns(char)
        if room < 0:
            break
        kept += 1
    return name[:kept].rstrip() + MARK


def pad(name: str, columns: int) -> str:
    """The name cut to these columns and filled up with blanks on its right."""
    shown = cut(name, columns)
    return shown + " " * (columns - width(shown))


def escape(text: str) -> str:
    """Escape a text for SVG, in an element or a quoted attribute."""
    clean = text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)
    for char, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        clean = clean.replace(char, name)
    return clean
