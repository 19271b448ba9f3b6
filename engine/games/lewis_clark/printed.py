"""Words of the record as people read them: printed names of cards and places, amounts with their plurals."""

from __future__ import annotations

from engine.games.lewis_clark.cards import LINES
from engine.games.lewis_clark.components import GOODS, TILES
from engine.games.lewis_clark.effects import amount
from engine.games.lewis_clark.state import INDIAN

NAMES = {name: line.name for name, line in LINES.items()}  # "rene-jessaume": "René Jessaume"; places have titles
AMOUNTS = {f"{n} {kind}": amount(n, kind) for n in range(1, 61) for kind in (*GOODS, INDIAN)}
BOATS = {tile.name: f"a boat for {amount(tile.room or 0, tile.holds.removesuffix('s'))}" for tile in TILES} | {
    tile.name: f"a boat for {tile.room} goods" for tile in TILES if tile.holds == "goods"
}
HOLDS = {"goods": "goods", "indians": "Indians"}
HOW = {"each once": "each at most once", "in any number": "repeats allowed"}  # which goods may be named

_ALL = NAMES | AMOUNTS
FACTS = {  # of refusals, by field
    **dict.fromkeys(("card", "place", "action", "found", "hand", "need", "have", "source", "what", "discard"), _ALL),
    "expected": _ALL,
    "holds": HOLDS,
    "how": HOW,
}
