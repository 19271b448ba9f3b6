"""Facts about Discoveries, readable without its rules."""

from __future__ import annotations

from typing import Annotated

from engine.game import Meta, Options
from engine.games.discoveries.cards import COUNT, Edition
from engine.games.discoveries.dice import GREYS, PER_COLOUR
from engine.games.discoveries.house import HOUSE
from engine.kit import said

CAP = 400  # turns; an ordinary game with four players has 100 to 200
MOST_DICE = 4 * PER_COLOUR + GREYS[4]
REDRAWS = 9  # how often the first tribes are drawn anew in a first game, at most

# Who begins is drawn; every card is drawn once, or set back and redrawn; all but grey dice are thrown at the start.
SETUP = 1 + COUNT + 3 * REDRAWS + 4 * PER_COLOUR

# A rest throws the five own dice at most, or those of a bank. A turn of action throws the dice that an exploration
# gives back, and a grey one for a tribe; what it sends to a bank it does not throw. Banks begin empty, so rests take no
# more from them (r) than turns of action have sent there (s): r <= (r + s) / 2. Counted by turns, a rest is at most
# half of all dice (r / 2, or five own ones), and so is a turn of action (s / 2); one that explores, sending and
# throwing different dice, is at most all of them. An exploration, or a tribe with its grey die, uses up a card.
DRAWS = SETUP + MOST_DICE // 2 * (CAP + COUNT)


FIRST_GAME = {"true": "a first game", "false": ""}


class DiscoveriesOptions(Options, frozen=True):
    """In a `first_game` the first tribes are drawn anew until one of them brings an exploration action."""

    edition: Edition = HOUSE
    first_game: Annotated[bool, said("A first game: one of the first tribes explores", FIRST_GAME)] = False


META = Meta(
    key="discoveries",
    title="Discoveries: The Journals of Lewis & Clark",
    designers=("Cédrick Chaboussit",),
    year=2015,
    seats=(2, 4),
    options=DiscoveriesOptions,
    rules=(1, 1),
    stage="beta",
    cap=CAP,
    draws=DRAWS,
)
