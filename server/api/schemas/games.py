"""Games: listed, made, shown."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import HeadSchema, Whole, line, moment, note

STATUSES = ("lobby", "running", "finished", "cancelled")
DAY = 86400


class ClockSchema(Schema):
    """Seconds for a move, and grace before the clock plays it."""

    move = Whole(required=True, validate=validate.Range(1, 365 * DAY))
    grace = Whole(load_default=0, validate=validate.Range(0, 60 * DAY))


class NewGameSchema(Schema):
    """What a creator chooses; `edition` is component data of his own, if the game takes it."""

    type = fields.String(required=True, validate=validate.Length(1, 40))
    seats = Whole(required=True, validate=validate.Range(1, 64))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    clock = fields.Nested(ClockSchema, load_default=None, allow_none=True)
    edition = fields.Dict(keys=fields.String(), load_default=None, allow_none=True)


class IdempotencySchema(Schema):
    """A creation sent twice with one key makes one game."""

    key = fields.String(data_key="Idempotency-Key", validate=validate.Length(1, 100))

    class Meta:
        unknown = "exclude"


class GamesQuerySchema(Schema):
    """Which games."""

    status = fields.String(validate=validate.OneOf(STATUSES))
    type = fields.String(validate=validate.Regexp(r"^[a-z0-9-]{1,40}$(?!\n)"))
    after = fields.UUID(metadata={"description": "The last game of the page before."})
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100))


class SeatSchema(Schema):
    """A seat in a list."""

    seat = fields.Integer(required=True)
    name = fields.String(required=True, allow_none=True)


class FullSeatSchema(SeatSchema):
    """A seat with the thumbprint of the key that joined."""

    kid = fields.String(required=True, allow_none=True)
    bot = fields.Boolean(required=True)
    resigned = fields.Boolean(required=True)


class ShownClockSchema(Schema):
    """The clock of a game."""

    move = fields.Integer(required=True)
    grace = fields.Integer(required=True)


class SummarySchema(Schema):
    """A game in a list; `stopped` says that a fault of ours holds its clocks."""

    id = fields.String(required=True)
    type = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    hidden = fields.Boolean(required=True)
    stopped = fields.Boolean(required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    clock = fields.Nested(ShownClockSchema, required=True, allow_none=True)
    head = fields.Nested(HeadSchema, required=True)
    created_at = moment()


class GamesSchema(Schema):
    """Newest first; `next` goes into `after`."""

    games = fields.List(fields.Nested(SummarySchema), required=True)
    next = fields.String(required=True, allow_none=True)


class DeadlineSchema(Schema):
    """When the clock may play for a seat."""

    seat = fields.Integer(required=True)
    since = moment()
    deadline = moment()


class PointsSchema(Schema):
    """How it ended, as the log says it."""

    places = fields.List(fields.List(fields.Integer()), required=True)
    points = fields.List(fields.Raw(), required=True)
    out = fields.List(fields.Integer(), required=True)
    reason = fields.String(required=True)


class GameSchema(SummarySchema):
    """A game in full."""

    seats = fields.List(fields.Nested(FullSeatSchema), required=True)
    rules = fields.Integer(required=True)
    options = fields.Dict(required=True)
    active = fields.List(fields.Integer(), required=True)
    deadlines = fields.List(fields.Nested(DeadlineSchema), required=True)
    result = fields.Nested(PointsSchema, required=True, allow_none=True)
    created = line()
    note = note()
