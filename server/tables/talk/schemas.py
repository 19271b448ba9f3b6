"""Schemas of table talk and private notes."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from server.http.schemas import MOST, NEXT, SEAT, StrictInteger, doc, moment
from server.kernel.text import spoken
from server.tables.talk.read import LONGEST

LONGEST_NOTES = 20_000
SAID = "1 to 1,000 characters, with line breaks. Control characters and marks of writing direction are removed."
NUMBER = "The number of a message in its game, from 1."


class WrittenText(fields.String):
    """What a person wrote, as it is stored."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        return spoken(super()._deserialize(value, attr, data, **more))


class SendMessageSchema(Schema):
    """A message to the table."""

    text = WrittenText(
        required=True, validate=validate.Length(1, LONGEST), metadata=doc(SAID, example="Good luck, everybody!")
    )


class MessageSchema(Schema):
    """A message of the table talk."""

    n = fields.Integer(required=True, metadata=doc(NUMBER, example=3))
    seat = fields.Integer(required=True, metadata=doc(f"The seat that its author held. {SEAT}", example=1))
    name = fields.String(required=True, metadata=doc("The name of its author's account.", example="Ada"))
    handle = fields.String(
        required=True,
        allow_none=True,
        metadata=doc("The unique short name of its author's account; null: deleted.", example="k7f2mq9x"),
    )
    own = fields.Boolean(required=True, metadata=doc("Whether you wrote it."))
    text = fields.String(
        required=True, allow_none=True, metadata=doc("Null: it was removed, or you have muted or blocked its author.")
    )
    muted = fields.Boolean(required=True, metadata=doc("Whether you have muted or blocked its author."))
    removed = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(("author", "operator", "erasure")),
        metadata=doc(
            "Removed by its author, the operator, or the deletion of its author's account. Null: not removed.",
            **{"x-open": True},
        ),
    )
    via = fields.String(
        required=True,
        validate=validate.OneOf(("page", "api", "mail")),
        metadata=doc("How it was sent.", **{"x-open": True}),
    )
    seq = fields.Integer(required=True, metadata=doc("The last entry of the log when it was written.", example=12))
    at = moment()


class TalkSchema(Schema):
    """A page of table talk, oldest first."""

    closed = fields.Boolean(
        required=True,
        metadata=doc("Whether nobody can write: talk is off, or the game ended more than seven days ago."),
    )
    seen = fields.Integer(required=True, metadata=doc("The last message that you have seen; 0: none."))
    muted = fields.List(fields.Integer(), required=True, metadata=doc("Seats whose players you have muted here."))
    messages = fields.List(fields.Nested(MessageSchema), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=doc(NEXT))


class TalkQuerySchema(Schema):
    """A page of messages."""

    after = fields.Integer(load_default=0, validate=validate.Range(0, MOST), metadata=doc("Only messages after this."))
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))


class SeenSchema(Schema):
    """The last message that you have seen."""

    n = StrictInteger(required=True, validate=validate.Range(0, MOST), metadata=doc(NUMBER, example=3))


class ReportSchema(Schema):
    """A report to the operator."""

    why = WrittenText(
        required=True,
        validate=validate.Length(1, 500),
        metadata=doc("For the operator, 1 to 500 characters.", example="An insult."),
    )


class NotesSchema(Schema):
    """Your private notes on a game. Nobody else reads them, not even a player who takes your seat."""

    text = fields.String(
        required=True,
        validate=validate.Length(0, LONGEST_NOTES),
        metadata=doc("Up to 20,000 characters; empty: none.", example="Ben collects temples."),
    )
