"""Facts about Discoveries, readable without its rules."""

from __future__ import annotations

from typing import Annotated

from engine.game import Meta, Options
from engine.games.discoveries.cards import COUNT, Edition
from engine.games.discoveries.dice import GREYS, PER_COLOUR
from engine.games.discoveries.house import HOUSE
from engine.kit import said

CAP = 400  # turns; an ordinary game of four players takes 100 to 200
MOST_DICE = 4 * PER_COLOUR + GREYS[4]
REDRAWS = 9  # how often the first tribes of a first game may be drawn again

# One draw decides who begins, each card is drawn once or put back and drawn again, and the coloured dice are rolled.
SETUP = 1 + COUNT + 3 * REDRAWS + 4 * PER_COLOUR

# A rest rolls at most the player's five dice, or those of a bank. A turn that plays dice rolls what an exploration
# gives back, and a grey die for each tribe; dice that it sends to a bank are not rolled. Banks begin empty, so rests
# take no more from them (r) than other turns have sent there (s): r <= (r + s) / 2. Per turn, a rest therefore counts
# at most half of all dice (r / 2, or five of one colour), and so does a turn that plays dice (s / 2). A turn that
# explores sends and rolls different dice, at most all of them. An exploration or a tribe uses up a card.
DRAWS = SETUP + MOST_DICE // 2 * (CAP + COUNT)


FIRST_GAME = {"true": "a first game", "false": ""}


class DiscoveriesOptions(Options, frozen=True):
    """With `first_game` the first three tribes are drawn again until one of them brings an exploration action."""

    edition: Edition = HOUSE
    first_game: Annotated[bool, said("First game: start with a tribe that helps to explore", FIRST_GAME)] = False


META = Meta(
    key="discoveries",
    title="Discoveries: The Journals of Lewis & Clark",
    designers=("Cédrick Chaboussit",),
    year=2015,
    seats=(2, 4),
    options=DiscoveriesOptions,
    rules=(1, 2),
    stage="beta",
    cap=CAP,
    draws=DRAWS,
)
