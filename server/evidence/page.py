"""A checkpoint compared with a game, for people: a form on the game's page, and the answer in words.

It needs no session, so other sites gain nothing by sending the form.
"""

from __future__ import annotations

from uuid import UUID

from flask import Response, request

from engine.kit import count
from server.evidence.note_comparison import compare
from server.evidence.schemas import LONGEST_TEXT
from server.http.page import blueprint, page, services
from server.tables.read import title_of


@blueprint.post("/games/<uuid:game_id>/compare")
def compare_page(game_id: UUID) -> Response:
    """The result, with the form again."""
    found = compare(services(), str(game_id), request.form.get("note", "")[:LONGEST_TEXT])
    return page(
        "compare.html",
        secret=True,  # the answer holds pasted text, so no cache may keep it
        status=422 if found.relation == "none" else 200,
        game=found.game,
        type_title=title_of(found.game.type),
        relation=found.relation,
        counted=count(found.size or 0, "entry", "entries"),
        here=count(found.game.head_seq + 1, "entry", "entries"),
        own=found.note,
    )
