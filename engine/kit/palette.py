"""Colours of pictures as roles: a drawing says `fill="@ink"`, and a table says what ink is on a light and a dark page.

A game adds roles of its own to those of every game, each with its light and its dark colour. Words that stand on a
colour of a seat are `on-seat`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

Palette = Literal["light", "dark"]
Roles = Mapping[str, tuple[str, str]]

COMMON: Roles = {
    "paper": ("#fbf6ea", "#1b1814"),  # the page below everything
    "panel": ("#fffdf7", "#27221c"),  # what a player has
    "here": ("#fdf0c4", "#3d3419"),  # the panel of the player to move
    "card": ("#f1e4c3", "#3a3226"),
    "line": ("#c9b78d", "#5d5140"),
    "edge": ("#4a3d2e", "#0f0d0a"),  # the rim of pieces
    "ink": ("#33291d", "#f1e8d6"),
    "faint": ("#6d5f4b", "#b9aa90"),
    "on-seat": ("#ffffff", "#ffffff"),
    "dice": ("#fffefa", "#efe6d2"),
    "pips": ("#2a2118", "#2a2118"),
    "mark": ("#d06b00", "#ffb03a"),  # the last move, and what fits
    "laurel": ("#e3c25c", "#e3c25c"),
    "good": ("#2f7a3f", "#7cc48a"),
    "bad": ("#b3261e", "#ff8a7a"),
}
_ROLE = re.compile(r'"@([a-z0-9-]+)"')


def painted(drawn: str, roles: Roles, palette: Palette) -> str:
    """The drawing with the colours of a palette. KeyError for a role that has none."""
    at = 0 if palette == "light" else 1
    table = {role: f'"{pair[at]}"' for role, pair in {**COMMON, **roles}.items()}
    return _ROLE.sub(lambda found: table[found[1]], drawn)
