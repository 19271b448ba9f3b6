"""Facts about Tikal that the conformance suite needs beyond the contract."""

from collections import Counter

from engine.games.tikal.components import TILE
from engine.games.tikal.meta import TikalOptions
from engine.games.tikal.state import TikalState
from engine.kit import count
from tests.games.tikal.test_refusals import CASES

variants = {
    "auction": TikalOptions(variant="auction"),
    "open-auction": TikalOptions(variant="auction", bidding="open"),
}
pairs = 1  # of twins for each watcher: a pair goes on to the end of its game


def pieces(state: TikalState) -> object:
    """Count tiles, levels and treasures by kind, and the pieces of each seat, wherever they are."""
    laid = [site for site in state.sites if site is not None]
    waiting = [*dict(state.stack.rest), *state.open, *state.aside, *[state.tile] * bool(state.tile)]
    tiles = Counter(waiting) + Counter(site.tile for site in laid)
    treasures = Counter(dict(state.treasures.rest)) + Counter(t for p in state.players for t in p.treasures)
    hidden = sum(site.treasures for site in laid) + sum(TILE[n].number for n in waiting if TILE[n].kind == "ruins")
    return (
        sorted(tiles.items()),
        sorted(treasures.items()),
        state.treasures.total - hidden,
        [left + _built(state, number) for number, left in enumerate(state.levels, 2)],
        [_of(state, seat) for seat in range(state.seats)],
    )


def _built(state: TikalState, number: int) -> int:
    """Count the levels with this number that lie on temples."""
    temples = [site for site in state.sites if site is not None and site.kind == "temple"]
    return sum(TILE[site.tile].number < number <= site.value for site in temples)


def _of(state: TikalState, seat: int) -> tuple[int, ...]:
    """Count explorers, leaders, camps and guards of a seat, wherever they are."""
    player, laid = state.players[seat], [site for site in state.sites if site is not None]
    explorers = player.explorers + player.lost + sum(site.explorers[seat] for site in laid)
    leaders = player.leader + player.lost_leader + sum(seat in site.leaders for site in laid)
    tents = player.tents + sum(site.tent == seat for site in laid)
    guards = player.guards + sum(site.guard == seat for site in laid)
    return explorers, leaders, tents, guards


def refused() -> set[str]:
    """Return the codes that random games seldom meet; test_refusals has a case for each."""
    return {case.code for case in CASES}


def paid(before: TikalState, after: TikalState, seat: int) -> str:
    """Return the action points that a command took, in words."""
    return count(before.points - after.points, "action point")
