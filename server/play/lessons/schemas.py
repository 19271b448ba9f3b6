"""Schemas of guided first games."""

from __future__ import annotations

from marshmallow import Schema, fields

from server.http.schemas import doc, kind, per_game
from server.play.schemas import PALETTE, LegalSchema

ASKS = "The move to make, in words."
WHY = "The reason, and what else there is to know."
NOTATION = "The command that it asks for, as it is typed."


class LessonStepSchema(Schema):
    """A step of a lesson."""

    asks = fields.String(required=True, metadata=doc(ASKS, example="Take the 5: it gives five coins."))
    why = fields.String(required=True, metadata=doc(WHY))
    notation = fields.String(required=True, metadata=doc(NOTATION, example="coins 5"))


class LessonSchema(Schema):
    """A guided first game: a prepared game of which you make the moves of the first seat."""

    type = kind()
    about = fields.String(required=True, metadata=doc("Where you are."))
    ends = fields.String(required=True, metadata=doc("A closing text for after the last step."))
    names = fields.List(fields.String(), required=True, metadata=doc("The players by seat. You are the first."))
    steps = fields.List(fields.Nested(LessonStepSchema), required=True)


class StageQuerySchema(Schema):
    """The colours of the picture."""

    palette = PALETTE


class StageSchema(Schema):
    """A step of a lesson with its position, or the position after the last step: then it asks for nothing."""

    type = kind()
    step = fields.Integer(required=True, metadata=doc("Its number, from 1."))
    asks = fields.String(required=True, allow_none=True, metadata=doc(ASKS))
    why = fields.String(required=True, allow_none=True, metadata=doc(WHY))
    command = fields.Dict(
        required=True, allow_none=True, metadata=per_game("Command", "The command that it asks for; null at the end.")
    )
    notation = fields.String(required=True, allow_none=True, metadata=doc(NOTATION))
    sentences = fields.List(
        fields.String(), required=True, metadata=doc("The events since the step before, in sentences.")
    )
    board = fields.String(required=True, metadata=doc("The board, as text."))
    picture = fields.String(required=True, metadata=doc("The same as SVG, from your seat."))
    view = fields.Dict(required=True, metadata=per_game("View", "The same as values."))
    legal = fields.List(
        fields.Nested(LegalSchema), required=True, metadata=doc("All commands that the rules allow here.")
    )
