"""The calendar of one's deadlines."""

from __future__ import annotations

from marshmallow import Schema, fields

from server.api.schemas.base import moment, says

URL = "What a calendar program is given, shown once. Whoever has it reads when your moves are due, and nothing else."


class CalendarSchema(Schema):
    """The link of your calendar; its secret is shown only when it is made."""

    created_at = moment()
    last_used_at = moment("Noted once an hour at most; null: never. ", allow_none=True)


class MadeCalendarSchema(Schema):
    """A new link."""

    url = fields.URL(required=True, metadata=says(URL))
