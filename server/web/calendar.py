"""The calendar of somebody's deadlines, by its secret link; and the buttons that make the link and take it back."""

from __future__ import annotations

from flask import Response, request

from server.projections import calendar as shown
from server.tags import conditional
from server.usecases import calendar
from server.web.house import blueprint, guarded, own, page, services, to


@blueprint.get("/me/calendar.ics")
def calendar_file() -> Response:
    """Whoever has the link reads it, signed in or not."""
    account_id = calendar.reader(services(), request.args.get("link", ""))
    answer = Response(shown.of(services(), account_id), content_type="text/calendar; charset=utf-8")
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["X-Robots-Tag"] = "noindex"
    return guarded(conditional(answer))


@blueprint.post("/account/calendar")
def make_calendar_page() -> Response:
    """Make the link, and show it this once."""
    return page("calendar_made.html", secret=True, url=calendar.make(services(), own().account_id))


@blueprint.post("/account/calendar/drop")
def drop_calendar_page() -> Response:
    """Take it back."""
    calendar.drop(services(), own().account_id)
    return to("/account#in")
