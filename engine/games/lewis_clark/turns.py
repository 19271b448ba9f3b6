"""The end of a turn: Mackenzie's step and the next seat."""

from __future__ import annotations

from engine.game import Turn
from engine.games.lewis_clark import solo
from engine.games.lewis_clark.events import MackenzieMoved, MackenzieWon, TurnEnded
from engine.games.lewis_clark.state import LewisClarkState


def end_turn(turn: Turn, seat: int) -> None:
    state: LewisClarkState = turn.state
    if state.mackenzie is not None:
        turn.emit(MackenzieMoved(solo.step(state.mackenzie, (state.player.scout,))))
        if solo.won(turn.state.mackenzie):
            turn.emit(MackenzieWon())
            return
    turn.emit(TurnEnded((seat + 1) % state.seats))
