"""Routes, Write dice, crossings, and how the end begins."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.discoveries.changes import played, with_action, without
from engine.games.discoveries.dice import colour_of
from engine.games.discoveries.printed import PRINTED
from engine.games.discoveries.state import Action, DiscoveriesState


class RouteChanged(Event, frozen=True, tag="RouteChanged"):
    words: ClassVar[str] = "{seat} exchanged card {back} for card {card} from the Territories."
    seat: int
    card: int
    back: int

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        territories = tuple(self.back if card == self.card else card for card in state.territories)
        player = replace(state.players[self.seat], exploring=self.card)
        players, doing = state.players_with(self.seat, player), replace(state.doing, owes=())
        return replace(state, territories=territories, players=players, doing=doing)


class Written(Event, frozen=True, tag="Written"):
    words: ClassVar[str] = "{seat} completed {space} with {die}."
    printed = PRINTED
    seat: int
    space: str
    die: str

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        player = state.players[self.seat]
        action = player.action(self.space) or Action(space=self.space, dice=())
        actions = with_action(player.actions, replace(action, write=colour_of(self.die)))
        player = replace(player, actions=actions, reserve=player.reserve.take([self.die]))
        doing = replace(played(state.doing, self.space, self.die, 0), owes=("cross",))
        return replace(state, players=state.players_with(self.seat, player), doing=doing)


class RoadTravelled(Event, frozen=True, tag="RoadTravelled"):
    words: ClassVar[str] = "{seat} crossed {legs:&}."
    seat: int
    legs: tuple[str, ...]  # from the bottom up: `MM by 9`, `RRRR by 3 with 34`

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """Changes nothing: the next events put the cards into the journal."""
        return state


class CardExplored(Event, frozen=True, tag="CardExplored"):
    words: ClassVar[str] = "{seat} explored card {card} along {route}."
    seat: int
    card: int
    route: str

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """Moves the card from the Exploration zone, a Minnetaree card or the Territories to the journal."""
        player = state.players[self.seat]
        player = replace(
            player,
            journal=(*player.journal, self.card),
            exploring=0 if player.exploring == self.card else player.exploring,
            reserved=tuple(pair for pair in player.reserved if pair[1] != self.card),
        )
        doing = replace(state.doing, crossed=(*state.doing.crossed, self.card), owes=())
        territories, players = without(state.territories, self.card), state.players_with(self.seat, player)
        return replace(state, territories=territories, players=players, doing=doing)


class ActionsCleared(Event, frozen=True, tag="ActionsCleared"):
    words: ClassVar[str] = "{seat} took back the dice from {spaces:&}."
    printed = PRINTED
    seat: int
    spaces: tuple[str, ...]
    owes: tuple[str, ...] = ()

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        player, doing = state.players[self.seat], state.doing
        back = [c for action in player.actions if action.space in self.spaces for c in action.colours]
        actions = tuple(action for action in player.actions if action.space not in self.spaces)
        doing = replace(doing, coming=doing.coming.add(back), done=(*doing.done, *self.spaces), owes=self.owes)
        return replace(state, players=state.players_with(self.seat, replace(player, actions=actions)), doing=doing)


class SeatFinished(Event, frozen=True, tag="SeatFinished"):
    words: ClassVar[str] = "{seat} has no card left to explore. Everyone else has one more turn."
    seat: int
    last: tuple[int, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        return replace(state, last=self.last)
