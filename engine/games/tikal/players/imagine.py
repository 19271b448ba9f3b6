"""A whole state that fits what a seat sees: everything is public but the ceilings that others have sealed.

A sealed ceiling may be any that its bidder can pay. The tiles and treasures that are left are known, because each is
drawn in public.
"""

from __future__ import annotations

from collections import Counter

from engine.games.tikal.components import ALIKE, TILES, TREASURES
from engine.games.tikal.hexes import CELLS
from engine.games.tikal.state import Frame, TikalState
from engine.games.tikal.view import TikalView
from engine.kit import Supply
from engine.players import Rng
from engine.players.unseen import carried, own_end


def imagine(view: TikalView, rng: Rng) -> TikalState:
    laid = {seen.cell: seen.site for seen in view.sites}
    sealed, opened = _sale(view, "sealed"), _sale(view, "open")
    return TikalState(
        **carried(view),
        variant=view.variant,
        bidding=view.bidding,
        sites=tuple(laid.get(cell) for cell in CELLS),
        land=view.land,
        players=tuple(seen.player for seen in view.players),
        stack=_stack(view),
        treasures=_treasures(view),
        levels=view.levels,
        frames=tuple(Frame(doing, seat) for doing, seat in view.to_do),
        tile=view.tile.name if view.tile else "",
        points=view.points,
        worked=view.worked,
        aside=view.aside,
        open=tuple(tile.name for tile in view.open),
        totems=tuple(seat for seat, seen in enumerate(view.players) if seen.totem),
        ceilings=_ceilings(view, rng) if sealed else (),
        bids=tuple(seen.bid for seen in view.players) if opened else (),
        out=view.passes,
        bidder=view.acting[0] if opened else 0,
        over=own_end(view),
    )


def _sale(view: TikalView, bidding: str) -> bool:
    """Return whether a sale with this kind of bids is going on."""
    return bool(view.to_do) and view.to_do[0][0] == "sale" and view.bidding == bidding


def _ceilings(view: TikalView, rng: Rng) -> tuple[int | None, ...]:
    return tuple(
        rng.randrange(seen.points + 1) if seen.sealed and seen.ceiling is None else seen.ceiling
        for seen in view.players
    )


def _stack(view: TikalView) -> Supply:
    seen = {site.site.tile for site in view.sites} | {tile.name for tile in view.open} | {*view.aside}
    if view.tile:
        seen.add(view.tile.name)
    return Supply.of({tile.name: 1 for tile in TILES if tile.name not in seen})


def _treasures(view: TikalView) -> Supply:
    found = Counter(treasure for seen in view.players for treasure in seen.player.treasures)
    return Supply.of({treasure: ALIKE - found[treasure] for treasure in TREASURES})
