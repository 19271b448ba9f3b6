"""The API of hints."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from server.http.resource import account_id, may_refuse, requires_scope, services
from server.play.api import position_blp
from server.play.hints import write
from server.play.hints.schemas import HintSchema


@position_blp.route("/games/<uuid:game_id>/hint", methods=["POST"])
@may_refuse(409, 410)
@requires_scope("read")
@position_blp.response(200, HintSchema)
def get_hint(game_id: UUID) -> dict[str, Any]:
    """Get a hint for your move.

    Only at tables with `hints`, while you owe a move. It comes from what your seat sees, and everyone at the table can
    see that you had it: `hinted` of the game. Asking again before the next entry gives the same hint.
    """
    return write.give(services(), str(game_id), account_id())
