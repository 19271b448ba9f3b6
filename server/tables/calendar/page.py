"""The page of an account's holidays, with a form for another one, and the buttons of a host that pause a game."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response, request
from marshmallow import ValidationError

from server.http.page import blueprint, frame_facts, page, reader, redirect_to, services, signed_in
from server.kernel.errors import SERVER, Problem
from server.tables.calendar import holidays, pauses
from server.tables.calendar.schemas import AnnounceHolidaySchema, first_day
from server.tables.choice_schemas import MOST_PAUSE

frame_facts(holidays.frame_facts)


@blueprint.get("/holidays")
def holidays_page() -> Response:
    """For signed-in readers; others sign in first."""
    principal = reader()
    if principal is None:
        return redirect_to("/login?next=/holidays")
    return _page(principal.account_id)


@blueprint.post("/holidays")
def announce_page() -> Response:
    """Announce a holiday; a refusal is shown above the form."""
    principal, days = signed_in(), request.form.get("days", "")
    begins = "now" if request.form.get("when") == "now" else request.form.get("from", "")
    try:
        given = AnnounceHolidaySchema().load(
            {"from": begins, "days": int(days) if days.isascii() and days.isdigit() else 0}
        )
        holidays.announce(services(), principal.account_id, first_day(given), given["days"])
    except ValidationError:
        return _page(principal.account_id, 422, "Enter a date, and from 1 to 14 days.")
    except Problem as no:
        return _page(principal.account_id, SERVER[no.code][0], SERVER[no.code][1])
    return redirect_to("/holidays")


@blueprint.post("/holidays/<int(max=2147483647):number>/end")
def end_holiday_page(number: int) -> Response:
    """End or cancel one. Pressing twice does the same as once."""
    holidays.end(services(), signed_in().account_id, number)
    return redirect_to("/holidays")


@blueprint.post("/games/<uuid:game_id>/pause")
def pause_page(game_id: UUID) -> Response:
    """Pause the game for so many days from now on."""
    account, days = signed_in().account_id, request.form.get("days", "")
    if not days.isascii() or not days.isdigit() or not 1 <= int(days) <= MOST_PAUSE:
        raise Problem("bad-pause")
    pauses.pause_for(services(), str(game_id), account, int(days))
    return redirect_to(f"/games/{game_id}")


@blueprint.post("/games/<uuid:game_id>/resume")
def resume_page(game_id: UUID) -> Response:
    """End the pause. Pressing twice does the same as once."""
    pauses.resume(services(), str(game_id), signed_in().account_id)
    return redirect_to(f"/games/{game_id}")


def _page(account_id: int, status: int = 200, wrong: str = "") -> Response:
    found = holidays.overview(services(), account_id)
    more: dict[str, Any] = {"wrong": wrong, "given": request.form, "longest": holidays.LONGEST}
    return page("holidays.html", status=status, **found._asdict(), **more)
