"""The position, and the small changes that events are made of.

`sites` and `land` run over the 40 cells in the order of `hexes.CELLS`; a free cell is None in the one and () in the
other. What remains to be done is a pile of frames with the first on top: a turn, a scoring turn, a sale, a choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from engine.game import State, Value
from engine.games.tikal.components import CAMP, EXPLORERS, GUARDS, LEADER_STRENGTH, TENTS, Kind, Tile
from engine.games.tikal.hexes import CELLS, PLACE, Stones
from engine.kit import Supply

Piece = Literal["explorer", "leader"]
Doing = Literal["turn", "scoring", "sale", "choice"]


class Site(Value, frozen=True, kw_only=True):
    """A laid tile and everything on it; its stones, as it is rotated, are in `land`."""

    tile: str  # its name in `components.TILE`
    kind: Kind
    value: int = 0  # the number on top of a temple
    treasures: int = 0  # still face down on ruins
    explorers: tuple[int, ...]  # how many, by seat
    leaders: tuple[int, ...] = ()  # seats, ascending
    tent: int | None = None  # the seat that pitched it
    guard: int | None = None  # the seat that posted it; the temple is finished

    @classmethod
    def of(cls, tile: Tile, nobody: tuple[int, ...]) -> Site:
        """Return a site just laid, with nobody on it yet."""
        value, treasures = (tile.number if tile.kind == kind else 0 for kind in ("temple", "ruins"))
        return cls(tile=tile.name, kind=tile.kind, value=value, treasures=treasures, explorers=nobody)

    def pieces(self, seat: int) -> int:
        """How many pieces the seat has here; the leader counts as one."""
        return self.explorers[seat] + (seat in self.leaders)

    def strength(self, seat: int) -> int:
        return self.explorers[seat] + LEADER_STRENGTH * (seat in self.leaders)

    def plus(self, seat: int, piece: Piece, count: int) -> Site:
        """Return the site with one piece of the seat more (1) or less (-1)."""
        if piece == "explorer":
            explorers = list(self.explorers)
            explorers[seat] += count
            return replace(self, explorers=tuple(explorers))
        there = (*self.leaders, seat) if count > 0 else tuple(other for other in self.leaders if other != seat)
        return replace(self, leaders=tuple(sorted(there)))


class Player(Value, frozen=True, kw_only=True):
    """One seat: its pieces beside the board, those that have left the game, and its points."""

    explorers: int = EXPLORERS
    leader: bool = True
    tents: int = TENTS
    guards: int = GUARDS  # still to be posted
    lost: int = 0  # explorers that became guards or left the game with one
    lost_leader: bool = False
    treasures: tuple[str, ...] = ()  # sorted
    temples: int = 0  # points
    finds: int = 0  # points
    purse: int = 0  # auction: the points at the start, less those paid

    @property
    def total(self) -> int:
        return self.temples + self.finds + self.purse


class Frame(Value, frozen=True):
    """Something that one seat has to do; `seat` opens a sale."""

    doing: Doing
    seat: int


class TikalState(State, frozen=True):
    variant: Literal["basic", "auction"]
    bidding: Literal["sealed", "open"]
    sites: tuple[Site | None, ...]
    land: tuple[Stones, ...]
    players: tuple[Player, ...]
    stack: Supply  # tiles not yet drawn; the letters come in order
    treasures: Supply  # not yet found: those on ruins and those beside the board
    levels: tuple[int, ...]  # how many are left that show 2 .. 10
    frames: tuple[Frame, ...] = ()
    tile: str = ""  # drawn or chosen, and not yet laid; a volcano waits here for its scoring turns
    points: int = 0  # action points left
    worked: tuple[str, ...] = ()  # cells of levels and treasures of this turn, one entry each
    aside: tuple[str, ...] = ()  # tiles that fitted nowhere
    open: tuple[str, ...] = ()  # auction: tiles to choose from, sorted
    totems: tuple[int, ...] = ()  # auction: seats still without a turn in this round, ascending
    ceilings: tuple[int | None, ...] = ()  # sealed sale: by seat; None if not sealed yet
    bids: tuple[int, ...] = ()  # open sale: the last bid by seat, 0 for none
    out: tuple[int, ...] = ()  # seats that have passed in this sale, in that order
    bidder: int = 0  # open sale: the seat to bid
    over: str = ""  # the reason

    @property
    def seat(self) -> int:
        """The seat of the turn, scoring turn or choice on top."""
        return self.frames[0].seat

    @property
    def doing(self) -> Doing | None:
        return self.frames[0].doing if self.frames else None

    @property
    def owes_tile(self) -> bool:
        """True if the tile must be laid before anything else."""
        return bool(self.tile) and self.doing == "turn"

    def site(self, cell: str) -> Site | None:
        return self.sites[PLACE[cell]]

    def laid(self, cell: str) -> Site:
        """Return the site of a cell that has a tile."""
        site = self.sites[PLACE[cell]]
        assert site is not None, f"no tile lies on {cell}"
        return site

    def tiles(self) -> Iterator[tuple[str, Site]]:
        """Yield the laid tiles with their cells, in board order."""
        return ((cell, site) for cell, site in zip(CELLS, self.sites, strict=True) if site is not None)

    def tents(self, seat: int) -> tuple[str, ...]:
        """Return the cells of a seat's tents, in board order."""
        if self.players[seat].tents == TENTS:
            return ()
        found = zip(CELLS, self.sites, strict=True)
        return tuple([cell for cell, site in found if site is not None and site.tent == seat])

    def camps(self, seat: int) -> tuple[str, ...]:
        """Return the cells where pieces of the seat enter: the base camp and its tents."""
        return (CAMP, *self.tents(seat))

    def with_site(self, cell: str, site: Site, **changes: object) -> TikalState:
        return replace(self, sites=self.sites_with(cell, site), **changes)

    def sites_with(self, cell: str, site: Site) -> tuple[Site | None, ...]:
        """Return the sites, with this one on the cell."""
        sites = list(self.sites)
        sites[PLACE[cell]] = site
        return tuple(sites)

    def with_player(self, seat: int, **changes: object) -> TikalState:
        return replace(self, players=self.players_with(seat, replace(self.players[seat], **changes)))

    def players_with(self, seat: int, player: Player) -> tuple[Player, ...]:
        """Return the players, with this one in this seat."""
        players = list(self.players)
        players[seat] = player
        return tuple(players)
