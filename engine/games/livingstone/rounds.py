"""The order of turns, and the beginning and end of a round.

Dice only vanish and a seat's last die only rises, so a seat that cannot take a die now cannot take one later in the
round either. The turn goes to the next seat that can, which may be the same seat again; if none can, the round is over.
"""

from __future__ import annotations

from engine.game import Turn
from engine.games.livingstone.components import COLUMNS
from engine.games.livingstone.events import DiceRolled, Passed
from engine.games.livingstone.scoring import finish, score_column
from engine.games.livingstone.state import LivingstoneState


def roll(turn: Turn, seat: int, number: int, column: int) -> None:
    """Begin a round: `seat` rolls two dice for each player and goes first."""
    dice = sorted(turn.chance.die(6) for _ in range(2 * turn.state.seats))
    turn.emit(DiceRolled(seat, number, column, tuple(dice)))


def end_turn(turn: Turn, seat: int) -> None:
    following = next_seat(turn.state)
    if following is not None:
        turn.emit(Passed(seat, following))
    else:
        _end_round(turn)


def next_seat(state: LivingstoneState) -> int | None:
    """Return the next seat that can take a die, or None if the round is over."""
    for step in range(1, state.seats + 1):
        seat = (state.seat + step) % state.seats
        if state.can_take(seat):
            return seat
    return None


def _end_round(turn: Turn) -> None:
    score_column(turn)
    state: LivingstoneState = turn.state
    if state.here == COLUMNS:
        finish(turn)
    else:
        roll(turn, (state.first + 1) % state.seats, state.round + 1, state.here + 1)
