"""Lewis & Clark: expeditions race from Saint Louis to the Pacific with the help of the people they meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from engine import kit
from engine.game import Command, Event, Outcome, Standing, Turn
from engine.games.lewis_clark import acts, commands, events, phases, picture, setup
from engine.games.lewis_clark import board as text
from engine.games.lewis_clark import view as seen
from engine.games.lewis_clark.meta import META, LewisClarkOptions
from engine.games.lewis_clark.printed import FACTS
from engine.games.lewis_clark.refusals import REFUSALS
from engine.games.lewis_clark.state import LewisClarkState


class LewisClark:
    """The game as `engine.game` requires it. Each rule is in the module that its line names."""

    meta = META
    state = LewisClarkState
    commands: tuple[type[Command], ...] = (
        commands.Play,
        commands.Under,
        commands.Indians,
        commands.Village,
        acts.Use,
        acts.Copy,
        acts.Gather,
        acts.Invite,
        acts.Discard,
        commands.Stop,
        commands.Recruit,
        commands.Camp,
        commands.End,
        commands.Concede,
    )
    events: tuple[type[Event], ...] = (
        events.Started,
        kit.FirstPlayerDrawn,
        events.Prepared,
        events.JournalLaid,
        events.CardPlayed,
        events.CardLaidUnder,
        events.CardCovered,
        events.IndiansGiven,
        events.IndiansPlaced,
        events.Activated,
        events.SpendingLimited,
        events.Copied,
        events.FrameEnded,
        events.Paid,
        events.Gained,
        events.ScoutMoved,
        events.MoveLengthened,
        events.ScoutWentOn,
        events.VillageGathered,
        events.BoatTaken,
        events.CardDiscarded,
        events.FarewellSaid,
        events.CardMet,
        events.JournalLeft,
        events.DeckRenewed,
        events.JournalRefilled,
        events.Recruited,
        events.Camped,
        events.BegunAnew,
        events.TurnEnded,
        events.MackenzieMoved,
        events.PacificReached,
        events.MackenzieWon,
        events.Conceded,
    )
    refusals: Mapping[str, str] = REFUSALS
    printed = FACTS
    inks = text.INKS
    endings: ClassVar[dict[str, str]] = {
        "pacific": "An expedition has brought its camp to Fort Clatsop or beyond.",
        "mackenzie": "Mackenzie reached the Pacific first, or the player gave up the race.",
    }

    def setup(self, turn: Turn, seats: int, options: LewisClarkOptions) -> None:
        setup.set_up(turn, seats, options)

    def hidden(self, options: LewisClarkOptions) -> bool:
        """Return True with `covered` set to `hidden`: others then see only the backs of cards laid face down."""
        return options.covered == "hidden"

    phase = staticmethod(phases.phase)
    active = staticmethod(phases.active)  # not wrapped: called several times for each command
    forced = staticmethod(phases.forced)
    default = staticmethod(phases.default)

    def outcome(self, state: LewisClarkState) -> Outcome | None:
        return setup.outcome(state)

    def turns(self, state: LewisClarkState) -> int:
        return state.turns - 1

    def standing(self, state: LewisClarkState) -> Standing:
        return setup.standing(state)

    def view(self, state: LewisClarkState, seat: int | None) -> seen.LewisClarkView:
        return seen.view(state, seat)

    def board(self, view: Any, names: tuple[str, ...]) -> str:
        return text.board(view, names)

    def picture(self, view: Any, names: tuple[str, ...], palette: kit.Palette = "light") -> str:
        return picture.picture(view, names, palette)


game = LewisClark()
