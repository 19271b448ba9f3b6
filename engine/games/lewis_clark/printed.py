"""Words of the record as people read them: cards and places as they are printed, amounts with their plurals."""

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

_ALL = NAMES | AMOUNTS
FACTS = {  # by field, of refusals
    **dict.fromkeys(("card", "place", "action", "found", "hand", "need", "have", "source", "what", "discard"), _ALL),
    "expected": _ALL,
    "holds": HOLDS,
}
