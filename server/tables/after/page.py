"""The forms for a rematch and for cancelling a running game."""

from __future__ import annotations

from uuid import UUID

from flask import Response, request

from server.http.page import blueprint, redirect_to, services, signed_in
from server.tables.after import consents
from server.tables.after.rematch import rematch


@blueprint.post("/games/<uuid:game_id>/rematch")
def rematch_page(game_id: UUID) -> Response:
    """Open the rematch, or go to the one that there is."""
    return redirect_to(f"/games/{rematch(services(), str(game_id), signed_in().account_id).game_id}")


@blueprint.post("/games/<uuid:game_id>/consents/cancel")
def consent_page(game_id: UUID) -> Response:
    """Agree to cancel the game, or object."""
    verb = consents.end_wish if request.form.get("do") == "object" else consents.agree
    verb(services(), str(game_id), signed_in().account_id)
    return redirect_to(f"/games/{game_id}")
