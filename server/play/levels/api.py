"""The API with which house players name a lower level."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from server.http.resource import account_id, may_refuse, requires_scope, services
from server.http.schemas import MOST
from server.play.api import position_blp
from server.play.levels import write
from server.play.levels.schemas import MadeBySchema


@position_blp.route(f"/games/<uuid:game_id>/levels/<int(max={MOST}):seq>", methods=["PUT"])
@may_refuse(403)
@requires_scope("play")
@position_blp.arguments(MadeBySchema, example={"level": "fair"})
@position_blp.response(204)
def put_level(given: dict[str, Any], game_id: UUID, seq: int) -> None:
    """Name the lower level that has made your move.

    For house players, whose level is known to the table. Entry `seq` is a move of your seat. Everyone at the table can
    see it: `lowered` of the game, and the log on its page.
    """
    write.note(services(), str(game_id), account_id(), seq, given["level"])
