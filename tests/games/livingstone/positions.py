"""Positions to try rules on: a round that has just begun, changed at will, with seat 1 (number 0) in turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine import replay, selfplay
from engine.game import Turn
from engine.games.livingstone import game
from engine.games.livingstone.meta import LivingstoneOptions
from engine.games.livingstone.state import LivingstoneState
from engine.kit import decide, parse
from tests.kit.worlds import lanes

PLENTY = (2, 2, 2, 2, 2, 2)


def position(seats: int = 3, players: Mapping[int, Mapping[str, Any]] | None = None, **fields: Any) -> LivingstoneState:
    """Column 4, two dice of each face; `players` changes seats, `fields` the rest. Hands are taken from the deck."""
    state: LivingstoneState = lay(seats).state
    state = replace(state, column=4, dice=PLENTY)
    for seat, changes in (players or {}).items():
        state = state.with_player(seat, **changes)
        state = replace(state, deck=state.deck.take(changes.get("hand", ())))
    return replace(state, **fields)


def lay(seats: int, word: str = "rules") -> Turn:
    """Begin a game; `word` determines its draws."""
    return replay.start(game, seats, LivingstoneOptions(), *lanes(word))


def play(state: LivingstoneState, text: str, word: str = "rules") -> Turn:
    """Play these commands of the seat in turn one by one, without forced steps."""
    seed = selfplay.seed_of(word)
    turn = Turn(state, *(selfplay.lanes(seed, label) for label in ("public", "hidden")))
    for step in parse(game, text):
        decide(game, turn, turn.state.seat, step.command)
    return turn
