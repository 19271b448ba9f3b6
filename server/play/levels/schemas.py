"""The level that has made a move."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.http.schemas import doc

PLAYS = ("easy", "fair", "strong", "default")  # `default`: no level has answered


class MadeBySchema(Schema):
    """The level that has made a move in place of the house player's own."""

    level = fields.String(
        required=True,
        validate=validate.OneOf(PLAYS),
        metadata=doc("A lower level, or `default`: no level has answered, and a default move was played."),
    )
