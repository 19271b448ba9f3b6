"""The value of a position for a seat: points, holdings times the scorings to come, and chances of its pieces.

A temple or a treasure scores at every scoring, so it is worth its points as often as scorings are left. In its own
scoring turn nobody can interfere; before later ones others may take a temple, unless it has a guard. Pieces and leads
bring nothing by themselves. The figures are judged, not tuned; docs/players.md has the results
(`sealedmove arena tikal`).
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from engine.games.tikal.components import TILES, Tile
from engine.games.tikal.scoring import finds
from engine.games.tikal.state import Player, Site, TikalState
from engine.players import Part

RIVAL = 0.5  # share of the best rival's value that is subtracted, divided among several rivals
HELD = 0.8  # share of a temple's points that a later scoring brings its present holder
LEAD = 0.15  # points for each strength beyond the next player's on a temple
PIECE = 0.25  # points for a piece on the board, which no longer has to enter
DIGGER = 0.6  # and more for one on ruins with treasures
ACTION = 0.35  # points for an action point and scoring, for lines that a find ends early: less than a level's 0.4
FIND = 1.5  # points for a treasure not found yet, for each scoring
SAFE = 3  # strength beyond the next player's that no single leader makes up for
LATE = 3  # scorings after which a guard in reserve is worth no more


class Mind(msgspec.Struct, frozen=True):
    """How much a player values things; the defaults are those of `fair`."""

    keeps: float = 0.0  # share of a temple that is kept from one scoring to the next; 0: `HELD` at each
    contested: float = 0.0  # the same where a rival stands, and is not `SAFE` behind
    guard: float = 0.0  # points for a guard in reserve and each scoring to come, up to `LATE`
    leader: float = 0.0  # points that a leader lost under a guard would have brought, as often


PLAIN = Mind()
VOLCANOES = frozenset(tile.name for tile in TILES if tile.kind == "volcano")


def worth(state: TikalState, seat: int, mind: Mind = PLAIN) -> float:
    """Return the seat's value less a share of the best rival's. Action points do not count: the turn might end here."""
    stands = _stands(state, mind)
    rivals = [stands[other] for other in state.staying if other != seat]
    return stands[seat] - RIVAL * max(rivals, default=0.0) / max(1, len(rivals))


def parts(state: TikalState, seat: int, mind: Mind = PLAIN) -> tuple[Part, ...]:
    """Return the parts of `worth`. What no other part holds are the temples."""
    player, rest = state.players[seat], later(state)
    stand = _stands(state, mind)[seat]
    treasures = finds(player.treasures) * (_scoring_now(state)[seat] + rest)
    reserve = _kept(player, mind) * min(rest, LATE)
    pieces = sum(_each(site) * site.pieces(seat) * (rest > 0) for site in state.sites if site is not None)
    return (
        Part("scores {amount} now", float(player.total)),
        Part(
            "gains temples worth about {amount} in scorings to come",
            stand - player.total - treasures - reserve - pieces,
        ),
        Part("gains treasures worth {amount} in scorings to come", float(treasures)),
        Part("brings pieces into play, worth about {amount}", pieces),
        Part("keeps a guard or the leader for later, worth about {amount}", reserve),
        Part("takes about {amount} from the best rival", worth(state, seat, mind) - stand),
    )


def in_hand(state: TikalState) -> float:
    """Return what the action points that are left may still bring."""
    return ACTION * state.points * (later(state) + (state.doing == "scoring"))


def appeal(tile: Tile, scorings: int) -> float:
    """Return what it is worth to lay this tile near the seat's pieces: a third of what it brings."""
    if tile.kind == "temple":
        return tile.number * scorings / 3
    return tile.number * FIND / 2 if tile.kind == "ruins" else 0.0


def later(state: TikalState) -> int:
    """Return the scorings to come, without one that has begun: one for each volcano, and the last."""
    waiting = sum([name in VOLCANOES for name, _ in state.stack.rest])
    on_sale = sum([name in VOLCANOES for name in state.open])
    last_has_begun = bool(state.over) or bool(state.frames and state.frames[-1].doing == "scoring")
    return waiting + on_sale + (not last_has_begun)


def _stands(state: TikalState, mind: Mind) -> list[float]:
    """Return by seat: points, points to come, and chances."""
    rest = later(state)
    now = _scoring_now(state)
    stands = [
        player.total + finds(player.treasures) * (now[at] + rest) + _kept(player, mind) * min(rest, LATE)
        for at, player in enumerate(state.players)
    ]
    for site in state.sites:
        if site is not None and (site.guard is not None or site.leaders or any(site.explorers)):
            for seat, share in enumerate(_part(site, now, rest, state.gone, mind)):
                stands[seat] += share
    return stands


def _scoring_now(state: TikalState) -> tuple[int, ...]:
    """Return by seat how many scoring turns have begun or wait."""
    scoring = [frame.seat for frame in state.frames if frame.doing == "scoring"]
    return tuple([scoring.count(seat) for seat in range(state.seats)])


def _each(site: Site) -> float:
    """Return the points for a piece on the tile."""
    return PIECE + DIGGER * (site.treasures > 0)


def _kept(player: Player, mind: Mind) -> float:
    """Return what the guards in reserve bring at each scoring, less what a lost leader would have brought."""
    return mind.guard * player.guards - mind.leader * player.lost_leader


@lru_cache(maxsize=1 << 15)
def _part(site: Site, now: tuple[int, ...], rest: int, gone: tuple[int, ...], mind: Mind) -> tuple[float, ...]:
    """Return what one tile brings each seat. Cached, because few tiles change from one position to the next."""
    each = _each(site)
    stands = [each * site.pieces(seat) * (rest > 0) for seat in range(len(now))]
    if site.kind == "temple":
        _temple(site, now, rest, gone, stands, mind)
    return tuple(stands)


def _coming(rest: int, keeps: float) -> float:
    """Return how often a temple without a guard will score for its holder of today."""
    return sum(keeps**number for number in range(1, rest + 1)) if keeps else HELD * rest


def _temple(
    site: Site, now: tuple[int, ...], rest: int, gone: tuple[int, ...], stands: list[float], mind: Mind
) -> None:
    """Add what the temple brings its holder; a guard holds it for good."""
    if site.guard is not None:
        stands[site.guard] += site.value * (now[site.guard] + rest)
        return
    strengths = [0 if seat in gone else site.strength(seat) for seat in range(len(now))]
    second, most = sorted(strengths)[-2:]
    if most > second:
        holder = strengths.index(most)
        coming = _coming(rest, mind.contested if second and most - second < SAFE else mind.keeps)
        stands[holder] += site.value * (now[holder] + coming) + LEAD * (most - second) * (rest > 0)
