"""Fields that several resources share."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

# `$` alone would let a line feed through at the end, in Python as in no other language.
NAME = [validate.Length(1, 40), validate.Regexp(r"^[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$(?!\n)")]
MOST = 2**31 - 1


class Whole(fields.Integer):
    """A whole number, also if it is spelled 8.0, which JSON Schema does not tell from 8; never 8.5, nor "8" in JSON."""

    def _validated(self, value: Any) -> Any:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, (bool, float)):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class HeadSchema(Schema):
    """The last entry: its number and its hash."""

    seq = fields.Integer(required=True)
    hash = fields.String(required=True)


class PageSchema(Schema):
    """A part of a list that only grows."""

    after = fields.Integer(load_default=-1, validate=validate.Range(-1, MOST))


def line() -> fields.String:
    """An entry, byte for byte."""
    return fields.String(required=True, metadata={"description": "One line of the log: hash these bytes."})


def note() -> fields.String:
    """The server's signed word."""
    return fields.String(required=True, metadata={"description": "A C2SP signed note on the log's size and head."})


def moment(*, allow_none: bool = False) -> fields.String:
    """A time of the record."""
    return fields.String(required=True, allow_none=allow_none, metadata={"example": "2026-11-21T10:00:00Z"})
