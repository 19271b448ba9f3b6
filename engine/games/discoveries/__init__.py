"""Discoveries: expeditions up the Missouri, dice that explore, and journals to fill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from engine import kit
from engine.game import Command, Event, Standing, Turn
from engine.games.discoveries import board as text
from engine.games.discoveries import (
    events,
    explore,
    lay,
    phases,
    picture,
    rest,
    scoring,
    sioux,
    territories,
    tribes,
    turns,
)
from engine.games.discoveries import view as seen
from engine.games.discoveries.meta import META, DiscoveriesOptions
from engine.games.discoveries.printed import PRINTED
from engine.games.discoveries.refusals import REFUSALS
from engine.games.discoveries.state import DiscoveriesState


class Discoveries:
    """The game as `engine.game` requires it. Each rule is in the module that its line names."""

    meta = META
    state = DiscoveriesState
    commands: tuple[type[Command], ...] = (
        territories.Choose,
        lay.Lay,
        sioux.Use,
        lay.Turning,
        territories.Swap,
        tribes.Befriend,
        territories.Reserve,
        tribes.Ask,
        tribes.Give,
        explore.Write,
        explore.Cross,
        territories.Next,
        rest.RestOwn,
        rest.RestNone,
        rest.Rest,
        rest.End,
    )
    events: tuple[type[Event], ...] = (
        events.Started,
        kit.FirstPlayerDrawn,
        events.CampLaidOut,
        events.CardChosen,
        events.ChoicePassed,
        events.SetOut,
        events.DiceThrown,
        events.DieShifted,
        events.DieLaid,
        events.DieSpent,
        events.DieTurned,
        events.TribeWon,
        events.GreyTaken,
        events.GreyMissed,
        events.DieOwed,
        events.DieGiven,
        events.CardReserved,
        events.RouteChanged,
        events.Written,
        events.RoadTravelled,
        events.CardExplored,
        events.ActionsCleared,
        events.SeatFinished,
        events.BankTaken,
        events.NothingTaken,
        events.DiceRecalled,
        events.TribesArrived,
        events.TerritoriesOpened,
        events.ZoneFilled,
        events.CardOpened,
        events.DeckUsedUp,
        events.TurnEnded,
        events.ExtraTurn,
        events.Scored,
        events.GameEnded,
    )
    refusals: Mapping[str, str] = REFUSALS
    printed = PRINTED
    inks = text.INKS
    endings: ClassVar[dict[str, str]] = {
        "complete": "A player had no card left to explore, and everyone else has taken a last turn.",
    }

    def setup(self, turn: Turn, seats: int, options: DiscoveriesOptions) -> None:
        turn.emit(events.Started(turn.rules, seats, options))
        kit.draw_first(turn)
        turns.lay_out(turn, seats, options.first_game)

    def hidden(self, options: DiscoveriesOptions) -> bool:
        return False

    phase = staticmethod(phases.phase)
    active = staticmethod(phases.active)  # not wrapped: called several times for each command
    forced = staticmethod(phases.forced)
    default = staticmethod(phases.default)
    outcome = staticmethod(scoring.outcome)

    def turns(self, state: DiscoveriesState) -> int:
        return state.turns - 1 if state.turns else 0

    def standing(self, state: DiscoveriesState) -> Standing:
        return scoring.standing(state)

    def view(self, state: DiscoveriesState, seat: int | None) -> seen.DiscoveriesView:
        return seen.view(state)

    def board(self, view: Any, names: tuple[str, ...]) -> str:
        return text.board(view, names)

    def picture(self, view: Any, names: tuple[str, ...], palette: kit.Palette = "light") -> str:
        return picture.picture(view, names, palette)


game = Discoveries()
