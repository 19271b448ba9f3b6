"""The position, and the small changes that events are made of.

A square is one number, 10 * column + row (column 10, row 6 is 106), so a player's tents are a sorted tuple of squares
and two tents on one square stand there twice. The steamer's true place is `column`; while `back` is 1 it lies one
column to the left, which is `here`.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import force_setattr, replace

from engine.game import State, Value
from engine.games.livingstone.components import Edition
from engine.kit import Supply

HEADINGS = ("columns", "market", "cards", "rows", "gems")
NO_GEMS, NO_POINTS, NO_DICE = (0, 0, 0), (0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0)


def square_of(column: int, row: int) -> int:
    return 10 * column + row


class Player(Value, frozen=True, kw_only=True):
    """One seat. `hand`, `coins` and `chest` are its own; everybody sees the sum of the last two."""

    hand: tuple[str, ...] = ()  # sorted
    coins: int
    chest: int = 0
    gems: tuple[int, ...] = NO_GEMS  # clear, blue, red
    tents: tuple[int, ...] = ()  # squares, sorted
    last: int = 0  # the die taken last in this round
    points: tuple[int, ...] = NO_POINTS  # by HEADINGS

    def __post_init__(self) -> None:
        """As `engine.game.SharesDefaults`, by name: positions are made several times a turn, and a loop costs more."""
        if self.gems is not NO_GEMS and self.gems == NO_GEMS:
            force_setattr(self, "gems", NO_GEMS)
        if self.points is not NO_POINTS and self.points == NO_POINTS:
            force_setattr(self, "points", NO_POINTS)

    @property
    def wealth(self) -> int:
        return self.coins + self.chest

    @property
    def total(self) -> int:
        return sum(self.points)

    def scored(self, heading: str, points: int) -> tuple[int, ...]:
        at = HEADINGS.index(heading)
        return (*self.points[:at], self.points[at] + points, *self.points[at + 1 :])

    def gems_plus(self, gem: int, count: int) -> tuple[int, ...]:
        return (*self.gems[:gem], self.gems[gem] + count, *self.gems[gem + 1 :])


class LivingstoneState(State, frozen=True):
    constant: ClassVar[tuple[str, ...]] = ("edition",)

    edition: Edition
    players: tuple[Player, ...]
    bag: Supply
    sold: Supply  # sold gems and black stones, beside the board
    deck: Supply
    spent: Supply  # played cards
    dice: tuple[int, ...] = NO_DICE  # how many show 1 .. 6
    round: int = 0
    column: int = 0
    back: int = 0
    first: int = 0  # who rolled
    seat: int = 0  # whose turn it is
    todo: int = 0  # dice that may still be taken in this turn: the first must be, the second need not
    second: bool = False  # the two-dice card was played in this turn
    market: bool = False  # the market card was played in this turn
    turns: int = 0
    out: tuple[int, ...] = ()  # gave the Queen too little
    over: str = ""  # the reason

    def __post_init__(self) -> None:
        """As that of a player."""
        if self.dice is not NO_DICE and self.dice == NO_DICE:
            force_setattr(self, "dice", NO_DICE)

    @property
    def here(self) -> int:
        """The column in which tents are built and scored in this round."""
        return self.column - self.back

    def can_take(self, seat: int) -> bool:
        """Is there a die higher than the seat's last?"""
        return any(self.dice[self.players[seat].last :])

    @property
    def may_take(self) -> bool:
        """May the seat whose turn it is take a die now?"""
        return self.todo > 0 and any(self.dice[self.players[self.seat].last :])  # as `can_take`; asked for each command

    @property
    def owes(self) -> bool:
        """Must the seat whose turn it is take a die? The second one, of the two-dice card, it may leave."""
        return self.todo > self.second and self.can_take(self.seat)

    def tents_left(self, seat: int) -> int:
        return self.edition.tents - len(self.players[seat].tents)

    def owners(self, square: int) -> tuple[int, ...]:
        """Seats with a tent on the square, ascending."""
        return tuple(seat for seat, player in enumerate(self.players) if square in player.tents)

    def with_player(self, seat: int, **changes: object) -> LivingstoneState:
        return replace(self, players=self._players_with(seat, changes))

    def changed(self, seat: int, changes: dict[str, object], **fields: object) -> LivingstoneState:
        """One seat and the table at once."""
        return replace(self, players=self._players_with(seat, changes), **fields)

    def without_die(self, seat: int, die: int, **changes: object) -> LivingstoneState:
        """The seat has taken a die of this face, and `changes` of its own."""
        dice = (*self.dice[: die - 1], self.dice[die - 1] - 1, *self.dice[die:])
        players = self._players_with(seat, {"last": die, **changes})
        return replace(self, dice=dice, todo=self.todo - 1, players=players)

    def _players_with(self, seat: int, changes: dict[str, object]) -> tuple[Player, ...]:
        players = self.players
        return (*players[:seat], replace(players[seat], **changes), *players[seat + 1 :])
