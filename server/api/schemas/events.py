"""Events, as streams tell them."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from engine.record.log.entry import KINDS as ENTRIES
from server.api.schemas.base import MOST, SEAT, moment, says
from server.log.events import KINDS

HELD = "Your seat; null if you hold it no more. " + SEAT
AFTER = "Only what comes after this number; without it, and without `Last-Event-ID`, what comes from now on."
LAST = "The number of the last event that you have, as a reader of event streams sends it when it comes back."
KIND = "\n".join(["What it is:\n", *(f"- `{kind}`: {told}" for kind, told in KINDS.items())])


class EventsQuerySchema(Schema):
    """Where a stream begins."""

    after = fields.Integer(validate=validate.Range(-1, MOST), metadata=says(AFTER))


class LastEventSchema(Schema):
    """Where a stream goes on; it wins over `after`."""

    last = fields.Integer(data_key="Last-Event-ID", validate=validate.Range(-1, MOST), metadata=says(LAST))


class AccountEventSchema(Schema):
    """What happened to a seat of yours, and nothing of the game: ask for that as the seat that you hold then."""

    n = fields.Integer(required=True, metadata=says("Its number among your events, without a gap.", example=17))
    kind = fields.String(
        required=True, validate=validate.OneOf(list(KINDS)), metadata=says(KIND, example="turn", **{"x-open": True})
    )
    game = fields.String(required=True, metadata=says("Its id."))
    type = fields.String(required=True, metadata=says("The key of the game.", example="tikal"))
    seat = fields.Integer(required=True, allow_none=True, metadata=says(HELD))
    seq = fields.Integer(required=True, metadata=says("The entry of the game's log that it is about."))
    at = moment()
    deadline = moment(allow_none=True)


class GameEventSchema(Schema):
    """An entry of a game's log, as anybody may know it. The line itself is in the log."""

    seq = fields.Integer(required=True, metadata=says("Its number; none is left out.", example=9))
    kind = fields.String(
        required=True, validate=validate.OneOf(list(ENTRIES)), metadata=says("The entry's.", **{"x-open": True})
    )
    game = fields.String(required=True, metadata=says("Its id."))
    type = fields.String(required=True, metadata=says("The key of the game.", example="tikal"))
    seat = fields.Integer(required=True, allow_none=True, metadata=says("Whose entry it is, if a seat's. " + SEAT))
    at = moment()
    hash = fields.String(required=True, metadata=says("The entry's hash, upon which the next one stands."))
    over = fields.Boolean(required=True, metadata=says("Whether it ended the game: then the stream ends too."))
