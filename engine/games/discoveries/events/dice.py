"""Dice rolled, laid, spent and turned."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from engine.game import Event
from engine.games.discoveries.changes import played, with_action
from engine.games.discoveries.dice import GREY, colour_of, die_of, face_of
from engine.games.discoveries.printed import PRINTED
from engine.games.discoveries.state import NOTHING, Action, DiscoveriesState
from engine.kit import EMPTY


class DiceThrown(Event, frozen=True, tag="DiceThrown"):
    words: ClassVar[str] = "{seat} rolled {dice:&}."
    seat: int
    dice: tuple[str, ...]

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """They go to the reserve; in a turn that plays dice they stay apart, since they cannot be played in it."""
        doing = state.doing
        if doing.faces:
            return replace(state, doing=replace(doing, coming=EMPTY, fresh=doing.fresh.add(self.dice)))
        players = state.players_with(self.seat, state.players[self.seat].with_dice(self.dice))
        return replace(state, players=players, doing=NOTHING)


class DieShifted(Event, frozen=True, tag="DieShifted"):
    words: ClassVar[str] = "{seat} used {die} as {face} with the help of the Sioux."
    seat: int
    die: str
    face: str

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        colour, own = colour_of(self.die), face_of(self.die)
        reserve = state.players[self.seat].reserve.take([self.die]).add([die_of(colour, self.face)])
        shifts = tuple(sorted((*state.doing.shifts, (own, self.face))))
        held = die_of(colour, self.face)
        doing = replace(state.doing, shifts=shifts, held=held)
        player = replace(state.players[self.seat], reserve=reserve)
        return replace(state, players=state.players_with(self.seat, player), doing=doing)


class DieLaid(Event, frozen=True, tag="DieLaid"):
    words: ClassVar[str] = "{seat} laid {die} on {space}."
    printed = PRINTED
    seat: int
    space: str
    die: str
    slot: int  # index of the prerequisite space, from 0
    slots: int  # number of prerequisite spaces
    due: int = 0  # dice that must follow it, to a bank

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        player = state.players[self.seat]
        action = player.action(self.space) or Action(space=self.space, dice=("",) * self.slots)
        dice = (*action.dice[: self.slot], colour_of(self.die), *action.dice[self.slot + 1 :])
        actions = with_action(player.actions, replace(action, dice=dice))
        player = replace(player, actions=actions, reserve=player.reserve.take([self.die]))
        players = state.players_with(self.seat, player)
        return replace(state, players=players, doing=played(state.doing, self.space, self.die, self.due))


class DieSpent(Event, frozen=True, tag="DieSpent"):
    words: ClassVar[str] = "{seat} spent {die} on {space} and moved it to the {bank} bank."
    printed = PRINTED
    seat: int
    space: str
    die: str
    bank: str
    due: int = 0  # dice that must follow it
    owes: tuple[str, ...] = ()  # what the action brings: commands due at once
    left: int = 0  # dice that the action may turn

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        players = state.players_with(self.seat, state.players[self.seat].without_dice([self.die]))
        colour, now = colour_of(self.die), state.doing
        doing = played(now, self.space, self.die, self.due, (now.greys if now.due else 0) + (colour == GREY))
        if self.owes:
            doing = replace(doing, owes=self.owes, left=self.left, face="", done=(*now.done, self.space))
        if self.bank == "left":
            return replace(state, players=players, doing=doing, left=state.left.add([colour]))
        return replace(state, players=players, doing=doing, right=state.right.add([colour]))


class DieTurned(Event, frozen=True, tag="DieTurned"):
    words: ClassVar[str] = "{seat} turned {die} to {face}."
    seat: int
    die: str
    face: str

    def apply(self, state: DiscoveriesState) -> DiscoveriesState:
        """It stays beside the reserve until the turn is over. Of two equal dice the one just rolled is turned."""
        turned = state.doing.turned.add([die_of(colour_of(self.die), self.face)])
        doing = replace(state.doing, turned=turned, left=state.doing.left - 1, face=self.face, owes=())
        if doing.fresh.count(self.die):
            return replace(state, doing=replace(doing, fresh=doing.fresh.take([self.die])))
        players = state.players_with(self.seat, state.players[self.seat].without_dice([self.die]))
        return replace(state, players=players, doing=doing)
