"""The log of a game and its bundle."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response, current_app

from engine.record import base64url
from server.api.house import resource, services, tagged
from server.api.schemas.log import LogQuerySchema, LogSchema
from server.projections import log

blp = resource("log", "Entries as they were written, and the whole game in one file.")


@blp.route("/games/<uuid:game_id>/log", methods=["GET"])
@blp.arguments(LogQuerySchema, location="query")
@blp.response(200, LogSchema, headers={"Link": {"$ref": "#/components/headers/Link"}})
@blp.alt_response(304, description="You have it already: `If-None-Match` was its `ETag`.", success=True)
def get_log(asked: dict[str, Any], game_id: UUID) -> Response:
    """Entries after a number; `wait` holds the request until there is one.

    If there is more than the page holds, `Link` with `rel=next` says where it goes on.
    """
    given, after, limit = services(), asked["after"], asked["limit"]
    current_app.extensions["waiting"].for_entry(given, str(game_id), after, asked["wait"])
    body = log.page(given, str(game_id), after, limit)
    answer = tagged(body, body["head"]["hash"])
    last = after + len(body["entries"])
    if body["entries"] and last < body["head"]["seq"]:
        answer.headers["Link"] = f'</v1/games/{game_id}/log?after={last}&limit={limit}>; rel="next"'
    return answer


@blp.route("/games/<uuid:game_id>/bundle", methods=["GET"])
@blp.response(200, {"type": "string"}, content_type="text/plain; charset=utf-8")
@blp.alt_response(304, description="You have it already: `If-None-Match` was its `ETag`.", success=True)
def get_bundle(game_id: UUID) -> Response:
    """The whole game in one file.

    To be audited without this server: `sealedmove audit FILE`. It opens what was hidden when the game is over.
    """
    game, data = log.bundled(services(), str(game_id))
    answer = Response(data, mimetype="text/plain")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game.type}-{str(game_id)[:8]}.sealedmove"'
    return tagged(answer, base64url.encode(game.head_hash))
