"""Rolling dice, at the moment the rulebook gives."""

from __future__ import annotations

from engine.game import Turn
from engine.games.discoveries.dice import CUBE, die_of
from engine.games.discoveries.events import DiceThrown


def throw(turn: Turn, seat: int, colours: tuple[str, ...]) -> None:
    if colours:
        roll = turn.chance.roll
        turn.emit(DiceThrown(seat, tuple([die_of(colour, CUBE[roll(len(CUBE))]) for colour in colours])))


def throw_coming(turn: Turn, seat: int) -> None:
    """Roll the dice that a rest, a tribe or an exploration has brought."""
    throw(turn, seat, turn.state.doing.coming.pieces)
