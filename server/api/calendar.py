"""The calendar of one's deadlines: its link. The calendar itself is `/me/calendar.ics` (`server.web.calendar`)."""

from __future__ import annotations

from typing import Any

from server.api.house import account_id, needs, refuses, resource, services
from server.api.schemas.calendar import CalendarSchema, MadeCalendarSchema
from server.usecases import calendar
from server.wording import iso

blp = resource("calendar", "A calendar of every deadline of yours, for any calendar program.")


@blp.route("/me/calendar", methods=["GET"])
@refuses(404)
@needs("account")
@blp.response(200, CalendarSchema)
def show_calendar() -> dict[str, Any]:
    """The link of your calendar.

    When it was made and last used; 404 if there is none.
    """
    row = calendar.show(services(), account_id())
    return {"created_at": iso(row.created_at), "last_used_at": row.last_used_at and iso(row.last_used_at)}


@blp.route("/me/calendar", methods=["POST"])
@needs("account")
@blp.response(201, MadeCalendarSchema)
def make_calendar() -> tuple[dict[str, str], int, dict[str, str]]:
    """Make a link of your calendar.

    A calendar program fetches it again and again: each deadline is an event with alarms, when you want to be
    reminded. The link before opens nothing from now on.
    """
    return {"url": calendar.make(services(), account_id())}, 201, {"Cache-Control": "no-store"}


@blp.route("/me/calendar", methods=["DELETE"])
@refuses(404)
@needs("account")
@blp.response(204)
def drop_calendar() -> None:
    """Take the link of your calendar back.

    It opens nothing from now on.
    """
    calendar.drop(services(), account_id())
