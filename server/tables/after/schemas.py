"""Schemas of wishes to cancel or pause a game."""

from __future__ import annotations

from marshmallow import Schema, fields

from server.http.schemas import SEAT, doc, moment


class WishSchema(Schema):
    """Whether the players want to cancel or pause the game."""

    asked = fields.List(fields.Integer(), required=True, metadata=doc(f"The seats whose players must agree. {SEAT}"))
    agreed = fields.List(fields.Integer(), required=True, metadata=doc("The seats of those who have agreed."))
    until = moment("When the wish ends. Null: nobody has this wish. ", allow_none=True)
    cancelled = fields.Boolean(required=True, metadata=doc("Whether the game is cancelled."))
    carried_out = fields.Boolean(required=True, metadata=doc("Whether all have agreed, and it has been done."))
    pause_until = moment("The end of the pause that they want. Null: another wish, or none. ", allow_none=True)
