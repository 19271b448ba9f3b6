"""How a turn ends: the next seat, Mackenzie's step, and the end of a game that nobody finishes."""

from __future__ import annotations

from engine.game import Turn
from engine.games.lewis_clark import solo
from engine.games.lewis_clark.events import GameStopped, MackenzieMoved, MackenzieWon, TurnEnded
from engine.games.lewis_clark.meta import CAP
from engine.games.lewis_clark.state import LewisClarkState


def end_turn(turn: Turn, seat: int) -> None:
    state: LewisClarkState = turn.state
    if state.mackenzie is not None:
        turn.emit(MackenzieMoved(solo.step(state.mackenzie, (state.player.scout,))))
        if solo.won(turn.state.mackenzie):
            turn.emit(MackenzieWon())
            return
    if state.turns >= CAP:
        turn.emit(GameStopped(CAP))
    else:
        turn.emit(TurnEnded((seat + 1) % state.seats))
