"""The log."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import HeadSchema, PageSchema, note


class LogQuerySchema(PageSchema):
    """`wait` holds the request until there is something new, up to so many seconds."""

    limit = fields.Integer(load_default=500, validate=validate.Range(1, 1000))
    wait = fields.Integer(load_default=0, validate=validate.Range(0, 60))


class LogSchema(Schema):
    """Lines in order; the note is on the whole log, not on the page."""

    entries = fields.List(fields.String(), required=True)
    note = note()
    head = fields.Nested(HeadSchema, required=True)
