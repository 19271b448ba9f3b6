"""The API of rematches, and of cancelling or pausing a running game by consent."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from server.http.resource import account_id, may_refuse, requires_scope, resource, services
from server.tables import read
from server.tables.after import consents
from server.tables.after.rematch import rematch
from server.tables.after.schemas import WishSchema
from server.tables.calendar.schemas import PauseGameSchema
from server.tables.schemas import GameSchema

blp = resource("after", "Rematches, and cancelling or pausing a running game by consent of its players.")


@blp.route("/games/<uuid:game_id>/rematch", methods=["POST"])
@may_refuse(403, 409)
@requires_scope("play")
@blp.response(201, GameSchema, headers={"Location": {"$ref": "#/components/headers/Location"}})
@blp.alt_response(200, schema=GameSchema, description="Opened before: the same game.", success=True)
def open_rematch(game_id: UUID) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Open a rematch.

    For players who held a seat at the end. The new game has the same options and the same clock. The server draws the
    seats and keeps one for each player for seven days. A game has one rematch, whoever asks for it.
    """
    made = rematch(services(), str(game_id), account_id())
    location = {"Location": f"/v1/games/{made.game_id}"}
    return read.detail(services(), made.game_id), 200 if made.again else 201, location


@blp.route("/games/<uuid:game_id>/consents/cancel", methods=["GET"])
@may_refuse(403, 409, 410)
@requires_scope("read")
@blp.response(200, WishSchema)
def show_wish_to_cancel(game_id: UUID) -> dict[str, Any]:
    """Show whether the players want to cancel the game.

    For its players.
    """
    return consents.wish(services(), str(game_id), account_id())


@blp.route("/games/<uuid:game_id>/consents/cancel", methods=["PUT"])
@may_refuse(403, 409, 410)
@requires_scope("play")
@blp.response(200, WishSchema)
def agree_to_cancel(game_id: UUID) -> dict[str, Any]:
    """Agree to cancel a running game.

    The first request is a wish, which is mailed to all other players. The game is cancelled without a result as soon as
    all people who play it have agreed. If only absent players have not, it is cancelled after seven days. At least two
    people must not be absent.
    """
    return consents.agree(services(), str(game_id), account_id())


@blp.route("/games/<uuid:game_id>/consents/cancel", methods=["DELETE"])
@may_refuse(403, 409, 410)
@requires_scope("play")
@blp.response(204)
def object_to_cancel(game_id: UUID) -> None:
    """Object to cancelling the game.

    Ends the wish for everybody. A new one can follow.
    """
    consents.end_wish(services(), str(game_id), account_id())


@blp.route("/games/<uuid:game_id>/consents/pause", methods=["GET"])
@may_refuse(403, 409, 410)
@requires_scope("read")
@blp.response(200, WishSchema)
def show_wish_to_pause(game_id: UUID) -> dict[str, Any]:
    """Show whether the players want to pause the game.

    For its players.
    """
    return consents.wish(services(), str(game_id), account_id(), consents.PAUSE)


@blp.route("/games/<uuid:game_id>/consents/pause", methods=["PUT"])
@may_refuse(403, 409, 410)
@requires_scope("play")
@blp.arguments(PauseGameSchema, example={"until": "2026-12-27T00:00:00Z"})
@blp.response(200, WishSchema)
def agree_to_pause(given: dict[str, Any], game_id: UUID) -> dict[str, Any]:
    """Agree to pause a running game.

    The first request is a wish, which is mailed to all other players. Agree by a request with the same `until`, at most
    60 days ahead; another one takes the place of the wish. No clock runs from the moment at which all people who play
    have agreed. If only absent players have not, it begins after seven days. It uses no days of the host.
    """
    return consents.agree(services(), str(game_id), account_id(), given["until"])


@blp.route("/games/<uuid:game_id>/consents/pause", methods=["DELETE"])
@may_refuse(403, 409, 410)
@requires_scope("play")
@blp.response(204)
def object_to_pause(game_id: UUID) -> None:
    """Object to pausing the game.

    Ends the wish for everybody. A new one can follow. A pause that has begun goes on.
    """
    consents.end_wish(services(), str(game_id), account_id(), consents.PAUSE)
