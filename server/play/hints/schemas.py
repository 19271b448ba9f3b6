"""A hint."""

from __future__ import annotations

from marshmallow import Schema, fields

from server.http.schemas import doc, kind, per_game
from server.play.schemas import SpelledStepSchema


class HintSchema(Schema):
    """A move that a house player would make for your seat."""

    type = kind()
    seq = fields.Integer(required=True, metadata=doc("The number of the last entry that it knows."))
    level = fields.String(required=True, metadata=doc("The level of the house player.", example="fair"))
    commands = fields.List(fields.Dict(), required=True, metadata=per_game("Step[]", "As they go into a move."))
    notation = fields.String(required=True, metadata=doc("The same as it is typed.", example="coins 5; end"))
    steps = fields.List(fields.Nested(SpelledStepSchema), required=True, metadata=doc("Each command in words."))
    says = fields.String(required=True, metadata=doc("The house player that would play this, in a sentence."))
    reason = fields.String(
        required=True,
        metadata=doc(
            "Its largest gain in a sentence, judged from the view of your seat. Empty if the house player cannot tell.",
            example="It scores 6 points now.",
        ),
    )
    effect = fields.String(
        required=True,
        metadata=doc(
            "Its effect in sentences, up to the first draw or reveal; if that comes at once, the commands in words."
        ),
    )
