"""Facts about Tikal, readable without its rules."""

from __future__ import annotations

from typing import Literal

from engine.game import Meta, Options
from engine.games.tikal.components import ALIKE, TILES, TREASURES

Variant = Literal["basic", "auction"]
Bidding = Literal["sealed", "open"]

SCORINGS = 4  # three volcanoes and the end


class TikalOptions(Options, frozen=True):
    """`bidding` is how the auction is held; the basic game has none."""

    variant: Variant = "basic"
    bidding: Bidding = "sealed"


META = Meta(
    key="tikal",
    title="Tikal",
    designers=("Wolfgang Kramer", "Michael Kiesling"),
    year=1999,
    seats=(2, 4),
    options=TikalOptions,
    rules=(1, 1),
    stage="beta",
    cap=len(TILES) + 4 * SCORINGS,  # every turn uses up a tile, so none is ever cut off
    draws=1 + len(TILES) + ALIKE * len(TREASURES),
)
