"""How well a seat stands: its points, what it holds times the scorings to come, and what its pieces can still reach.

A temple or a treasure scores at every scoring, so it is worth its points as often as scorings are left. In the own
scoring turn nobody can come between; until later ones others may take a temple, unless a guard holds it. Pieces and
leads bring nothing by themselves. The figures are judged, not tuned: what they come to stands in docs/players.md
(`sealedmove arena tikal`).
"""

from __future__ import annotations

from functools import lru_cache

from engine.games.tikal.components import TILES, Tile
from engine.games.tikal.scoring import finds
from engine.games.tikal.state import Site, TikalState

RIVAL = 0.5  # of a single rival's stand counts against the own; of several the best one's, so much the less
HELD = 0.8  # of a temple's points that a later scoring brings its holder of today
LEAD = 0.15  # points for each strength more than the next on a temple
PIECE = 0.25  # points of a piece on the board, which need not enter any more
DIGGER = 0.6  # and more of one on ruins where there is something to dig up
ACTION = 0.35  # points of an action point a scoring, for lines that end early by a find: less than a level's 0.4
FIND = 1.5  # points of a treasure that is not found yet, a scoring
VOLCANOES = frozenset(tile.name for tile in TILES if tile.kind == "volcano")


def worth(state: TikalState, seat: int) -> float:
    """The own stand, less a part of the best other's. What is still in hand counts nothing: the turn might end here."""
    stands = _stands(state)
    rivals = [stands[other] for other in state.staying if other != seat]
    return stands[seat] - RIVAL * max(rivals, default=0.0) / max(1, len(rivals))


def in_hand(state: TikalState) -> float:
    """What the action points that are left may still bring."""
    return ACTION * state.points * (later(state) + (state.doing == "scoring"))


def appeal(tile: Tile, scorings: int) -> float:
    """What it is worth to lay this tile oneself, near the own pieces: a third of what it brings."""
    if tile.kind == "temple":
        return tile.number * scorings / 3
    return tile.number * FIND / 2 if tile.kind == "ruins" else 0.0


def later(state: TikalState) -> int:
    """Scorings that are to come, without one that has begun: one for each volcano, and the last."""
    waiting = sum([name in VOLCANOES for name, _ in state.stack.rest])
    on_sale = sum([name in VOLCANOES for name in state.open])
    last_has_begun = bool(state.over) or bool(state.frames and state.frames[-1].doing == "scoring")
    return waiting + on_sale + (not last_has_begun)


def _stands(state: TikalState) -> list[float]:
    """By seat: points, points to come, and chances."""
    rest = later(state)
    scoring = [frame.seat for frame in state.frames if frame.doing == "scoring"]
    now = tuple([scoring.count(seat) for seat in range(state.seats)])
    stands = [
        float(player.total + finds(player.treasures) * (now[at] + rest)) for at, player in enumerate(state.players)
    ]
    for site in state.sites:
        if site is not None and (site.guard is not None or site.leaders or any(site.explorers)):
            for seat, share in enumerate(_part(site, now, rest, state.gone)):
                stands[seat] += share
    return stands


@lru_cache(maxsize=1 << 15)
def _part(site: Site, now: tuple[int, ...], rest: int, gone: tuple[int, ...]) -> tuple[float, ...]:
    """What one tile brings each seat. Kept, since from one position to the next all tiles but one or two stay."""
    each = PIECE + DIGGER * (site.treasures > 0)
    stands = [each * site.pieces(seat) * (rest > 0) for seat in range(len(now))]
    if site.kind == "temple":
        _temple(site, now, rest, gone, stands)
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
        stands[holder] += site.value * (now[holder] + HELD * rest) + LEAD * (most - second) * (rest > 0)
