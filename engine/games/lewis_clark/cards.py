"""Every card and every place of the village: one line each, in the words of `effects.py`.

A line has a number, an id, a name, a strength (also its discount when recruiting), a badge and an effect. `fresh` marks
the five whose gains cannot pay for later activations of the same action; `once` the two that work at most once; and
`passive` the five that work while face up and not when activated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeVar

import msgspec

from engine.games.lewis_clark.components import TILES, VILLAGE, Place, Primary
from engine.games.lewis_clark.effects import (
    Bundle,
    Cheaper,
    Choose,
    Copy,
    Cost,
    Effect,
    Farewell,
    Gather,
    Invite,
    Lengthens,
    Passive,
    Quicker,
    Skips,
    Take,
    Tile,
    Way,
    collect,
    collects,
    does,
    either,
    heap,
    move,
    move_per,
    pay,
    take,
    told,
)


class Line(msgspec.Struct, frozen=True):
    """A card or a place with its action."""

    id: str
    name: str
    ways: tuple[Way, ...]
    number: int = 0  # 0: a starting role, or a place
    strength: int = 0
    badge: str = ""
    once: bool = False
    fresh: bool = False
    passive: Passive | None = None

    def way(self, word: str | None) -> Way | None:
        """Return the way with this word, or None if there is none or the word is missing."""
        if word is None:
            return self.ways[0] if len(self.ways) == 1 else None
        return next((way for way in self.ways if way.word == word), None)

    @property
    def text(self) -> str:
        """Return the whole effect as a sentence."""
        if self.passive:
            return f"While face up: {self.passive.says()}."
        before = "Once only: " if self.once else ""
        after = " Gains cannot pay for later uses in this action." if self.fresh else ""
        return f"{before}{told(self.ways)}.{after}"


def card(
    number: int, id: str, name: str, strength: int, badge: Primary, *ways: Way,  # noqa: A002 - it is the card's id
    once: bool = False, fresh: bool = False, passive: Passive | None = None,
) -> Line:  # fmt: skip
    return Line(id, name, ways, number, strength, badge, once, fresh, passive)


def role(id: str, name: str, strength: int, badge: Primary, *ways: Way) -> Line:  # noqa: A002 - it is the card's id
    return Line(id, name, ways, 0, strength, badge)


# --- the six roles in every starting hand ---------------------------------------------------------------------------

ROLES: tuple[Line, ...] = (
    role("commander", "Commander", 1, "fur", does(pay(food=1), move("river", 2), word="food"),
         does(pay(canoe=1), move("river", 4), word="canoe"), does(pay(horse=1), move("mountain", 2), word="horse")),
    role("interpreter", "Interpreter", 2, "wood", does(Gather())),
    role("lumberjack", "Lumberjack", 1, "wood", does(collect("wood"))),
    role("hunter", "Hunter", 1, "food", does(collect("food"))),
    role("blacksmith", "Blacksmith", 1, "equipment", does(collect("equipment"))),
    role("fur-trader", "Fur Trader", 1, "fur", does(collect("fur"))),
)  # fmt: skip

# --- the 54 characters met on the way -------------------------------------------------------------------------------

ENCOUNTERS: tuple[Line, ...] = (
    card(1, "hay", "Hay", 1, "wood", does(Choose(1, "face-up", most=4, differing=True)), once=True),
    card(2, "little-raven", "Little Raven", 1, "wood", *heap("face-up"), once=True),
    card(3, "buffalo-medicine", "Buffalo Medicine", 1, "equipment", does(pay(food=1), take(canoe=1))),
    card(4, "ebenezer-tuttle", "Ebenezer Tuttle", 1, "fur", does(pay(wood=1), take(canoe=1))),
    card(5, "rene-jessaume", "René Jessaume", 1, "fur", does(pay(fur=3), take(horse=1))),
    card(6, "big-horse", "Big Horse", 1, "fur", does(pay(indians=2), take(horse=1))),
    card(7, "moses-b-reed", "Moses B. Reed", 1, "fur", does(pay(wood=2), move("river", 2))),
    card(8, "john-robertson", "John Robertson", 1, "wood", does(pay(equipment=2), move("river", 3))),
    card(9, "joseph-barter", "Joseph Barter", 1, "fur", does(pay(canoe=1), move("river", 5))),
    card(10, "j-baptiste-deschamps", "J. Baptiste Deschamps", 1, "food", does(pay(canoe=1, food=1), move("river", 6))),
    card(11, "john-newman", "John Newman", 1, "wood", *either(pay(food=1), 1)),
    card(12, "charles-mackenzie", "Charles Mackenzie", 1, "equipment", does(pay(horse=1, fur=1), move("mountain", 3))),
    card(13, "john-dame", "John Dame", 1, "equipment", does(pay(wood=2), move("mountain", 1))),
    card(14, "cuscalar", "Cuscalar", 1, "fur", does(pay(horse=1), Invite())),
    card(15, "toussaint-charbonneau", "Toussaint Charbonneau", 1, "wood", does(pay(any=1), Copy("occupied")),
         fresh=True),
    card(16, "f-antoine-larocque", "F. Antoine Larocque", 1, "food", passive=Skips()),
    card(17, "joseph-gravelines", "Joseph Gravelines", 1, "wood", passive=Cheaper(fur=2)),
    card(18, "john-boley", "John Boley", 1, "food", passive=Quicker(time=1)),
    card(19, "john-hay", "John Hay", 2, "fur", *collects("fur", "wood")),
    card(20, "big-white", "Big White", 2, "equipment", *collects("equipment", "wood")),
    card(21, "dickson-hancock", "Dickson & Hancock", 2, "food", *collects("food", "fur")),
    card(22, "black-moccasin", "Black Moccasin", 2, "fur", *collects("equipment", "food")),
    card(23, "yellept", "Yellept", 2, "wood", does(pay(any=1), Choose(2)), fresh=True),
    card(24, "p-antoine-tabeau", "P. Antoine Tabeau", 2, "fur", does(pay(wood=1, food=1), take(canoe=2))),
    card(25, "three-eagles", "Three Eagles", 2, "wood", does(pay(equipment=2), take(horse=1))),
    card(26, "hawks-feather", "Hawk's Feather", 2, "fur", does(pay(food=1), move("river", 3))),
    card(27, "man-crow", "Man Crow", 2, "wood", does(pay(wood=3), move("river", 4))),
    card(28, "cutssahnem", "Cutssahnem", 2, "wood", does(pay(different=3), move("river", 5))),
    card(29, "black-buffalo", "Black Buffalo", 2, "wood", does(pay(food=1), move_per("river", "badges", "food"))),
    card(30, "half-man", "Half Man", 2, "equipment", does(pay(any=1), move_per("river", "scouts-ahead"))),
    card(31, "richard-warfington", "Richard Warfington", 2, "fur", does(pay(any=2), move_per("river", "on-boats"))),
    card(32, "james-mackay", "James Mackay", 2, "food", *either(pay(horse=1), 3)),
    card(33, "weuche", "Weuche", 2, "fur", does(pay(equipment=2), move_per("mountain", "badges", "equipment"))),
    card(34, "pierre-dorion", "Pierre Dorion", 2, "equipment", does(pay(fur=3), move("mountain", 2))),
    card(35, "the-partisan", "The Partisan", 2, "food", does(pay(food=1), Copy("character")), fresh=True),
    card(36, "nicholas-jarrot", "Nicholas Jarrot", 2, "food", passive=Lengthens("river", 2)),
    card(37, "regis-loisel", "Régis Loisel", 3, "equipment", *collects("equipment", "food", "wood")),
    card(38, "hugh-heney", "Hugh Heney", 3, "food", *collects("fur", "food", "wood")),
    card(39, "black-cat", "Black Cat", 3, "wood", does(Choose(2))),
    card(40, "twisted-hair", "Twisted Hair", 3, "wood", does(pay(canoe=1), take(canoe=2)), fresh=True),
    card(41, "cameahwait", "Cameahwait", 3, "fur", does(pay(canoe=1), take(horse=1), word="horse"),
         does(pay(horse=1), take(canoe=1), word="canoe")),
    card(42, "broken-arm", "Broken Arm", 3, "food", does(pay(equipment=1), take(horse=1))),
    card(43, "comcomly", "Comcomly", 3, "equipment", does(pay(equipment=1, food=1, fur=1, wood=1), move("river", 7))),
    card(44, "little-thief", "Little Thief", 3, "equipment", does(pay(indians=1), move_per("river", "pairs"))),
    card(45, "watkuweis", "Watkuweis", 3, "fur", does(pay(any=1), move_per("river", "face-up"))),
    card(46, "daniel-boone", "Daniel Boone", 3, "wood", does(pay(any=2), move_per("river", "in-village"))),
    card(47, "old-toby", "Old Toby", 3, "fur", *either(pay(canoe=1, horse=1), 6)),
    card(48, "coboway", "Coboway", 3, "fur", does(pay(equipment=1, food=1, fur=1, wood=1), move("mountain", 4))),
    card(49, "crow-at-rest", "Crow at Rest", 3, "equipment", does(pay(equipment=2, fur=2), move("mountain", 3))),
    card(50, "george-drouillard", "George Drouillard", 3, "wood", does(pay(indians=1, any=1), move("mountain", 2))),
    card(51, "tetoharsky", "Tetoharsky", 3, "wood", does(pay(indians=1), move_per("mountain", "triples"))),
    card(52, "one-eye", "One Eye", 3, "food", does(pay(any=2), move_per("mountain", "scouts-ahead"))),
    card(53, "sacagawea", "Sacagawea", 3, "wood", does(Copy("place")), fresh=True),
    card(54, "cut-nose", "Cut Nose", 3, "fur", passive=Lengthens("mountain", 1)),
)  # fmt: skip

# --- the village ----------------------------------------------------------------------------------------------------

SPECIAL: dict[str, tuple[Way, ...]] = {
    "farewell": (does(Farewell()),),
    "shamanism": (does(pay(food=1), Copy("character")),),
    "upgrade": tuple(does(pay(wood=3), Tile(tile.name), word=tile.name) for tile in TILES),
}


def place_line(place: Place) -> Line:
    """Return the line of a place; three have effects of their own, the others are in `components.py`."""
    cost = Cost(place.pay, different=place.different)
    bundles = [_bundle(goods) for goods in place.gains]
    words = [goods[0] if len(bundles) > 1 else "" for goods in place.gains]
    ways = tuple(Way(cost, bundle, word) for bundle, word in zip(bundles, words, strict=True))
    return Line(place.name, place.title, SPECIAL.get(place.name, ways), badge=place.badge)


def _bundle(goods: tuple[str, ...]) -> Effect:
    return Take(goods[0], len(goods)) if len(set(goods)) == 1 else Bundle(goods)


CARDS: dict[str, Line] = {line.id: line for line in (*ROLES, *ENCOUNTERS)}
LINES: dict[str, Line] = CARDS | {place.name: place_line(place) for place in VILLAGE}

HELPERS: dict[str, Passive] = {line.id: line.passive for line in ENCOUNTERS if line.passive}
P = TypeVar("P", bound=Passive)


def helper(face_up: Iterable[str], kind: type[P]) -> tuple[str, P] | None:
    """Return the card face up with this effect, and the effect; no two cards have the same one."""
    for name in face_up:
        help_ = HELPERS.get(name)
        if isinstance(help_, kind):
            return name, help_
    return None


# --- backs ----------------------------------------------------------------------------------------------------------

Kind = Literal["role", "recruit"]
KINDS_SHOWN = 4  # the first rules version in which a back shows its kind


def back(name: str, rules: int) -> tuple[str, Kind | None]:
    """Return what the printed back of a card shows: strength and badge (`1-fur`), and whether it is a role.

    The back of a role has its player's colour. Before `KINDS_SHOWN` nobody saw it, and the kind is None.
    """
    card = CARDS[name]
    kind: Kind = "recruit" if card.number else "role"
    return f"{card.strength}-{card.badge}", kind if rules >= KINDS_SHOWN else None


BACKS: tuple[str, ...] = tuple(sorted({back(name, 1)[0] for name in CARDS}))
