"""The moves that one owes."""

from __future__ import annotations

from flask import Response

from server.api.house import UNCHANGED, account_id, needs, resource, services, tagged
from server.api.schemas.me import TurnSchema
from server.projections import lists

blp = resource("turns", "Games in which you owe a move.")


@blp.route("/me/turns", methods=["GET"])
@needs("read")
@blp.response(200, TurnSchema(many=True))
@blp.alt_response(304, description=UNCHANGED, success=True)
def list_turns() -> Response:
    """The moves that you owe.

    The least time left first; games without a clock last.
    """
    return tagged(lists.turns(services(), account_id()), private=True)
