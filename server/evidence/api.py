"""The log of a game and its bundle."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
from flask import Response, current_app, request

from server.evidence import read, server_keys
from server.evidence.note_comparison import compare
from server.evidence.recover_entries import submit_missing
from server.evidence.schemas import (
    AuditSchema,
    ComparedSchema,
    HandedInSchema,
    LinesSchema,
    LogQuerySchema,
    LogSchema,
    ServerKeysSchema,
    ShownNoteSchema,
)
from server.http.resource import (
    MORE,
    UNCHANGED,
    conditional,
    may_refuse,
    paged,
    resource,
    services,
    tagged,
    takes_at_most,
)
from server.kernel.db.models import Game
from server.tables.read import head, is_waiting

log_blp = resource("log", "Entries as they were written, and the whole game in one file.")


@log_blp.route("/games/<uuid:game_id>/log", methods=["GET"])
@log_blp.arguments(LogQuerySchema, location="query")
@log_blp.response(200, LogSchema, headers=MORE)
@log_blp.alt_response(304, description=UNCHANGED, success=True)
def get_log(arguments: dict[str, Any], game_id: UUID) -> Response:
    """Entries after a number; `wait` holds the request until there is one.

    A page at a time, the oldest entries first.
    """
    given, after, limit = services(), arguments["after"], arguments["limit"]
    current_app.extensions["long_polls"].for_entry(given, str(game_id), after, arguments["wait"])
    body = read.log_page(given, str(game_id), after, limit)
    return paged(tagged(body), body["next"])


@log_blp.route("/games/<uuid:game_id>/bundle", methods=["GET"])
@log_blp.response(200, {"type": "string"}, content_type="text/plain; charset=utf-8")
@log_blp.alt_response(304, description=UNCHANGED, success=True)
def get_bundle(game_id: UUID) -> Response:
    """The whole game in one file.

    To be audited without this server: `sealedmove audit FILE`. It opens what was hidden when the game is over.
    """
    game, data = read.bundled(services(), str(game_id))
    answer = Response(data, mimetype="text/plain")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game.type}-{str(game_id)[:8]}.sealedmove"'
    return tagged(answer)


@log_blp.route("/games/<uuid:game_id>/audit", methods=["GET"])
@log_blp.response(200, AuditSchema)
@log_blp.alt_response(304, description=UNCHANGED, success=True)
def get_audit(game_id: UUID) -> Response:
    """What the server's own audit of a finished game found.

    It is made soon after the end, of the file that `bundle` answers with. Who does not want to believe the server makes
    it himself: `sealedmove audit FILE`.
    """
    return tagged(read.found_audit(services(), str(game_id)))


# --- What anybody may show --------------------------------------------------------------------------------------------
# a note that he kept, and the lines that the server has lost. Neither needs a token.


LARGEST_LINES = 2**25

evidence_blp = resource("evidence", "Notes compared with the log, and entries that a restore has cost the server.")


@evidence_blp.route("/games/<uuid:game_id>/compare", methods=["POST"])
@may_refuse(409)
@evidence_blp.arguments(ShownNoteSchema)
@evidence_blp.response(200, ComparedSchema)
def compare_note(given: dict[str, Any], game_id: UUID) -> dict[str, Any]:
    """Compare a note that you kept with the log; a newer one of the game's own key stops the game.

    It shows that this server was set back to an older copy of its database. Going on would fork the game, so every act
    is refused with `lines-missing` until somebody hands in what is missing.
    """
    found = compare(services(), str(game_id), given["note"])
    return {"relation": found.relation, "size": found.size, **_now(found.game, found.note)}


def _largest_lines(usual: int) -> int:
    """Lines may be many, but only where some are known to be missing."""
    if (request.content_length or 0) <= usual:
        return usual
    return LARGEST_LINES if is_waiting(services(), str((request.view_args or {})["game_id"])) else usual


@evidence_blp.route("/games/<uuid:game_id>/missing", methods=["POST"])
@takes_at_most(_largest_lines)
@may_refuse(409)
@evidence_blp.arguments(LinesSchema)
@evidence_blp.response(200, HandedInSchema)
def hand_in_lines(given: dict[str, Any], game_id: UUID) -> dict[str, Any]:
    """Hand in lines that are missing here; anybody who has them may.

    They follow the log here and end at the note, which is signed with the game's key. In a hidden game a sealed move
    needs its text, which whoever made it has: the lines are taken up to the first whose text is lacking, texts are
    kept, and the others hand in theirs with the same lines. When all are here the game goes on; if that took a minute
    or more, an entry `granted` gives the time back to who owed a move. A body may have 64 KiB, and while lines are
    known to be missing 32 MiB: show the note at `compare` first. No answer, 5xx or 429: send the same again.
    """
    texts = {move["seq"]: move["text"] for move in given["moves"]}
    taken = submit_missing(services(), str(game_id), given["entries"], given["note"], texts)
    return {"taken": taken.count, "lacks": taken.lacks, **_now(taken.game, taken.note)}


def _now(game: Game, note: str) -> dict[str, Any]:
    return {"head": head(game), "note": note, "stopped": game.is_stopped}


# --- Where anybody finds the keys with which this server signs its notes, outside of the API's versions ---------------


FRESH = 300  # seconds: a new key is known for days before anybody meets it

server_blp = resource("server", "The server's own keys.", "/.well-known")


@server_blp.route("/sealedmove.json", methods=["GET"])
@server_blp.response(200, ServerKeysSchema)
@server_blp.alt_response(304, description="You have it already: `If-None-Match` was its `ETag`.", success=True)
def get_server_keys() -> Response:
    """The keys with which this server signs its notes, the oldest first; none is ever removed.

    Keep what you saw first: a later document continues it, each key after the first being signed by the one before.
    """
    body = msgspec.json.encode(server_keys.document(services()))
    answer = Response(body, mimetype="application/json")
    answer.headers["Cache-Control"] = f"public, max-age={FRESH}"
    return conditional(answer)
