"""Tikal: ten action points a turn to open the jungle, uncover temples and dig for treasures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engine import kit
from engine.game import Command, Event, Turn
from engine.games.tikal import bids, commands, events, phases, picture, scoring, turns
from engine.games.tikal import board as text
from engine.games.tikal import view as seen
from engine.games.tikal.components import TILES
from engine.games.tikal.meta import META, TikalOptions
from engine.games.tikal.refusals import REFUSALS
from engine.games.tikal.state import TikalState


class Tikal:
    """The game as `engine.game` requires it. Each rule is in the module that its line names."""

    meta = META
    state = TikalState
    commands: tuple[type[Command], ...] = (
        commands.Place,
        commands.Enter,
        commands.Walk,
        commands.Level,
        commands.Dig,
        commands.Swap,
        commands.Camp,
        commands.Guard,
        commands.Done,
        bids.Bid,
        bids.Offer,
        bids.Pass,
        bids.Choose,
    )
    events: tuple[type[Event], ...] = (
        events.Started,
        kit.FirstPlayerDrawn,
        events.TileDrawn,
        events.TileSetAside,
        events.TilePlaced,
        events.TurnEnded,
        events.Entered,
        events.Walked,
        events.LevelUncovered,
        events.TreasureFound,
        events.TreasureSwapped,
        events.CampPitched,
        events.GuardPosted,
        events.ScoringBegun,
        events.LastScoringBegun,
        events.Scored,
        events.GameEnded,
        events.TilesShown,
        events.SaleOpened,
        events.CeilingSealed,
        events.Sold,
        events.CeilingShown,
        events.BidCalled,
        events.BidPassed,
        events.SaleWon,
        events.TileChosen,
    )
    refusals: Mapping[str, str] = REFUSALS
    inks = text.INKS
    endings: ClassVar[dict[str, str]] = {
        "explored": "All tiles have been laid, and every player has scored for the last time."
    }

    def setup(self, turn: Turn, seats: int, options: TikalOptions) -> None:
        turn.emit(events.Started(turn.rules, seats, options))
        turns.next_turn(turn, kit.draw_first(turn))

    def hidden(self, options: TikalOptions) -> bool:
        return options.variant == "auction" and options.bidding == "sealed"

    active = staticmethod(phases.active)
    phase = staticmethod(phases.phase)
    forced = staticmethod(phases.forced)
    default = staticmethod(phases.default)
    outcome = staticmethod(scoring.outcome)
    standing = staticmethod(scoring.standing)
    view = staticmethod(seen.view)
    board = staticmethod(text.board)
    picture = staticmethod(picture.picture)

    def turns(self, state: TikalState) -> int:
        """Return how many tiles were drawn. Each exists once, so no game exceeds its cap."""
        return len(TILES) - len(state.stack.rest)


game = Tikal()
