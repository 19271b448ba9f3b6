"""The API of games: listed, made, shown, cancelled."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response, current_app, jsonify, request

from engine import registry
from server.http.etags import has_already
from server.http.resource import (
    MORE,
    UNCHANGED,
    account_id,
    caller,
    may_refuse,
    paged,
    reader_id,
    requires_scope,
    resource,
    services,
    tagged,
    token_optional,
)
from server.http.schemas import AnswerSchema
from server.kernel.errors import Problem
from server.tables import game_types, lists, read, time_controls
from server.tables.choice_schemas import CreateGameSchema, IdempotencySchema
from server.tables.schemas import (
    GamePageSchema,
    GameSchema,
    GamesQuerySchema,
    GrantSchema,
    OwnGamePageSchema,
    OwnGamesQuerySchema,
    TurnSchema,
    TurnsQuerySchema,
)
from server.tables.type_schemas import FullTypeSchema, GameTypeSchema, OfferedClockSchema
from server.tables.write import GameRequest, TimeGrant, cancel, grant
from server.tables.write import create_game as made_for

games_blp = resource("games", "Open, list and read games.")


@games_blp.route("/games", methods=["GET"])
@may_refuse(404)
@games_blp.arguments(GamesQuerySchema, location="query")
@token_optional
@games_blp.response(200, GamePageSchema, headers=MORE)
@games_blp.alt_response(304, description=UNCHANGED, success=True)
def list_games(arguments: dict[str, Any]) -> Response:
    """List games, newest first.

    All games that match every filter, a page at a time. `mine` and `made` need a token with the scope `read`, and also
    include unlisted games. With a token, tables of players whom you have blocked, or who have blocked
    you, are left out.
    """
    own = not arguments.keys().isdisjoint(("mine", "made"))
    held = caller()
    reader = reader_id() if own else held.account_id if held else None
    if own and reader is None:
        raise Problem("not-signed-in")
    body = lists.games(services(), arguments, arguments["limit"], reader)
    return paged(tagged(body, private=reader is not None), body["next"])


@games_blp.route("/me/games", methods=["GET"])
@may_refuse(404)
@requires_scope("read")
@games_blp.arguments(OwnGamesQuerySchema, location="query")
@games_blp.response(200, OwnGamePageSchema, headers=MORE)
@games_blp.alt_response(304, description=UNCHANGED, success=True)
def list_my_games(arguments: dict[str, Any]) -> Response:
    """List your games with their heads.

    One request shows which games have moved, how they stand, where you owe a move by when, and what else waits for you.
    """
    body = lists.own_games(services(), account_id(), arguments, arguments["limit"])
    return paged(tagged(body, private=True), body["next"])


@games_blp.route("/games", methods=["POST"])
@may_refuse(404, 409)
@requires_scope("play")
@games_blp.arguments(CreateGameSchema)
@games_blp.arguments(IdempotencySchema, location="headers")
@games_blp.response(201, GameSchema, headers={"Location": {"$ref": "#/components/headers/Location"}})
def create_game(given: dict[str, Any], headers: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Make a game.

    The server commits to all chance before anyone joins. Send an `Idempotency-Key`, so that a repeated request does not
    make a second game.
    """
    game_id = made_for(services(), account_id(), GameRequest(**given), headers.get("key"))
    return read.detail(services(), game_id, account_id()), 201, {"Location": f"/v1/games/{game_id}"}


@games_blp.route("/games/<uuid:game_id>", methods=["GET"])
@token_optional
@games_blp.response(200, GameSchema)
@games_blp.alt_response(304, description=UNCHANGED, success=True)
def get_game(game_id: UUID) -> Response:
    """Get a game.

    Its players, the seats that owe a move and by when, and its result. The next act is signed on `head`. With a token
    of a player of the game, `deadlines` are those by which the server plays.
    """
    held = caller()
    reader = held.account_id if held is not None and "read" in held.scopes else None
    return tagged(read.detail(services(), str(game_id), reader), private=reader is not None)


@games_blp.route("/games/<uuid:game_id>/cancel", methods=["POST"])
@may_refuse(403, 409, 410)
@requires_scope("play")
@games_blp.response(201, AnswerSchema)
def cancel_game(game_id: UUID) -> dict[str, Any]:
    """Cancel a game before it starts.

    For its host. The last entry reveals the secret.
    """
    answer = cancel(services(), str(game_id), account_id())
    return answer.answer


@games_blp.route("/games/<uuid:game_id>/grants", methods=["POST"])
@may_refuse(403, 409, 410)
@requires_scope("play")
@games_blp.arguments(GrantSchema)
@games_blp.arguments(IdempotencySchema, location="headers")
@games_blp.response(201, AnswerSchema)
@games_blp.alt_response(200, schema=AnswerSchema, description="Granted before; the same bytes.", success=True)
def grant_time(given: dict[str, Any], headers: dict[str, Any], game_id: UUID) -> tuple[dict[str, Any], int]:
    """Give more time to seats that owe a move.

    For the game's host, to other players. It moves the deadline of these seats, is logged, and cannot be undone.
    Each request gives time again, so send an `Idempotency-Key`, and repeat the same request after a timeout.
    """
    granted = TimeGrant(given["seats"], given["seconds"], headers.get("key"))
    answer = grant(services(), str(game_id), account_id(), granted)
    return answer.answer, 200 if answer.again else 201


# --- Kinds of games ---------------------------------------------------------------------------------------------------


types_blp = resource("types", "The games that can be played here.")


@types_blp.route("/types", methods=["GET"])
@types_blp.response(200, GameTypeSchema(many=True))
@types_blp.alt_response(304, description=UNCHANGED, success=True)
def list_types() -> Response:
    """List all game types.

    With facts only. `GET /v1/types/{key}` adds the schemas of options and commands.
    """
    return tagged([game_types.type_facts(game) for game in registry.games().values()])


@types_blp.route("/types/<key>", methods=["GET"])
@types_blp.response(200, FullTypeSchema)
@types_blp.alt_response(304, description=UNCHANGED, success=True)
def get_type(key: str) -> Response:
    """Get a game type.

    With the schemas of its options and commands, its refusals, its endings and its guide.
    """
    return tagged(game_types.type_in_full(registry.find(key)))


@types_blp.route("/clocks", methods=["GET"])
@types_blp.response(200, OfferedClockSchema(many=True))
@types_blp.alt_response(304, description=UNCHANGED, success=True)
def list_clocks() -> Response:
    """List suggested clocks, quickest first.

    Forms for new games offer these; any other clock is valid too. Lists of games can be filtered by `pace`.
    """
    return tagged(time_controls.offered())


# --- The moves that you owe -------------------------------------------------------------------------------------------


turns_blp = resource("turns", "Games in which you owe a move.")


@turns_blp.route("/me/turns", methods=["GET"])
@requires_scope("read")
@turns_blp.arguments(TurnsQuerySchema, location="query")
@turns_blp.response(200, TurnSchema(many=True))
@turns_blp.alt_response(304, description=UNCHANGED, success=True)
def list_turns(arguments: dict[str, Any]) -> Response:
    """List the moves that you owe.

    Most urgent first, games without a clock last. With `If-None-Match`, `wait` holds the request until the list
    changes.
    """
    current_app.extensions["long_polls"].until(services(), _is_another, arguments["wait"])
    return tagged(_turns(), private=True)


def _is_another() -> bool:
    """Without a list to compare, do not hold the request."""
    return not request.if_none_match or not has_already(_turns())


def _turns() -> Response:
    return jsonify(lists.turns(services(), account_id()))
