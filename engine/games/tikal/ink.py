"""Colours of the picture as roles, and the few shapes that its parts share."""

from __future__ import annotations

from math import cos, pi, sin

from engine.kit import element, text

SEATS = 4
COLOURS = tuple(f"@seat-{seat + 1}" for seat in range(SEATS))
ROLES = {
    "seat-1": ("#b93226", "#c8473a"),
    "seat-2": ("#2563a0", "#3f7fc0"),
    "seat-3": ("#a26a00", "#b17c12"),
    "seat-4": ("#74479a", "#8f62b5"),
    "jungle": ("#2f5d3a", "#1f3f29"),
    "leaf": ("#3d7048", "#2c5638"),
    "rim": ("#234a2d", "#142a1b"),
    "name": ("#d5ebce", "#a9c9a3"),
    "camp": ("#e9d8a6", "#a8945c"),
    "temple": ("#dfd3b0", "#9b8d68"),
    "ruins": ("#dccba4", "#93815a"),
    "clearing": ("#bdd08f", "#728a4b"),
    "volcano": ("#6b4a40", "#4a312a"),
    "border": ("#a38a55", "#5f5335"),
    "tile-ink": ("#33291d", "#1d160d"),
    "stone": ("#a29a8d", "#7d766b"),
    "shade": ("#5f584d", "#3a352e"),
    "shine": ("#d3ccc0", "#a9a297"),
    "step": ("#cbc0a6", "#b9ad90"),
    "plate": ("#fbf6ea", "#efe6d2"),
    "gold": ("#f0c75e", "#e8bd4e"),
    "bronze": ("#8a6210", "#6e4d0b"),
    "lava": ("#e4572e", "#e8623a"),
    "rock": ("#4d332c", "#2f1f1a"),
    "cloth": ("#fffaf0", "#e8dfca"),
    "grass": ("#6b8a44", "#465c2d"),
}


def middle(x: float, y: float, words: object, size: float, /, **style: object) -> str:
    return text(x, y, words, size, middle=True, **style)


def hexagon(radius: float, /, **style: object) -> str:
    """Return a hexagon around 0 0, flat on top."""
    corners = ((radius * cos(at * pi / 3), radius * sin(at * pi / 3)) for at in range(6))
    return element("polygon", points=" ".join(f"{x:.4g},{y:.4g}" for x, y in corners), **style)
