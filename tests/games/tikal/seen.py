"""Positions as they are seen, in text and as a picture: the printed board, a full one, and many of random games."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine import selfplay
from engine.games.tikal import board as text
from engine.games.tikal import game
from engine.games.tikal import picture as drawing
from engine.games.tikal.components import PRINTED, TILE
from engine.games.tikal.events import Started
from engine.games.tikal.hexes import CELLS
from engine.games.tikal.meta import TikalOptions
from engine.games.tikal.state import Frame, Site, TikalState
from engine.games.tikal.view import TikalView
from engine.kit import names_of
from engine.kit import view as kit_view
from tests.games.tikal.lands import land
from tests.games.tikal.positions import AUCTION, OPEN


def view(state: TikalState, seat: int | None) -> TikalView:
    seen: TikalView = kit_view(game, state, seat)
    return seen


def board(seen: TikalView) -> str:
    return text.board(seen, names_of(len(seen.players)))


def picture(seen: TikalView) -> str:
    return drawing.picture(seen, names_of(len(seen.players)))


def begun(seats: int, options: TikalOptions | None = None) -> TikalState:
    """Return the printed board, with the turn of seat 1 on top."""
    state = Started(1, seats, options or TikalOptions()).apply(None)
    return replace(state, frames=(Frame("turn", 0),), points=10)


def laying(state: TikalState, tile: str) -> TikalState:
    return replace(state, tile=tile, stack=state.stack.take([tile]))


def middle() -> TikalState:
    """Return three seats late in stack c: camps, a guard, leaders, empty ruins, a volcano, and one seat resigned."""
    tiles = (
        ("a3", "temple-a2", 4),
        ("b3", "ruins-a1", 3),
        ("c2", "clearing-a1", 5),
        ("c1", "temple-b1", 0),
        ("d2", "volcano-b1", 0),
        ("d3", "ruins-b1", 4),
        ("c3", "temple-c1", 2),
        ("d1", "clearing-c1", 2),
    )
    state = begun(3)
    sites = {cell: _site(tile) for cell, tile in ((cell, tile.name) for cell, tile in PRINTED)}
    sites |= {cell: _site(tile) for cell, tile, _ in tiles}
    sites["a1"] = replace(sites["a1"], explorers=(1, 2, 12), leaders=(2,))
    sites["a2"] = replace(sites["a2"], value=3, explorers=(1, 1, 0))
    sites["b3"] = replace(sites["b3"], treasures=0, explorers=(2, 0, 0), tent=0)
    sites["c2"] = replace(sites["c2"], tent=1, explorers=(0, 3, 0))
    sites["c3"] = replace(sites["c3"], value=5, explorers=(1, 2, 0), leaders=(0,))
    sites["c1"] = replace(sites["c1"], value=4, guard=1)
    players = (
        replace(state.players[0], explorers=13, leader=False, tents=1, treasures=("bowl", "drum", "drum"), finds=5),
        replace(state.players[1], explorers=9, lost=1, tents=1, guards=1, temples=17, treasures=("ring",)),
        replace(state.players[2], explorers=6, leader=False),
    )
    return replace(
        state,
        sites=tuple(sites.get(cell) for cell in CELLS),
        land=land((*((cell, tile.name, 0) for cell, tile in PRINTED), *tiles)),
        players=players,
        stack=state.stack.take([tile for _, tile, _ in tiles]),
        levels=(2, 4, 8, 10, 8, 5, 3, 2, 1),
        frames=(Frame("turn", 0),),
        points=4,
        worked=("a2", "c3", "c3"),
        gone=(2,),
    )


def _site(tile: str) -> Site:
    return Site.of(TILE[tile], (0, 0, 0))


def begun_sale() -> TikalState:
    state = replace(begun(4, AUCTION), frames=(Frame("sale", 3),), open=("ruins-a1", "temple-a1"), totems=(0, 1, 2, 3))
    return replace(state, ceilings=(4, None, None, None))


def views() -> Iterator[TikalView]:
    """Yield many positions of random games of every variant, as every seat sees them."""
    options = (TikalOptions(), AUCTION, OPEN)
    for seats, chosen in ((seats, chosen) for seats in (2, 3, 4) for chosen in options):
        steps = list(selfplay.walk(game, seats, chosen, selfplay.seed_of("boards", seats)))
        for number, step in enumerate((*steps[::17], steps[-1])):
            yield view(step.after, number % seats)
