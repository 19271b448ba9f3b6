"""The button "Hint" of the game page."""

from __future__ import annotations

from uuid import UUID

from flask import Response

from server.http.page import blueprint, redirect_to, services, signed_in
from server.play.hints import write


@blueprint.post("/games/<uuid:game_id>/hint")
def hint_page(game_id: UUID) -> Response:
    """Mark the hint, and go back to the page, which then shows it."""
    write.give(services(), str(game_id), signed_in().account_id)
    return redirect_to(f"/games/{game_id}#panel")
