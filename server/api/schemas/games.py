"""Games: listed, made, shown."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import SEAT, HeadSchema, Whole, moment, note, says

STATUSES = ("lobby", "running", "finished", "cancelled")
DAY = 86400
KEY = "A key of `GET /v1/types`"
STATUS = "`lobby`: seats are empty; `running`; `finished`; `cancelled`: taken back before it started."
HIDDEN = "Seats have secrets: a move is signed as `sealed`, with its text beside it. Else as `commands`."
RESULT = {
    "places": "Seats, the best first; seats that tie stand together.",
    "points": "Lines of the score sheet: `[heading, [points of seat 0, of seat 1, ...]]`.",
    "out": "Seats that a rule has put out.",
    "reason": "Why it ended: a code of the type's `endings`; `resigned` if fewer than two seats were left.",
}


class ClockSchema(Schema):
    """Seconds for a move, and grace before the clock plays it."""

    move = Whole(required=True, validate=validate.Range(1, 365 * DAY), metadata=says("Seconds.", example=3 * DAY))
    grace = Whole(load_default=0, validate=validate.Range(0, 60 * DAY), metadata=says("Seconds."))


class NewGameSchema(Schema):
    """What a creator chooses. Without a `clock` nobody is hurried."""

    type = fields.String(
        required=True, validate=validate.Length(1, 40), metadata=says(f"{KEY}.", example="livingstone")
    )
    seats = Whole(
        required=True, validate=validate.Range(1, 64), metadata=says("As many as the type allows.", example=2)
    )
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata=says("As `GET /v1/types/{key}` says."))
    clock = fields.Nested(ClockSchema, load_default=None, allow_none=True)
    edition = fields.Dict(
        keys=fields.String(),
        load_default=None,
        allow_none=True,
        metadata=says("Component data of your own, if the game takes it; else the edition that it brings along."),
    )


class IdempotencySchema(Schema):
    """A creation sent twice with one key makes one game."""

    key = fields.String(
        data_key="Idempotency-Key",
        validate=validate.Length(1, 100),
        metadata=says("Any text of yours; the same request sent again with it makes no second game."),
    )

    class Meta:
        unknown = "exclude"


class GamesQuerySchema(Schema):
    """Which games."""

    status = fields.String(validate=validate.OneOf(STATUSES), metadata=says(STATUS))
    type = fields.String(validate=validate.Regexp(r"^[a-z0-9-]{1,40}$(?!\n)"), metadata=says(f"{KEY}."))
    after = fields.UUID(metadata={"description": "The last game of the page before."})
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100))


class SeatSchema(Schema):
    """A seat in a list."""

    seat = fields.Integer(required=True, metadata=says(SEAT))
    name = fields.String(
        required=True, allow_none=True, metadata=says("Of the account that the key belongs to; null: empty or unknown.")
    )


class FullSeatSchema(SeatSchema):
    """A seat with the thumbprint of the key that joined."""

    kid = fields.String(required=True, allow_none=True, metadata=says("Null: the seat is free."))
    bot = fields.Boolean(required=True, metadata=says("The server calls this seat a machine's."))
    resigned = fields.Boolean(required=True, metadata=says("The clock plays it from then on."))


class ShownClockSchema(Schema):
    """The clock of a game."""

    move = fields.Integer(required=True, metadata=says("Seconds for a move."))
    grace = fields.Integer(required=True, metadata=says("Seconds more before the clock plays."))


class SummarySchema(Schema):
    """A game in a list."""

    id = fields.String(required=True, metadata=says("A UUID; signed acts name it as `game`."))
    type = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES), metadata=says(STATUS))
    hidden = fields.Boolean(required=True, metadata=says(HIDDEN))
    stopped = fields.Boolean(required=True, metadata=says("A fault of ours holds the game and its clocks."))
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    clock = fields.Nested(ShownClockSchema, required=True, allow_none=True)
    head = fields.Nested(HeadSchema, required=True)
    created_at = moment()


class GamesSchema(Schema):
    """Newest first; `next` goes into `after`."""

    games = fields.List(fields.Nested(SummarySchema), required=True)
    next = fields.String(required=True, allow_none=True, metadata=says("Null on the last page."))


class DeadlineSchema(Schema):
    """When the clock may play for a seat."""

    seat = fields.Integer(required=True, metadata=says(SEAT))
    since = moment()
    deadline = moment()


class PointsSchema(Schema):
    """How it ended, as the log says it."""

    places = fields.List(fields.List(fields.Integer()), required=True, metadata=says(RESULT["places"]))
    points = fields.List(fields.Raw(), required=True, metadata=says(RESULT["points"]))
    out = fields.List(fields.Integer(), required=True, metadata=says(RESULT["out"]))
    won = fields.Boolean(required=True, metadata=says("False: nobody has won, and the best place is no first place."))
    reason = fields.String(required=True, metadata=says(RESULT["reason"]))


class GameSchema(SummarySchema):
    """A game in full."""

    seats = fields.List(fields.Nested(FullSeatSchema), required=True)
    rules = fields.Integer(required=True, metadata=says("The version of the rules that it is played by."))
    options = fields.Dict(required=True)
    active = fields.List(fields.Integer(), required=True, metadata=says("The seats that owe a move now."))
    deadlines = fields.List(fields.Nested(DeadlineSchema), required=True)
    result = fields.Nested(PointsSchema, required=True, allow_none=True)
    created = fields.String(
        required=True,
        metadata=says("Entry 0, as it stands in the log: it commits the server to all dice before anybody has joined."),
    )
    note = note()
