"""Shared by both wrappers: the list of games, and a view as bytes."""

from __future__ import annotations

from typing import Any

import msgspec

from engine import registry
from engine.game import Game
from engine.kit import view

GAMES = ("discoveries", "lewis_clark", "livingstone", "tikal")
MOST_LEGAL = 1024  # the contract: a position has fewer than 1,000 legal commands
LONGEST_VIEW = 32768  # bytes


def variant(name: str) -> tuple[Game[Any], Any]:
    """The game of this name and its options; `tikal-auction` is the auction."""
    key, _, chosen = name.partition("-")
    game = registry.find(key)
    return game, game.meta.options(**({"variant": chosen} if chosen else {}))


def seen_by(game: Game[Any], state: Any, seat: int | None) -> bytes:
    """The view of a seat as JSON."""
    text = msgspec.json.encode(view(game, state, seat))
    if len(text) > LONGEST_VIEW:
        raise ValueError(f"a view of {len(text)} bytes")
    return text
