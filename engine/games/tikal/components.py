"""What lies in the box: tiles with the stones on their sides, temple levels, treasures, pieces, and what actions cost.

The publisher's tiles show only their stack's letter; numbers, names and the turn in which a tile is written down are
ours. Tiles: two independent public re-keyings of the classic edition, equal in 35 of 36 tiles. Where sources differ:

- `temple-f2` is worth 4 and has stones 2 1: one source; the other gives it value 0 and a fourth stone, and both break
  totals that are known otherwise (values from 1 to 6, three stones on every tile).
- both printed temples are worth 1: two sources and the number of level tiles with a 2; one source gives one of them 2.
- that the tiles of the newer edition are the same is inferred from the rulebook's own figures.
"""

from __future__ import annotations

from typing import Literal

from engine.game import Value
from engine.games.tikal.hexes import Stones

Kind = Literal["camp", "temple", "ruins", "clearing", "volcano"]


class Tile(Value, frozen=True, kw_only=True):
    """`number` is a temple's lowest level, or the masks on a site of ruins; `stones` lie clockwise from north."""

    name: str
    kind: Kind
    number: int
    stones: Stones

    @property
    def stack(self) -> str:
        """The letter on its back."""
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
HOP = 1  # from one of the own camps to another
LEVEL = 2
DIG = 3
SWAP = 3
PITCH = 5
GUARD = 5
LEVELS_A_TURN = 2  # of one temple
DIGS_A_TURN = 2  # at one site
