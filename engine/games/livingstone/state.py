"""The position, and the small changes that events are made of.

A square is one number, 10 * column + row (column 10, row 6 is 106), so a player's tents are a sorted tuple of squares
and two tents on one square are two entries. The steamer's true place is `column`; while `back` is 1 it is one column
to the left, at `here`.
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
    """One seat. Only it knows `hand`, `coins` and `chest`; everybody sees the sum of `coins` and `chest`."""

    hand: tuple[str, ...] = ()  # sorted
    coins: int
    chest: int = 0
    gems: tuple[int, ...] = NO_GEMS  # clear, blue, red
    tents: tuple[int, ...] = ()  # squares, sorted
    last: int = 0  # the last die taken this round; 0 if none
    points: tuple[int, ...] = NO_POINTS  # by HEADINGS

    def __post_init__(self) -> None:
        """A value equal to its default is the default itself, so that equal states have equal bytes.

        Fields at their default are left out of the bytes, and the encoder compares by identity only.
        """
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
    sold: Supply  # beside the board: sold gems and black stones
    deck: Supply
    spent: Supply  # played cards
    dice: tuple[int, ...] = NO_DICE  # number of dice left that show 1, 2, .. 6
    round: int = 0
    column: int = 0
    back: int = 0
    first: int = 0  # rolled the dice of this round
    seat: int = 0  # in turn
    todo: int = 0  # dice that may still be taken this turn; only the first must be
    second: bool = False  # the two-dice card was played this turn
    market: bool = False  # the market card was played this turn
    turns: int = 0
    out: tuple[int, ...] = ()  # gave the Queen too little
    over: str = ""  # reason of the end; "" while the game goes on

    def __post_init__(self) -> None:
        """Share default values, as `Player` does."""
        if self.dice is not NO_DICE and self.dice == NO_DICE:
            force_setattr(self, "dice", NO_DICE)

    @property
    def here(self) -> int:
        """The column in which tents are placed and scored now."""
        return self.column - self.back

    def can_take(self, seat: int) -> bool:
        """Return whether a die is left that is higher than the seat's last."""
        return any(self.dice[self.players[seat].last :])

    @property
    def may_take(self) -> bool:
        """True if the seat in turn may take a die now."""
        return self.todo > 0 and any(self.dice[self.players[self.seat].last :])  # `can_take`, for speed

    @property
    def owes(self) -> bool:
        """True if the seat in turn must take a die; the second one, from the two-dice card, is optional."""
        return self.todo > self.second and self.can_take(self.seat)

    def tents_left(self, seat: int) -> int:
        return self.edition.tents - len(self.players[seat].tents)

    def owners(self, square: int) -> tuple[int, ...]:
        """Return the seats with a tent on the square, ascending."""
        return tuple(seat for seat, player in enumerate(self.players) if square in player.tents)

    def with_player(self, seat: int, **changes: object) -> LivingstoneState:
        return replace(self, players=self.players_with(seat, replace(self.players[seat], **changes)))

    def without_die(self, seat: int, die: int, player: Player) -> LivingstoneState:
        """Give the seat a die of this face; `player` is the seat with all else that changes."""
        dice = (*self.dice[: die - 1], self.dice[die - 1] - 1, *self.dice[die:])
        players = self.players_with(seat, replace(player, last=die))
        return replace(self, dice=dice, todo=self.todo - 1, players=players)

    def players_with(self, seat: int, player: Player) -> tuple[Player, ...]:
        """Return the players, with this one in this seat."""
        players = list(self.players)
        players[seat] = player
        return tuple(players)
