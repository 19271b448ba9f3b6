"""The moves that one owes."""

from __future__ import annotations

from typing import Any

from server.api.house import account_id, needs, resource, services
from server.api.schemas.me import TurnSchema
from server.projections import games

blp = resource("turns", "Games in which you owe a move.")


@blp.route("/me/turns", methods=["GET"])
@needs("read")
@blp.response(200, TurnSchema(many=True))
def list_turns() -> list[dict[str, Any]]:
    """The moves that you owe.

    The least time left first; games without a clock last.
    """
    return games.turns(services(), account_id())
