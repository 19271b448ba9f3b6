"""Facts about Tikal, readable without its rules."""

from __future__ import annotations

from typing import Annotated, Literal

from engine.game import Meta, Options
from engine.games.tikal.components import ALIKE, TILES, TREASURES
from engine.kit import said

Variant = Annotated[
    Literal["basic", "auction"], said("Variant", {"basic": "the basic game", "auction": "the auction game"})
]
Bidding = Annotated[
    Literal["sealed", "open"], said("Bids", {"sealed": "sealed bids", "open": "open bids"}, variant="auction")
]

SCORINGS = 4  # three volcanoes and the end


class TikalOptions(Options, frozen=True):
    """`bidding` is how the auction is held. It has no effect in the basic game."""

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
    cap=len(TILES) + 4 * SCORINGS,  # every turn uses up a tile, so no game is ever cut off
    draws=1 + len(TILES) + ALIKE * len(TREASURES),
)
