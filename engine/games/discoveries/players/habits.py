"""Habits of a player of Discoveries: its rests, its discoveries and its tribes."""

from __future__ import annotations

from itertools import pairwise

from engine.game import Event
from engine.games.discoveries.events.exploring import CardExplored
from engine.games.discoveries.events.tribes import TribeWon
from engine.games.discoveries.events.turns import BankTaken, DiceRecalled, ExtraTurn, NothingTaken, TurnEnded
from engine.games.discoveries.scoring import points_by
from engine.games.discoveries.state import DiscoveriesState
from engine.players import Answered, Figure, own

RESTS, ENDS = (BankTaken, DiceRecalled, NothingTaken), (TurnEnded, ExtraTurn)


def habits(story: tuple[Answered, ...], end: DiscoveriesState, seat: int) -> dict[str, Figure]:
    played = [event for _, event in own(story, seat)]
    rested = _rests(played)
    again = sum(one and two for one, two in pairwise(rested))
    return {
        "turns": Figure(len(rested), 1),
        "turns that rest": Figure(sum(rested), len(rested)),
        "rests right after a rest": Figure(again, sum(rested)),
        "rests without dice": Figure(sum(isinstance(event, NothingTaken) for event in played), 1),
        "cards explored": Figure(sum(isinstance(event, CardExplored) for event in played), 1),
        "tribes won": Figure(sum(isinstance(event, TribeWon) for event in played), 1),
        "points": Figure(sum(row[seat] for _, row in points_by(end)), 1),
    }


def _rests(played: list[Event]) -> list[bool]:
    """Whether each turn was a rest."""
    turns, rested = [], False
    for event in played:
        rested = rested or isinstance(event, RESTS)
        if isinstance(event, ENDS):
            turns.append(rested)
            rested = False
    return turns
