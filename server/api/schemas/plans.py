"""A plan of a seat."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import SEAT, kind, moment, own, says


class PlanSchema(Schema):
    """Commands that you have mailed: no move until you have looked at them and signed them."""

    type = kind()
    seat = fields.Integer(required=True, metadata=says(f"Yours. {SEAT}"))
    via = fields.String(required=True, validate=validate.OneOf(["mail"]), metadata=says("How it came here."))
    commands = fields.List(fields.Dict(), required=True, metadata=own("Step[]", "As they go into `commands`."))
    notation = fields.String(required=True, metadata=says("The same as text.", example="coins 3; end"))
    size = fields.Integer(required=True, metadata=says("How many entries there were when it came."))
    fresh = fields.Boolean(required=True, metadata=says("Whether nothing has been logged since."))
    at = moment("When it came. ")
