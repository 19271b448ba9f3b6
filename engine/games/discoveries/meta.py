"""Facts about Discoveries, readable without its rules."""

from __future__ import annotations

from engine.game import Meta, Options
from engine.games.discoveries.cards import COUNT, Edition
from engine.games.discoveries.dice import GREYS, PER_COLOUR
from engine.games.discoveries.house import HOUSE

CAP = 400  # turns; an ordinary game with four players has 100 to 200
MOST_DICE = 4 * PER_COLOUR + GREYS[4]
REDRAWS = 9  # how often the first tribes are drawn anew in a first game, at most

# Who begins is drawn. All dice are thrown in each turn at most, and once at the start; every card is drawn once, or set
# back and redrawn.
DRAWS = 1 + MOST_DICE * (CAP + 1) + COUNT + 3 * REDRAWS


class DiscoveriesOptions(Options, frozen=True):
    edition: Edition = HOUSE
    first_game: bool = False  # the first tribes are drawn anew until one of them brings an exploration action


META = Meta(
    key="discoveries",
    title="Discoveries: The Journals of Lewis & Clark",
    designers=("Cedrick Chaboussit",),
    year=2015,
    seats=(2, 4),
    options=DiscoveriesOptions,
    rules=(1, 1),
    stage="beta",
    cap=CAP,
    draws=DRAWS,
)
