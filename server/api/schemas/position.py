"""What a seat may see and do."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

COMMAND = {"$ref": "#/components/schemas/Command"}


class ViewSchema(Schema):
    """The position, as values and as text of at most 78 columns."""

    status = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    head = fields.String(required=True)
    active = fields.List(fields.Integer(), required=True)
    view = fields.Dict(required=True, allow_none=True)
    board = fields.String(required=True)
    picture_url = fields.String(required=True, allow_none=True)


class LegalSchema(Schema):
    """A command that would be accepted now."""

    command = fields.Dict(required=True)
    notation = fields.String(required=True)
    label = fields.String(required=True)


class IntentSchema(Schema):
    """A move as commands or as text; exactly one of them."""

    commands = fields.List(fields.Raw(), validate=validate.Length(1, 64), metadata={"items": COMMAND})
    notation = fields.String(validate=validate.Length(1, 4096))

    @validates_schema
    def one(self, data: dict[str, object], **_: object) -> None:
        if len(data) != 1:
            raise ValidationError("commands or notation, and not both")


class RefusalSchema(Schema):
    """Why a command was refused."""

    code = fields.String(required=True)
    says = fields.String(required=True)


class PreviewSchema(Schema):
    """What the move would do as far as it is certain: up to the first draw or reveal."""

    events = fields.List(fields.Dict(), required=True)
    sentences = fields.List(fields.String(), required=True)
    board = fields.String(required=True)
    view = fields.Dict(required=True)
    done = fields.Integer(required=True)
    refusal = fields.Nested(RefusalSchema, required=True, allow_none=True)
    certain = fields.Boolean(required=True)
    commands = fields.List(fields.Dict(), required=True)


class OpeningSchema(Schema):
    """One entry as the seat alone may know it, and how far its own move went."""

    seq = fields.Integer(required=True)
    salt = fields.String(required=True, allow_none=True)
    events = fields.List(fields.Dict(), required=True, allow_none=True)
    done = fields.Integer(required=True, allow_none=True)
    refusal = fields.Nested(RefusalSchema, required=True, allow_none=True)
