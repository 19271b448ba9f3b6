"""Schemas of what hosts and players do before the start."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.http.schemas import MOST, SEAT, StrictInteger, doc, moment
from server.tables.limits import LIMITS

SINCE = (
    "The `since` of the seat: the entry by which its holder joined. It keeps a repeated request from removing others."
)

SINCE_OF_HEIR = (
    "The `since` of the seat: the entry by which its holder joined. With it the request is refused as `seat-changed` "
    "if somebody else has taken the seat meanwhile."
)


class RemovedSeatSchema(Schema):
    """The holder who is to be removed."""

    since = fields.Integer(required=True, validate=validate.Range(0, MOST), metadata=doc(SINCE, example=3))


class ReadinessSchema(Schema):
    """Whether you are ready."""

    ready = fields.Boolean(required=True)


class NewHostSchema(Schema):
    """The seat of the next host."""

    seat = StrictInteger(required=True, validate=validate.Range(0, 63), metadata=doc(SEAT, example=1))
    since = StrictInteger(validate=validate.Range(0, MOST), metadata=doc(SINCE_OF_HEIR, example=3))


class EndSchema(Schema):
    """When the table ends unless it starts."""

    ends_at = moment()


class LimitSchema(Schema):
    """A limit of your account."""

    name = fields.String(
        required=True, validate=validate.OneOf((*LIMITS, "requests")), metadata=doc("Its name.", **{"x-open": True})
    )
    says = fields.String(required=True, metadata=doc("Its meaning in words."))
    used = fields.Integer(
        required=True,
        allow_none=True,
        metadata=doc("Null: not known now, since the process that holds the streams does not answer."),
    )
    most = fields.Integer(required=True, allow_none=True, metadata=doc("Null: you have no limit."))
