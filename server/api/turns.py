"""The moves that one owes."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app, jsonify, request

from server.api.house import UNCHANGED, account_id, needs, resource, services, tagged
from server.api.schemas.turns import TurnSchema, TurnsQuerySchema
from server.projections import lists
from server.tags import has_already

blp = resource("turns", "Games in which you owe a move.")


@blp.route("/me/turns", methods=["GET"])
@needs("read")
@blp.arguments(TurnsQuerySchema, location="query")
@blp.response(200, TurnSchema(many=True))
@blp.alt_response(304, description=UNCHANGED, success=True)
def list_turns(asked: dict[str, Any]) -> Response:
    """The moves that you owe.

    The least time left first; games without a clock last. With `If-None-Match`, `wait` holds the request until the
    list is another one than you have.
    """
    current_app.extensions["long_polls"].until(services(), _is_another, asked["wait"])
    return tagged(_turns(), private=True)


def _is_another() -> bool:
    """Whoever has no list yet waits for nothing."""
    return not request.if_none_match or not has_already(_turns())


def _turns() -> Response:
    return jsonify(lists.turns(services(), account_id()))
