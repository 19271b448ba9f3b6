"""The position, and the small changes that events are made of.

Cards are numbers; what a number means stands in the edition. Dice in a reserve are words like `red-walk`; on actions
and banks they are colours, since whoever takes them throws them. What has happened in the running turn is `Doing`: it
begins empty and is forgotten at the turn's end.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from engine.game import SharesDefaults, State, Value
from engine.games.discoveries.cards import Edition
from engine.games.discoveries.dice import GREY, colour_of
from engine.kit import Supply


class Action(Value, frozen=True, kw_only=True):
    """Dice on an exploration action: a colour for each prerequisite space, "" where none lies, and the Write die."""

    space: str  # horse, foot, mountain, or the number of a tribe card
    dice: tuple[str, ...]
    write: str = ""

    @property
    def ready(self) -> bool:
        """Are all prerequisites there, so that a Write die may come?"""
        return all(self.dice)

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(colour for colour in (*self.dice, self.write) if colour)


class Player(Value, SharesDefaults, frozen=True, kw_only=True):
    """One seat: dice to play with, dice on actions, tribe cards won, the card to explore, cards explored."""

    reserve: Supply = Supply()
    actions: tuple[Action, ...] = ()  # those with dice on them, sorted by space
    tribes: tuple[int, ...] = ()  # as they were won
    reserved: tuple[tuple[int, int], ...] = ()  # (Minnetaree, the discovery that lies on it)
    exploring: int = 0  # the card in the Exploration zone; 0: none
    journal: tuple[int, ...] = ()  # as they were explored

    def action(self, space: str) -> Action | None:
        return next((action for action in self.actions if action.space == space), None)


class Doing(Value, SharesDefaults, frozen=True, kw_only=True):
    """The running turn. `space` is the action begun last; `owes` are the commands that must come next, in order."""

    faces: tuple[str, ...] = ()  # as which dice were played, sorted
    shifts: tuple[tuple[str, str], ...] = ()  # (face, played as): by a Sioux card each, sorted
    held: str = ""  # a die that a Sioux card has turned, to be laid at once
    done: tuple[str, ...] = ()  # actions carried out, which cannot be again in this turn
    space: str = ""
    due: int = 0  # dice that must still be laid for it
    greys: int = 0  # grey dice spent on it, which count as the player's until its effect is applied
    face: str = ""  # as which dice are laid for it, or to which they are turned
    owes: tuple[str, ...] = ()  # befriend reserve ask turn swap cross next
    left: int = 0  # dice that the action `turn` may still turn
    turned: Supply = Supply()  # dice turned in this turn, which wait for the next
    coming: Supply = Supply()  # colours: dice that are about to be thrown
    fresh: Supply = Supply()  # dice thrown in this turn: they may be turned, and are played in the next one
    crossed: tuple[int, ...] = ()  # discoveries explored in this turn


class Owed(Value, frozen=True, kw_only=True):
    """`giver` owes a grey die, which counts as `taker`'s since he befriended the tribe."""

    giver: int
    taker: int


class DiscoveriesState(State, SharesDefaults, frozen=True):
    constant: ClassVar[tuple[str, ...]] = ("edition",)

    edition: Edition
    players: tuple[Player, ...]
    stock: int  # grey dice beside the Camp
    right: Supply = Supply()  # colours on the right bank: Write and Parley dice
    left: Supply = Supply()  # colours on the left bank: Walk and Ride dice
    encounters: tuple[int, ...] = ()  # tribe cards that can be won, as they came
    territories: tuple[int, ...] = ()  # discovery cards that can be chosen, as they came
    deck: tuple[int, ...] = ()  # cards below the open one, sorted: their order does not exist
    top: int = 0  # the open card on the deck, discovery side up; 0: the deck is used up
    removed: tuple[int, ...] = ()  # cards that take no part, sorted
    seat: int = 0  # whose turn it is
    choosing: bool = True  # the seats choose their first cards
    doing: Doing = Doing()
    owed: tuple[Owed, ...] = ()  # in the order in which they arose
    last: tuple[int, ...] | None = None  # once somebody has finished: seats that still have a turn, in order
    turns: int = 0
    over: str = ""  # the reason

    @property
    def player(self) -> Player:
        """Whose turn it is."""
        return self.players[self.seat]

    def begun_by(self, seat: int) -> DiscoveriesState:
        return replace(self, starter=seat, seat=seat)

    def with_player(self, seat: int, **changes: object) -> DiscoveriesState:
        return replace(self, players=self.players_with(seat, **changes))

    def players_with(self, seat: int, **changes: object) -> tuple[Player, ...]:
        players = self.players
        return (*players[:seat], replace(players[seat], **changes), *players[seat + 1 :])

    def with_doing(self, **changes: object) -> DiscoveriesState:
        return replace(self, doing=replace(self.doing, **changes))

    def greys(self, seat: int) -> int:
        """Grey dice in the seat's reserve and on its actions; one that it owes counts as the taker's."""
        player = self.players[seat]
        waiting = sum(count for die, count in player.reserve.rest if colour_of(die) == GREY)
        laid = sum(action.colours.count(GREY) for action in player.actions)
        return waiting + laid + self._moving(seat).count(GREY) - self._owing(seat)

    def dice(self, seat: int) -> int:
        """All dice in the seat's reserve and on its actions."""
        player = self.players[seat]
        laid = sum(len(action.colours) for action in player.actions)
        return player.reserve.total + laid + len(self._moving(seat)) - self._owing(seat)

    def _moving(self, seat: int) -> tuple[str, ...]:
        """Colours of dice that lie apart until the running turn ends, and belong to the reserve."""
        if seat != self.seat:
            return ()
        doing = self.doing
        apart = (*doing.turned.rest, *doing.fresh.rest, *doing.coming.rest)
        return tuple(colour_of(die) for die, count in apart for _ in range(count))

    def _owing(self, seat: int) -> int:
        return sum(owed.giver == seat for owed in self.owed)
