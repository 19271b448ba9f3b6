"""The box without its cards: goods, Indians, boats, village, journal, and the confidence in each figure.

Names are those of the record. `FIGURES` gives the source of every figure; `house` marks those that we chose.
"""

from __future__ import annotations

from typing import Literal

import msgspec

# --- goods ----------------------------------------------------------------------------------------------------------

Primary = Literal["equipment", "food", "fur", "wood"]
Good = Literal["equipment", "food", "fur", "wood", "canoe", "horse"]
PRIMARY: tuple[Primary, ...] = ("equipment", "food", "fur", "wood")
GOODS: tuple[Good, ...] = ("equipment", "food", "fur", "wood", "canoe", "horse")
BADGES = PRIMARY  # a card's badge is one of the four; collecting counts badges
START_GOODS: tuple[Good, ...] = ("equipment", "food", "fur")

# --- Indians --------------------------------------------------------------------------------------------------------

INDIANS = (6, 9, 12, 15, 18)  # by number of players, 1 to 5: three, and three more for each
START_INDIANS = 1  # on the fourth boat of each
START_NEWCOMERS = 1


def stock(seats: int) -> int:
    """Return the Indians in the stock once every player has one and one stands on the newcomers' space."""
    return INDIANS[seats - 1] - seats * START_INDIANS - START_NEWCOMERS


# --- boats ----------------------------------------------------------------------------------------------------------


class Boat(msgspec.Struct, frozen=True):
    """A boat: its load, its room (None: any number), and its delay at a camp: none, 1, or 1 for each piece."""

    name: str
    holds: Literal["goods", "indians"]
    room: int | None
    time: Literal["none", "once", "each"]


BOARD = (
    Boat("first", "goods", 3, "none"),
    Boat("second", "goods", 3, "once"),
    Boat("third", "goods", 5, "each"),
    Boat("fourth", "indians", 1, "none"),
    Boat("fifth", "indians", None, "each"),
)
TILES = (  # two kinds with two sides each
    Boat("goods-2", "goods", 2, "none"),
    Boat("goods-5", "goods", 5, "once"),
    Boat("indians-1", "indians", 1, "none"),
    Boat("indians-3", "indians", 3, "once"),
)
TILES_OF_A_KIND = 6
BOATS = {boat.name: boat for boat in (*BOARD, *TILES)}

# --- the village ----------------------------------------------------------------------------------------------------


class Place(msgspec.Struct, frozen=True):
    """A place of the village: its circles (0: a semicircle, always open for one to three), price and gains.

    `pay` lists goods, `different` is a number of goods that must all differ; `gains` are alternatives, each a bundle.
    Other effects are in `cards.py`. `badge` is the place's token in the solo game.
    """

    name: str
    title: str
    circles: int
    badge: Primary
    pay: tuple[Good, ...] = ()
    different: int = 0
    gains: tuple[tuple[Good, ...], ...] = ()


VILLAGE = (
    Place("hunting", "Hunting", 1, "food", gains=(("food", "fur"),)),
    Place("craftsmanship", "Craftsmanship", 1, "equipment", gains=(("equipment", "wood"),)),
    Place("gift", "Gift", 1, "fur", gains=(("fur", "fur"), ("wood", "wood"))),
    Place("farewell", "Farewell", 1, "fur"),
    Place("shamanism", "Shamanism", 1, "food", pay=("food",)),
    Place("upgrade", "Expedition Upgrade", 2, "wood", pay=("wood",) * 3),
    Place("canoes", "Canoe Manufacturing", 0, "wood", pay=("wood",) * 2, gains=(("canoe",),)),
    Place("horses", "Horse Trade", 0, "equipment", different=3, gains=(("horse",),)),
)
PLACES = {place.name: place for place in VILLAGE}
MOST_STRENGTH = 3  # also the most Indians that come to a semicircle at once
FAREWELL_DISCARDS = 3
UPGRADE_GOODS = 2
UPGRADE_INDIANS = 1

# --- the journal ----------------------------------------------------------------------------------------------------

JOURNAL_FUR = (1, 2, 3, 4, 5)  # by slot, from the one beside the gulf up to the one beside the deck

# --- the solo game --------------------------------------------------------------------------------------------------

MACKENZIE = (0, 7)  # spaces above Saint Louis where the scout may start: easiest, hardest
MACKENZIE_SPEED = 1  # spaces forward after each turn


# --- confidence -----------------------------------------------------------------------------------------------------


class Figure(msgspec.Struct, frozen=True):
    """The source of a figure: two that agree, one, the rulebook, an inference, or our own choice (`house`)."""

    field: str
    confidence: Literal["agreed", "one-source", "rulebook", "inferred", "house"]
    source: str


FIGURES = (
    Figure("START_GOODS", "rulebook", "preparation, step 9"),
    Figure("INDIANS", "agreed", "two programs, a help page, a review for the solo game; 18 in the rulebook"),
    Figure("START_INDIANS", "rulebook", "preparation, step 8"),
    Figure("START_NEWCOMERS", "rulebook", "preparation, step 4"),
    Figure("BOARD", "agreed", "photographs and a program; the rulebook's example of a camp"),
    Figure("TILES", "agreed", "photographs and a program"),
    Figure("TILES_OF_A_KIND", "agreed", "rulebook: two piles of six; a review: six of each kind"),
    Figure("VILLAGE.circles", "agreed", "photographs, two programs"),
    Figure("VILLAGE.pay", "agreed", "photographs, two programs, a page on the village"),
    Figure("VILLAGE.gains", "agreed", "photographs, two programs, a page on the village"),
    Figure("VILLAGE.badge", "house", "known: hunting and shamanism (food); the other six have no known source"),
    Figure("MOST_STRENGTH", "rulebook", "actions of characters; semicircles"),
    Figure("FAREWELL_DISCARDS", "agreed", "two programs, a page on the village"),
    Figure("UPGRADE_GOODS", "agreed", "two programs, a page on the village"),
    Figure("UPGRADE_INDIANS", "agreed", "two programs, a page on the village"),
    Figure("JOURNAL_FUR", "agreed", "photographs, two programs; the rulebook's example: four in the fourth slot"),
    Figure("MACKENZIE", "one-source", "a page on the solo game"),
    Figure("MACKENZIE_SPEED", "one-source", "a page on the solo game"),
    Figure("BEYOND", "one-source", "two programs model ten spaces, a photograph shows at least eight"),
)
