"""Kinds of games: their facts, and JSON Schemas of their options and commands."""

from __future__ import annotations

from typing import Any

from engine import registry
from engine.game import Game
from engine.kit import choices, unfilled
from engine.kit.play import ENDINGS, REFUSALS


def title_of(key: str) -> str:
    """A game's title; its key, if the game is no longer here or cannot be loaded."""
    found = registry.games().get(key)
    return key if found is None else found.meta.title


def facts(game: Game[Any]) -> dict[str, Any]:
    """A type in a list."""
    meta = game.meta
    return {
        "key": meta.key,
        "title": meta.title,
        "designers": list(meta.designers),
        "year": meta.year,
        "seats": {"fewest": meta.seats[0], "most": meta.seats[1]},
        "rules": {"first": meta.rules[0], "current": meta.rules[1]},
        "stage": meta.stage,
        "hidden": game.hidden(meta.options()),
    }


def in_full(game: Game[Any]) -> dict[str, Any]:
    """A type with the schemas of what players send, and why it may refuse."""
    return facts(game) | {
        "options": choices.options_schema(game.meta.options),
        "commands": [
            {"notation": kind.notation, "sealed": list(kind.sealed), "schema": choices.whole_schema(kind)}
            for kind in game.commands
        ],
        "refusals": {code: unfilled(told) for code, told in {**REFUSALS, **game.refusals}.items()},
        "endings": {**ENDINGS, **game.endings},
        "guide": registry.guide(game.meta.key),
    }
