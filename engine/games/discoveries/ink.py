"""Colours of the picture as roles; those of dice are named after the dice."""

from __future__ import annotations

ROLES = {
    "seat-red": ("#b93226", "#c8473a"),
    "seat-blue": ("#2563a0", "#3f7fc0"),
    "seat-green": ("#256b38", "#3b8a50"),
    "seat-yellow": ("#8a6300", "#a87a0c"),
    "die-red": ("#c63d30", "#d2513f"),
    "die-blue": ("#2f6fb2", "#4a88ca"),
    "die-green": ("#35834a", "#479a5c"),
    "die-yellow": ("#e8b93c", "#ecc04a"),
    "die-grey": ("#85868a", "#8f9094"),
    "on-yellow": ("#3b2a06", "#3b2a06"),
    "space": ("#fbf8f0", "#453b2e"),
    "tile": ("#f7efd9", "#332b21"),
    "water": ("#4f95bf", "#3b7fa8"),
    "foam": ("#eaf5fb", "#cfe6f2"),
    "ground": ("#dccba2", "#8d7a55"),
    "rock": ("#7d6549", "#4c3b28"),
    "snow": ("#fdfbf5", "#efe9dc"),
    "trail": ("#b08d57", "#8d6f43"),
    "band-friendly": ("#5c7a2e", "#6d8f38"),
    "band-wary": ("#8c3a2a", "#a04a38"),
    "tipi": ("#a4562b", "#cf7d4c"),
    "leaf": ("#4d6b3a", "#8db573"),
    "bank": ("#e3d3a8", "#40372a"),
}
