"""How well a seat stands: its points, what it holds times the scorings to come, and what its pieces can still reach.

A temple or a treasure scores at every scoring, so it is worth its points as often as scorings are left. In the own
scoring turn nobody can come between; until later ones others may take a temple, unless a guard holds it. Pieces, leads
and short ways bring nothing by themselves, and nothing at all when no scoring follows. The figures are judged, not
tuned: what they come to stands in docs/players.md (`sealedmove arena tikal`).
"""

from __future__ import annotations

from functools import lru_cache

from engine.games.tikal.components import ACTION_POINTS, ALIKE, CAMP, TILE, Tile
from engine.games.tikal.roads import Land, costs
from engine.games.tikal.scoring import finds
from engine.games.tikal.state import Site, TikalState

RIVAL = 0.5  # of the best other's stand counts against the own
HELD = 0.8  # of a temple's points that a later scoring brings its holder of today
LEAD = 0.15  # points for each strength more than the next on a temple, up to MOST_LEAD
MOST_LEAD = 4
PIECE = 0.25  # points of a piece on the board, which need not enter any more
DIGGER = 0.15  # points a scoring of a piece on ruins, for each treasure that it may dig up there
HOPE = 0.6  # points a scoring of a treasure or two alike, since another may be found
NEAR = 0.04  # of the points that a temple or treasure at the own camp's door can bring
ACTION = 0.35  # points of an action point a scoring, for lines that end early by a find: less than a level's 0.4
FIND = 1.5  # points of a treasure that is not found yet, a scoring


def worth(state: TikalState, seat: int) -> float:
    """The own stand, less a part of the best other's, and what is still in the own hand."""
    stands = _stands(state)
    rival = max((stands[other] for other in state.staying if other != seat), default=0.0)
    return stands[seat] - RIVAL * rival + _in_hand(state, seat)


def _in_hand(state: TikalState, seat: int) -> float:
    """Action points, and a tile that was chosen and is not laid."""
    if not state.frames or state.seat != seat or state.doing not in ("turn", "scoring"):
        return 0.0
    rest = later(state)
    tile = appeal(TILE[state.tile], rest) if state.tile else 0.0
    return ACTION * state.points * (rest + (state.doing == "scoring")) + tile


def appeal(tile: Tile, scorings: int) -> float:
    """What it is worth to lay this tile oneself, near the own pieces: a third of what it brings."""
    if tile.kind == "temple":
        return tile.number * scorings / 3
    return tile.number * FIND / 2 if tile.kind == "ruins" else 0.0


def later(state: TikalState) -> int:
    """Scorings that are to come, without one that has begun: one for each volcano, and the last."""
    waiting = sum(name.startswith("volcano") for name, _ in state.stack.rest)
    on_sale = sum(name.startswith("volcano") for name in state.open)
    last_has_begun = bool(state.over) or bool(state.frames and state.frames[-1].doing == "scoring")
    return waiting + on_sale + (not last_has_begun)


def _stands(state: TikalState) -> list[float]:
    """By seat: points, points to come, and chances."""
    rest = later(state)
    scoring = [frame.seat for frame in state.frames if frame.doing == "scoring"]
    now = tuple(scoring.count(seat) for seat in range(state.seats))
    ways = _ways(state.land, tuple(state.tents(seat) for seat in range(state.seats)))
    stands = [player.total + _found(player.treasures) * (now[at] + rest) for at, player in enumerate(state.players)]
    laid = ((site, way) for site, way in zip(state.sites, ways, strict=True) if site is not None)
    parts = [_part(site, way, now, rest, state.gone) for site, way in laid]
    return [stand + sum(shares) for stand, shares in zip(stands, zip(*parts, strict=True), strict=True)]


@lru_cache(maxsize=4096)
def _found(treasures: tuple[str, ...]) -> float:
    """Their points, and some for the chance of another that is like them."""
    return finds(treasures) + HOPE * sum(treasures.count(kind) < ALIKE for kind in set(treasures))


@lru_cache(maxsize=1 << 15)
def _part(
    site: Site, ways: tuple[int, ...], now: tuple[int, ...], rest: int, gone: tuple[int, ...]
) -> tuple[float, ...]:
    """What one tile brings each seat. Kept, since from one position to the next all tiles but one or two stay."""
    stands = [0.0] * len(now)
    if site.kind == "temple":
        _temple(site, now, rest, gone, stands)
    if rest:
        _chances(site, ways, rest, stands)
    return tuple(stands)


def _temple(site: Site, now: tuple[int, ...], rest: int, gone: tuple[int, ...], stands: list[float]) -> None:
    """What the temple brings its holder; a guard holds it for good."""
    if site.guard is not None:
        stands[site.guard] += site.value * (now[site.guard] + rest)
        return
    strengths = [0 if seat in gone else site.strength(seat) for seat in range(len(now))]
    second, most = sorted(strengths)[-2:]
    if most > second:
        holder = strengths.index(most)
        stands[holder] += site.value * (now[holder] + HELD * rest)
        stands[holder] += LEAD * min(most - second, MOST_LEAD) * bool(rest)


def _chances(site: Site, ways: tuple[int, ...], rest: int, stands: list[float]) -> None:
    """Pieces where they stand, and how far each seat's camps are from what is still to be had."""
    goal = rest * (site.treasures * FIND if site.treasures else site.value * (site.guard is None))
    for seat, way in enumerate(ways):
        pieces = site.pieces(seat)
        near = max(0.0, 1 - way / ACTION_POINTS)
        stands[seat] += PIECE * pieces + DIGGER * rest * min(pieces, site.treasures) + NEAR * goal * near


@lru_cache(maxsize=1024)
def _ways(land: Land, tents: tuple[tuple[str, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """By cell and seat: what it costs to walk there from the nearest of the seat's camps."""
    return tuple(zip(*(_from_camps(land, own) for own in tents), strict=True))


def _from_camps(land: Land, tents: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(map(min, zip(*(costs(land, tents, camp) for camp in (CAMP, *tents)), strict=True)))
