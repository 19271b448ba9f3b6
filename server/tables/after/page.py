"""The forms for a rematch and for cancelling or pausing a running game together."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from flask import Response, request
from marshmallow import ValidationError

from server.http.page import blueprint, redirect_to, services, signed_in
from server.kernel.errors import Problem
from server.tables.after import consents
from server.tables.after.rematch import rematch
from server.tables.calendar.schemas import PauseGameSchema


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


@blueprint.post("/games/<uuid:game_id>/consents/pause")
def consent_pause_page(game_id: UUID) -> Response:
    """Wish to pause the game for so many days, agree to the pause that others wish, or object."""
    account = signed_in().account_id
    if request.form.get("do") == "object":
        consents.end_wish(services(), str(game_id), account, consents.PAUSE)
    else:
        consents.agree(services(), str(game_id), account, _end_of_pause())
    return redirect_to(f"/games/{game_id}")


def _end_of_pause() -> datetime:
    """The end that the button names, or that many days from now."""
    until, days = request.form.get("until", ""), request.form.get("days", "")
    try:
        if until:
            found: datetime = PauseGameSchema().load({"until": until})["until"]
            return found
        return services().now().replace(microsecond=0) + timedelta(days=int(days[:3]))
    except (ValueError, ValidationError):
        raise Problem("bad-pause") from None
