"""What anybody may show: a note that he kept, and the lines that the server has lost. Neither needs a token."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import request

from server.api.house import refuses, resource, services, takes_at_most
from server.api.schemas.evidence import ComparedSchema, HandedInSchema, LinesSchema, ShownNoteSchema
from server.db.models import Game
from server.projections.games import head, is_waiting
from server.usecases.compare import compare
from server.usecases.missing import hand_in

LARGEST_LINES = 2**25

blp = resource("evidence", "Notes compared with the log, and entries that a restore has cost the server.")


@blp.route("/games/<uuid:game_id>/compare", methods=["POST"])
@refuses(409)
@blp.arguments(ShownNoteSchema)
@blp.response(200, ComparedSchema)
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


@blp.route("/games/<uuid:game_id>/missing", methods=["POST"])
@takes_at_most(_largest_lines)
@refuses(409)
@blp.arguments(LinesSchema)
@blp.response(200, HandedInSchema)
def hand_in_lines(given: dict[str, Any], game_id: UUID) -> dict[str, Any]:
    """Hand in lines that are missing here; anybody who has them may.

    They follow the log here and end at the note, which is signed with the game's key. In a hidden game a sealed move
    needs its text, which whoever made it has: the lines are taken up to the first whose text is lacking, texts are
    kept, and the others hand in theirs with the same lines. When all are here the game goes on; if that took a minute
    or more, an entry `granted` gives the time back to who owed a move. A body may have 64 KiB, and while lines are
    known to be missing 32 MiB: show the note at `compare` first. No answer, 5xx or 429: send the same again.
    """
    texts = {move["seq"]: move["text"] for move in given["moves"]}
    taken = hand_in(services(), str(game_id), given["entries"], given["note"], texts)
    return {"taken": taken.count, "lacks": taken.lacks, **_now(taken.game, taken.note)}


def _now(game: Game, note: str) -> dict[str, Any]:
    return {"head": head(game), "note": note, "stopped": game.is_stopped}
