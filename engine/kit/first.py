"""Who begins: drawn in public when a game is set up, by the same event in every game that has an order of play."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.game import Event, Turn


class FirstPlayerDrawn(Event, frozen=True, tag="FirstPlayerDrawn"):
    """`state.starter` is that seat from then on; a state that says more by it overrides `begun_by`."""

    words: ClassVar[str] = "{seat} was drawn to begin."
    seat: int

    def apply(self, state: Any) -> Any:
        return state.begun_by(self.seat)


def draw_first(turn: Turn) -> int:
    """One public draw of the setup, right after `Started`: every seat as likely as another. Alone, nothing is drawn.

    Gives the seat. The draw counts for `meta.draws`, and `FirstPlayerDrawn` stands among the game's events.
    """
    if turn.state.seats == 1:
        return 0
    seat = turn.chance.die(turn.state.seats) - 1
    turn.emit(FirstPlayerDrawn(seat))
    return seat
