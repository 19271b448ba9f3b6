"""The holders of temples, the points of a scoring turn, and the ranking."""

from __future__ import annotations

from engine.game import Outcome, Standing, Turn
from engine.games.tikal.components import TREASURE_POINTS
from engine.games.tikal.events import Scored
from engine.games.tikal.hexes import CELLS
from engine.games.tikal.state import Site, TikalState
from engine.kit import ranked


def holder(state: TikalState, site: Site) -> int | None:
    """Return the seat that holds the temple: by its guard, or by more strength than every other seat."""
    if site.kind != "temple" or site.guard is not None:
        return site.guard
    return strongest(state, site)


def strongest(state: TikalState, site: Site) -> int | None:
    """Return the seat with more strength there than every other; resigned seats are not compared."""
    most, found = 0, None
    for seat in state.staying:
        strength = site.strength(seat)
        if strength >= most:
            found = None if strength == most else seat
            most = strength
    return found


def held(state: TikalState, seat: int) -> tuple[tuple[str, int], ...]:
    """Return the temples that a seat holds as (cell, value), in board order."""
    found = zip(CELLS, state.sites, strict=True)
    temples = [(cell, site) for cell, site in found if site is not None and site.kind == "temple"]
    own = [(cell, site) for cell, site in temples if site.guard == seat or site.pieces(seat)]
    return tuple([(cell, site.value) for cell, site in own if holder(state, site) == seat])


def finds(treasures: tuple[str, ...]) -> int:
    """Return the points for these treasures: each kind by how many are alike."""
    return sum(TREASURE_POINTS[treasures.count(kind)] for kind in dict.fromkeys(treasures))


def score(turn: Turn, seat: int) -> None:
    """Score what the seat holds now, at the end of its scoring turn; no other seat scores."""
    temples = held(turn.state, seat)
    points, cells = sum(value for _, value in temples), tuple(cell for cell, _ in temples)
    turn.emit(Scored(seat, points, cells, finds(turn.state.players[seat].treasures)))


def outcome(state: TikalState) -> Outcome | None:
    """Rank by points, then by the tallest temple held, then by the number of treasures; else the place is shared."""
    if not state.over:
        return None
    now = standing(state)
    return Outcome(places=now.places, points=now.points, reason=state.over)


def standing(state: TikalState) -> Standing:
    places = ranked({seat: _rank(state, seat) for seat in range(state.seats)})
    return Standing(places=places, points=_points(state))


def _rank(state: TikalState, seat: int) -> tuple[int, int, int]:
    player = state.players[seat]
    tallest = max((value for _, value in held(state, seat)), default=0)
    return player.total, tallest, len(player.treasures)


def _points(state: TikalState) -> tuple[tuple[str, tuple[int, ...]], ...]:
    temples = ("temples", tuple(player.temples for player in state.players))
    treasures = ("treasures", tuple(player.finds for player in state.players))
    purse = ("auction", tuple(player.purse for player in state.players))
    return (temples, treasures, purse) if state.variant == "auction" else (temples, treasures)
