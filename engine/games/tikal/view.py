"""The position as a seat, or a spectator, may see it: everything but the ceilings that others have sealed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from engine.game import Value, View
from engine.games.tikal.components import STACKS, TILE, Tile
from engine.games.tikal.hexes import PLACE, Stones
from engine.games.tikal.phases import active
from engine.games.tikal.scoring import holder
from engine.games.tikal.state import Doing, Player, Site, TikalState


class SeenSite(Value, frozen=True, kw_only=True):
    """A laid tile with its cell and the stones on its six sides; `holder` would score the temple now."""

    cell: str
    stones: Stones
    site: Site
    holder: int | None


class SeenPlayer(Value, frozen=True, kw_only=True):
    """`sealed` is whether the seat has sealed a ceiling; `ceiling` is None except for the viewer's own."""

    player: Player
    points: int
    gone: bool
    sealed: bool
    ceiling: int | None
    bid: int  # open sale: its last bid
    passed: bool  # has passed in this sale
    totem: bool  # auction: still without a turn in this round


class TikalView(View, frozen=True, kw_only=True):
    """`to_do` are the frames as (what, seat), with the one on top first."""

    variant: Literal["basic", "auction"]
    bidding: Literal["sealed", "open"]
    to_do: tuple[tuple[Doing, int], ...]
    acting: tuple[int, ...]  # seats that are to act now
    points: int  # action points left
    tile: Tile | None  # to be laid by the seat of the next "turn"
    open: tuple[Tile, ...]  # auction: tiles to choose from
    passes: tuple[int, ...]  # open sale: the seats that have passed, in order
    aside: tuple[str, ...]
    worked: tuple[str, ...]
    sites: tuple[SeenSite, ...]  # laid tiles, in board order
    land: tuple[Stones, ...]
    levels: tuple[int, ...]  # how many are left that show 2 .. 10
    stacks: tuple[tuple[str, int], ...]  # (letter, tiles left), from the top
    players: tuple[SeenPlayer, ...]


def view(state: TikalState, me: int | None) -> TikalView:
    return TikalView(
        variant=state.variant,
        bidding=state.bidding,
        to_do=tuple((frame.doing, frame.seat) for frame in state.frames),
        acting=active(state),
        points=state.points,
        tile=TILE[state.tile] if state.tile else None,
        open=tuple(TILE[name] for name in state.open),
        passes=state.out,
        aside=state.aside,
        worked=state.worked,
        sites=tuple(_sites(state)),
        land=state.land,
        levels=state.levels,
        stacks=_stacks(state),
        players=tuple(_player(state, seat, me) for seat in range(state.seats)),
    )


def _sites(state: TikalState) -> Iterator[SeenSite]:
    for cell, site in state.tiles():
        yield SeenSite(cell=cell, stones=state.land[PLACE[cell]], site=site, holder=holder(state, site))


def _stacks(state: TikalState) -> tuple[tuple[str, int], ...]:
    letters = [TILE[name].stack for name, _ in state.stack.rest]
    return tuple((letter, letters.count(letter)) for letter in STACKS if letter in letters)


def _player(state: TikalState, seat: int, me: int | None) -> SeenPlayer:
    ceiling = state.ceilings[seat] if state.ceilings else None
    return SeenPlayer(
        player=state.players[seat],
        points=state.players[seat].total,
        gone=seat in state.gone,
        sealed=ceiling is not None,
        ceiling=ceiling if seat == me else None,
        bid=state.bids[seat] if state.bids else 0,
        passed=seat in state.out,
        totem=seat in state.totems,
    )
