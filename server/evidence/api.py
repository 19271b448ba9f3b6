"""The API of the log, its bundle, and missing entries."""

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
from server.http.etags import conditional
from server.http.resource import (
    MORE,
    UNCHANGED,
    may_refuse,
    paged,
    resource,
    services,
    tagged,
    takes_at_most,
)
from server.kernel.db.models import Game
from server.tables.read import head, is_waiting

log_blp = resource("log", "The log of a game, entry by entry or as one file.")


@log_blp.route("/games/<uuid:game_id>/log", methods=["GET"])
@log_blp.arguments(LogQuerySchema, location="query")
@log_blp.response(200, LogSchema, headers=MORE)
@log_blp.alt_response(304, description=UNCHANGED, success=True)
def get_log(arguments: dict[str, Any], game_id: UUID) -> Response:
    """Get log entries.

    The entries after a number, oldest first, a page at a time. `wait` holds the request until there is a new one.
    """
    given, after, limit = services(), arguments["after"], arguments["limit"]
    current_app.extensions["long_polls"].for_entry(given, str(game_id), after, arguments["wait"])
    body = read.log_page(given, str(game_id), after, limit)
    return paged(tagged(body), body["next"])


@log_blp.route("/games/<uuid:game_id>/bundle", methods=["GET"])
@log_blp.response(200, {"type": "string"}, content_type="text/plain; charset=utf-8")
@log_blp.alt_response(304, description=UNCHANGED, success=True)
def get_bundle(game_id: UUID) -> Response:
    """Download the whole game.

    One file that you can check offline with `sealedmove audit FILE`. After the end of the game it includes everything
    that was hidden.
    """
    game, data = read.bundled(services(), str(game_id))
    answer = Response(data, mimetype="text/plain")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game.type}-{str(game_id)[:8]}.sealedmove"'
    return tagged(answer)


@log_blp.route("/games/<uuid:game_id>/audit", methods=["GET"])
@log_blp.response(200, AuditSchema)
@log_blp.alt_response(304, description=UNCHANGED, success=True)
def get_audit(game_id: UUID) -> Response:
    """Get the server's audit of a game.

    The server audits the file at `bundle` soon after the end, and while the game runs about once a day. To check it
    yourself, run `sealedmove audit FILE`.
    """
    return tagged(read.found_audit(services(), str(game_id)))


# --- Checkpoints to compare, and entries that the server has lost: anyone may send them, without a token --------------


LARGEST_LINES = 2**25

evidence_blp = resource(
    "evidence", "Checkpoints to compare with the log, and entries that the server lost in a restore."
)


@evidence_blp.route("/games/<uuid:game_id>/compare", methods=["POST"])
@may_refuse(409)
@evidence_blp.arguments(ShownNoteSchema)
@evidence_blp.response(200, ComparedSchema)
def compare_note(given: dict[str, Any], game_id: UUID) -> dict[str, Any]:
    """Compare a checkpoint with the log.

    A valid checkpoint that covers more entries than the log stops the game: it shows that the server was restored from
    an older backup. Until someone submits the missing entries, every act is refused with `lines-missing`, since
    continuing would fork the game.
    """
    found = compare(services(), str(game_id), given["note"])
    return {"relation": found.relation, "size": found.size, **_now(found.game, found.note)}


def _largest_lines(usual: int) -> int:
    """Accept large bodies only for games with missing entries."""
    if (request.content_length or 0) <= usual:
        return usual
    return LARGEST_LINES if is_waiting(services(), str((request.view_args or {})["game_id"])) else usual


@evidence_blp.route("/games/<uuid:game_id>/missing", methods=["POST"])
@takes_at_most(_largest_lines)
@may_refuse(409)
@evidence_blp.arguments(LinesSchema)
@evidence_blp.response(200, HandedInSchema)
def hand_in_lines(given: dict[str, Any], game_id: UUID) -> dict[str, Any]:
    """Submit missing entries.

    Anyone may do this. The lines follow the server's log and end at the checkpoint, which must be signed with the
    game's key. In a hidden game a sealed move also needs its text, which its author has: the server takes the lines up
    to the first one without a text and keeps the texts it got, and other players submit theirs with the same lines.
    Once all entries are recovered, the game continues. If that took a minute or more, an entry `granted` gives the time
    back to the seats that owed a move. A body may have up to 64 KiB, or 32 MiB while entries are known to be missing,
    so send the checkpoint to `compare` first. After a timeout, 5xx or 429 send the same request again.
    """
    texts = {move["seq"]: move["text"] for move in given["moves"]}
    taken = submit_missing(services(), str(game_id), given["entries"], given["note"], texts)
    return {"taken": taken.count, "lacks": taken.lacks, **_now(taken.game, taken.note)}


def _now(game: Game, note: str) -> dict[str, Any]:
    return {"head": head(game), "note": note, "stopped": game.is_stopped}


# --- The server's public keys, outside of the API's versions ----------------------------------------------------------


FRESH = 300  # seconds: a new key is published days before its first use

server_blp = resource("server", "The server's own keys.", "/.well-known")


@server_blp.route("/sealedmove.json", methods=["GET"])
@server_blp.response(200, ServerKeysSchema)
@server_blp.alt_response(304, description="You have it already: `If-None-Match` was its `ETag`.", success=True)
def get_server_keys() -> Response:
    """Get the server's keys.

    The keys that sign its checkpoints, oldest first. Keys are never removed. Keep the first document that you see:
    later ones continue it, with each key signed by the one before.
    """
    body = msgspec.json.encode(server_keys.document(services()))
    answer = Response(body, mimetype="application/json")
    answer.headers["Cache-Control"] = f"public, max-age={FRESH}"
    return conditional(answer)
