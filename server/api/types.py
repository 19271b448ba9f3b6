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
def list_types() -> list[dict[str, Any]]:
    """All games that can be played here.

    Facts without rules; `GET /v1/types/{key}` gives one with the schemas of what is sent.
    """
    return [types.facts(game) for game in registry.games().values()]


@blp.route("/types/<key>", methods=["GET"])
@blp.response(200, FullTypeSchema)
def get_type(key: str) -> dict[str, Any]:
    """One game in full.

    With the schemas of its options and commands, why it may refuse, how it can end, and its guide.
    """
    return types.in_full(registry.find(key))
