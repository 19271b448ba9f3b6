"""Kinds of games: their facts, and JSON Schemas of their options and commands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from engine import registry
from engine.game import Command, Game
from engine.kit.play import ENDINGS, REFUSALS

REF = "#/components/schemas/"


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


def components() -> dict[str, dict[str, Any]]:
    """Every game's commands as components of the API's document, named `<game>.<Command>`; and their union."""
    found: dict[str, dict[str, Any]] = {}
    for key, game in registry.games().items():
        found |= _components(key, game.commands)
    commands = [{"$ref": REF + name} for name, schema in found.items() if "do" in schema.get("properties", {})]
    step = {"type": "object", "required": ["try"], "additionalProperties": False}
    found["Try"] = step | {
        "properties": {"try": {"anyOf": commands}},
        "description": "A command that is skipped if the rules refuse it, instead of refusing the whole move.",
    }
    union = (
        "One step of a move: `do` names the kind, a game takes its own. `GET /v1/types/{key}` says why it may refuse."
    )
    found["Command"] = {"anyOf": [*commands, {"$ref": REF + "Try"}], "description": union}
    return found


def _components(key: str, kinds: Iterable[type[Command]]) -> dict[str, dict[str, Any]]:
    kinds = tuple(kinds)
    _, made = msgspec.json.schema_components(kinds, ref_template=REF + key + ".{name}")
    for kind in kinds:
        made[kind.__name__]["description"] = f"As text: `{kind.notation}`"
        if kind.sealed:
            made[kind.__name__]["x-sealed"] = list(kind.sealed)
        made[kind.__name__]["additionalProperties"] = False
    return {f"{key}.{name}": schema for name, schema in made.items()}
