"""The log."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import ENTRY, HeadSchema, PageSchema, note, says


class LogQuerySchema(PageSchema):
    """`wait` holds the request until there is something new, up to so many seconds."""

    limit = fields.Integer(load_default=500, validate=validate.Range(1, 1000))
    wait = fields.Integer(
        load_default=0,
        validate=validate.Range(0, 60),
        metadata=says("Seconds to hold the request if there is nothing new yet; the page then may be empty."),
    )


class LogSchema(Schema):
    """Lines in order; the note is on the whole log, not on the page."""

    entries = fields.List(fields.String(metadata=says(ENTRY)), required=True)
    note = note()
    head = fields.Nested(HeadSchema, required=True)
