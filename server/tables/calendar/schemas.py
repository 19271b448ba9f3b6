"""Schemas of holidays."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from server.http.schemas import StrictInteger, doc, game_id, moment
from server.tables.calendar.holidays import LONGEST

FROM = (
    "The first day, in your account's time zone, or `now`. A holiday that begins now lasts until its last day ends, "
    "and costs at least three days."
)
LEFT = "Days of holiday that you have left. You begin with 5 and gain one every ten days, up to 30."
COUNTS = "Whether this table counts the holiday. If not, its clock runs on."


def _check_day(value: str) -> None:
    if value != "now":
        try:
            date.fromisoformat(value)
        except ValueError:
            raise ValidationError("a date such as 2026-12-24, or `now`") from None


class AnnounceHolidaySchema(Schema):
    """Days on which you do not play."""

    begins = fields.String(
        data_key="from", required=True, validate=_check_day, metadata=doc(FROM, example="2026-12-24")
    )
    days = StrictInteger(required=True, validate=validate.Range(1, LONGEST), metadata=doc("How many days.", example=5))


class HolidaySchema(Schema):
    """A holiday of yours: moments, fixed when it was announced."""

    id = fields.Integer(required=True)
    starts_at = moment()
    ends_at = moment()
    cost = fields.Integer(required=True, metadata=doc("How many of your days it takes."))
    runs = fields.Boolean(required=True, metadata=doc("Whether it has begun."))


class HolidayListSchema(Schema):
    """Your holidays that are not over, and the days that you have left."""

    left = fields.Integer(required=True, metadata=doc(LEFT))
    holidays = fields.List(fields.Nested(HolidaySchema), required=True)


class HolidayTableSchema(Schema):
    """A table at which you owe a move."""

    game = game_id()
    deadline = moment()
    counts = fields.Boolean(required=True, metadata=doc(COUNTS))


class AnnouncedSchema(HolidaySchema):
    """A holiday, and the tables at which you owe a move."""

    left = fields.Integer(required=True, metadata=doc(LEFT))
    tables = fields.List(fields.Nested(HolidayTableSchema), required=True)


class _Moment(fields.AwareDateTime):
    """A whole second, in UTC."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        found = super()._deserialize(value, attr, data, **kwargs)
        try:
            return found.astimezone(UTC).replace(microsecond=0)
        except OverflowError:  # outside the calendar in UTC
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE) from None


class PauseGameSchema(Schema):
    """Until when no clock of the game runs."""

    until = _Moment(
        required=True,
        format="iso",
        default_timezone=UTC,
        metadata=doc("At least an hour from now.", example="2026-12-27T00:00:00Z"),
    )


class PauseSchema(Schema):
    """The pause of a game."""

    until = moment("When it ends. Null: the game is not paused. ", allow_none=True)
    host_pause = fields.Integer(required=True, metadata=doc("For how many more days its host may pause it."))


def first_day(given: dict[str, Any]) -> date | None:
    """The date; None for `now`."""
    return None if given["begins"] == "now" else date.fromisoformat(given["begins"])
