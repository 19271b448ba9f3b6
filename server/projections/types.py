"""Kinds of games: their facts, and JSON Schemas of their options and commands."""

from __future__ import annotations

from typing import Any

import msgspec

from engine import registry
from engine.game import Game
from engine.kit.play import ENDINGS, REFUSALS


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
        "options": options_schema(game),
        "commands": [
            {"notation": kind.notation, "sealed": list(kind.sealed), "schema": _inline(kind)} for kind in game.commands
        ],
        "refusals": {**REFUSALS, **game.refusals},
        "endings": {**ENDINGS, **game.endings},
        "guide": registry.guide(game.meta.key),
    }


def options_schema(game: Game[Any]) -> dict[str, Any]:
    """The options as one schema; the edition, a file of its own, left out."""
    schema = _inline(game.meta.options)
    schema.get("properties", {}).pop("edition", None)
    return schema


def _inline(kind: type[Any]) -> dict[str, Any]:
    """One self-contained schema: its own definitions stand in `$defs`."""
    schema: dict[str, Any] = msgspec.json.schema(kind)
    own = schema.pop("$ref", "").rpartition("/")[2]
    definitions: dict[str, Any] = schema.pop("$defs", {})
    top: dict[str, Any] = definitions.pop(own) if own else schema
    return top | ({"$defs": definitions} if definitions else {})
