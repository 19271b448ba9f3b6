"""Commands that place a tent: with a die, or by the card Raised Tent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Self

from msgspec.structs import replace

from engine.errors import Refused
from engine.game import Command, Turn
from engine.games.livingstone.cards import KINDS
from engine.games.livingstone.components import ROWS
from engine.games.livingstone.dice import Column, DieCommand, Row, check_card, dice_to_take
from engine.games.livingstone.events import CardPlayed, OwnerPaid, TentLifted, TentPlaced, TentRaised
from engine.games.livingstone.state import LivingstoneState, square_of
from engine.kit import count


class Tent(DieCommand, frozen=True, tag="tent"):
    """Take a die and place a tent in the steamer's column, in the row that the die shows."""

    notation: ClassVar[str] = "tent {die} [row {row}] [explorer] [elephants] [from {from_column} {from_row}]"
    words: ClassVar[str] = (
        "Take a {die} to place a tent[ in row {row}][elephants:, playing Elephants]"
        "[explorer:, playing Explorer and Native][, moved from column {from_column}, row {from_row}]."
    )
    row: Row | None = None
    explorer: bool = False
    elephants: bool = False
    from_column: Column | None = None
    from_row: Row | None = None

    @classmethod
    def candidates(cls, state: LivingstoneState, seat: int) -> Iterator[Self]:
        hand = state.players[seat].hand
        rows = (None, *range(1, ROWS + 1)) if "elephants" in hand else (None,)
        free = (False, True) if "explorer" in hand else (False,)
        lifted = _tents_to_lift(state, seat)
        return (
            cls(die, row, explorer, row is not None, *place)
            for die in dice_to_take(state, seat)
            for row in rows
            for explorer in free
            for place in lifted
        )

    def meant(self, state: LivingstoneState, seat: int) -> Self:
        """Read a row other than the die's as the elephants' choice, whether or not they are named."""
        if self.row is None or self.elephants:
            return self
        return replace(self, row=None) if self.row == self.die else replace(self, elephants=True)

    def check(self, state: LivingstoneState, seat: int) -> None:
        super().check(state, seat)
        if self.elephants != (self.row is not None):
            raise Refused("elephants-and-row", how=KINDS["elephants"].typed)
        for card in self._cards():
            check_card(state, seat, card)
        if self.elephants and self.row == self.die:
            raise Refused("elephants-in-vain", row=self.row)
        self._check_tent(state, seat)
        self._check_price(state, seat)

    def _check_price(self, state: LivingstoneState, seat: int) -> None:
        price, have = self._price(state, seat), state.players[seat].coins
        if self.explorer and not price:
            raise Refused("explorer-in-vain")
        if not self.explorer and price > have:
            owners = len(self._owners(state, seat))
            raise Refused("tent-too-dear", need=price, cost=price - owners, owners=owners, have=have)

    def _check_tent(self, state: LivingstoneState, seat: int) -> None:
        if self._lifted is None:
            _check_supply(state, seat)
            return
        if not _may_lift(state, seat):
            raise Refused("tents-stay", seats=state.seats, left=state.tents_left(seat))
        if self._lifted not in state.players[seat].tents:
            own = _written(state.players[seat].tents)
            raise Refused("no-own-tent-there", column=self.from_column, row=self.from_row, expected=own)
        if self._lifted == self._square(state):
            raise Refused("same-square")

    def costs(self, state: LivingstoneState, seat: int) -> str:
        price = 0 if self.explorer else self._price(state, seat)
        return count(price, "coin") if price else ""

    def play(self, turn: Turn, seat: int) -> None:
        state: LivingstoneState = turn.state
        owners = () if self.explorer else self._owners(state, seat)
        cost = 0 if self.explorer else state.edition.costs[state.here - 1]
        for card in self._cards():
            turn.emit(CardPlayed(seat, card))
        if self.from_column is not None and self.from_row is not None:
            turn.emit(TentLifted(seat, self.from_column, self.from_row))
        turn.emit(TentPlaced(seat, self.die, state.here, self.row or self.die, cost))
        for owner in owners:
            turn.emit(OwnerPaid(seat, owner, 1))

    @property
    def _lifted(self) -> int | None:
        """The square a tent is moved from; one that holds no tent if only half of it is named."""
        if self.from_column is None and self.from_row is None:
            return None
        return square_of(self.from_column or 0, self.from_row or 0)

    def _cards(self) -> tuple[str, ...]:
        return ("explorer",) * self.explorer + ("elephants",) * self.elephants

    def _square(self, state: LivingstoneState) -> int:
        return square_of(state.here, self.row or self.die)

    def _price(self, state: LivingstoneState, seat: int) -> int:
        """Return the column's cost and a coin for each other owner on the square: all that the explorer saves."""
        return state.edition.costs[state.here - 1] + len(self._owners(state, seat))

    def _owners(self, state: LivingstoneState, seat: int) -> tuple[int, ...]:
        """Return the other seats with a tent on the square."""
        return tuple(owner for owner in state.owners(self._square(state)) if owner != seat)


class Raise(Command, frozen=True, tag="raise"):
    """Play Raised Tent: place a free tent on a square that has one, outside the steamer's column; no die needed."""

    notation: ClassVar[str] = "raise {column} {row}"
    words: ClassVar[str] = "Play Raised Tent: place a free tent in column {column}, row {row}."
    column: Column
    row: Row

    @classmethod
    def candidates(cls, state: LivingstoneState, seat: int) -> Iterator[Self]:
        if "raised-tent" in state.players[seat].hand:
            yield from (cls(square // 10, square % 10) for square in _squares_to_join(state))

    def check(self, state: LivingstoneState, seat: int) -> None:
        check_card(state, seat, "raised-tent")
        _check_supply(state, seat)
        if self.column == state.here:
            raise Refused("steamer-is-there", column=self.column, expected=_written(_squares_to_join(state)))
        if not state.owners(square_of(self.column, self.row)):
            expected = _written(_squares_to_join(state))
            raise Refused("no-tent-there", column=self.column, row=self.row, expected=expected)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CardPlayed(seat, "raised-tent"))
        turn.emit(TentRaised(seat, self.column, self.row))


def _squares_to_join(state: LivingstoneState) -> tuple[int, ...]:
    """Return the squares with a tent outside the steamer's column, ascending."""
    squares = {square for player in state.players for square in player.tents}
    return tuple(square for square in sorted(squares) if square // 10 != state.here)


def _check_supply(state: LivingstoneState, seat: int) -> None:
    if not state.tents_left(seat):
        raise Refused("no-tent-left", tents=state.edition.tents)


def _written(squares: Iterable[int]) -> tuple[str, ...]:
    """Return squares as they are typed, column and row, each once."""
    return tuple(f"{square // 10} {square % 10}" for square in sorted(set(squares)))


def _may_lift(state: LivingstoneState, seat: int) -> bool:
    """Return whether the seat may move a tent: in a game of two, with none left."""
    return state.seats == 2 and not state.tents_left(seat)


def _tents_to_lift(state: LivingstoneState, seat: int) -> tuple[tuple[int | None, int | None], ...]:
    if not _may_lift(state, seat):
        return ((None, None),)
    return tuple((square // 10, square % 10) for square in sorted(set(state.players[seat].tents)))
