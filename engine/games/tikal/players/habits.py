"""Habits of a player of Tikal: where its tiles lie, how its pieces walk, and what it builds."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Event
from engine.games.tikal.commands import Dig, Level
from engine.games.tikal.components import ACTION_POINTS, TILE
from engine.games.tikal.events import (
    CampPitched,
    Entered,
    GuardPosted,
    LevelUncovered,
    TilePlaced,
    TreasureFound,
    TreasureSwapped,
    TurnEnded,
    Walked,
)
from engine.games.tikal.hexes import AROUND, PLACE
from engine.games.tikal.phases import ACTIONS
from engine.games.tikal.roads import placements
from engine.games.tikal.state import TikalState
from engine.kit import allowed
from engine.players import Answered, Figure, own

MANY = ACTION_POINTS // 2
BUILT = {
    "guards": GuardPosted,
    "camps": CampPitched,
    "treasures dug up": TreasureFound,
    "treasures swapped": TreasureSwapped,
    "levels uncovered": LevelUncovered,
    "pieces brought in": Entered,
}


def habits(story: tuple[Answered, ...], end: TikalState, seat: int) -> dict[str, Figure]:
    played = list(own(story, seat))
    laid = [(state, event) for state, event in played if isinstance(event, TilePlaced)]
    ended = [(state, event) for state, event in played if isinstance(event, TurnEnded)]
    walks = list(_walks(played))
    return {
        "tiles on the first cell offered": Figure(sum(_is_first(*one) for one in laid), len(laid)),
        "temples and ruins laid beside an own piece": _beside(laid, seat),
        "leader's walks back within two turns": Figure(sum(back for leader, back in walks if leader), len(ended)),
        "walks back within two turns, of all": Figure(sum(back for _, back in walks), len(walks)),
        **{name: Figure(sum(isinstance(event, kind) for _, event in played), 1) for name, kind in BUILT.items()},
        "leaders lost under a guard": Figure(end.players[seat].lost_leader, 1),
        "action points left, a turn": Figure(sum(event.unused for _, event in ended), len(ended)),
        "turns that waste half while something scores": Figure(sum(_wastes(*one) for one in ended), len(ended)),
        "points": Figure(end.players[seat].total, 1),
    }


def _is_first(state: TikalState, event: TilePlaced) -> bool:
    return event.cell == placements(state.land, TILE[event.tile].stones)[0][0]


def _beside(laid: list[tuple[TikalState, TilePlaced]], seat: int) -> Figure:
    """Whether a tile that scores touches one with a piece of the seat."""
    scoring = [(state, event) for state, event in laid if event.kind in ("temple", "ruins")]
    beside = [any(_has_piece(state, at, seat) for _, at in AROUND[PLACE[event.cell]]) for state, event in scoring]
    return Figure(sum(beside), len(beside))


def _has_piece(state: TikalState, at: int, seat: int) -> bool:
    site = state.sites[at]
    return site is not None and site.pieces(seat) > 0


def _walks(played: list[tuple[TikalState, Event]]) -> Iterator[tuple[bool, bool]]:
    """For each walk: whether the leader walked, and whether it undoes a walk of this turn or the one before."""
    before: set[tuple[str, str, str]] = set()
    now: set[tuple[str, str, str]] = set()
    for _, event in played:
        if isinstance(event, Walked):
            yield event.piece == "leader", (event.piece, event.goal, event.start) in before | now
            now.add((event.piece, event.start, event.goal))
        elif isinstance(event, TurnEnded):
            before, now = now, set()


def _wastes(state: TikalState, event: TurnEnded) -> bool:
    """Whether half of the points are left while a level or a treasure is at hand."""
    return event.unused >= MANY and any(isinstance(one, Dig | Level) for one in allowed(ACTIONS, state, event.seat))
