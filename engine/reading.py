"""A whole move as a player types it in a position: each line among what is legal after the lines before it."""

from __future__ import annotations

from typing import Any

from engine import replay
from engine.errors import BadNotation
from engine.game import Game, State
from engine.kit import Step, complete
from engine.kit.grammar import lines_of, within_bounds


def read(game: Game[Any], state: State, seat: int, text: str) -> tuple[Step, ...]:
    """The steps of a text. Ambiguous or BadNotation, if a line has several meanings or none.

    The position after a line is known as far as a preview is certain; beyond a draw what stood before it counts.
    """
    steps: tuple[Step, ...] = ()
    for line in lines_of(text):
        steps += _line(game, state, seat, steps, line)
    return within_bounds(text, steps)


def _line(game: Game[Any], state: State, seat: int, before: tuple[Step, ...], line: str) -> tuple[Step, ...]:
    """A line may name the step that is forced now, or leave it out and go on after it."""
    if not before:
        return complete(game, state, seat, line)
    unsettled = replay.preview(game, state, seat, before, settled=False).state
    forced = replay.next_forced(game, unsettled)
    if forced is not None and forced == (seat, _first(game, unsettled, seat, line)):
        return complete(game, unsettled, seat, line)
    return complete(game, replay.preview(game, state, seat, before).state, seat, line)


def _first(game: Game[Any], state: State, seat: int, line: str) -> object:
    try:
        return complete(game, state, seat, line)[0].command
    except BadNotation:
        return None
