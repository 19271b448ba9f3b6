"""One move that is possible in this position, made from the view."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.tikal.components import CAMP, DIG, DIGS_A_TURN, ENTER, LEVEL, LEVELS_A_TURN
from engine.games.tikal.hexes import PLACE, turned
from engine.games.tikal.roads import Land, cost, placements
from engine.games.tikal.view import SeenSite, TikalView

MODEST = 3  # a bid for the example


def example(view: TikalView) -> str:
    """Return a move for the first seat that is to act; in a sealed sale, for every seat that is."""
    doing = view.to_do[0][0]
    if doing == "choice":
        return f"choose {view.open[0].name}"
    if doing in ("turn", "scoring"):
        return "; ".join((*_laying(view), "done"))
    if view.bidding == "sealed":
        return f"bid {min(MODEST, *(view.players[seat].points for seat in view.acting))}"
    return f"offer {max(one.bid for one in view.players) + 1}"


def _laying(view: TikalView) -> Iterator[str]:
    """Yield the laying of the tile, if one is owed, and some actions after it."""
    land = view.land
    if view.tile and view.to_do[0][0] == "turn":
        fits = placements(land, view.tile.stones)
        cell, turn = next((fit for fit in fits if fit[1]), fits[0])  # a turned one shows more
        yield f"place {cell} r{turn}"
        at = PLACE[cell]
        land = (*land[:at], turned(view.tile.stones, turn), *land[at + 1 :])
    yield from _acting(view, land)


def _acting(view: TikalView, land: Land) -> Iterator[str]:
    """Yield what a new explorer could reach and do."""
    seat = view.acting[0]
    if view.players[seat].player.explorers and view.points >= ENTER:
        yield f"enter {CAMP}"
        tents = tuple(seen.cell for seen in view.sites if seen.site.tent == seat)
        works = ((cost(land, tents, CAMP, seen.cell), seen.cell, _work(view, seen)) for seen in view.sites)
        left = view.points - ENTER
        able = [(way, cell, *work) for way, cell, work in works if work and way + work[1] <= left]
        if able:
            _, cell, verb, _ = min(able)
            yield f"walk {CAMP} {cell}"
            yield f"{verb} {cell}"


def _work(view: TikalView, seen: SeenSite) -> tuple[str, int] | None:
    """Return what one more piece of the seat could do there, and its cost."""
    done, site = view.worked.count(seen.cell), seen.site
    if site.pieces(view.acting[0]) < done:
        return None
    if site.kind == "temple" and site.guard is None and done < LEVELS_A_TURN and site.value < 10:
        return ("level", LEVEL) if view.levels[site.value - 1] else None
    return ("dig", DIG) if site.treasures and done < DIGS_A_TURN else None
