"""The answer to a text that a player has typed, for the lists of slips of the games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import replay
from engine.errors import Refused
from engine.game import Game, State
from engine.kit import explain, format_steps


def answered(game: Game[Any], state: State, seat: int, typed: str, names: Sequence[str] = ()) -> str:
    """`-> commands` as understood, if they may be played; otherwise the refusal that the player reads."""
    try:
        steps = replay.read(game, state, seat, typed)
    except Refused as no:
        return explain(game, no, names)
    refusal = replay.preview(game, state, seat, steps).refusal
    return explain(game, refusal, names) if refusal else f"-> {format_steps(steps)}"
