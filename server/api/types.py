"""Kinds of games."""

from __future__ import annotations

from flask import Response

from engine import registry
from server import paces
from server.api.house import UNCHANGED, resource, tagged
from server.api.schemas.types import FullTypeSchema, OfferedClockSchema, TypeSchema
from server.projections import types

blp = resource("types", "Games that can be played here.")


@blp.route("/types", methods=["GET"])
@blp.response(200, TypeSchema(many=True))
@blp.alt_response(304, description=UNCHANGED, success=True)
def list_types() -> Response:
    """All games that can be played here.

    Facts without rules; `GET /v1/types/{key}` gives one with the schemas of what is sent.
    """
    return tagged([types.facts(game) for game in registry.games().values()])


@blp.route("/types/<key>", methods=["GET"])
@blp.response(200, FullTypeSchema)
@blp.alt_response(304, description=UNCHANGED, success=True)
def get_type(key: str) -> Response:
    """One game in full.

    With the schemas of its options and commands, why it may refuse, how it can end, and its guide.
    """
    return tagged(types.in_full(registry.find(key)))


@blp.route("/clocks", methods=["GET"])
@blp.response(200, OfferedClockSchema(many=True))
@blp.alt_response(304, description=UNCHANGED, success=True)
def list_clocks() -> Response:
    """Clocks to choose from, the quickest first.

    What a form for a new game offers; any other is as good. `pace` is what lists of games are filtered by.
    """
    return tagged(paces.listed())
