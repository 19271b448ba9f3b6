"""The first player: drawn in public during setup, by the same event in every game that has an order of play."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.game import Event, Turn


class FirstPlayerDrawn(Event, frozen=True, tag="FirstPlayerDrawn"):
    """`state.starter` is that seat from then on; a state that keeps more than that overrides `begun_by`."""

    words: ClassVar[str] = "{seat} was drawn to begin."
    seat: int

    def apply(self, state: Any) -> Any:
        return state.begun_by(self.seat)


def draw_first(turn: Turn) -> int:
    """Draw the first player in public, right after `Started`: every seat is equally likely, and one seat needs no draw.

    Returns the seat. The draw counts towards `meta.draws`, and `FirstPlayerDrawn` must be among the game's events.
    """
    if turn.state.seats == 1:
        return 0
    seat = turn.chance.die(turn.state.seats) - 1
    turn.emit(FirstPlayerDrawn(seat))
    return seat
