"""The log of a game and its bundle."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response, current_app

from server.api.house import MORE, UNCHANGED, paged, resource, services, tagged
from server.api.schemas.log import AuditSchema, LogQuerySchema, LogSchema
from server.projections import audit, log

blp = resource("log", "Entries as they were written, and the whole game in one file.")


@blp.route("/games/<uuid:game_id>/log", methods=["GET"])
@blp.arguments(LogQuerySchema, location="query")
@blp.response(200, LogSchema, headers=MORE)
@blp.alt_response(304, description=UNCHANGED, success=True)
def get_log(asked: dict[str, Any], game_id: UUID) -> Response:
    """Entries after a number; `wait` holds the request until there is one.

    A page at a time, the oldest entries first.
    """
    given, after, limit = services(), asked["after"], asked["limit"]
    current_app.extensions["long_polls"].for_entry(given, str(game_id), after, asked["wait"])
    body = log.page(given, str(game_id), after, limit)
    return paged(tagged(body), body["next"])


@blp.route("/games/<uuid:game_id>/bundle", methods=["GET"])
@blp.response(200, {"type": "string"}, content_type="text/plain; charset=utf-8")
@blp.alt_response(304, description=UNCHANGED, success=True)
def get_bundle(game_id: UUID) -> Response:
    """The whole game in one file.

    To be audited without this server: `sealedmove audit FILE`. It opens what was hidden when the game is over.
    """
    game, data = log.bundled(services(), str(game_id))
    answer = Response(data, mimetype="text/plain")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game.type}-{str(game_id)[:8]}.sealedmove"'
    return tagged(answer)


@blp.route("/games/<uuid:game_id>/audit", methods=["GET"])
@blp.response(200, AuditSchema)
@blp.alt_response(304, description=UNCHANGED, success=True)
def get_audit(game_id: UUID) -> Response:
    """What the server's own audit of a finished game found.

    It is made soon after the end, of the file that `bundle` answers with. Who does not want to believe the server makes
    it himself: `sealedmove audit FILE`.
    """
    return tagged(audit.found(services(), str(game_id)))
