"""A seat that leaves a running game: the same event in every game."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from engine.game import Event


class SeatResigned(Event, frozen=True, tag="SeatResigned"):
    """The seat has left: default moves are played for it, it ranks last, and comparisons among players skip it."""

    words: ClassVar[str] = "{seat} resigned."
    seat: int

    def apply(self, state: Any) -> Any:
        return replace(state, gone=(*state.gone, self.seat))
