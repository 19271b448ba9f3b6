"""The kinds of card: the word that is typed and recorded, the name that people read, the command that plays it."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

Playable = Literal[
    "antelope",
    "cave",
    "coins",
    "elephants",
    "explorer",
    "lion",
    "market",
    "raised-tent",
    "rhino",
    "steamer",
    "two-dice",
]
PLAYABLE: tuple[Playable, ...] = get_args(Playable)  # all but the accident, which happens when it is drawn


class Kind(NamedTuple):
    """A kind of card. `typed` is the command that plays it, if that is not `play`."""

    name: str
    typed: str = ""


KINDS = {
    "explorer": Kind("Explorer and Native", "tent {die} explorer"),
    "elephants": Kind("Elephants", "tent {die} row {row} elephants"),
    "raised-tent": Kind("Raised Tent", "raise {column} {row}"),
    "steamer": Kind("Steamer"),
    "coins": Kind("Gold Coin"),
    "two-dice": Kind("Man at the Table"),
    "market": Kind("Market", "sell {count} {gem} market"),
    "cave": Kind("Explorer in the Cave"),
    "lion": Kind("Lion"),
    "rhino": Kind("Rhino"),
    "antelope": Kind("Antelope"),
    "mine-accident": Kind("Mine Accident"),
}


def _named(word: str, name: str) -> str:
    """Return the name, followed by the word to type if the two differ."""
    return name if name.lower().replace(" ", "-") == word else f"{name} ({word})"


NAMES = {word: _named(word, kind.name) for word, kind in KINDS.items()}
PRINTED = {"card": NAMES, "cards": NAMES, "hand": NAMES}
