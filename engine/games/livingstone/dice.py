"""Helpers that several commands share: the numbers of a square, a die to take, a card in the hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

from msgspec import Meta as Bounds

from engine.errors import Refused
from engine.game import Command
from engine.games.livingstone.components import COLUMNS, ROWS
from engine.games.livingstone.state import LivingstoneState
from engine.kit import on_table

Die = Annotated[int, Bounds(ge=1, le=6, description="a die")]
Column = Annotated[int, Bounds(ge=1, le=COLUMNS, description="a column"), on_table("column")]
Row = Annotated[int, Bounds(ge=1, le=ROWS, description="a row"), on_table("row")]


class DieCommand(Command, frozen=True):
    """A command that takes a die: the base of the four actions."""

    die: Die

    @classmethod
    def candidates(cls, state: LivingstoneState, seat: int) -> Iterator[Self]:
        return (cls(die) for die in dice_to_take(state, seat))

    def check(self, state: LivingstoneState, seat: int) -> None:
        last = state.players[seat].last
        if self.die <= last:
            raise Refused("die-too-low", found=self.die, last=last, expected=tuple(dice_to_take(state, seat)))
        if not state.dice[self.die - 1]:
            raise Refused("no-such-die", found=self.die, expected=tuple(dice_to_take(state, seat)))


def dice_to_take(state: LivingstoneState, seat: int) -> Iterator[int]:
    """Yield the faces that the seat may take, ascending."""
    return (die for die in range(state.players[seat].last + 1, 7) if state.dice[die - 1])


def check_card(state: LivingstoneState, seat: int, card: str) -> None:
    hand = state.players[seat].hand
    if card not in hand:
        raise Refused("card-not-in-hand", card=card, hand=hand)
