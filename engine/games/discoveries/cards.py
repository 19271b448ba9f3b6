"""Cards: a tribe on one side, a discovery on the other. An edition has 55.

Terrain is written in icons from the bottom up: `RRM` is two rivers, then a mountain. So is what an exploration action
gives: `RRR` three rivers, `RR|M` two rivers or a mountain, `RRM` both in this order, `+R` one more river for another
river action, `~` one icon that counts as the other terrain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal, get_args

from msgspec import Meta as Bounds

from engine.game import Value
from engine.kit import LETTER

COUNT = 55
SPECIES = {"fish": 4, "bird": 5, "mammal": 6, "plant": 7}  # number of cards that show each
RIVER, MOUNTAIN = "R", "M"

Face = Literal["walk", "ride", "parley", "write"]
FACES: tuple[Face, ...] = get_args(Face)
Number = Annotated[int, Bounds(ge=1, le=COUNT)]
Name = Annotated[str, Bounds(pattern=rf"^([A-Z]|{LETTER})([A-Za-z'. -]|{LETTER}){{0,23}}$")]  # 24 letters
Route = Annotated[str, Bounds(pattern=r"^[RM]{1,12}$")]
Gives = Annotated[str, Bounds(pattern=r"^(R{1,6}\|M{1,6}|R{1,6}M{0,6}|M{1,6}R{0,6}|\+(R{1,3}|M{1,3})|~)$")]
Tipis = Annotated[int, Bounds(ge=0, le=9)]

# The groups by number: the effect, its card numbers, and the pattern of what the action gives ("": no action).
GROUPS = (
    ("simple", range(1, 14), r"R+|M+"),
    ("either", range(14, 22), r"R+\|M+"),
    ("rivers-first", range(22, 27), r"R+M+"),
    ("mountains-first", range(27, 32), r"M+R+"),
    ("clatsop", range(32, 34), r"~"),
    ("tenino", range(34, 35), r"\+R"),
    ("multnomah", range(35, 36), r"\+RR"),
    ("nez-perce", range(36, 37), r"\+M"),
    ("minnetaree", range(37, 39), ""),
    ("yankton", range(39, 43), ""),
    ("teton", range(43, 47), ""),
    ("flathead", range(47, 49), ""),
    ("blackfeet", range(49, 51), ""),
    ("arikara", range(51, 52), ""),
    ("wishram", range(52, 54), ""),
    ("wanapum", range(54, 56), ""),
)
WITH_FACE = ("yankton", "teton")
EFFECTS = {number: effect for effect, numbers, _ in GROUPS for number in numbers}
EXPLORERS = tuple(number for _, numbers, gives in GROUPS if gives for number in numbers)  # tribes with an action


def one_of(words: Iterable[object]) -> str:
    """A regular expression that matches one of these words."""
    return f"({'|'.join(map(str, words))})"


Effect = Annotated[str, Bounds(pattern=f"^{one_of(effect for effect, _, _ in GROUPS)}$")]


class Need(Value, frozen=True):
    """A prerequisite space. One die stays on it; the other `dice - 1`, of the same face, go to their bank."""

    face: Face | Literal["any"]
    dice: Annotated[int, Bounds(ge=1, le=3)] = 1


class Exploration(Value, frozen=True):
    """An exploration action: its prerequisite spaces and what it gives. A Write die is laid last."""

    needs: Annotated[tuple[Need, ...], Bounds(min_length=1, max_length=3)]
    gives: Gives

    @property
    def moves(self) -> tuple[str, ...]:
        """The blocks to choose from; none for a Clatsop and for an action that extends another."""
        return () if self.changes or self.extends else tuple(self.gives.split("|"))

    @property
    def extends(self) -> str:
        """The icons that it adds to another action of their terrain, or ""."""
        return self.gives[1:] if self.gives.startswith("+") else ""

    @property
    def changes(self) -> bool:
        """Does it count one icon as the other terrain?"""
        return self.gives == "~"


class Tribe(Value, frozen=True):
    """The tribe side. Cards 1 to 36 have an `exploration`, the Sioux cards a `face`."""

    name: Name
    attitude: Literal["friendly", "wary"]
    tipis: Tipis
    effect: Effect
    exploration: Exploration | None = None
    face: Face | None = None


class Discovery(Value, frozen=True):
    """The discovery side. Points are 0 if none are printed."""

    routes: Annotated[tuple[Route, ...], Bounds(min_length=1, max_length=3)]
    points: Annotated[int, Bounds(ge=0, le=20)]
    species: Literal["fish", "bird", "mammal", "plant"] | None = None
    tipis: Tipis = 0


class Card(Value, frozen=True):
    number: Number
    tribe: Tribe
    discovery: Discovery


class Edition(Value, frozen=True):
    """All 55 cards, by number: the only place from which a game reads the values of a card."""

    name: Annotated[str, Bounds(pattern=r"^[a-z0-9][a-z0-9.-]{0,39}$")]
    cards: Annotated[tuple[Card, ...], Bounds(min_length=COUNT, max_length=COUNT)]

    def __post_init__(self) -> None:
        """Raise ValueError if the cards break what the rulebooks say of every copy of the game."""
        found = [card.number for card in self.cards]
        if found != list(range(1, COUNT + 1)):
            raise ValueError(f"an edition has the cards 1 to {COUNT} in this order, not {found}")
        for effect, numbers, gives in GROUPS:
            for number in numbers:
                _check_group(number, self.card(number).tribe, effect, gives)
        _check_species(self.cards)

    def card(self, number: int) -> Card:
        return self.cards[number - 1]


def _check_group(number: int, tribe: Tribe, effect: str, gives: str) -> None:
    if tribe.effect != effect:
        raise ValueError(f"the effect of card {number} is '{effect}', not '{tribe.effect}'")
    given = tribe.exploration.gives if tribe.exploration else ""
    if not re.fullmatch(gives, given):
        raise ValueError(f"card {number} ({effect}) cannot give '{given}'")
    if (tribe.face is not None) != (effect in WITH_FACE):
        raise ValueError(f"card {number} ({effect}) {'needs a' if effect in WITH_FACE else 'cannot have a'} face")


def _check_species(cards: tuple[Card, ...]) -> None:
    for species, count in SPECIES.items():
        found = sum(card.discovery.species == species for card in cards)
        if found != count:
            raise ValueError(f"{count} cards show the species '{species}', not {found}")


# The exploration actions of every player board.
BOARD = {
    "horse": Exploration(needs=(Need(face="ride"),), gives="RR"),
    "foot": Exploration(needs=(Need(face="walk", dice=2),), gives="RRR"),
    "mountain": Exploration(needs=(Need(face="any", dice=3),), gives="MM"),
}
