"""A note compared with a game, for people: a form on the game's page, and the answer in words.

It needs no session, so no other site can do anything with it that anybody could not do himself.
"""

from __future__ import annotations

from uuid import UUID

from flask import Response, request

from server.evidence.note_comparison import compare
from server.evidence.schemas import LONGEST_TEXT
from server.http.page import blueprint, page, services
from server.tables.read import title_of


@blueprint.post("/games/<uuid:game_id>/compare")
def compare_page(game_id: UUID) -> Response:
    """The answer, with the form once more."""
    found = compare(services(), str(game_id), request.form.get("note", "")[:LONGEST_TEXT])
    return page(
        "compare.html",
        secret=True,  # what somebody pasted is nobody else's: nothing keeps the answer
        status=422 if found.relation == "none" else 200,
        game=found.game,
        type_title=title_of(found.game.type),
        relation=found.relation,
        counted=_entries(found.size or 0),
        here=_entries(found.game.head_seq + 1),
        own=found.note,
    )


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"
