"""The log."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import ENTRY, NEXT, HeadSchema, PageSchema, moment, note, says

HELD = (
    "Seconds to hold the request if there is nothing new yet; the page then may be empty. More than this server holds "
    "one (25, unless its operator chose otherwise) is 422 `wait-too-long`; if all places are taken, it is 503 "
    "`no-place`: look without, and again after `Retry-After`."
)


class LogQuerySchema(PageSchema):
    """`wait` holds the request until there is something new, up to so many seconds."""

    limit = fields.Integer(load_default=500, validate=validate.Range(1, 1000))
    wait = fields.Integer(load_default=0, validate=validate.Range(0), metadata=says(HELD, maximum=25))


class LogSchema(Schema):
    """Lines in order; the note is on the whole log, not on the page."""

    entries = fields.List(fields.String(metadata=says(ENTRY)), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=says(NEXT))
    note = note()
    head = fields.Nested(HeadSchema, required=True)


class AuditSchema(Schema):
    """Nothing but nulls until the game is over and has been judged as it stands."""

    verdict = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(["holds", "fails", "unknown", "open"]),
        metadata=says("`holds` if all is there and right; see docs/audit.md.", example="holds"),
    )
    says = fields.String(required=True, allow_none=True, metadata=says("The whole report, for people, in lines."))
    made_at = moment("When it was made. ", allow_none=True)
