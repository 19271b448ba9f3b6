"""What a seat, or anybody, may see: everything but the ceilings that others have sealed."""

from __future__ import annotations

from engine.game import Value, View
from engine.games.tikal.components import TILE, Tile
from engine.games.tikal.hexes import CELLS, Stones
from engine.games.tikal.scoring import holder
from engine.games.tikal.state import Doing, Player, Site, TikalState


class SeenSite(Value, frozen=True, kw_only=True):
    """A laid tile with its cell's name and the stones on its six sides; `holder` would score the temple now."""

    cell: str
    stones: Stones
    site: Site
    holder: int | None


class SeenPlayer(Value, frozen=True, kw_only=True):
    """`sealed`: has its ceiling been sealed? `ceiling` is None for all but the viewer's own."""

    player: Player
    points: int
    gone: bool
    sealed: bool
    ceiling: int | None
    bid: int  # open sale: its last bid
    passed: bool  # out of this sale
    totem: bool  # auction: still without a turn in this round


class TikalView(View, frozen=True, kw_only=True):
    """`to_do` are the frames that wait as (what, seat), the one on top first."""

    me: int | None
    over: str
    variant: str
    bidding: str
    to_do: tuple[tuple[Doing, int], ...]
    bidder: int | None  # open sale: who is to bid
    points: int  # action points left
    tile: Tile | None  # to be laid by whoever has the next "turn"
    open: tuple[Tile, ...]  # auction: tiles to choose from
    aside: tuple[str, ...]
    worked: tuple[str, ...]
    sites: tuple[SeenSite, ...]  # laid tiles, in board order
    land: tuple[Stones, ...]
    levels: tuple[int, ...]  # how many are left that show 2 .. 10
    stacks: tuple[tuple[str, int], ...]  # (letter, tiles left), from the top
    players: tuple[SeenPlayer, ...]
