"""Games: listed, made, shown, taken back."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from server.api.house import (
    MORE,
    UNCHANGED,
    account_id,
    may_show_token,
    needs,
    paged,
    reader_id,
    refuses,
    resource,
    services,
    tagged,
)
from server.api.schemas.acts import AnswerSchema
from server.api.schemas.games import (
    GamePageSchema,
    GameSchema,
    GamesQuerySchema,
    GrantSchema,
    IdempotencySchema,
    NewGameSchema,
    OwnGamePageSchema,
    OwnGamesQuerySchema,
)
from server.errors import Problem
from server.projections import games, lists
from server.usecases.cancel import cancel
from server.usecases.create_game import Wish
from server.usecases.create_game import create_game as made_for
from server.usecases.grant import Gift, grant

blp = resource("games", "Games: listed, made, shown.")


@blp.route("/games", methods=["GET"])
@refuses(404)
@blp.arguments(GamesQuerySchema, location="query")
@may_show_token
@blp.response(200, GamePageSchema, headers=MORE)
@blp.alt_response(304, description=UNCHANGED, success=True)
def list_games(asked: dict[str, Any]) -> Response:
    """Games, newest first.

    Those for which every filter that is named holds, a page at a time. `mine` and `made` need a token that may `read`;
    with one of them set, tables by link are in the list as well, and else in none.
    """
    own = not asked.keys().isdisjoint(("mine", "made"))
    reader = reader_id() if own else None
    if own and reader is None:
        raise Problem("not-signed-in")
    body = lists.listed(services(), asked, asked["limit"], reader)
    return paged(tagged(body, private=reader is not None), body["next"])


@blp.route("/me/games", methods=["GET"])
@refuses(404)
@needs("read")
@blp.arguments(OwnGamesQuerySchema, location="query")
@blp.response(200, OwnGamePageSchema, headers=MORE)
@blp.alt_response(304, description=UNCHANGED, success=True)
def list_my_games(asked: dict[str, Any]) -> Response:
    """Your games with their heads.

    One look tells which of them have moved, how they stand, and where you owe a move until when.
    """
    body = lists.mine(services(), account_id(), asked, asked["limit"])
    return paged(tagged(body, private=True), body["next"])


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
@blp.alt_response(304, description=UNCHANGED, success=True)
def get_game(game_id: UUID) -> Response:
    """Who sits, whose move it is until when, how it ended.

    `head` is what the next act is signed upon.
    """
    return tagged(games.detail(services(), str(game_id)))


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
@blp.arguments(IdempotencySchema, location="headers")
@blp.response(201, AnswerSchema)
@blp.alt_response(200, schema=AnswerSchema, description="Granted before; the same bytes.", success=True)
def grant_time(given: dict[str, Any], headers: dict[str, Any], game_id: UUID) -> tuple[dict[str, str], int]:
    """Give time to seats that owe a move.

    By the game's creator, to others: the clock plays these seats so much later. It is logged, and never taken back.
    What is asked for twice is granted twice; so send an `Idempotency-Key`, and the same again if no answer comes.
    """
    gift = Gift(given["seats"], given["seconds"], headers.get("key"))
    answer = grant(services(), str(game_id), account_id(), gift)
    return {"entry": answer.line.decode("ascii"), "note": answer.note}, 200 if answer.again else 201
