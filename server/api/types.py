"""Kinds of games."""

from __future__ import annotations

from typing import Any

from engine import registry
from server.api.house import resource
from server.api.schemas.types import FullTypeSchema, TypeSchema
from server.projections import types

blp = resource("types", "Games that can be played here.")


@blp.route("/types", methods=["GET"])
@blp.response(200, TypeSchema(many=True))
def listed() -> list[dict[str, Any]]:
    """All of them."""
    return [types.facts(game) for game in registry.games().values()]


@blp.route("/types/<key>", methods=["GET"])
@blp.response(200, FullTypeSchema)
def shown(key: str) -> dict[str, Any]:
    """One of them, with the schemas of its options and commands."""
    return types.in_full(registry.find(key))
