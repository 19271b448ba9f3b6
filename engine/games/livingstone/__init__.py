"""Livingstone: a steamer on the Zambezi, tents on its banks, stones from the mine, and a chest for the Queen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from engine import kit
from engine.game import Command, Event, Standing, Turn
from engine.games.livingstone import board as text
from engine.games.livingstone import commands, events, phases, picture, rounds, scoring, tents
from engine.games.livingstone import view as seen
from engine.games.livingstone.cards import PRINTED
from engine.games.livingstone.meta import ENDINGS, META, LivingstoneOptions
from engine.games.livingstone.refusals import REFUSALS
from engine.games.livingstone.state import LivingstoneState


class Livingstone:
    """The game as `engine.game` requires it; the rules are in the modules named here."""

    meta = META
    state = LivingstoneState
    commands: tuple[type[Command], ...] = (
        commands.Coins,
        commands.Card,
        commands.Mine,
        tents.Tent,
        commands.Play,
        tents.Raise,
        commands.Sell,
        commands.Donate,
        commands.End,
    )
    events: tuple[type[Event], ...] = (
        events.Started,
        kit.FirstPlayerDrawn,
        events.DiceRolled,
        events.Passed,
        events.CoinsTaken,
        events.MineEntered,
        events.StonesDrawn,
        events.BagRefilled,
        events.CardTaken,
        events.CardDrawn,
        events.Accident,
        events.TentLifted,
        events.TentPlaced,
        events.OwnerPaid,
        events.CardPlayed,
        events.TentRaised,
        events.BankPaid,
        events.AnimalsSeen,
        events.SteamerWentBack,
        events.SecondDie,
        events.GemsSold,
        events.Donated,
        events.ColumnScored,
        events.HandShown,
        events.RowScored,
        events.GemsCounted,
        events.DonationRolled,
        events.ChestOpened,
        events.Eliminated,
        events.GameEnded,
    )
    refusals: Mapping[str, str] = REFUSALS
    printed: ClassVar[dict[str, dict[str, str]]] = PRINTED
    inks = text.INKS
    endings = ENDINGS

    def setup(self, turn: Turn, seats: int, options: LivingstoneOptions) -> None:
        turn.emit(events.Started(turn.rules, seats, options))
        rounds.roll(turn, kit.draw_first(turn), 1, 1)

    def hidden(self, options: LivingstoneOptions) -> bool:
        return True

    phase = staticmethod(phases.phase)
    active = staticmethod(phases.active)  # not wrapped: called several times for each command
    forced = staticmethod(phases.forced)
    default = staticmethod(phases.default)
    outcome = staticmethod(scoring.outcome)

    def turns(self, state: LivingstoneState) -> int:
        return state.turns - 1

    def standing(self, state: LivingstoneState) -> Standing:
        return scoring.standing(state)

    def view(self, state: LivingstoneState, seat: int | None) -> seen.LivingstoneView:
        return seen.view(state, seat)

    def board(self, view: Any, names: tuple[str, ...]) -> str:
        return text.board(view, names)

    def picture(self, view: Any, names: tuple[str, ...], palette: kit.Palette = "light") -> str:
        return picture.picture(view, names, palette)


game = Livingstone()
