"""The API of tables before their start: remove a player, get ready, pass the table on, keep it open; and limits."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from server.http.limits import WEIGHTS, own_budget
from server.http.resource import UNCHANGED, account_id, may_refuse, requires_scope, resource, services, tagged
from server.http.schemas import MOST, AnswerSchema
from server.kernel.text import iso
from server.tables import limits, read
from server.tables.hosting import write
from server.tables.hosting.schemas import EndSchema, LimitSchema, NewHostSchema, ReadinessSchema, RemovedSeatSchema
from server.tables.schemas import GameSchema

blp = resource("hosting", "Tables before their start: what hosts and players may do, and the limits of an account.")


@blp.route(f"/games/<uuid:game_id>/seats/<int(max={MOST}):seat>", methods=["DELETE"])
@may_refuse(403, 409, 410)
@requires_scope("play")
@blp.arguments(RemovedSeatSchema, location="query")
@blp.response(200, AnswerSchema)
def remove_player(arguments: dict[str, Any], game_id: UUID, seat: int) -> dict[str, str]:
    """Remove a player before the start.

    For the game's host. The seat is free again, and the player can come back only by an invitation. The entry is a
    `left` without a signature, so every audit shows that the server removed the player.
    """
    answer = write.remove_player(services(), str(game_id), account_id(), seat, arguments["since"])
    return {"entry": answer.line.decode("ascii"), "note": answer.note}


@blp.route("/games/<uuid:game_id>/ready", methods=["PUT"])
@may_refuse(403, 409, 410)
@requires_scope("play")
@blp.arguments(ReadinessSchema, example={"ready": True})
@blp.response(200, GameSchema)
def set_ready(given: dict[str, bool], game_id: UUID) -> dict[str, Any]:
    """State whether you are ready to start.

    For players of a table whose `start` is `ready`. It starts when all seats are taken and all people are ready. If
    somebody leaves, all have to be ready again.
    """
    write.set_ready(services(), str(game_id), account_id(), ready=given["ready"])
    return read.detail(services(), str(game_id))


@blp.route("/games/<uuid:game_id>/host", methods=["POST"])
@may_refuse(403, 409, 410)
@requires_scope("play")
@blp.arguments(NewHostSchema, example={"seat": 1, "since": 3})
@blp.response(200, GameSchema)
def pass_table_on(given: dict[str, int], game_id: UUID) -> dict[str, Any]:
    """Make another player the host.

    For the game's host, until the end of the game. The player at that seat can invite, remove players and give time
    from then on, and you cannot. Send `since`, too: it keeps the request from reaching somebody else.
    """
    write.pass_on(services(), str(game_id), account_id(), given["seat"], given.get("since"))
    return read.detail(services(), str(game_id), account_id())


@blp.route("/games/<uuid:game_id>/keep", methods=["POST"])
@may_refuse(403, 409, 410)
@requires_scope("play")
@blp.response(200, EndSchema)
def keep_table_open(game_id: UUID) -> dict[str, str]:
    """Keep a table open that would end within three days.

    For the game's host, at most twice. The table then waits for 14 more days. Earlier than three days before its end,
    the request changes nothing.
    """
    return {"ends_at": iso(write.keep_open(services(), str(game_id), account_id()))}


@blp.route("/me/limits", methods=["GET"])
@requires_scope("read")
@blp.response(200, LimitSchema(many=True))
@blp.alt_response(304, description=UNCHANGED, success=True)
def list_limits() -> Response:
    """List the limits of your account.

    With what you use of each. The refusal `too-many` names the limit that you have reached. A new account may host half
    as many tables and take half as many seats, until it is a week old or has finished a game. `requests` are those of
    your token, refused by 429 `too-many-requests`: a preview counts as four, a picture as two.
    """
    return tagged([*limits.overview(services(), account_id()), *_requests()], private=True)


def _requests() -> list[dict[str, Any]]:
    """The row of requests, if they are limited."""
    if (own := own_budget()) is None:
        return []
    budget, drawn = own
    says = f"Requests in {budget.seconds} seconds; a preview counts as {WEIGHTS['position.preview_move']}"
    return [{"name": "requests", "says": says, "used": drawn.used, "most": budget.amount}]
