"""Schemas of wishes to cancel a game."""

from __future__ import annotations

from marshmallow import Schema, fields

from server.http.schemas import SEAT, doc, moment


class WishSchema(Schema):
    """Whether the players want to cancel the game."""

    asked = fields.List(fields.Integer(), required=True, metadata=doc(f"The seats whose players must agree. {SEAT}"))
    agreed = fields.List(fields.Integer(), required=True, metadata=doc("The seats of those who have agreed."))
    until = moment("When the wish ends. Null: nobody wants to cancel the game. ", allow_none=True)
    cancelled = fields.Boolean(required=True, metadata=doc("Whether this has cancelled the game."))
