"""Games: listed, made, shown, taken back."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from server.api.house import account_id, needs, refuses, resource, services, tagged
from server.api.schemas.acts import AnswerSchema
from server.api.schemas.games import (
    GamePageSchema,
    GameSchema,
    GamesQuerySchema,
    GrantSchema,
    IdempotencySchema,
    NewGameSchema,
)
from server.projections import games
from server.usecases.cancel import cancel
from server.usecases.create_game import Wish
from server.usecases.create_game import create_game as made_for
from server.usecases.grant import grant

blp = resource("games", "Games: listed, made, shown.")


@blp.route("/games", methods=["GET"])
@refuses(404)
@blp.arguments(GamesQuerySchema, location="query")
@blp.response(200, GamePageSchema)
def list_games(asked: dict[str, Any]) -> dict[str, Any]:
    """Games, newest first.

    Those of one status or type, a page at a time: `next` of the answer goes into `after`.
    """
    after = str(asked["after"]) if "after" in asked else None
    return games.listed(
        services(), status=asked.get("status"), key=asked.get("type"), after=after, limit=asked["limit"]
    )


@blp.route("/games", methods=["POST"])
@refuses(404, 409)
@needs("play")
@blp.arguments(NewGameSchema)
@blp.arguments(IdempotencySchema, location="headers")
@blp.response(201, GameSchema, headers={"Location": {"$ref": "#/components/headers/Location"}})
def create_game(given: dict[str, Any], headers: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Make a game.

    Its secret is committed to before anybody joins. Send an `Idempotency-Key`, so that a repeated request makes no
    second one.
    """
    game_id = made_for(services(), account_id(), Wish(**given), headers.get("key"))
    return games.detail(services(), game_id), 201, {"Location": f"/v1/games/{game_id}"}


@blp.route("/games/<uuid:game_id>", methods=["GET"])
@blp.response(200, GameSchema)
@blp.alt_response(304, description="You have it already: `If-None-Match` was its `ETag`.", success=True)
def get_game(game_id: UUID) -> Response:
    """Who sits, whose move it is until when, how it ended.

    `head` is what the next act is signed upon.
    """
    body = games.detail(services(), str(game_id))
    return tagged(body, f"{body['head']['hash']}{'.stopped' if body['stopped'] else ''}")


@blp.route("/games/<uuid:game_id>/cancel", methods=["POST"])
@refuses(403, 409, 410)
@needs("play")
@blp.response(201, AnswerSchema)
def cancel_game(game_id: UUID) -> dict[str, str]:
    """Take a game back before it starts.

    By its creator; the entry carries the secret.
    """
    answer = cancel(services(), str(game_id), account_id())
    return {"entry": answer.line.decode("ascii"), "note": answer.note}


@blp.route("/games/<uuid:game_id>/grants", methods=["POST"])
@refuses(403, 409, 410)
@needs("play")
@blp.arguments(GrantSchema)
@blp.response(201, AnswerSchema)
def grant_time(given: dict[str, Any], game_id: UUID) -> dict[str, str]:
    """Give time to seats that owe a move.

    By the game's creator, to others: the clock plays these seats so much later. It is logged, and never taken back.
    What is asked for twice is granted twice: no answer? The log says.
    """
    answer = grant(services(), str(game_id), account_id(), given["seats"], given["seconds"])
    return {"entry": answer.line.decode("ascii"), "note": answer.note}
