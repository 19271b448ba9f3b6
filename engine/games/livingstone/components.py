"""The figures of Livingstone as data, each with its source and how sure it is.

An `Edition` holds every figure that a rule reads. Games use `HOUSE` unless their creator names another. It follows the
published game wherever a source has the figure; otherwise the value is our own and `FIGURES` marks it `house`. An
operator who owns the game can write the true figures into a JSON file of the same form (README.md).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta as Bounds

ROWS = 6
COLUMNS = 10
GEMS = ("clear", "blue", "red")
Gem = Literal["clear", "blue", "red"]
TOTAL_CARDS = 27
TOTAL_STONES = 60

Small = Annotated[int, Bounds(ge=0, le=99)]
Some = Annotated[int, Bounds(ge=1, le=60)]
ByColumn = Annotated[tuple[Small, ...], Bounds(min_length=COLUMNS, max_length=COLUMNS)]
ByRow = Annotated[tuple[Small, ...], Bounds(min_length=ROWS, max_length=ROWS)]
ByGem = Annotated[tuple[Small, ...], Bounds(min_length=len(GEMS), max_length=len(GEMS))]


class _Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename="kebab"):
    """Figures that are all written out: an edition has no defaults."""


class Stones(_Figures, frozen=True):
    """The bag at the start. The white stone always goes back, so the bag is never empty."""

    black: Small
    clear: Small
    blue: Small
    red: Small
    white: Some


class Copies(_Figures, frozen=True):
    """Cards of each kind. The mine accident always goes back, so the deck is never empty."""

    explorer: Small
    elephants: Small
    raised_tent: Small
    steamer: Small
    coins: Small
    two_dice: Small
    market: Small
    cave: Small
    lion: Small
    rhino: Small
    antelope: Small
    mine_accident: Some


class Edition(_Figures, frozen=True):
    """All figures that the rules read. Tuples run by column 1 to 10, row 1 (at the river) to 6, or clear, blue, red."""

    name: Annotated[str, Bounds(pattern=r"^[a-z0-9][a-z0-9.-]{0,39}$")]
    costs: ByColumn
    tent_points: ByRow
    majorities: ByRow
    tents: Some
    purse: Small
    stones: Stones
    prices: ByGem
    market_coins: ByGem
    market_points: ByGem
    gem_points: Small
    copies: Copies
    coins_card: Small
    cave_stones: Annotated[int, Bounds(ge=1, le=6)]  # at most as many as with a die: `META.draws` relies on it
    lion_points: Small
    rhino_points: Small
    antelope_points: Small

    def __post_init__(self) -> None:
        """Check the two totals that all sources agree on; ValueError if a file misses them."""
        for what, figures, total in (("cards", self.copies, TOTAL_CARDS), ("stones", self.stones, TOTAL_STONES)):
            found = sum(msgspec.structs.astuple(figures))
            if found != total:
                raise ValueError(f"an edition has {total} {what}, not {found}")


def names_and_counts(figures: Stones | Copies) -> dict[str, int]:
    """Return names as recorded (`two-dice`) with their counts."""
    return dict(zip(figures.__struct_encode_fields__, msgspec.structs.astuple(figures), strict=True))


HOUSE = Edition(
    name="house",
    costs=(1, 1, 2, 2, 3, 3, 4, 4, 5, 5),
    tent_points=(1, 2, 3, 4, 5, 6),
    majorities=(12, 10, 8, 6, 4, 2),
    tents=11,
    purse=3,
    stones=Stones(black=29, clear=15, blue=10, red=5, white=1),
    prices=(1, 3, 5),
    market_coins=(1, 2, 3),
    market_points=(1, 2, 3),
    gem_points=1,
    copies=Copies(
        explorer=3,
        elephants=3,
        raised_tent=2,
        steamer=2,
        coins=3,
        two_dice=2,
        market=3,
        cave=3,
        lion=1,
        rhino=2,
        antelope=2,
        mine_accident=1,
    ),
    coins_card=4,
    cave_stones=3,
    lion_points=4,
    rhino_points=3,
    antelope_points=2,
)


class Figure(msgspec.Struct, frozen=True):
    """The source of a figure of `HOUSE`: `agreed`, `one-source`, `rulebook`, `inferred`, or our own choice, `house`."""

    field: str
    confidence: Literal["agreed", "one-source", "rulebook", "inferred", "house"]
    source: str


FIGURES = (
    Figure("costs", "house", "sources: rises by column; column 1 costs 1 (inferred); a 2 is directly followed by a 3"),
    Figure("tent_points", "agreed", "hall9000 and Poeppelkiste reviews: the row's number"),
    Figure("majorities", "inferred", "12 and 2: Poeppelkiste; 10: rulebook example; 8, 6, 4: the even steps between"),
    Figure("tents", "agreed", "Italian rulebook, Cliquenabend, Board Game Arena: 11 for any number of players"),
    Figure("purse", "agreed", "rulebook, Italian rulebook, Board Game Arena"),
    Figure("stones", "one-source", "Italian component list; 29 black, 1 white and 30 gems agreed with the rulebook"),
    Figure("prices", "agreed", "rulebook and Spiele-Offensive"),
    Figure("market_coins", "rulebook", "explanation of the market card"),
    Figure("market_points", "rulebook", "explanation of the market card"),
    Figure("gem_points", "agreed", "rulebook and Spiele-Offensive"),
    Figure("copies", "house", "no source counts the copies; that there are 27 cards of 12 kinds is agreed"),
    Figure("coins_card", "rulebook", "explanation of the gold coin"),
    Figure("cave_stones", "rulebook", "explanation of the explorer in the cave"),
    Figure("lion_points", "rulebook", "explanation of the animals"),
    Figure("rhino_points", "rulebook", "explanation of the animals"),
    Figure("antelope_points", "rulebook", "explanation of the animals"),
)
