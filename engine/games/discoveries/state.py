"""The position, and the small changes that events are made of.

Cards are numbers; the edition has their values. Dice in a reserve are words like `red-walk`; on actions and banks they
are colours, since they are rolled when a player takes them. `Doing` holds what has happened in the running turn: it
begins empty and is dropped when the turn ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import force_setattr, replace

from engine.game import State, Value
from engine.games.discoveries.cards import Edition
from engine.games.discoveries.dice import GREY, colour_of
from engine.kit import EMPTY, Supply


class Action(Value, frozen=True, kw_only=True):
    """Dice on an exploration action: a colour for each prerequisite space, "" for an open one, and the Write die."""

    space: str  # horse, foot, mountain, or the number of a tribe card
    dice: tuple[str, ...]
    write: str = ""

    @property
    def ready(self) -> bool:
        """Are all prerequisites there, so that a Write die may be laid?"""
        return all(self.dice)

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(colour for colour in (*self.dice, self.write) if colour)


class Player(Value, frozen=True, kw_only=True):
    """One seat: its reserve, dice on actions, tribe cards won, the card to explore, cards explored."""

    reserve: Supply = EMPTY
    actions: tuple[Action, ...] = ()  # those with dice on them, sorted by space
    tribes: tuple[int, ...] = ()  # in the order in which they were won
    reserved: tuple[tuple[int, int], ...] = ()  # (Minnetaree card, the discovery on it)
    exploring: int = 0  # the card in the Exploration zone; 0: none
    journal: tuple[int, ...] = ()  # in the order in which they were explored

    def with_dice(self, dice: Iterable[str]) -> Player:
        return replace(self, reserve=self.reserve.add(dice))

    def without_dice(self, dice: Iterable[str]) -> Player:
        return replace(self, reserve=self.reserve.take(dice))

    def action(self, space: str) -> Action | None:
        return next((action for action in self.actions if action.space == space), None)


class Doing(Value, frozen=True, kw_only=True):
    """The running turn. `space` is the last action that began; `owes` are the commands due next, in order."""

    faces: tuple[str, ...] = ()  # the faces that dice were played as, sorted
    shifts: tuple[tuple[str, str], ...] = ()  # (own face, played as), one for each Sioux card used, sorted
    held: str = ""  # a die that a Sioux card has turned, to be laid next
    done: tuple[str, ...] = ()  # actions used, which cannot be used again this turn
    space: str = ""
    due: int = 0  # dice that must still be laid for it
    greys: int = 0  # grey dice spent on it, which count as the player's until it has taken effect
    face: str = ""  # the face that its dice are played as, or turned to
    owes: tuple[str, ...] = ()  # befriend reserve ask turn swap cross next
    left: int = 0  # dice that the action `turn` may still turn
    turned: Supply = EMPTY  # dice turned this turn, for the next one
    coming: Supply = EMPTY  # colours of dice about to be rolled
    fresh: Supply = EMPTY  # dice rolled this turn: they may be turned, and are played from the next turn on
    crossed: tuple[int, ...] = ()  # discoveries explored this turn


NOTHING = Doing()


class Owed(Value, frozen=True, kw_only=True):
    """A grey die that `giver` owes; it counts as `taker`'s since they won the tribe."""

    giver: int
    taker: int


class DiscoveriesState(State, frozen=True):
    constant: ClassVar[tuple[str, ...]] = ("edition",)

    edition: Edition
    players: tuple[Player, ...]
    stock: int  # grey dice beside the Camp
    right: Supply = EMPTY  # colours on the right bank: Write and Parley dice
    left: Supply = EMPTY  # colours on the left bank: Walk and Ride dice
    encounters: tuple[int, ...] = ()  # tribe cards that can be won, in the order in which they came
    territories: tuple[int, ...] = ()  # discovery cards that can be chosen, in the order in which they came
    deck: tuple[int, ...] = ()  # cards below the top one, sorted: they have no order yet
    top: int = 0  # the top card of the deck, discovery side up; 0: the deck is empty
    removed: tuple[int, ...] = ()  # cards that are not in this game, sorted
    seat: int = 0  # the seat whose turn it is
    choosing: bool = True  # players are still choosing their first cards
    doing: Doing = NOTHING
    owed: tuple[Owed, ...] = ()  # in the order in which they arose
    last: tuple[int, ...] | None = None  # seats with a turn left, in order, once a seat has finished
    turns: int = 0
    over: str = ""  # the reason for the end

    def __post_init__(self) -> None:
        if self.doing is not NOTHING and self.doing == NOTHING:
            force_setattr(self, "doing", NOTHING)

    @property
    def player(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.seat]

    def begun_by(self, seat: int) -> DiscoveriesState:
        return replace(self, starter=seat, seat=seat)

    def with_player(self, seat: int, **changes: object) -> DiscoveriesState:
        return replace(self, players=self.players_with(seat, replace(self.players[seat], **changes)))

    def players_with(self, seat: int, player: Player) -> tuple[Player, ...]:
        """The players, with this one in this seat."""
        players = list(self.players)
        players[seat] = player
        return tuple(players)

    def greys(self, seat: int) -> int:
        """The number of grey dice in the seat's reserve and on its actions; a die it owes counts as the taker's."""
        player = self.players[seat]
        waiting = sum(count for die, count in player.reserve.rest if colour_of(die) == GREY)
        laid = sum(action.colours.count(GREY) for action in player.actions)
        return waiting + laid + self._moving(seat).count(GREY) - self._owing(seat)

    def dice(self, seat: int) -> int:
        """The number of dice in the seat's reserve and on its actions."""
        player = self.players[seat]
        laid = sum(len(action.colours) for action in player.actions)
        return player.reserve.total + laid + len(self._moving(seat)) - self._owing(seat)

    def _moving(self, seat: int) -> tuple[str, ...]:
        """Colours of dice that belong to the reserve but stay apart until the running turn ends."""
        if seat != self.seat:
            return ()
        doing = self.doing
        apart = (*doing.turned.pieces, *doing.fresh.pieces, *doing.coming.pieces)
        return tuple(map(colour_of, apart))

    def _owing(self, seat: int) -> int:
        return sum(owed.giver == seat for owed in self.owed)
