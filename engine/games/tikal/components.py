"""The box: tiles with the stones on their sides, temple levels, treasures, pieces, and the costs of actions.

The printed tiles show only the letter of their stack; their numbers, names and rotation `r0` are ours. The tiles come
from two independent public lists of the classic edition, which agree on 35 of 36 tiles. Where sources differ:

- `temple-f2` is worth 4 and has stones 2 1 in one list. The other gives it value 0 and a fourth stone, which breaks two
  facts known from elsewhere: temples are worth 1 to 6, and every tile has three stones.
- Both printed temples are worth 1 by two sources and by the number of levels with a 2. One source gives one of them 2.
- The tiles of the newer edition are taken to be the same, because the figures in its rulebook match.
"""

from __future__ import annotations

from typing import Literal

from engine.game import Value
from engine.games.tikal.hexes import Stones

Kind = Literal["camp", "temple", "ruins", "clearing", "volcano"]
CALLED: dict[Kind, str] = {"camp": "base camp"}  # kinds that people call otherwise


class Tile(Value, frozen=True, kw_only=True):
    """`number` is the lowest level of a temple or the treasures of ruins; `stones` run clockwise from north."""

    name: str
    kind: Kind
    number: int
    stones: Stones

    @property
    def stack(self) -> str:
        """The letter on the back of the tile."""
        return self.name[-2]


def _tile(name: str, number: int, *stones: int) -> Tile:
    kinds: tuple[Kind, ...] = ("camp", "temple", "ruins", "clearing", "volcano")
    return Tile(name=name, kind=next(kind for kind in kinds if name.startswith(kind)), number=number, stones=stones)


# --- the board and the tiles ----------------------------------------------------------------------------------------

CAMP = "a1"
PRINTED = (
    (CAMP, _tile("camp-p1", 0, 1, 1, 1, 0, 0, 0)),
    ("a2", _tile("temple-p1", 1, 1, 1, 0, 1, 0, 0)),
    ("b1", _tile("temple-p2", 1, 0, 1, 0, 0, 0, 1)),
    ("b2", _tile("clearing-p1", 0, 1, 1, 1, 0, 0, 0)),
)

STACKS = "abcdefg"  # from the top
TILES = (
    _tile("temple-a1", 1, 2, 1, 0, 0, 0, 0),
    _tile("temple-a2", 2, 2, 0, 0, 1, 0, 0),
    _tile("temple-a3", 2, 2, 0, 1, 0, 0, 0),
    _tile("ruins-a1", 4, 2, 0, 0, 0, 1, 0),
    _tile("ruins-a2", 4, 2, 0, 1, 0, 0, 0),
    _tile("clearing-a1", 0, 1, 1, 0, 1, 0, 0),
    _tile("temple-b1", 2, 2, 0, 0, 0, 1, 0),
    _tile("temple-b2", 3, 2, 0, 0, 1, 0, 0),
    _tile("ruins-b1", 4, 2, 0, 0, 0, 0, 1),
    _tile("clearing-b1", 0, 2, 0, 1, 0, 0, 0),
    _tile("clearing-b2", 0, 2, 1, 0, 0, 0, 0),
    _tile("volcano-b1", 0, 0, 0, 0, 0, 0, 0),
    _tile("temple-c1", 3, 3, 0, 0, 0, 0, 0),
    _tile("temple-c2", 4, 2, 0, 0, 0, 1, 0),
    _tile("ruins-c1", 3, 3, 0, 0, 0, 0, 0),
    _tile("clearing-c1", 0, 1, 1, 0, 1, 0, 0),
    _tile("clearing-c2", 0, 3, 0, 0, 0, 0, 0),
    _tile("temple-d1", 5, 2, 0, 0, 1, 0, 0),
    _tile("temple-d2", 5, 3, 0, 0, 0, 0, 0),
    _tile("ruins-d1", 3, 3, 0, 0, 0, 0, 0),
    _tile("clearing-d1", 0, 1, 0, 1, 0, 1, 0),
    _tile("volcano-d1", 0, 0, 0, 0, 0, 0, 0),
    _tile("temple-e1", 5, 3, 0, 0, 0, 0, 0),
    _tile("temple-e2", 6, 3, 0, 0, 0, 0, 0),
    _tile("ruins-e1", 2, 2, 0, 0, 0, 0, 1),
    _tile("clearing-e1", 0, 2, 0, 0, 1, 0, 0),
    _tile("clearing-e2", 0, 2, 0, 0, 1, 0, 0),
    _tile("temple-f1", 4, 3, 0, 0, 0, 0, 0),
    _tile("temple-f2", 4, 2, 1, 0, 0, 0, 0),
    _tile("ruins-f1", 2, 2, 0, 0, 1, 0, 0),
    _tile("clearing-f1", 0, 2, 0, 0, 1, 0, 0),
    _tile("volcano-f1", 0, 0, 0, 0, 0, 0, 0),
    _tile("temple-g1", 3, 2, 0, 0, 0, 0, 1),
    _tile("temple-g2", 3, 2, 0, 1, 0, 0, 0),
    _tile("ruins-g1", 2, 3, 0, 0, 0, 0, 0),
    _tile("clearing-g1", 0, 2, 0, 0, 1, 0, 0),
)
TILE = {tile.name: tile for tile in (*(tile for _, tile in PRINTED), *TILES)}

# --- levels, treasures, pieces --------------------------------------------------------------------------------------

LEVELS = ((2, 3), (3, 6), (4, 9), (5, 11), (6, 8), (7, 5), (8, 3), (9, 2), (10, 1))  # (number on it, how many)
Treasure = Literal["bowl", "drum", "flute", "jaguar", "knife", "mask", "ring", "serpent"]  # names of our own
TREASURES: tuple[Treasure, ...] = ("bowl", "drum", "flute", "jaguar", "knife", "mask", "ring", "serpent")
ALIKE = 3  # treasures of each kind
TREASURE_POINTS = (0, 1, 3, 6)  # for none, one, two, three alike

EXPLORERS = 18
TENTS = 2
GUARDS = 2
LEADER_STRENGTH = 3
PURSE = 20  # points of each seat at the start of the auction game

# --- actions --------------------------------------------------------------------------------------------------------

ACTION_POINTS = 10
ENTER = 1
HOP = 1  # from camp to camp
LEVEL = 2
DIG = 3
SWAP = 3
PITCH = 5
GUARD = 5
LEVELS_A_TURN = 2  # on one temple
DIGS_A_TURN = 2  # on one tile
