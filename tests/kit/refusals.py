"""A command that must be refused, tried on a position of any game."""

from __future__ import annotations

from typing import Any

import pytest

from engine.chance import closed_lane
from engine.errors import Refused
from engine.game import Command, Game, State, Turn
from engine.kit import decide, explain, parse

SHARED = "{found}"  # a sentence that all games share has a form of its own


def refusal(game: Game[Any], state: State, seat: int, typed: str | Command) -> tuple[str, dict[str, Any]]:
    """Code and facts of the refusal of this command; its sentence names the value found, and nothing has happened."""
    turn = Turn(state, closed_lane(), closed_lane())
    with pytest.raises(Refused) as no:
        decide(game, turn, seat, parse(game, typed)[0].command if isinstance(typed, str) else typed)
    assert explain(game, no.value).endswith(".")
    assert "found" not in no.value.facts or "{found" in game.refusals.get(no.value.code, SHARED)
    assert (turn.state, turn.events) == (state, [])
    return no.value.code, no.value.facts
